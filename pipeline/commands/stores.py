"""`check` and `sql`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import pyarrow as pa
import typer

from pipeline import checking, query
from pipeline.errors import FlockError


class Format(StrEnum):
    table = "table"
    csv = "csv"
    json = "json"
    parquet = "parquet"


def check(
    store: Annotated[
        list[Path] | None,
        typer.Option(help="A store to check; may be repeated (default: all that the app reads).", file_okay=False),
    ] = None,
) -> None:
    """Validate stores: schema, keys, counts, accuracies equal to predictions. Exit status 1 when a problem is found."""
    report = checking.check(store or None)
    rows = [dict(zip(checking.COLUMNS, row, strict=True)) for row in report.rows]
    typer.echo(query.aligned(pa.Table.from_pylist(rows)) if rows else "no collections")
    for note in report.notes:
        typer.echo(f"note: {note}", err=True)
    for problem in report.problems:
        typer.echo(problem, err=True)
    if report.problems:
        raise FlockError(f"{len(report.problems)} problems found")


def sql(
    statement: Annotated[str, typer.Argument(help="One SELECT over the views; see pipeline/schema.py.")],
    format: Annotated[Format, typer.Option(help="How to print the rows.")] = Format.table,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to a file instead.", dir_okay=False)
    ] = None,
    store: Annotated[
        list[Path] | None,
        typer.Option(help="A store to read; may be repeated (default: all that the app reads).", file_okay=False),
    ] = None,
) -> None:
    """A read-only query over all stores; it cannot touch anything outside them."""
    query.run(statement, format=format, output=output, stores=store or None)
