"""A user's SQL over the stores: one SELECT, read-only, nothing outside the stores."""

import csv
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet
from rich.console import Console
from rich.table import Table

from pipeline import store
from pipeline.errors import FlockError


def select(statement: str, stores: Sequence[Path] | None = None) -> pa.Table:
    """The rows of one SELECT over the views of `pipeline.store.connect`.

    Raises FlockError for anything else: several statements, a statement that writes, a file outside the stores.
    """
    connection = store.connect(stores, locked=True)
    try:
        statements = connection.extract_statements(statement)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise FlockError("give one SELECT statement; the stores are read-only")
        return connection.sql(statement).to_arrow_table()
    except duckdb.Error as error:
        raise FlockError(str(error).strip().splitlines()[0]) from None
    finally:
        connection.close()


def run(statement: str, format: str, output: Path | None = None, stores: Sequence[Path] | None = None) -> None:
    """Print the rows of a SELECT as table, csv or json, or write them to `output` (csv, json, parquet)."""
    if format == "parquet" and output is None:
        raise FlockError("Parquet is not text: add --output FILE.parquet")
    rows = select(statement, stores)
    if output is None:
        sys.stdout.write(_text(rows, format))
        return
    aside = output.with_name(f".new-{output.name}")
    try:
        if format == "parquet":
            pyarrow.parquet.write_table(rows, aside)
        else:
            aside.write_text(_text(rows, format), encoding="utf-8")
        aside.replace(output)
    except OSError as error:
        raise FlockError(f"{output} cannot be written: {error.strerror}; choose another folder") from None
    finally:
        aside.unlink(missing_ok=True)


def _text(rows: pa.Table, format: str) -> str:
    if format == "csv":
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(rows.column_names)
        writer.writerows(row.values() for row in rows.to_pylist())
        return buffer.getvalue()
    if format == "json":
        return "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows.to_pylist())
    return aligned(rows)


def aligned(rows: pa.Table) -> str:
    """A table for the eye: every row and every column whole, however narrow the terminal."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for field in rows.schema:
        number = pa.types.is_integer(field.type) or pa.types.is_floating(field.type)
        table.add_column(field.name, justify="right" if number else "left", no_wrap=True)
    for row in zip(*(column.to_pylist() for column in rows.columns), strict=True):
        table.add_row(*("" if value is None else str(value) for value in row))
    buffer = io.StringIO()
    Console(file=buffer, width=10_000, markup=False, highlight=False, emoji=False).print(table)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"
