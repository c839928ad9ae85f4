"""Reading: several stores as one DuckDB connection."""

from collections.abc import Sequence
from pathlib import Path

import duckdb

from pipeline import schema, scoring
from pipeline.errors import FlockError
from pipeline.store.layout import RUN_TABLES, default_stores, run_folders

MERGE = {
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
        for table, merge in MERGE.items():
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
