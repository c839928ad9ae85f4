"""Labels from words, integers, probabilities or logits, and whether the order of the classes is plausible."""

import itertools
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeline import schema
from pipeline.errors import FlockError

LABELS = (*schema.LABELS, schema.NON_ENTAILMENT)
_WORDS = {re.sub(r"[^a-z]", "", label): label for label in LABELS} | {
    "entails": "entailment",
    "entailed": "entailment",
    "contradictory": "contradiction",
    "contradicts": "contradiction",
    "notentailment": "non-entailment",
    "nonentailed": "non-entailment",
    "notentailed": "non-entailment",
}

CLEARLY = 0.15
"""Another order of the labels must raise accuracy by this much before the given one is refused."""


def word(cell: Any) -> str | None:
    """The label that a word means, in any case and spelling; None for anything else."""
    return _WORDS.get(re.sub(r"[^a-z]", "", str(cell).lower())) if isinstance(cell, str) else None


def integer(cell: Any) -> int | None:
    """The class index that a cell holds, as a number or text; None for anything else."""
    if isinstance(cell, bool):
        return None
    try:
        value = float(cell)
    except (TypeError, ValueError):
        return None
    return int(value) if math.isfinite(value) and value == int(value) and value >= 0 else None


def is_label(cell: Any) -> bool:
    return word(cell) is not None or integer(cell) is not None


def parse_order(text: str | None) -> tuple[str, ...] | None:
    """The order of the classes that a user gives: "contradiction,entailment,neutral". Raises FlockError."""
    if text is None:
        return None
    order = tuple(word(part) or part.strip() for part in text.split(","))
    if len(set(order)) != len(order) or not 2 <= len(order) <= 3 or not set(order) <= set(LABELS):
        raise FlockError(
            f"--labels {text}: give each class once, in the order of its index, such as "
            "contradiction,entailment,neutral or entailment,non-entailment"
        )
    return order


def from_cells(cells: Sequence[Any], order: tuple[str, ...] | None, where) -> list[str]:
    """Labels from words or class indices; `where(i)` names row i. Raises FlockError for the first bad cell."""
    words = [word(cell) for cell in cells]
    if None not in words:
        return words
    indices = [integer(cell) for cell in cells]
    bad = next((i for i, (w, n) in enumerate(zip(words, indices, strict=True)) if w is None and n is None), None)
    if bad is not None:
        said = "no label" if cells[bad] is None or str(cells[bad]).strip() == "" else f"unknown label {cells[bad]!r}"
        raise FlockError(f"{where(bad)}: {said}; labels are {', '.join(LABELS)}, or class indices with --labels")
    if order is None:
        row = next(i for i, w in enumerate(words) if w is None)
        raise FlockError(
            f"{where(row)}: {cells[row]} is a class index, and toolkits differ in the order of the classes; "
            "say which with --labels, such as --labels contradiction,entailment,neutral"
        )
    labels = []
    for i, (w, index) in enumerate(zip(words, indices, strict=True)):
        if w is None and index >= len(order):
            raise FlockError(f"{where(i)}: class index {index}, but --labels names {len(order)} classes")
        labels.append(w or order[index])
    return labels


def from_values(values: Sequence[Sequence[Any]], order: tuple[str, ...], where, kind: str | None) -> tuple:
    """Labels and logits from triples (or, with two classes, pairs) in `order`.

    Returns (labels, logits (n, 3) in the order of schema.LABELS or None for two classes, whether they were
    probabilities). Probabilities become their logarithms. `kind` ("logits", "probabilities") overrides recognition.
    """
    for i, row in enumerate(values):
        if len(row) != len(order):
            raise FlockError(f"{where(i)}: {len(row)} values, expected {len(order)} ({', '.join(order)})")
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        bad = next(i for i, row in enumerate(values) if not all(_is_number(cell) for cell in row))
        raise FlockError(f"{where(bad)}: {values[bad]} are not numbers; export the logits again") from None
    if np.isnan(array).any() or np.isposinf(array).any():
        bad = int(np.argwhere(np.isnan(array) | np.isposinf(array))[0, 0])
        raise FlockError(f"{where(bad)}: {array[bad].tolist()} holds NaN or infinity; evaluate the model again")
    labels = [order[i] for i in array.argmax(1)]
    probabilities = kind == "probabilities" or (
        kind is None and bool((array >= 0).all() and np.allclose(array.sum(1), 1, atol=5e-3))
    )
    if probabilities:
        if (array < 0).any():
            bad = int(np.argwhere(array < 0)[0, 0])
            raise FlockError(f"{where(bad)}: {array[bad].tolist()} are not probabilities; say --values logits")
        with np.errstate(divide="ignore"):
            array = np.log(array)
    if set(order) != set(schema.LABELS):
        return labels, None, probabilities
    return labels, array[:, [order.index(label) for label in schema.LABELS]], probabilities


def _is_number(cell: Any) -> bool:
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return True


def accuracy(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """Share of right labels; two-way where either side is, by merging neutral and contradiction."""
    if schema.NON_ENTAILMENT in gold or schema.NON_ENTAILMENT in predicted:
        right = ((p == "entailment") == (g == "entailment") for p, g in zip(predicted, gold, strict=True))
    else:
        right = (p == g for p, g in zip(predicted, gold, strict=True))
    return sum(right) / len(gold)


def likelier_order(predicted: Sequence[str], gold: Sequence[str]) -> tuple[dict[str, str], float] | None:
    """(label read -> label meant, accuracy then) when another order of the classes is clearly more accurate.

    None when the order is plausible, or when one label was always given: that is a model without a choice (an early
    checkpoint), not a wrong order.
    """
    labels = sorted(set(predicted))
    if len(labels) == 1:
        return None
    classes = ("entailment", "non-entailment") if schema.NON_ENTAILMENT in labels else schema.LABELS
    counts: dict[tuple[str, str], int] = {}
    for pair in zip(predicted, gold, strict=True):
        counts[pair] = counts.get(pair, 0) + 1
    two_way = schema.NON_ENTAILMENT in set(gold) | set(labels)

    def right(meaning: dict[str, str]) -> float:
        total = 0
        for (p, g), count in counts.items():
            meant = meaning.get(p, p)
            same = (meant == "entailment") == (g == "entailment") if two_way else meant == g
            total += count * same
        return total / len(gold)

    now = right({})
    orders = (dict(zip(classes, p, strict=True)) for p in itertools.permutations(classes))
    best = max(orders, key=right)
    return (best, right(best)) if right(best) - now >= CLEARLY else None
