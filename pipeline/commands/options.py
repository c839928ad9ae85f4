"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Store = Annotated[
    Path | None,
    typer.Option("--store", help="The store to write to (default: data/local).", file_okay=False, show_default=False),
]
