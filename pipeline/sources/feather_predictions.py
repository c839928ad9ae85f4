"""Every single prediction of the 100 BERTs of a feather: parsed, and refused unless it equals the published accuracies.

The two files hold a line an example and a column a run. How columns are separated and labels are written is recognised.
"""

import itertools
import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline import schema, scoring
from pipeline.errors import FlockError
from pipeline.sources import feather

_TWO_WAY = (schema.LABELS[0], schema.NON_ENTAILMENT)
_SEPARATORS = (("tab", "\t"), ("semicolon", ";"), ("comma", ","), ("spaces", None))
_WORDS = {
    **{label: label for label in schema.LABELS},
    **{label[0]: label for label in schema.LABELS},
    **dict.fromkeys(("non-entailment", "nonentailment", "non_entailment"), schema.NON_ENTAILMENT),
}


def parse(content: bytes, name: str, examples: int, runs: int = len(feather.RUNS)) -> np.ndarray:
    """The cells of a prediction file as written, an array of text (examples, runs).

    Accepts comma, semicolon, tab or spaces; a header or a leading column of ids is left out. Raises FlockError naming
    file and line.
    """
    lines = content.decode("utf-8-sig").splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        raise FlockError(f"{name} is empty; fetch it again")
    separator = _separator(lines[-1], runs)
    rows = [[cell.strip().strip('"') for cell in line.strip().split(separator)] for line in lines]
    if len(rows) == examples + 1:
        rows = rows[1:]
    if len(rows) != examples:
        raise FlockError(f"{name} has {len(rows):,} lines, expected {examples:,}; fetch it again")
    width = len(rows[0])
    for number, row in enumerate(rows, start=1):
        if len(row) != width or width not in (runs, runs + 1):
            raise FlockError(f"{name}, line {number}: {len(row)} columns, expected {runs}; fetch it again")
    return np.array(rows)[:, width - runs :]


def _separator(line: str, runs: int) -> str | None:
    for _, separator in _SEPARATORS:
        if len(line.strip().split(separator)) in (runs, runs + 1):
            return separator
    return None


def codings(cells: np.ndarray, name: str, labels: Sequence[str] = schema.LABELS) -> list[dict[str, str]]:
    """The ways in which the cells may mean labels: one for words, every assignment of `labels` for integers.

    Raises FlockError for a cell that is neither.
    """
    values = [str(value) for value in np.unique(cells)]
    words = {value: _WORDS.get(re.sub(r"\s+", "", value.lower())) for value in values}
    if all(words.values()):
        return [words]
    if not all(re.fullmatch(r"\d+", value) for value in values) or len(values) > len(schema.LABELS):
        bad = next(value for value in values if words[value] is None)
        line, run = np.argwhere(cells == bad)[0]
        raise FlockError(f"{name}, line {line + 1}, column {run + 1}: unknown label {bad!r}; fetch the file again")
    if len(values) > len(labels):
        labels = schema.LABELS
    return [dict(zip(values, chosen, strict=True)) for chosen in itertools.permutations(labels, len(values))]


def read(
    content: bytes, name: str, examples: pa.Table, published: list[pa.Table], known: dict[str, str] | None = None
) -> tuple[list[pa.Table], dict[str, str]]:
    """The `predictions` of each run on one test set, in the published order of runs, and what the cells mean.

    `published` holds each run's `accuracies`. A two-way set cannot tell which of two integers is neutral and which
    contradiction: `known`, the meaning found on another set, decides, else both are non-entailment. Raises FlockError
    unless, under exactly one reading of the labels, every run is right on as many examples of every slice as was
    published.
    """
    (dataset,) = examples["dataset"].unique().to_pylist()
    two_way = schema.NON_ENTAILMENT in examples["gold"].to_pylist()
    cells = parse(content, name, examples.num_rows, len(published))
    fitting, differences = [], []
    for coding in codings(cells, name, _TWO_WAY if two_way else schema.LABELS):
        wrong = _first_difference(cells, coding, examples, published)
        if wrong is None:
            fitting.append(coding)
        else:
            differences.append(wrong)
    if not fitting:
        _, difference = max(differences, key=lambda found: found[0])  # of the reading that fits most runs
        raise FlockError(f"{name} disagrees with the published accuracies: {difference}; nothing was stored")
    coding = next((c for c in fitting if known is not None and c.items() <= known.items()), None)
    if coding is None and two_way and len(fitting) > 1:
        coding = {v: label if label == schema.LABELS[0] else schema.NON_ENTAILMENT for v, label in fitting[0].items()}
    if coding is None and len(fitting) > 1:
        raise FlockError(
            f"{name}: {len(fitting)} readings of its integers give the published accuracies; nothing stored"
        )
    coding = coding or fitting[0]
    return [_predictions(cells[:, i], coding, p, dataset) for i, p in enumerate(published)], coding


def _first_difference(
    cells: np.ndarray, coding: dict[str, str], examples: pa.Table, published: list[pa.Table]
) -> tuple[int, str] | None:
    """The first run that is not right as often as published and where, or None."""
    dataset = examples["dataset"][0].as_py()
    found = (_difference(_predictions(cells[:, i], coding, p, dataset), examples, p) for i, p in enumerate(published))
    return next(((i, difference) for i, difference in enumerate(found) if difference is not None), None)


def _predictions(cells: np.ndarray, coding: dict[str, str], published: pa.Table, dataset: str) -> pa.Table:
    values, codes = np.unique(cells, return_inverse=True)
    labels = pa.DictionaryArray.from_arrays(codes.astype(np.int8), pa.array([coding[v] for v in values]))
    n = len(cells)
    return schema.PREDICTIONS.conform(
        pa.table(
            {
                "collection": pa.repeat(published["collection"][0], n),
                "run": pa.repeat(published["run"][0], n),
                "step": pa.repeat(0, n),
                "dataset": pa.repeat(dataset, n),
                "position": pa.array(np.arange(n)),
                "predicted": labels.cast(pa.string()),
            }
        )
    )


_SLICE = ["heuristic", "subcase", "gold"]


def _difference(predictions: pa.Table, examples: pa.Table, published: pa.Table) -> str | None:
    """The first slice on which the predictions are not right as often as published, or None."""
    dataset = predictions["dataset"][0]
    expected = published.filter(pc.equal(published["dataset"], dataset))
    counted = scoring.score(predictions, examples, "computed")
    found = {tuple(row[k] for k in _SLICE): row for row in counted.to_pylist()}
    for row in expected.to_pylist():
        computed = found.get(tuple(row[k] for k in _SLICE))
        if computed is None or (computed["n"], computed["correct"]) != (row["n"], row["correct"]):
            right = "no examples" if computed is None else f"{computed['correct']} of {computed['n']}"
            where = f"{row['run']}, {row['subcase'] or row['dataset']}"
            return f"{where}: {right} right, published {row['correct']} of {row['n']}"
    return None
