"""The commands, one file a subject. `pipeline.__main__` registers them; each calls one function of the pipeline."""
