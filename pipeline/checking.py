"""Validates stores: every file readable and of this schema, keys unique, counts possible, accuracies equal to the
predictions that they summarise."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from pipeline import schema, scoring, store
from pipeline.errors import FlockError


@dataclass
class Report:
    """`rows`: as COLUMNS, one a collection; `problems` and harmless `notes`: a line each."""

    rows: list[tuple] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


COLUMNS = ("store", "collection", "runs", "checkpoints", "accuracies", "predictions", "problems")


def check(stores: Sequence[Path] | None = None) -> Report:
    """Check every file of `stores` (default: all that the app reads). Damage is reported, never raised."""
    report = Report()
    paths = store.default_stores() if stores is None else list(stores)
    context = _other_test_sets(paths)
    for path in paths:
        if not path.is_dir():
            if stores is not None:
                raise FlockError(f"{path}: no such store; give the folder that holds `collections` and `examples`")
            continue
        context |= _check_examples(path, report)
        _check_strays(path, report)
        for collection in store.collection_names(path):
            _check_collection(path, collection, context, report)
    if not report.problems:
        _check_together([*store.default_stores(), *paths], report)
    return report


def _other_test_sets(paths: Sequence[Path]) -> dict[str, pa.Table]:
    """Test sets of the stores that are not being checked: a store of predictions alone relies on them."""
    found = {}
    for other in store.default_stores():
        if other.resolve() not in {path.resolve() for path in paths}:
            for file in sorted(other.glob("examples/*.parquet")):
                table = store.read_file(file)
                found[table["dataset"][0].as_py()] = table
    return found


def _check_examples(path: Path, report: Report) -> dict[str, pa.Table]:
    """The store's test sets by name; problems go to the report."""
    found = {}
    for file in sorted(path.glob("examples/*.parquet")):
        table = _table(file, schema.EXAMPLES, report)
        if table is None:
            continue
        for dataset in table["dataset"].unique().to_pylist():
            rows = table.filter(pc.equal(table["dataset"], dataset))
            found[dataset] = rows
            if rows["position"].unique().to_pylist() != list(range(rows.num_rows)):
                report.problems.append(f"{file}: positions are not 0 to {rows.num_rows - 1}; add the test set again")
            allowed = {*schema.LABELS, schema.NON_ENTAILMENT, None}
            for gold in set(rows["gold"].unique().to_pylist()) - allowed:
                report.problems.append(f"{file}: unknown gold label {gold!r}; add the test set again")
    return found


def _check_strays(path: Path, report: Report) -> None:
    """What a killed writer left behind is harmless, yet takes space."""
    for stray in sorted((*path.glob("**/.new-*"), *path.glob("collections/.gone-*"))):
        report.notes.append(f"{stray}: left by a writer that was stopped; delete it when no writer is running")


def _check_collection(path: Path, collection: str, examples: dict[str, pa.Table], report: Report) -> None:
    before = len(report.problems)
    counts = dict.fromkeys(store.RUN_TABLES, 0)
    for name in store.COLLECTION_TABLES:
        file = store.collection_folder(path, collection) / f"{name}.parquet"
        if file.exists():
            _table(file, schema.TABLES[name], report)
    for folder in store.run_folders(path, collection):
        tables = {}
        for name in store.RUN_TABLES:
            file = folder / f"{name}.parquet"
            if file.exists():
                tables[name] = _table(file, schema.TABLES[name], report)
                counts[name] += tables[name].num_rows if tables[name] is not None else 0
            elif name != "predictions":
                report.problems.append(f"{file} is missing: import or train the run again")
        if all(tables.get(name) is not None for name in ("runs", "checkpoints", "accuracies")):
            _check_run(folder, tables, examples, report)
    report.rows.append((path.name, collection, *counts.values(), len(report.problems) - before))


def _table(file: Path, table: schema.Table, report: Report) -> pa.Table | None:
    """One file, or None with its problem reported."""
    try:
        data = store.read_file(file)
    except FlockError as error:
        report.problems.append(str(error))
        return None
    if not data.schema.equals(table.arrow, check_metadata=False):
        report.problems.append(f"{file}: columns are not those of table {table.name}; write it again")
        return None
    keys = data.select(table.key).group_by(list(table.key)).aggregate([]).num_rows
    if keys != data.num_rows:
        report.problems.append(f"{file}: {data.num_rows - keys} rows repeat a key ({', '.join(table.key)})")
    return data


def _check_run(folder: Path, tables: dict[str, pa.Table], examples: dict[str, pa.Table], report: Report) -> None:
    accuracies, checkpoints = tables["accuracies"], tables["checkpoints"]
    tables = {name: table for name, table in tables.items() if table is not None}
    for column in ("collection", "run"):
        owners = set().union(*(table[column].unique().to_pylist() for table in tables.values()))
        if len(owners) != 1:
            report.problems.append(f"{folder}: rows of {len(owners)} {column}s in one folder; import the run again")
    if sum(checkpoints["is_final"].to_pylist()) != 1:
        report.problems.append(f"{folder}/checkpoints.parquet: not exactly one final checkpoint")
    for row in accuracies.to_pylist():
        where = f"{folder}/accuracies.parquet: step {row['step']}, {row['dataset']}, {row['subcase'] or 'all'}"
        for name in ("correct", "correct_summed"):
            if row[name] is not None and not 0 <= row[name] <= row["n"]:
                report.problems.append(f"{where}: {name} {row[name]} is not between 0 and n = {row['n']}")
        if row["scoring"] not in schema.SCORINGS or row["origin"] not in schema.ORIGINS:
            report.problems.append(f"{where}: unknown scoring or origin ({row['scoring']}, {row['origin']})")
    steps = set(checkpoints["step"].to_pylist())
    predictions = tables.get("predictions")
    used = set(accuracies["step"].to_pylist()) | (set(predictions["step"].to_pylist()) if predictions else set())
    for step in sorted(used - steps):
        report.problems.append(f"{folder}: results at step {step}, which is no checkpoint of the run")
    if predictions is not None:
        _check_predictions(folder, predictions, accuracies, examples, report)


_DIFFERENCES = """
SELECT coalesce(a.dataset, b.dataset), coalesce(a.step, b.step), coalesce(a.subcase, b.subcase, 'all'),
       a.correct, b.correct
FROM stored a FULL JOIN recomputed b
  ON a.step = b.step AND a.dataset = b.dataset AND a.heuristic IS NOT DISTINCT FROM b.heuristic
 AND a.subcase IS NOT DISTINCT FROM b.subcase AND a.gold IS NOT DISTINCT FROM b.gold
WHERE (coalesce(a.dataset, b.dataset), coalesce(a.step, b.step)) IN (SELECT (dataset, step) FROM recomputed)
  AND (a.n, a.correct, a.correct_summed, a.scoring) IS DISTINCT FROM (b.n, b.correct, b.correct_summed, b.scoring)
"""


def _check_predictions(folder, predictions, accuracies, examples, report: Report) -> None:
    file = folder / "predictions.parquet"
    for label in set(predictions["predicted"].unique().to_pylist()) - {*schema.LABELS, schema.NON_ENTAILMENT}:
        report.problems.append(f"{file}: unknown label {label!r}; import the run again")
    sets = predictions.group_by(["step", "dataset"]).aggregate([("position", "max"), ([], "count_all")])
    known = [examples[d] for d in sets["dataset"].unique().to_pylist() if d in examples]
    for row in sets.to_pylist():
        expected = examples[row["dataset"]].num_rows if row["dataset"] in examples else row["count_all"]
        if row["count_all"] != expected or row["position_max"] != expected - 1:
            report.problems.append(
                f"{file}: {row['count_all']} predictions at step {row['step']} of {row['dataset']}, "
                f"which has {expected} examples; import or evaluate it again"
            )
            return
    if not known:
        return
    recomputed = scoring.score(predictions, pa.concat_tables(known), "computed")
    with duckdb.connect() as connection:
        connection.register("stored", accuracies)
        connection.register("recomputed", recomputed)
        for dataset, step, slice_name, stored, computed in connection.execute(_DIFFERENCES).fetchall():
            report.problems.append(
                f"{folder}: {dataset}, step {step}, {slice_name}: accuracies say {stored} right, predictions {computed}"
            )


_TOGETHER = {
    "predictions without a run": "SELECT collection, run FROM prediction_sets EXCEPT SELECT collection, run FROM runs",
    "accuracies without a run": "SELECT collection, run FROM accuracies EXCEPT SELECT collection, run FROM runs",
    "predictions of an unknown test set": "SELECT dataset FROM prediction_sets EXCEPT SELECT dataset FROM datasets",
    "two test sets of one name (add yours again under another name)": """
        SELECT DISTINCT dataset FROM (SELECT dataset FROM examples GROUP BY dataset, position HAVING count(*) > 1)""",
}


def _check_together(paths: Sequence[Path], report: Report) -> None:
    """What can only be seen when all stores are read as one."""
    with store.connect(paths) as connection:
        for problem, query in _TOGETHER.items():
            for row in connection.execute(query).fetchall():
                report.problems.append(f"{problem}: {', '.join(map(str, row))}")
