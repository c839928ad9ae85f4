"""Recognises which column of a prediction file is what."""

import ast
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline import schema
from pipeline.errors import FlockError
from pipeline.importers import labels
from pipeline.importers.reading import Sheet

ROLES = ("id", "premise", "hypothesis", "gold", "prediction", "run", "step")

_NAMES = {
    "id": ("pairid", "exampleid", "example", "id", "uid", "guid", "index", "idx", "promptid", "position"),
    "premise": ("premise", "sentence1", "sent1", "text1", "s1"),
    "hypothesis": ("hypothesis", "sentence2", "sent2", "text2", "s2"),
    "gold": ("gold", "goldlabel", "truelabel", "truth", "target", "answer", "reference"),
    "prediction": (
        "prediction",
        "predictions",
        "predicted",
        "pred",
        "preds",
        "predictedlabel",
        "predictionlabel",
        "predlabel",
        "output",
        "modelprediction",
    ),
    "run": ("run", "runname", "seed", "model", "modelname"),
    "step": ("step", "globalstep", "checkpoint"),
}
_MAYBE_PREDICTION = ("label", "labels", "goldlabel")
"""A prediction where no better column is there: HANS prediction files call theirs gold_label."""

_TRIPLE = ("logits", "logit", "scores", "score", "probabilities", "probs", "probability")
_PREFIXES = ("logit", "logits", "score", "prob", "probs", "probability", "p", "")


@dataclass
class Columns:
    """Where things are in a sheet, by column index.

    `predictions` maps a run's name (None: named elsewhere) to its column; `logits` is one column of lists, or a column
    a class with the class of each in `logit_order` (None: not named, `--labels` says).
    """

    id: int | None = None
    premise: int | None = None
    hypothesis: int | None = None
    gold: int | None = None
    run: int | None = None
    step: int | None = None
    predictions: dict[str | None, int] = field(default_factory=dict)
    logits: tuple[int, ...] = ()
    logit_order: tuple[str, ...] | None = None

    def describe(self, sheet: Sheet) -> str:
        """What was recognised, for the user to check."""
        named = [
            f"{role} {sheet.names[index] if sheet.names else f'column {index + 1}'}"
            for role in ("id", "premise", "hypothesis", "gold", "run", "step")
            if (index := getattr(self, role)) is not None
        ]
        if self.logits:
            what = ", ".join(sheet.names[i] if sheet.names else f"column {i + 1}" for i in self.logits)
            named.append(f"values {what}")
        elif list(self.predictions) == [None]:
            index = self.predictions[None]
            named.append(f"prediction {sheet.names[index] if sheet.names else f'column {index + 1}'}")
        else:
            named.append(f"a column a run ({', '.join(str(name) for name in self.predictions)})")
        return f"{sheet.kind}, {len(sheet.rows):,} rows; " + ", ".join(named)


def split_header(sheet: Sheet, header: bool | None) -> Sheet:
    """The sheet with its first row as names, where the first row is a header (or `header` says so)."""
    if sheet.names is not None or not sheet.rows:
        return sheet
    if header is None:
        header = _is_header(sheet.rows)
    if not header:
        return sheet
    names = [str(cell).strip() for cell in sheet.rows[0]]
    return Sheet(sheet.file, sheet.kind, sheet.rows[1:], sheet.lines[1:], names)


def _is_header(rows: list[list[Any]]) -> bool:
    """A known name, or words above what are labels and numbers."""
    first = rows[0]
    if not all(isinstance(cell, str) for cell in first) or any(_is_value(cell) for cell in first):
        return False
    known = {name for names in _NAMES.values() for name in names} | {*_MAYBE_PREDICTION, *_TRIPLE}
    if any(plain_name(cell) in known for cell in first):
        return True
    return len(rows) > 1 and any(_is_value(cell) for cell in rows[1])


def _is_value(cell: Any) -> bool:
    return labels.is_label(cell) or _number(cell) is not None


def _number(cell: Any) -> float | None:
    try:
        return float(cell)
    except (TypeError, ValueError):
        return None


def plain_name(name: Any) -> str:
    """A column's name without case and punctuation, as names are compared."""
    return re.sub(r"[^a-z0-9]", "", str(name).lower())


def recognise(sheet: Sheet, given: dict[str, str], logit_columns: Sequence[str] | None = None) -> Columns:
    """Which column is what. `given` (role -> column name, or number from 1) and `logit_columns` override.

    Raises FlockError when no column holds predictions, or a given column does not exist.
    """
    found = Columns()
    for role, name in given.items():
        index = _index(sheet, name, f"--{role}-column")
        if role == "prediction":
            found.predictions = {None: index}
        else:
            setattr(found, role, index)
    if logit_columns:
        found.logits = tuple(_index(sheet, name, "--logit-columns") for name in logit_columns)
    if sheet.names is None:
        return _without_header(sheet, found)
    taken = {getattr(found, role, None) for role in ROLES} | set(found.predictions.values()) | set(found.logits)
    free = {plain_name(name): i for i, name in reversed(list(enumerate(sheet.names))) if i not in taken}
    for role in ("id", "premise", "hypothesis", "run", "step"):
        if getattr(found, role) is None:
            setattr(found, role, _take(free, _NAMES[role]))
    if not found.predictions and not found.logits:
        found.logits, found.logit_order = _logits(sheet, free)
    if not found.predictions and not found.logits:
        index = _take(free, _NAMES["prediction"])
        if index is not None:
            found.predictions = {None: index}
    if found.gold is None and (found.predictions or found.logits):
        found.gold = _take(free, (*_NAMES["gold"], "label", "labels"))
    if not found.predictions and not found.logits:
        found.predictions = _wide_or_label(sheet, free)
        if None not in found.predictions and found.gold is None:
            found.gold = _take(free, (*_NAMES["gold"], "label", "labels"))
            found.predictions = {run: i for run, i in found.predictions.items() if i != found.gold}
    if not found.predictions and not found.logits:
        raise FlockError(
            f"{sheet.file}: no column of predictions among {', '.join(sheet.names)}; name it with --prediction-column"
        )
    return found


def _index(sheet: Sheet, name: str, flag: str) -> int:
    if sheet.names is not None and name in sheet.names:
        return sheet.names.index(name)
    width = len(sheet.names or sheet.rows[0])
    if name.isdigit() and 1 <= int(name) <= width:
        return int(name) - 1
    there = ", ".join(sheet.names) if sheet.names else f"1 to {width} (the file has no header)"
    raise FlockError(f"{sheet.file}: no column {name!r} for {flag}; there are {there}")


def _take(free: dict[str, int], names: Sequence[str]) -> int | None:
    """The first of `names` that is there, taken out of `free`."""
    for name in names:
        if name in free:
            return free.pop(name)
    return None


def _logits(sheet: Sheet, free: dict[str, int]) -> tuple[tuple[int, ...], tuple[str, ...] | None]:
    """One column of lists, or a numeric column a class (named for the class, or logit_0, logit_1, …)."""
    for name in _TRIPLE:
        if name in free and sheet.rows and as_list(sheet.rows[0][free[name]]) is not None:
            return (free.pop(name),), None
    for prefix in _PREFIXES:
        for classes in (schema.LABELS, ("entailment", schema.NON_ENTAILMENT)):
            names = [plain_name(prefix + label) for label in classes]
            if all(n in free and sheet.rows and _number(sheet.rows[0][free[n]]) is not None for n in names):
                return tuple(free.pop(n) for n in names), classes
        numbered = [f"{prefix}{i}" for i in range(3)]
        if prefix and all(n in free for n in numbered):
            return tuple(free.pop(n) for n in numbered), None
    return (), None


def _wide_or_label(sheet: Sheet, free: dict[str, int]) -> dict[str | None, int]:
    """Two or more further columns of labels are a run each; a single one is the prediction."""
    runs = {
        sheet.names[i]: i
        for name, i in sorted(free.items(), key=lambda item: item[1])
        if name not in (*_NAMES["gold"], *_MAYBE_PREDICTION)
        and sheet.rows
        and all(labels.is_label(row[i]) for row in sheet.rows[:50])
    }
    if len(runs) > 1:
        return runs
    index = _take(free, _MAYBE_PREDICTION)
    if index is not None:
        return {None: index}
    return {None: free.pop(plain_name(next(iter(runs))))} if runs else {}


def _without_header(sheet: Sheet, found: Columns) -> Columns:
    """No names: one label a line; an id and a label; or a number a class."""
    if found.predictions or found.logits:
        return found
    first = sheet.rows[0]
    if len(first) == 1:
        if as_list(first[0]) is not None:
            found.logits = (0,)
        else:
            found.predictions = {None: 0}
    elif sheet.lists or (all(_number(c) is not None for c in first) and (len(first) == 3 or _fraction(first))):
        found.logits = tuple(range(len(first)))
    elif len(first) == 2 and labels.is_label(first[1]):
        found.id, found.predictions = (0 if found.id is None else found.id), {None: 1}
    else:
        raise FlockError(
            f"{sheet.where(0)}: {len(first)} columns without a header; name them with --prediction-column 2, "
            "--id-column 1 and the like, or add a header"
        )
    return found


def _fraction(cells: Sequence[Any]) -> bool:
    return any(_number(cell) != int(_number(cell)) for cell in cells)


def as_list(cell: Any) -> list | None:
    """A cell that holds several numbers, as a list; text such as "[0.1, 2]" is read. None for anything else."""
    if isinstance(cell, (list, tuple)):
        return list(cell)
    if isinstance(cell, str) and cell.strip().startswith("["):
        try:
            return list(json.loads(cell))
        except (json.JSONDecodeError, TypeError):
            try:
                return list(ast.literal_eval(re.sub(r"(?<=[\d.])\s+(?=[-\d.])", ", ", cell.strip())))
            except (ValueError, SyntaxError, TypeError):
                return None
    return None
