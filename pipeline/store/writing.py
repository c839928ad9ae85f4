"""Writing: aside first, synced, then renamed, so that a kill leaves the old state or the new one."""

import os
import shutil
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock

from pipeline import schema
from pipeline.errors import FlockError
from pipeline.store.layout import NEW, OLD, RUN_TABLES, collection_folder, file_name, run_folder
from pipeline.store.results import RunResults


def write_run(store: Path, results: RunResults, *, replace_existing: bool = False) -> None:
    """Write one run, whole and atomically. Raises FlockError when it exists and may not be replaced."""
    folder = collection_folder(store, results.collection) / "runs" / file_name(results.run)
    new = folder.with_name(f"{NEW}{uuid.uuid4().hex}-{folder.name}")
    new.mkdir(parents=True)
    try:
        for name in RUN_TABLES:
            table = getattr(results, name)
            if table is not None:
                _write_parquet(new / f"{name}.parquet", schema.TABLES[name].conform(table), name)
        _sync(new)
        with _writing(store):
            current = run_folder(store, results.collection, results.run)
            if current.exists() and not replace_existing:
                raise FlockError(
                    f"run {results.run} of collection {results.collection} exists in {store}; --replace replaces it"
                )
            _swap(new, folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def update_run(store: Path, results: RunResults) -> None:
    """Write one run, keeping what the store has of its other checkpoints and test sets."""
    older = read_run(store, results.collection, results.run)
    write_run(store, results if older is None else results.merged_over(older), replace_existing=True)


def read_run(store: Path, collection: str, run: str) -> RunResults | None:
    """What a store holds of one run, or None."""
    folder = run_folder(store, collection, run)
    if not folder.exists():
        return None
    tables = {n: read_file(folder / f"{n}.parquet") for n in RUN_TABLES if (folder / f"{n}.parquet").exists()}
    return RunResults(**tables)


def read_file(path: Path) -> pa.Table:
    """One file of a store. Raises FlockError when it is damaged or of another version."""
    try:
        table = pq.read_table(path, partitioning=None)
    except (pa.ArrowInvalid, OSError) as error:
        raise FlockError(f"{path} is damaged ({error}); restore it or write the run again") from None
    version = (table.schema.metadata or {}).get(schema.VERSION_KEY, b"none").decode()
    if version != str(schema.VERSION):
        raise FlockError(f"{path} has schema version {version}, this Flock reads {schema.VERSION}: write it again")
    return table


def write_examples(store: Path, examples: pa.Table) -> None:
    """Write one test set, replacing what this store has of it."""
    table = schema.EXAMPLES.conform(examples)
    (dataset,) = table["dataset"].unique().to_pylist()
    _write_file(store, store / "examples" / f"{file_name(dataset)}.parquet", table, "examples")


def write_collection_table(store: Path, name: str, data: pa.Table) -> None:
    """Write `collections`, `agreement` or `run_columns` of one collection, replacing what this store has of it."""
    table = schema.TABLES[name].conform(data)
    (collection,) = table["collection"].unique().to_pylist()
    _write_file(store, collection_folder(store, collection) / f"{name}.parquet", table, name)


def remove_collection(store: Path, collection: str) -> None:
    """Remove a collection from a store; its test sets stay."""
    folder = collection_folder(store, collection)
    with _writing(store):
        aside = folder.with_name(f".gone-{uuid.uuid4().hex}")
        folder.rename(aside)
        _sync(folder.parent)
    shutil.rmtree(aside)


def _write_file(store: Path, path: Path, table: pa.Table, name: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{NEW}{uuid.uuid4().hex}-{path.name}")
    try:
        _write_parquet(new, table, name)
        with _writing(store):
            new.replace(path)
            _sync(path.parent)
    finally:
        new.unlink(missing_ok=True)


def _write_parquet(path: Path, table: pa.Table, name: str) -> None:
    """One file; predictions sorted, a row group for each (step, dataset), so that readers skip what they need not."""
    encodings = {c: "BYTE_STREAM_SPLIT" for c in table.column_names if pa.types.is_floating(table.schema.field(c).type)}
    encodings |= {c: "DELTA_BINARY_PACKED" for c in table.column_names if c == "position"}
    options = {
        "compression": "zstd",
        "compression_level": 9,
        "use_dictionary": [c for c in table.column_names if c not in encodings],
        "column_encoding": encodings,
    }
    with pq.ParquetWriter(path, table.schema, **options) as writer:
        if name == "predictions":
            table = table.sort_by([("step", "ascending"), ("dataset", "ascending"), ("position", "ascending")])
            for group in _groups(table, ("step", "dataset")):
                writer.write_table(group, row_group_size=max(1, group.num_rows))
        else:
            writer.write_table(table)
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _groups(table: pa.Table, key: Sequence[str]) -> Iterator[pa.Table]:
    """The runs of equal key in a sorted table."""
    counts = table.select(key).group_by(list(key), use_threads=False).aggregate([([], "count_all")])
    start = 0
    for count in counts["count_all"].to_pylist():
        yield table.slice(start, count)
        start += count


@contextmanager
def _writing(store: Path) -> Iterator[None]:
    """One writer at a time swaps folders in a store; the writing itself goes on side by side."""
    store.mkdir(parents=True, exist_ok=True)
    with FileLock(store / ".lock", timeout=60):
        yield


def _swap(new: Path, folder: Path) -> None:
    """Put `new` where `folder` is. At every moment `run_folder` finds either the old or the new state whole."""
    aside = folder.with_name(OLD + folder.name)
    if folder.exists():
        shutil.rmtree(aside, ignore_errors=True)
        folder.rename(aside)
    new.rename(folder)
    _sync(folder.parent)
    shutil.rmtree(aside, ignore_errors=True)


def _sync(folder: Path) -> None:
    if os.name == "nt":  # Windows cannot open a folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
