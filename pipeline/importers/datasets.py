"""Test sets of one's own: a file of premise, hypothesis and gold label -> `examples`."""

from collections import Counter
from pathlib import Path

import pyarrow as pa

from pipeline import schema, store
from pipeline.errors import FlockError
from pipeline.importers import columns as recognition
from pipeline.importers import labels
from pipeline.importers.reading import Format, Sheet, read

_NAMES = {
    "premise": ("premise", "sentence1", "sent1", "text1"),
    "hypothesis": ("hypothesis", "sentence2", "sent2", "text2"),
    "gold": ("gold", "goldlabel", "label", "labels", "answer", "target"),
    "example": ("example", "exampleid", "id", "uid", "pairid", "guid", "index", "idx"),
    "heuristic": ("heuristic",),
    "subcase": ("subcase", "slice", "category", "phenomenon"),
    "template": ("template",),
    "genre": ("genre", "domain"),
}
_REQUIRED = ("premise", "hypothesis", "gold")


def read_dataset(file: Path, name: str, order: str | None = None, format: Format | None = None) -> pa.Table:
    """A file as the `examples` of the test set `name`, positions in the file's order.

    Without a column of ids, examples are named after their position. Raises FlockError naming file and row.
    """
    return from_sheet(recognition.split_header(read(file, format or Format()), True), name, order)


def columns_of(sheet: Sheet) -> dict[str, int | None]:
    """Column of each role, by its name in the header. Raises FlockError where a needed one is missing."""
    plain = {recognition.plain_name(column): i for i, column in reversed(list(enumerate(sheet.names)))}
    found = {role: next((plain[n] for n in names if n in plain), None) for role, names in _NAMES.items()}
    for role in _REQUIRED:
        if found[role] is None:
            raise FlockError(
                f"{sheet.file}: no column {role} among {', '.join(sheet.names)}; name one {role} in the header"
            )
    return found


def from_sheet(sheet: Sheet, name: str, order: str | None = None) -> pa.Table:
    """The rows of a file, under a header, as the `examples` of the test set `name`; see `read_dataset`."""
    found = columns_of(sheet)
    gold = labels.from_cells([row[found["gold"]] for row in sheet.rows], labels.parse_order(order), sheet.where)
    if schema.NON_ENTAILMENT in gold and (other := {"neutral", "contradiction"} & set(gold)):
        row = next(i for i, label in enumerate(gold) if label in other)
        raise FlockError(f"{sheet.where(row)}: {gold[row]} beside non-entailment; use two labels or three")
    rows, seen = [], {}
    for position, cells in enumerate(sheet.rows):
        row = {role: text(cells[index]) for role, index in found.items() if index is not None}
        for role in ("premise", "hypothesis"):
            if not row[role]:
                raise FlockError(f"{sheet.where(position)}: no {role}; fill it in or leave the row out")
        row |= {"dataset": name, "position": position, "gold": gold[position]}
        row["example"] = row.get("example") or str(position)
        if row["example"] in seen:
            before = sheet.lines[seen[row["example"]]]
            raise FlockError(f"{sheet.where(position)}: id {row['example']} again, first in row {before}; keep one")
        seen[row["example"]] = position
        rows.append(row)
    return schema.EXAMPLES.rows(rows)


def text(cell) -> str | None:
    """A cell's text without surrounding blanks; None for an empty one."""
    if cell is None or cell != cell:
        return None
    return str(cell).strip() or None


def register(examples: pa.Table, target: Path, *, replace: bool = False) -> None:
    """Write a test set into `target`. Raises FlockError when any store has one of its name, unless `replace`."""
    (name,) = examples["dataset"].unique().to_pylist()
    with store.connect([*store.default_stores(), target]) as connection:
        known = connection.execute("SELECT n FROM datasets WHERE dataset = ?", [name]).fetchone()
    if known and not replace:
        raise FlockError(f"a test set {name} with {known[0]:,} examples is there already; --replace, or another --name")
    store.write_examples(target, examples)


def describe(examples: pa.Table) -> str:
    """Size, labels and slices in one line."""
    counts = Counter(examples["gold"].to_pylist())
    parts = [f"{examples.num_rows:,} examples"] + [f"{n:,} {label}" for label, n in sorted(counts.items())]
    for column in ("heuristic", "subcase"):
        values = {v for v in examples[column].to_pylist() if v is not None}
        if values:
            parts.append(f"{len(values)} {column}s")
    return ", ".join(parts)
