"""Training pairs and test sets by name or file, with their sentences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from pipeline import hub, schema, store
from pipeline.errors import FlockError
from pipeline.importers import columns, labels, reading
from pipeline.importers import datasets as importers
from pipeline.importers.reading import Format, Sheet

GRAMMAR = ("miniature", "hans-like")
MINIATURE_TRAINING, MINIATURE_TEST, MINIATURE_SEED = 40_000, 2_000, 0
HANS_LIKE_PER_SUBCASE, HANS_LIKE_SEED = 200, 0

FETCHED = ("hans", "mnli")

_UNLABELLED = ("", "-", "-1", "-1.0", "nan")
"""Gold labels of pairs that nobody agreed on, as data sets write them."""


def _say_nothing(line: str) -> None:
    pass


def training_pairs(
    source: str, order: Sequence[str] | None = None, say: Callable[[str], None] = _say_nothing
) -> pa.Table:
    """(premise, hypothesis, label): training pairs in their order, labels as words.

    `source` is a name (mnli, snli, anli, wanli, or their hub name; miniature), or a file (TSV, CSV, JSON lines,
    Parquet; gzipped or not), or several of them separated by commas. `order` says what the class indices of a file
    mean. Pairs without a label are left out; `say` hears how many. Raises FlockError.
    """
    parts = [source] if Path(source).is_file() else [part.strip() for part in source.split(",")]
    return pa.concat_tables([_training_part(part, order, say) for part in parts])


def _training_part(source: str, order: Sequence[str] | None, say: Callable[[str], None]) -> pa.Table:
    if Path(source).is_file():
        return _table(_rows(_sheet(Path(source)), order, say))
    if source == "miniature":
        rows = _grammar().miniature_training(MINIATURE_TRAINING, MINIATURE_SEED)
        return _table([row | {"label": row["gold"]} for row in rows])
    found = hub.TRAINING_DATA.get(source) or next((h for h in hub.TRAINING_DATA.values() if h.repo == source), None)
    if found is None:
        raise FlockError(
            f"training data {source}: no such file, and no data set of that name; give a file of premise, hypothesis "
            f"and label with --training-data FILE, or one of {', '.join((*hub.TRAINING_DATA, 'miniature'))}"
        )
    files = hub.download(found, instead="give a file of premise, hypothesis and label with --training-data FILE")
    return pa.concat_tables([_table(_rows(_sheet(file), found.labels, say)) for file in files])


def _table(rows: Sequence[Mapping]) -> pa.Table:
    names = ("premise", "hypothesis", "label")
    return pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in names})


def _rows(sheet: Sheet, order: Sequence[str] | None, say: Callable[[str], None]) -> list[dict]:
    """premise, hypothesis, label and genre of each labelled pair."""
    where = importers.columns_of(sheet)
    sheet = _labelled(sheet, where["gold"], say)
    rows = []
    for number, (cells, label) in enumerate(zip(sheet.rows, _labels(sheet, where["gold"], order), strict=True)):
        row = {"label": label}
        for role in ("premise", "hypothesis", "genre"):
            row[role] = None if where[role] is None else importers.text(cells[where[role]])
            if row[role] is None and role != "genre":
                raise FlockError(f"{sheet.where(number)}: no {role}; fill it in or leave the row out")
        rows.append(row)
    return rows


def _labels(sheet: Sheet, column: int, order: Sequence[str] | None) -> list[str]:
    cells = [row[column] for row in sheet.rows]
    index = next((i for i, cell in enumerate(cells) if labels.integer(cell) is not None), None)
    if order is None and index is not None:
        raise FlockError(
            f"{sheet.where(index)}: {cells[index]} is a class index, and toolkits differ in the order of the classes; "
            "write labels as words, or say in the recipe what the indices mean, such as "
            'data_labels = ["entailment", "neutral", "contradiction"]'
        )
    return labels.from_cells(cells, None if order is None else tuple(order), sheet.where)


def _sheet(file: Path) -> Sheet:
    return columns.split_header(reading.read(file, Format()), True)


def _labelled(sheet: Sheet, column: int, say: Callable[[str], None]) -> Sheet:
    """The rows that have a label."""
    kept = [i for i, row in enumerate(sheet.rows) if not _is_unlabelled(row[column])]
    dropped = len(sheet.rows) - len(kept)
    if not dropped:
        return sheet
    say(f"{sheet.file}: {dropped:,} of {len(sheet.rows):,} pairs have no label and are left out")
    return replace(sheet, rows=[sheet.rows[i] for i in kept], lines=[sheet.lines[i] for i in kept])


def _is_unlabelled(cell) -> bool:
    return cell is None or str(cell).strip().lower() in _UNLABELLED


def test_set(name: str, stores: Sequence[Path], say: Callable[[str], None] = _say_nothing) -> pa.Table:
    """A test set as `schema.EXAMPLES`, with its sentences, in the order of its positions.

    From the stores where they hold its sentences; else from the grammar (miniature, hans-like), the hub
    (`hub.TEST_SETS`) or a file, whose name becomes the test set's. Positions count the pairs that have a gold label;
    `say` hears how many have none. Raises FlockError that says how to get what is missing.
    """
    known = stored(name, stores)
    if known.num_rows and not known["premise"].null_count:
        return known
    if name in GRAMMAR:
        return _grammar_test(name)
    if name in hub.TEST_SETS:
        return _hub_test(name, say)
    if Path(name).is_file():
        return _file_test(Path(name), say)
    if name in FETCHED:
        raise FlockError(f"no store holds the sentences of {name}: python -m pipeline fetch {name}")
    if known.num_rows:
        raise FlockError(
            f"no store holds the sentences of {name}: python -m pipeline add-dataset FILE --name {name} --replace"
        )
    names = ", ".join((*FETCHED, *hub.TEST_SETS, *GRAMMAR))
    raise FlockError(
        f"no test set {name}: name one of {names}, a file of premise, hypothesis and gold, "
        "or one registered with python -m pipeline add-dataset FILE --name NAME"
    )


def stored(name: str, stores: Sequence[Path]) -> pa.Table:
    """What the stores hold of a test set, as `schema.EXAMPLES`; no rows where none does."""
    with store.connect(stores) as connection:
        query = "SELECT * FROM examples WHERE dataset = ? ORDER BY position"
        return schema.EXAMPLES.conform(connection.sql(query, params=[name]).to_arrow_table())


def _hub_test(name: str, say: Callable[[str], None]) -> pa.Table:
    found = hub.TEST_SETS[name]
    files = hub.download(found, instead=f"bring its file: python -m pipeline add-dataset FILE --name {name}")
    rows = []
    for number, file in enumerate(files):
        subcase = found.subcases[number] if found.subcases else None
        rows += [row | {"subcase": subcase} for row in _rows(_sheet(file), found.labels, say)]
    return _examples(name, [{("gold" if k == "label" else k): v for k, v in row.items()} for row in rows])


def _file_test(file: Path, say: Callable[[str], None]) -> pa.Table:
    sheet = _sheet(file)
    sheet = _labelled(sheet, importers.columns_of(sheet)["gold"], say)
    name = file.name.removesuffix(".gz").rsplit(".", 1)[0]
    return importers.from_sheet(sheet, name)


def _grammar_test(name: str) -> pa.Table:
    if name == "hans-like":
        return _examples(name, _grammar().hans_like(HANS_LIKE_PER_SUBCASE, HANS_LIKE_SEED))
    return _examples(name, _grammar().miniature_test(MINIATURE_TEST, MINIATURE_SEED))


def _examples(name: str, rows: Sequence[Mapping]) -> pa.Table:
    """Rows in their order as a test set; those without an id are named after their position."""
    numbered = enumerate(rows)
    return schema.EXAMPLES.rows([{"dataset": name, "position": i, "example": str(i)} | row for i, row in numbered])


def _grammar():
    from pipeline import grammar

    return grammar
