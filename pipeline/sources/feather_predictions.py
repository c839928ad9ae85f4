"""Every single prediction of the 100 BERTs of a feather: parsed, and refused unless it equals the published accuracies.

The two files hold a line an example and a column a run. How columns are separated and labels are written is recognised.
"""

import itertools
import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline import schema, scoring
from pipeline.errors import FlockError
from pipeline.sources import feather

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


def codings(cells: np.ndarray, name: str) -> list[dict[str, str]]:
    """The ways in which the cells may mean labels: one for words, every assignment for integers.

    Raises FlockError for a cell that is neither.
    """
    values = sorted(np.unique(cells))
    words = {value: _WORDS.get(re.sub(r"\s+", "", value.lower())) for value in values}
    if all(words.values()):
        return [words]
    if not all(re.fullmatch(r"\d+", value) for value in values) or len(values) > 3:
        bad = next(value for value in values if words[value] is None)
        line, run = np.argwhere(cells == bad)[0]
        raise FlockError(f"{name}, line {line + 1}, column {run + 1}: unknown label {str(bad)!r}; fetch the file again")
    labels = (*schema.LABELS, schema.NON_ENTAILMENT)
    return [dict(zip(values, chosen, strict=True)) for chosen in itertools.permutations(labels, len(values))]


def read(content: bytes, name: str, examples: pa.Table, published: list[pa.Table]) -> list[pa.Table]:
    """The `predictions` of each run on one test set, in the published order of runs.

    `published` holds each run's `accuracies`. Raises FlockError unless, under one reading of the labels, every run is
    right on exactly as many examples of every slice as was published.
    """
    (dataset,) = examples["dataset"].unique().to_pylist()
    cells = parse(content, name, examples.num_rows, len(published))
    differences = []
    for coding in codings(cells, name):
        first = _difference(_predictions(cells[:, 0], coding, published[0], dataset), examples, published[0])
        if first is None:
            tables = [_predictions(cells[:, i], coding, p, dataset) for i, p in enumerate(published)]
            found = ((_difference(t, examples, p)) for t, p in zip(tables, published, strict=True))
            wrong = next((d for d in found if d is not None), None)
            if wrong is None:
                return tables
            differences.append(wrong)
        else:
            differences.append(first)
    raise FlockError(f"{name} disagrees with the published accuracies: {differences[-1]}; nothing was stored")


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
