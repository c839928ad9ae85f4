"""The one kind of error that a user sees."""


class FlockError(Exception):
    """Bad input or state that the user can mend: one line that names file, row and remedy.

    The command line prints it and exits with 1.
    """
