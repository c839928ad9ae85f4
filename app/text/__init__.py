"""The words on the screen, a module a page; `common` has those that several pages share."""
