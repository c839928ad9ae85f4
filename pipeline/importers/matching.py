"""Finds the test example that each row of a prediction file is about: by id, by text, or by order."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from pipeline.errors import FlockError
from pipeline.importers import labels
from pipeline.importers.columns import Columns
from pipeline.importers.reading import Sheet


@dataclass
class TestSet:
    """A test set as matching needs it: lists in the order of positions."""

    __test__ = False

    name: str
    ids: list[str]
    gold: list[str | None]
    premises: list[str | None]
    hypotheses: list[str | None]

    @classmethod
    def of(cls, examples: pa.Table) -> "TestSet":
        """From the `examples` rows of one test set."""
        rows = examples.sort_by("position")
        columns = (rows[name].to_pylist() for name in ("example", "gold", "premise", "hypothesis"))
        return cls(rows["dataset"][0].as_py(), *columns)

    @property
    def has_text(self) -> bool:
        return None not in self.premises and None not in self.hypotheses

    @property
    def has_gold(self) -> bool:
        return None not in self.gold


def match(sheet: Sheet, columns: Columns, rows: Sequence[int], test_set: TestSet) -> tuple[list[int], str]:
    """The position of each of `rows` (indices into the sheet) and how it was found.

    Raises FlockError for missing, duplicate or unknown examples.
    """
    if columns.id is not None:
        return _by_id(sheet, columns.id, rows, test_set), "by id"
    if columns.premise is not None and columns.hypothesis is not None:
        return _by_text_or_gold(sheet, columns, rows, test_set)
    _same_count(sheet, rows, test_set)
    if columns.gold is not None and test_set.has_gold:
        _same_gold(sheet, columns.gold, rows, test_set, "")
    return list(range(len(rows))), "in order"


def _by_id(sheet: Sheet, column: int, rows: Sequence[int], test_set: TestSet) -> list[int]:
    ids = [_id(sheet.rows[row][column]) for row in rows]
    index = {example: position for position, example in enumerate(test_set.ids)}
    if not any(example in index for example in ids):
        # An index that a tool counted itself, such as transformers' predict_results.
        numbered = {str(position): position for position in range(len(test_set.ids))}
        if all(example in numbered for example in ids):
            index = numbered
    names = list(index)
    positions, first = [], {}
    for row, example in zip(rows, ids, strict=True):
        if example not in index:
            raise FlockError(
                f"{sheet.where(row)}: unknown id {example!r}; ids of {test_set.name} are like {test_set.ids[0]}, "
                "--id-column names another column"
            )
        if example in first:
            raise FlockError(
                f"{sheet.where(row)}: {example} again, first in row {sheet.lines[first[example]]}; keep one"
            )
        first[example] = row
        positions.append(index[example])
    if len(positions) < len(index):
        absent = [name for name in names if name not in first]
        more = f" and {len(absent) - 1:,} more" if len(absent) > 1 else ""
        raise FlockError(
            f"{sheet.file}: {len(positions):,} rows, but no prediction for {absent[0]}{more} of {test_set.name}'s "
            f"{len(index):,}; evaluate the whole set"
        )
    return positions


def _id(cell) -> str:
    """An id as text; a whole number that a tool wrote as 3.0 is 3."""
    if isinstance(cell, float) and cell == int(cell):
        return str(int(cell))
    return str(cell).strip()


def _by_text_or_gold(sheet, columns, rows, test_set: TestSet) -> tuple[list[int], str]:
    if test_set.has_text:
        positions = _by_text(sheet, columns, rows, test_set)
        if isinstance(positions, list):
            return positions, "by text"
        problem = positions
    else:
        problem = f"the sentences of {test_set.name} are not here (`python -m pipeline fetch` brings HANS and MNLI)"
    if columns.gold is None or not test_set.has_gold:
        raise FlockError(
            f"{sheet.file}: {problem}, and without ids or gold labels the order cannot be trusted; add ids"
        )
    _same_count(sheet, rows, test_set)
    _same_gold(sheet, columns.gold, rows, test_set, f"{problem}, and by order ")
    return list(range(len(rows))), "in order (row count and every gold label agree)"


def _by_text(sheet, columns, rows, test_set: TestSet) -> list[int] | str:
    """Positions, or why the texts do not match. Pairs that occur several times are taken in their order."""
    waiting: dict[tuple[str, str], list[int]] = defaultdict(list)
    for position in reversed(range(len(test_set.ids))):
        waiting[_text(test_set.premises[position]), _text(test_set.hypotheses[position])].append(position)
    positions = []
    for row in rows:
        pair = tuple(_text(sheet.rows[row][i]) for i in (columns.premise, columns.hypothesis))
        if not waiting.get(pair):
            return f"the pair of row {sheet.lines[row]} is not in {test_set.name}, or occurs too often"
        positions.append(waiting[pair].pop())
    if len(positions) < len(test_set.ids):
        return f"{len(positions):,} pairs, but {test_set.name} has {len(test_set.ids):,}"
    return positions


def _text(text) -> str:
    return re.sub(r"\s+", " ", str(text)).strip()


def _same_count(sheet: Sheet, rows: Sequence[int], test_set: TestSet) -> None:
    if len(rows) != len(test_set.ids):
        raise FlockError(
            f"{sheet.file}: {len(rows):,} rows, {test_set.name} has {len(test_set.ids):,} examples; "
            "evaluate the whole set, or add ids"
        )


def _same_gold(sheet: Sheet, column: int, rows: Sequence[int], test_set: TestSet, why: str) -> None:
    """Refuse when a gold label in words differs from the test set's at the same place."""
    for position, row in enumerate(rows):
        label, gold = labels.word(sheet.rows[row][column]), test_set.gold[position]
        if label is None:
            if why:
                raise FlockError(f"{sheet.where(row)}: {why}gold {sheet.rows[row][column]!r} is no label; add ids")
            return
        merged = "non-entailment" in (label, gold)
        if (label == "entailment") != (gold == "entailment") if merged else label != gold:
            raise FlockError(
                f"{sheet.where(row)}: {why}gold is {label}, but example {test_set.ids[position]} of {test_set.name} "
                f"has {gold}; the rows are in another order, add ids"
            )
