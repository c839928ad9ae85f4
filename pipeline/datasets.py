"""Training pairs and test sets by name, with their sentences."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from pipeline import store
from pipeline.errors import FlockError
from pipeline.importers.datasets import read_dataset
from pipeline.importers.reading import Format


def training_pairs(name_or_file: str) -> pa.Table:
    """(premise, hypothesis, label): the pairs of a file (TSV, CSV, JSON lines, Parquet), in its order.

    Labels are words; pairs without one are left out. Raises FlockError.
    """
    path = Path(name_or_file)
    if not path.is_file():
        raise FlockError(f"training data {name_or_file}: no such file; give one with --training-data FILE")
    pairs = read_dataset(path, path.name, None, Format())
    pairs = pairs.select(["premise", "hypothesis", "gold"]).rename_columns(["premise", "hypothesis", "label"])
    return pairs.filter(pa.compute.is_valid(pairs["label"]))


def test_set(name: str, stores: Sequence[Path]) -> pa.Table:
    """A test set as `schema.EXAMPLES`, in the order of its positions. Raises FlockError where no store has its text."""
    with store.connect(stores) as connection:
        query = "SELECT * FROM examples WHERE dataset = ? ORDER BY position"
        examples = connection.sql(query, params=[name]).to_arrow_table()
    if not examples.num_rows or examples["premise"].null_count:
        raise FlockError(f"test set {name}: no store holds its sentences; bring them with fetch or add-dataset")
    return examples
