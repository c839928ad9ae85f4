"""Every SQL query of the app, a module a topic: `(connection, filter, ...) -> DataFrame`, values always bound."""
