"""`build-published` and `fetch`."""

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from pipeline import store as stores
from pipeline.commands import options
from pipeline.sources import build, download, upstream
from pipeline.sources import fetch as fetching


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


def fetch(
    names: Annotated[list[str] | None, typer.Argument(help="hans, mnli, feather (default: hans mnli).")] = None,
    source: Annotated[
        Path | None,
        typer.Option("--from", help="Take the files from anywhere under this folder instead of downloading them."),
    ] = None,
    if_missing: Annotated[bool, typer.Option("--if-missing", help="Fetch only what no store holds yet.")] = False,
    give_up_after: Annotated[
        float | None, typer.Option(help="Seconds after which to stop downloading and go on without.", min=0)
    ] = None,
    store: options.Store = None,
) -> None:
    """Bring the sentences of HANS and MNLI, and with `feather` all 3,981,500 predictions of the 100 runs.

    Each file is verified by its git blob id before anything is stored.
    """
    target = store or stores.LOCAL
    wanted = names or ["hans", "mnli"]
    if if_missing:
        wanted = fetching.missing(wanted, [*stores.default_stores(), target])
    if source is not None:
        lines = fetching.fetch(wanted, target, lambda file: upstream.find(source, file))
    else:
        lines = _download(wanted, target, give_up_after)
    for line in lines:
        typer.echo(line)


def _download(names: list[str], target: Path, give_up_after: float | None) -> list[str]:
    deadline = None if give_up_after is None else time.monotonic() + give_up_after
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, TimeRemainingColumn(), transient=True) as progress:

        def get(file: upstream.UpstreamFile) -> bytes:
            task = progress.add_task(file.name, total=None)
            content = download.download(
                file, lambda done, total: progress.update(task, completed=done, total=total), deadline
            )
            progress.remove_task(task)
            return content

        return fetching.fetch(names, target, get)
