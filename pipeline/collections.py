"""Manages the collections of one store: list, rename, remove, describe."""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from pipeline import schema, store
from pipeline.errors import FlockError
from pipeline.importers import columns as recognition
from pipeline.importers.reading import Format, read


def listing(stores: list[Path]) -> pa.Table:
    """One row a collection over all stores: runs, checkpoints, test sets, predictions, and the stores that hold it."""
    with store.connect(stores) as connection:
        table = connection.sql(
            """
            SELECT collection, count(DISTINCT run) AS runs, any_value(checkpoints) AS checkpoints,
                   any_value(datasets) AS "test sets", any_value(predictions) AS predictions
            FROM runs
            LEFT JOIN (SELECT collection, count(*) AS checkpoints FROM checkpoints GROUP BY ALL) USING (collection)
            LEFT JOIN (SELECT collection, count(DISTINCT dataset) AS datasets FROM accuracies GROUP BY ALL)
                USING (collection)
            LEFT JOIN (SELECT collection, sum(n)::BIGINT AS predictions FROM prediction_sets GROUP BY ALL)
                USING (collection)
            GROUP BY collection ORDER BY collection
            """
        ).to_arrow_table()
    holders = {name: [s.name for s in stores if name in store.collection_names(s)] for name in _names(table)}
    return table.append_column("stores", pa.array([", ".join(holders[name]) for name in _names(table)], pa.string()))


def _names(table: pa.Table) -> list[str]:
    return table["collection"].to_pylist()


def rename(target: Path, old: str, new: str) -> None:
    """Give a collection of `target` another name, in all its tables. Raises FlockError when `new` is taken."""
    _there(target, old)
    if new in store.collection_names(target):
        raise FlockError(f"{target} has a collection {new} already; remove it first or choose another name")
    with scratch_store(target) as scratch:
        copy_collection(target, scratch, old, new)
        folder = store.collection_folder(target, new)
        folder.parent.mkdir(parents=True, exist_ok=True)
        store.collection_folder(scratch, new).rename(folder)
    store.remove_collection(target, old)


def copy_collection(source: Path, target: Path, collection: str, name: str) -> None:
    """Write a collection of the store `source` into the store `target` under a name."""
    for folder in store.run_folders(source, collection):
        run = store.read_file(folder / "runs.parquet")["run"][0].as_py()
        results = store.read_run(source, collection, run)
        tables = {t: _renamed(getattr(results, t), name) for t in store.RUN_TABLES}
        store.write_run(target, store.RunResults(**tables))
    for table in store.COLLECTION_TABLES:
        path = store.collection_folder(source, collection) / f"{table}.parquet"
        if path.exists():
            store.write_collection_table(target, table, _renamed(store.read_file(path), name))


def _renamed(table: pa.Table | None, name: str) -> pa.Table | None:
    if table is None:
        return None
    index = table.column_names.index("collection")
    return table.set_column(index, table.schema.field(index), [pa.repeat(name, table.num_rows)])


@contextmanager
def scratch_store(target: Path) -> Iterator[Path]:
    """A store on the same disk as `target` for work in progress; gone afterwards."""
    scratch = target / f".new-{uuid.uuid4().hex}"
    scratch.mkdir(parents=True)
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def remove(target: Path, collection: str) -> None:
    """Remove a collection from `target`; its test sets stay. Raises FlockError when it is not there."""
    _there(target, collection)
    store.remove_collection(target, collection)


def _there(target: Path, collection: str) -> None:
    names = store.collection_names(target)
    if collection in names:
        return
    elsewhere = [s for s in store.default_stores() if s != target and collection in store.collection_names(s)]
    if elsewhere:
        raise FlockError(f"{collection} is not in {target} but in {elsewhere[-1]}; name that store with --store")
    raise FlockError(f"{target} has no collection {collection!r}; it has {', '.join(names) or 'none'}")


def describe(target: Path, collection: str, **about: str | None) -> None:
    """Set title, description or licence of a collection; what is None stays as it is.

    A collection of any store can be described; the description is written into `target`.
    """
    with store.connect([*store.default_stores(), target]) as connection:
        if not connection.execute("SELECT 1 FROM runs WHERE collection = ? LIMIT 1", [collection]).fetchall():
            raise FlockError(f"no collection {collection!r} in any store; `collections list` shows them")
        query = "SELECT * FROM collections WHERE collection = ?"
        known = connection.sql(query, params=[collection]).to_arrow_table().to_pylist()
    row = known[0] if known else {"collection": collection, "synthetic": False}
    row |= {name: value for name, value in about.items() if value is not None}
    store.write_collection_table(target, "collections", schema.COLLECTIONS.rows([row]))


def describe_runs(target: Path, collection: str, file: Path) -> list[str]:
    """Add the columns of a table about the runs (a column `run` and any others); returns their names.

    Numbers stay numbers on the screen. Raises FlockError for a run that the collection does not have.
    """
    sheet = recognition.split_header(read(file, Format()), True)
    names = [recognition.plain_name(name) for name in sheet.names]
    if "run" not in names or len(names) < 2:
        raise FlockError(f"{file}: needs a column run and at least one more; its header is {', '.join(sheet.names)}")
    with store.connect([*store.default_stores(), target]) as connection:
        query = "SELECT run FROM runs WHERE collection = ?"
        runs = {run for (run,) in connection.execute(query, [collection]).fetchall()}
    if not runs:
        raise FlockError(f"no collection {collection!r} in any store; `collections list` shows them")
    path = store.collection_folder(target, collection) / "run_columns.parquet"
    rows = {(r["run"], r["name"]): r for r in (store.read_file(path).to_pylist() if path.exists() else [])}
    at, seen = names.index("run"), {}
    for i, cells in enumerate(sheet.rows):
        run = str(cells[at]).strip()
        if run not in runs:
            raise FlockError(f"{sheet.where(i)}: {collection} has no run {run!r}; its runs are like {min(runs)}")
        if run in seen:
            raise FlockError(f"{sheet.where(i)}: {run} again, first in row {sheet.lines[seen[run]]}; keep one")
        seen[run] = i
        for name, cell in zip(sheet.names, cells, strict=True):
            if name != sheet.names[at] and cell is not None and str(cell).strip():
                rows[run, name] = {"collection": collection, "run": run, "name": name, "value": str(cell).strip()}
    store.write_collection_table(target, "run_columns", schema.RUN_COLUMNS.rows(list(rows.values())))
    return [name for name in sheet.names if name != sheet.names[at]]
