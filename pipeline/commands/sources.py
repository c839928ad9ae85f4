"""`build-published` and `fetch`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from pipeline import store as stores
from pipeline.commands import options
from pipeline.sources import build


def build_published(
    source: Annotated[
        Path, typer.Option("--from", help="The folder of the published source files.", exists=True, file_okay=False)
    ],
    store: options.Store = None,
) -> None:
    """Rebuild the four published collections (default: into data/published), byte for byte the same each time."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, transient=True) as progress:
        task = progress.add_task("", total=None)
        build.build_published(source, store or stores.PUBLISHED, lambda step: progress.update(task, description=step))
    typer.echo(f"built {', '.join(build.COLLECTIONS)} in {store or stores.PUBLISHED}")
