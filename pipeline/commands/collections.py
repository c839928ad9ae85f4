"""`collections list | rename | remove | describe` and `export`."""

from pathlib import Path
from typing import Annotated

import typer

from pipeline import collections, exporting, query
from pipeline import store as stores
from pipeline.commands import options

app = typer.Typer(help="Manage the collections in data/local.", no_args_is_help=True)

_Collection = Annotated[str, typer.Argument(help="The collection.", show_default=False)]


def _everything(store: Path | None) -> list[Path]:
    return [s for s in (*stores.default_stores(), *([store] if store else [])) if s.is_dir()]


@app.command("list")
def list_collections(store: options.Store = None) -> None:
    """List the collections of all stores, or of one."""
    table = collections.listing([store] if store else _everything(None))
    typer.echo(query.aligned(table) if table.num_rows else "no collections", nl=False)


@app.command()
def rename(
    collection: _Collection,
    name: Annotated[str, typer.Argument(help="Its new name.", show_default=False)],
    store: options.Store = None,
) -> None:
    """Give a collection another name."""
    collections.rename(store or stores.LOCAL, collection, name)
    typer.echo(f"{collection} is now {name}")


@app.command()
def remove(
    collection: _Collection,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: options.Store = None,
) -> None:
    """Remove a collection; its test sets stay."""
    target = store or stores.LOCAL
    if not yes:
        typer.confirm(f"Remove {collection} and all its predictions from {target}?", abort=True)
    collections.remove(target, collection)
    typer.echo(f"removed {collection} from {target}")


@app.command()
def describe(
    collection: _Collection,
    title: Annotated[str | None, typer.Option(help="A short name for the screen.")] = None,
    text: Annotated[str | None, typer.Option(help="A sentence or two.")] = None,
    licence: Annotated[str | None, typer.Option(help="The licence of its numbers.")] = None,
    runs_table: Annotated[
        Path | None, typer.Option(help="A table with a column run and others about the runs, to colour by.")
    ] = None,
    store: options.Store = None,
) -> None:
    """Say what a collection is, and add columns about its runs."""
    target = store or stores.LOCAL
    if runs_table is not None:
        names = collections.describe_runs(target, collection, runs_table)
        typer.echo(f"{collection}: its runs now have {', '.join(names)}")
    if any((title, text, licence)):
        collections.describe(target, collection, title=title, description=text, licence=licence)
        typer.echo(f"{collection} is described")
    elif runs_table is None:
        raise typer.BadParameter("give --title, --text, --licence or --runs-table")


def export(
    collection: _Collection,
    output: Annotated[Path, typer.Argument(help="The zip file to write.", dir_okay=False, show_default=False)],
    text: Annotated[
        str, typer.Option(help="Which sentences go along: own (all but those that `fetch` brings), all, none.")
    ] = "own",
    decimals: Annotated[
        int | None,
        typer.Option(
            help="Round logits to so many decimals; 3 make the file half as large.", min=0, show_default=False
        ),
    ] = None,
    store: options.Store = None,
) -> None:
    """Write a collection with its test sets and their origin into one file to share.

    Unpacked, FLOCK_STORES reads it.
    """
    if text not in exporting.TEXTS:
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(exporting.TEXTS)}", param_hint="--text")
    exporting.export(collection, output, _everything(store), text, decimals)
    typer.echo(f"wrote {output} ({output.stat().st_size / 1e6:.1f} MB)")
