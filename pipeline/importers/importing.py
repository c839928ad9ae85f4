"""The whole import: files -> runs, all checked before any is written."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline import schema, scoring, store
from pipeline.errors import FlockError
from pipeline.importers import columns as recognition
from pipeline.importers import labels, matching
from pipeline.importers.reading import Format, Sheet, read
from pipeline.store import RunResults


@dataclass(frozen=True)
class Options:
    """What the user says about the files; None and empty mean: recognise it."""

    dataset: str
    collection: str
    run: str | None = None
    step: int | None = None
    labels: str | None = None
    values: str | None = None
    format: Format = field(default_factory=Format)
    columns: dict[str, str] = field(default_factory=dict)
    logit_columns: Sequence[str] | None = None
    model: str | None = None
    force: bool = False
    replace: bool = False


@dataclass
class Found:
    """One run on one checkpoint, read from a file and not yet written."""

    run: str
    step: int
    file: str
    predictions: pa.Table
    right: float | None
    said: str
    warning: str | None = None


def import_files(
    files: Sequence[Path],
    options: Options,
    target: Path,
    *,
    say: Callable[[str], None] = lambda line: None,
    track: Callable = lambda items, description: items,
) -> list[Found]:
    """Import prediction files into the store `target`; returns what was imported.

    `say` is told what was recognised, `track` wraps loops with a progress bar. Nothing is stored unless every file is
    good. Raises FlockError naming file, row and remedy.
    """
    examples = _examples(options.dataset, target)
    test_set = matching.TestSet.of(examples)
    names = _run_names(files)
    found: list[Found] = []
    for file in track(files, "reading"):
        found += _read_file(file, names[file], options, test_set)
    _refuse_twice(found)
    results = [_results(run, group, options, examples) for run, group in _by_run(found).items()]
    for result in results:
        _refuse_existing(result, options, target)
    for item in found:
        say(item.said)
        if item.warning:
            say(f"warning: {item.warning}")
    for result in track(results, "writing"):
        store.update_run(target, result)
    return found


def _examples(dataset: str, target: Path) -> pa.Table:
    with store.connect([*store.default_stores(), target]) as connection:
        query = "SELECT * FROM examples WHERE dataset = ? ORDER BY position"
        examples = connection.sql(query, params=[dataset]).to_arrow_table()
        known = [name for (name,) in connection.execute("SELECT dataset FROM datasets ORDER BY 1").fetchall()]
    if not examples.num_rows:
        raise FlockError(
            f"no test set {dataset!r}; there are {', '.join(known)}. "
            "`python -m pipeline add-dataset FILE --name NAME` registers another"
        )
    return schema.EXAMPLES.conform(examples)


def _run_names(files: Sequence[Path]) -> dict[Path, str]:
    """A run's name from its file's, or from the nearest folder's whose names differ."""
    if len(set(files)) != len(files):
        twice = next(f for f in files if list(files).count(f) > 1)
        raise FlockError(f"{twice} is named twice; name each file once")
    for depth in range(max(len(file.parts) for file in files)):
        names = {file: _stem(file) if depth == 0 else Path(*file.parts[:-depth]).name for file in files}
        if len(set(names.values())) == len(files) and all(names.values()):
            return names
    return {file: str(file.with_suffix("")) for file in files}


def _stem(file: Path) -> str:
    return file.name.removesuffix(".gz").rsplit(".", 1)[0]


def _read_file(file: Path, name: str, options: Options, test_set: matching.TestSet) -> list[Found]:
    """Every run and checkpoint in a file."""
    sheet = recognition.split_header(read(file, options.format), options.format.header)
    if not sheet.rows:
        raise FlockError(f"{file} has a header and no rows; export the predictions again")
    columns = recognition.recognise(sheet, options.columns, options.logit_columns)
    if options.run and (columns.run is not None or len(columns.predictions) > 1):
        raise FlockError(f"{file} holds several runs; leave out --run, or import one column with --prediction-column")
    found = []
    for (run, step), rows in _groups(sheet, columns, options).items():
        positions, how = matching.match(sheet, columns, rows, test_set)
        for wide, column in (columns.predictions or {None: None}).items():
            run_name = options.run or run or wide or name
            found.append(_one(sheet, columns, rows, positions, how, column, run_name, step, options, test_set))
    return found


def _groups(sheet: Sheet, columns, options: Options) -> dict[tuple[str | None, int], list[int]]:
    """(run, step) -> its rows, in the order of the file."""
    groups: dict[tuple[str | None, int], list[int]] = {}
    for row, cells in enumerate(sheet.rows):
        run = None if columns.run is None else str(cells[columns.run]).strip()
        step = options.step or 0
        if columns.step is not None and options.step is None:
            number = labels.integer(cells[columns.step])
            if number is None:
                raise FlockError(f"{sheet.where(row)}: step {cells[columns.step]!r} is no whole number; mend it")
            step = number
        groups.setdefault((run, step), []).append(row)
    return groups


def _one(sheet, columns, rows, positions, how, column, run, step, options: Options, test_set) -> Found:
    order = labels.parse_order(options.labels)

    def where(i: int) -> str:
        return sheet.where(rows[i])

    logits = None
    if column is None:
        order = _value_order(sheet, columns, order)
        predicted, logits, probabilities = labels.from_values(
            _values(sheet, columns, rows, where), order, where, options.values
        )
        coding = f"{'probabilities' if probabilities else 'logits'} of {', '.join(order)}"
    else:
        cells = [sheet.rows[row][column] for row in rows]
        predicted = labels.from_cells(cells, order, where)
        coding = "labels" if order is None else f"labels {', '.join(order)}"
    right, warning = _plausible(sheet.file, run, predicted, positions, options, test_set)
    in_order = np.argsort(positions)
    predictions = _predictions(
        options,
        run,
        step,
        np.array(predicted, dtype=object)[in_order],
        None if logits is None else logits[in_order],
    )
    said = f"{columns.describe(sheet)}; {coding}; matched {how}"
    scored = "" if right is None else f", {100 * right:.2f} % right"
    at = f" at step {step}" if step else ""
    return Found(run, step, sheet.file, predictions, right, f"{sheet.file}: {said} → {run}{at}{scored}", warning)


def _value_order(sheet: Sheet, columns, order: tuple[str, ...] | None) -> tuple[str, ...]:
    if columns.logit_order is not None:
        return columns.logit_order
    if order is None:
        raise FlockError(
            f"{sheet.file}: the values of the classes come without names, and toolkits differ in their order; "
            "say which with --labels, such as --labels contradiction,entailment,neutral"
        )
    return order


def _values(sheet: Sheet, columns, rows, where) -> list[list]:
    if sheet.lists:
        return [sheet.rows[row] for row in rows]
    if len(columns.logits) > 1:
        return [[sheet.rows[row][i] for i in columns.logits] for row in rows]
    values = [recognition.as_list(sheet.rows[row][columns.logits[0]]) for row in rows]
    if None in values:
        bad = values.index(None)
        raise FlockError(f"{where(bad)}: no list of values, one a class; export the logits again")
    return values


def _plausible(file, run, predicted, positions, options: Options, test_set) -> tuple[float | None, str | None]:
    """The share of right labels, and a warning. Raises FlockError for what looks like another order of the classes."""
    if not test_set.has_gold:
        return None, None
    gold = [test_set.gold[position] for position in positions]
    right = labels.accuracy(predicted, gold)
    if len(set(predicted)) == 1:
        return right, f"{file}: {run} always answers {predicted[0]}"
    likelier = labels.likelier_order(predicted, gold)
    if likelier and not options.force:
        meaning, then = likelier
        changes = ", ".join(f"{read} is {meant}" for read, meant in meaning.items() if read != meant)
        raise FlockError(
            f"{file}: {run} is right on {100 * right:.1f} % of {test_set.name}, but on {100 * then:.1f} % if "
            f"{changes}; {_other_order(options, meaning)}, or --force keeps it as it is"
        )
    return right, None


def _other_order(options: Options, meaning: dict[str, str]) -> str:
    order = labels.parse_order(options.labels)
    if order is None:
        return "the labels were written in another order of the classes, so export them again"
    return "give --labels " + ",".join(meaning.get(label, label) for label in order)


def _predictions(options: Options, run: str, step: int, predicted: np.ndarray, logits: np.ndarray | None) -> pa.Table:
    n = len(predicted)
    table = {
        "collection": pa.repeat(options.collection, n),
        "run": pa.repeat(run, n),
        "step": pa.repeat(step, n),
        "dataset": pa.repeat(options.dataset, n),
        "position": pa.array(np.arange(n)),
        "predicted": pa.array(predicted.tolist(), pa.string()),
    }
    if logits is not None:
        table |= {name: pa.array(logits[:, i].astype(np.float32)) for i, name in enumerate(schema.LOGITS)}
    return schema.PREDICTIONS.conform(pa.table(table))


def _refuse_twice(found: Sequence[Found]) -> None:
    first: dict[tuple[str, int], Found] = {}
    for item in found:
        other = first.setdefault((item.run, item.step), item)
        if other is not item:
            raise FlockError(
                f"{item.file} and {other.file} both hold run {item.run}; name them with --run, one at a time"
            )


def _by_run(found: Sequence[Found]) -> dict[str, list[Found]]:
    runs: dict[str, list[Found]] = {}
    for item in found:
        runs.setdefault(item.run, []).append(item)
    return runs


def _results(run: str, group: list[Found], options: Options, examples: pa.Table) -> RunResults:
    predictions = pa.concat_tables([item.predictions for item in group])
    owner = {"collection": options.collection, "run": run}
    last = max(item.step for item in group)
    source = f"imported from {Path(group[0].file).name}"
    return RunResults(
        schema.RUNS.rows([{**owner, "model": options.model, "source": source}]),
        schema.CHECKPOINTS.rows([{**owner, "step": i.step, "is_final": i.step == last} for i in group]),
        scoring.score(predictions, examples, "own"),
        predictions,
    )


def _refuse_existing(results: RunResults, options: Options, target: Path) -> None:
    """Refuse to overwrite unasked; say so when the very same predictions are there already."""
    older = store.read_run(target, results.collection, results.run)
    if older is None or older.predictions is None or options.replace:
        return
    for step in sorted(set(results.predictions["step"].to_pylist())):
        theirs = _labels_at(older.predictions, step, options.dataset)
        if theirs:
            same = theirs == _labels_at(results.predictions, step, options.dataset)
            what = f"run {results.run} of {results.collection} has {options.dataset} at step {step} already"
            how = "the same predictions; nothing to do" if same else "other predictions; --replace replaces them"
            raise FlockError(f"{what}: {how}")


def _labels_at(predictions: pa.Table, step: int, dataset: str) -> list[str]:
    """The labels in the order of positions; stored predictions are sorted by them."""
    chosen = pc.and_(pc.equal(predictions["step"], step), pc.equal(predictions["dataset"], dataset))
    return predictions.filter(chosen)["predicted"].to_pylist()
