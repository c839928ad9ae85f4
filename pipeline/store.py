"""Stores: directories of Parquet tables, written atomically by `pipeline`, read as one through DuckDB.

    STORE/examples/DATASET.parquet
    STORE/collections/COLLECTION/{collections,agreement,run_columns}.parquet
    STORE/collections/COLLECTION/runs/RUN/{runs,checkpoints,accuracies,predictions}.parquet

A run's folder appears and is replaced whole, so its accuracies and predictions always belong together. The small
tables are read into memory when a store is opened; predictions stay on disk. Several stores read as one: later over
earlier, by the rules of `_MERGE`.
"""

import os
import shutil
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock

from pipeline import schema, scoring
from pipeline.errors import FlockError

ROOT = Path(__file__).resolve().parents[1]
PUBLISHED = ROOT / "data" / "published"
LOCAL = ROOT / "data" / "local"

RUN_TABLES = ("runs", "checkpoints", "accuracies", "predictions")
COLLECTION_TABLES = ("collections", "agreement", "run_columns")

_NEW, _OLD = ".new-", ".old-"


def default_stores() -> list[Path]:
    """The stores that are read as one: published, local, then those in FLOCK_STORES (separated as in PATH)."""
    extra = [Path(p) for p in os.environ.get("FLOCK_STORES", "").split(os.pathsep) if p]
    for path in extra:
        if not path.is_dir():
            raise FlockError(f"{path}: no such store; FLOCK_STORES names a folder that does not exist")
    return [PUBLISHED, LOCAL, *extra]


# --- names and folders ---------------------------------------------------------------------------------------------


def _file_name(name: str) -> str:
    """A name as a file name: reversible, no separator, no leading dot, safe on every system."""
    quoted = quote(name, safe=" +=,@()-_.")
    return quoted.replace(".", "%2E", 1) if quoted.startswith(".") else quoted


def collection_folder(store: Path, collection: str) -> Path:
    return store / "collections" / _file_name(collection)


def run_folder(store: Path, collection: str, run: str) -> Path:
    """Where a run's tables are; after a writer was killed in mid-swap, where its old state is."""
    folder = collection_folder(store, collection) / "runs" / _file_name(run)
    aside = folder.with_name(_OLD + folder.name)
    return aside if aside.exists() and not folder.exists() else folder


def run_folders(store: Path, collection: str | None = None) -> list[Path]:
    """Every run's folder, sorted by collection and run."""
    pattern = "collections/*" if collection is None else f"collections/{_file_name(collection)}"
    folders: dict[Path, Path] = {}
    for folder in sorted(store.glob(f"{pattern}/runs/*")):
        if folder.name.startswith(_NEW) or not folder.is_dir():
            continue
        final = folder.with_name(folder.name.removeprefix(_OLD))
        if folder == final or not final.exists():
            folders[final] = folder
    return [folders[final] for final in sorted(folders)]


def collection_names(store: Path) -> list[str]:
    """The collections that a store holds anything of."""
    return [
        unquote(folder.name)
        for folder in sorted(store.glob("collections/*"))
        if not folder.name.startswith(".") and folder.is_dir() and any(folder.iterdir())
    ]


# --- writing -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RunResults:
    """All that is stored about one run; each a table of `pipeline.schema`. `predictions` is None where only
    accuracies are known."""

    runs: pa.Table
    checkpoints: pa.Table
    accuracies: pa.Table
    predictions: pa.Table | None = None

    @property
    def collection(self) -> str:
        return self.runs["collection"][0].as_py()

    @property
    def run(self) -> str:
        return self.runs["run"][0].as_py()

    def merged_over(self, older: "RunResults") -> "RunResults":
        """These results and those of `older` that they do not replace.

        Checkpoints replace by step; accuracies and predictions by (step, dataset), whole.
        """
        sets = [t.select(_SET) for t in (self.accuracies, self.predictions) if t is not None]
        replaced = pa.concat_tables(sets).group_by(_SET).aggregate([])
        predictions = [_without(older.predictions, replaced)] if older.predictions else []
        predictions += [self.predictions] if self.predictions else []
        steps = self.checkpoints.select(["step"])
        return RunResults(
            runs=self.runs,
            checkpoints=pa.concat_tables([_without(older.checkpoints, steps), self.checkpoints]),
            accuracies=pa.concat_tables([_without(older.accuracies, replaced), self.accuracies]),
            predictions=pa.concat_tables(predictions) if predictions else None,
        )


_SET = ["step", "dataset"]


def _without(table: pa.Table, keys: pa.Table) -> pa.Table:
    """The rows of `table` whose key does not occur in `keys`, in their order."""
    rows = table.select(keys.column_names).append_column("_row", pa.array(range(table.num_rows), pa.int64()))
    kept = rows.join(keys, keys.column_names, join_type="left anti").sort_by("_row")
    return table.take(kept["_row"])


def write_run(store: Path, results: RunResults, *, replace_existing: bool = False) -> None:
    """Write one run, whole and atomically. Raises FlockError when it exists and may not be replaced."""
    folder = collection_folder(store, results.collection) / "runs" / _file_name(results.run)
    new = folder.with_name(f"{_NEW}{uuid.uuid4().hex}-{folder.name}")
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


def write_examples(store: Path, examples: pa.Table) -> None:
    """Write one test set, replacing what this store has of it."""
    table = schema.EXAMPLES.conform(examples)
    (dataset,) = table["dataset"].unique().to_pylist()
    _write_file(store, store / "examples" / f"{_file_name(dataset)}.parquet", table, "examples")


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
    new = path.with_name(f"{_NEW}{uuid.uuid4().hex}-{path.name}")
    try:
        _write_parquet(new, table, name)
        with _writing(store):
            new.replace(path)
            _sync(path.parent)
    finally:
        new.unlink(missing_ok=True)


def _write_parquet(path: Path, table: pa.Table, name: str) -> None:
    """One file; predictions sorted, a row group for each (step, dataset), so that readers skip what they need not."""
    numbers = [c for c in table.column_names if pa.types.is_floating(table.schema.field(c).type)]
    options = {
        "compression": "zstd",
        "compression_level": 9,
        "use_dictionary": [c for c in table.column_names if c not in numbers],
        "column_encoding": dict.fromkeys(numbers, "BYTE_STREAM_SPLIT"),
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
    aside = folder.with_name(_OLD + folder.name)
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


# --- reading -------------------------------------------------------------------------------------------------------

_MERGE = {
    # Later stores win whole rows by key ...
    "runs": "SELECT * EXCLUDE (store) FROM {all} QUALIFY store = max(store) OVER (PARTITION BY collection, run)",
    "checkpoints": "SELECT * EXCLUDE (store) FROM {all} "
    "QUALIFY store = max(store) OVER (PARTITION BY collection, run, step)",
    "collections": "SELECT * EXCLUDE (store) FROM {all} QUALIFY store = max(store) OVER (PARTITION BY collection)",
    "run_columns": "SELECT * EXCLUDE (store) FROM {all} "
    "QUALIFY store = max(store) OVER (PARTITION BY collection, run, name)",
    "published_agreement": "SELECT * EXCLUDE (store) FROM {all} "
    "QUALIFY store = max(store) OVER (PARTITION BY collection, dataset)",
    # ... or a whole (run, step, dataset) ...
    "accuracies": "SELECT * EXCLUDE (store) FROM {all} "
    "QUALIFY store = max(store) OVER (PARTITION BY collection, run, step, dataset)",
    # ... or fill in what earlier ones lack.
    "examples": "SELECT dataset, example, {columns} FROM {all} GROUP BY dataset, example ORDER BY dataset, position",
}

_AGREEMENT = """
CREATE VIEW agreement AS
SELECT p.collection, p.dataset, p.position, count(*)::INTEGER AS runs,
       (count(*) FILTER (is_correct(p.predicted, e.gold)))::INTEGER AS correct, 'computed' AS origin
FROM predictions p
JOIN (SELECT collection, run, step FROM checkpoints WHERE is_final) USING (collection, run, step)
JOIN (SELECT dataset, position, gold FROM examples WHERE gold IS NOT NULL) e USING (dataset, position)
GROUP BY p.collection, p.dataset, p.position
UNION ALL
SELECT * FROM published_agreement a
WHERE NOT EXISTS (FROM prediction_sets s WHERE s.collection = a.collection AND s.dataset = a.dataset)
"""

_DATASETS = """
CREATE TABLE datasets AS
SELECT dataset, count(*) AS n, coalesce(bool_or(gold = 'non-entailment'), false) AS two_way,
       count(gold) = count(*) AS has_gold, count(premise) = count(*) AS has_text,
       coalesce(bool_or(heuristic IS NOT NULL OR subcase IS NOT NULL), false) AS has_slices
FROM examples GROUP BY dataset
"""


def connect(stores: Sequence[Path] | None = None, *, locked: bool = False) -> duckdb.DuckDBPyConnection:
    """A DuckDB connection with a view or table for each table of `pipeline.schema`, over all stores as one.

    Further tables: `datasets` (dataset, n, two_way, has_gold, has_text, has_slices) and `prediction_sets` (which
    collection, run, step, dataset have predictions, how many, and whether with logits). Macros: `pipeline.scoring`.
    Use a `cursor()` for each query. `locked` forbids everything outside the stores, for SQL that a user wrote.

    Raises FlockError for a file of another schema version or one that is damaged.
    """
    paths = _distinct(default_stores() if stores is None else stores)
    connection = duckdb.connect(config={"preserve_insertion_order": "true"})
    connection.execute(scoring.MACROS)
    connection.execute("SET parquet_metadata_cache = true")
    try:
        files = {table: _files(paths, table) for table in schema.TABLES}
        _refuse_other_versions(connection, [path for listed in files.values() for _, path in listed])
        for table, merge in _MERGE.items():
            name = "agreement" if table == "published_agreement" else table
            _load(connection, table, schema.TABLES[name], files[name], merge)
        _prediction_views(connection, files["predictions"])
        connection.execute(_AGREEMENT)
        connection.execute(_DATASETS)
    except duckdb.Error as error:
        connection.close()
        raise FlockError(f"a store could not be read: {str(error).splitlines()[0]}; `check` names the file") from error
    if locked:
        allowed = ", ".join(_literal(path.resolve()) for path in paths)
        connection.execute(f"SET allowed_directories = [{allowed}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
    return connection


def _distinct(stores: Sequence[Path]) -> list[Path]:
    """Each store once, where it is named last."""
    return list(reversed(dict.fromkeys(Path(s).resolve() for s in reversed(stores))))


def fingerprint(stores: Sequence[Path] | None = None) -> tuple:
    """Changes whenever a store does; cheap enough to ask at every page load."""
    paths = default_stores() if stores is None else stores
    folders = [
        f for s in paths for f in (s / "examples", *sorted(s.glob("collections/*")), *s.glob("collections/*/runs"))
    ]
    return tuple((str(f), f.stat().st_mtime_ns) for f in folders if f.is_dir())


def _files(stores: Sequence[Path], table: str) -> list[tuple[int, Path]]:
    """(rank of store, file) for every file of a table."""
    if table in RUN_TABLES:
        found = [(i, f / f"{table}.parquet") for i, s in enumerate(stores) for f in run_folders(s)]
        return [(i, path) for i, path in found if path.exists()]
    pattern = "examples/*.parquet" if table == "examples" else f"collections/*/{table}.parquet"
    return [(i, p) for i, s in enumerate(stores) for p in sorted(s.glob(pattern)) if not p.name.startswith(".")]


def _refuse_other_versions(connection: duckdb.DuckDBPyConnection, files: Sequence[Path]) -> None:
    if not files:
        return
    found = connection.execute(
        "SELECT file_name, value::VARCHAR FROM parquet_kv_metadata($files) WHERE key::VARCHAR = $key",
        {"files": [str(f) for f in files], "key": schema.VERSION_KEY.decode()},
    ).fetchall()
    versions = dict(found)
    for file in files:
        version = versions.get(str(file))
        if version != str(schema.VERSION):
            named = "no schema version" if version is None else f"schema version {version}"
            raise FlockError(f"{file} has {named}, this Flock reads {schema.VERSION}: write it again with this version")


def _literal(value: object) -> str:
    return "'" + str(value).replace("'", "''") + "'"


def _list(files: Sequence[Path]) -> str:
    """Files as a DuckDB list. Views take no bound parameters, and glob characters in a path must stay literal."""
    return "[" + ", ".join(_literal(_escape_glob(path)) for path in files) + "]"


def _escape_glob(path: Path) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in str(path))


def _load(connection, name: str, table: schema.Table, files: list[tuple[int, Path]], merge: str) -> None:
    """Create the in-memory table `name` from all stores' files of `table`."""
    connection.register("_empty", table.arrow.empty_table())
    sources = ["SELECT 0 AS store, * FROM _empty"]
    for rank in sorted({rank for rank, _ in files}):
        listed = _list([path for r, path in files if r == rank])
        sources.append(f"SELECT {rank} AS store, * FROM read_parquet({listed})")
    columns = ", ".join(
        f"arg_max({c}, store) FILTER ({c} IS NOT NULL) AS {c}" for c in table.names if c not in ("dataset", "example")
    )
    union = "(" + " UNION ALL ".join(sources) + ")"
    connection.execute(f"CREATE TABLE {name} AS {merge.format(all=union, columns=columns)}")
    connection.unregister("_empty")


def _prediction_views(connection, files: list[tuple[int, Path]]) -> None:
    """`prediction_sets` from the files' row-group statistics, and the view `predictions` over the files."""
    paths = _list([path for _, path in files])
    connection.execute(
        "CREATE TABLE prediction_sets (collection VARCHAR, run VARCHAR, step BIGINT, dataset VARCHAR, n BIGINT, "
        "has_logits BOOLEAN, file VARCHAR, store INTEGER)"
    )
    if not files:
        connection.register("_empty", schema.PREDICTIONS.arrow.empty_table())
        connection.execute("CREATE TABLE predictions AS SELECT * FROM _empty")
        connection.unregister("_empty")
        return
    connection.execute(
        f"""
        INSERT INTO prediction_sets
        WITH groups AS (
            SELECT file_name AS file, row_group_id, any_value(row_group_num_rows) AS n,
                   max(stats_min_value) FILTER (path_in_schema = 'collection') AS collection,
                   max(stats_min_value) FILTER (path_in_schema = 'run') AS run,
                   max(stats_min_value) FILTER (path_in_schema = 'step')::BIGINT AS step,
                   max(stats_min_value) FILTER (path_in_schema = 'dataset') AS dataset,
                   max(stats_null_count) FILTER (path_in_schema = 'logit_entailment') AS nulls
            FROM parquet_metadata({paths}) GROUP BY file_name, row_group_id
        )
        SELECT collection, run, step, dataset, sum(n), bool_and(coalesce(nulls, n) = 0), file, 0
        FROM groups GROUP BY collection, run, step, dataset, file
        """
    )
    connection.executemany("UPDATE prediction_sets SET store = ? WHERE file = ?", [(r, str(p)) for r, p in files])
    connection.execute(
        "CREATE TABLE superseded AS SELECT file, step, dataset FROM prediction_sets "
        "QUALIFY store < max(store) OVER (PARTITION BY collection, run, step, dataset)"
    )
    superseded = connection.execute("SELECT count(*) FROM superseded").fetchone()[0]
    connection.execute(
        "DELETE FROM prediction_sets p USING superseded s "
        "WHERE p.file = s.file AND p.step = s.step AND p.dataset = s.dataset"
    )
    columns = ", ".join(schema.PREDICTIONS.names)
    view = f"SELECT {columns} FROM read_parquet({paths})"
    if superseded:
        view = (
            f"SELECT {columns} FROM read_parquet({paths}, filename = true) p "
            "ANTI JOIN superseded s ON p.filename = s.file AND p.step = s.step AND p.dataset = s.dataset"
        )
    connection.execute(f"CREATE VIEW predictions AS {view}")


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
