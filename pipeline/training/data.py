"""What a run reads: its training pairs and test sets, encoded."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline import datasets, store
from pipeline.errors import FlockError
from pipeline.training import encoding
from pipeline.training.encoding import Encoded
from pipeline.training.recipe import Recipe


@dataclass(frozen=True)
class Data:
    """`labels`: int64 (training pairs,), class indices in the recipe's order. `tests`, `test_pairs`: by name, the
    latter as `schema.EXAMPLES`. `fingerprint` changes with any training pair or test sentence."""

    training: Encoded
    labels: np.ndarray
    tests: dict[str, Encoded]
    test_pairs: dict[str, pa.Table]
    fingerprint: str


def training_pairs(
    recipe: Recipe, source: str | None = None, say: Callable[[str], None] = lambda line: None
) -> pa.Table:
    """(premise, hypothesis, label): the recipe's share of its data. `source`: a file or name instead of the recipe's.

    `say` hears how many pairs have no label and are left out.

    Raises FlockError for a label that the recipe does not name.
    """
    pairs = datasets.training_pairs(source or recipe.training_data, recipe.data_labels or None, say)
    unknown = set(pc.unique(pairs["label"]).to_pylist()) - set(recipe.labels)
    if unknown:
        raise FlockError(
            f"training data {source or recipe.training_data}: label {sorted(map(str, unknown))[0]!r}; "
            f"recipe {recipe.name} has {', '.join(recipe.labels)}"
        )
    if recipe.share < 1:
        drawn = np.random.default_rng(recipe.share_seed).permutation(len(pairs))[: round(recipe.share * len(pairs))]
        pairs = pairs.take(np.sort(drawn))
    if len(pairs) == 0:
        raise FlockError(f"training data {source or recipe.training_data}: no pairs; raise share or give another file")
    return pairs


def test_sets(recipe: Recipe, target: Path) -> dict[str, pa.Table]:
    """The recipe's test sets with their sentences, from the stores, the hub or files, by name; as `schema.EXAMPLES`."""
    stores = [*store.default_stores(), target]
    tables = [datasets.test_set(name, stores) for name in recipe.test_sets]
    return {table["dataset"][0].as_py(): table for table in tables}


def encode(recipe: Recipe, pairs: pa.Table, tests: dict[str, pa.Table], tokenizer) -> Data:
    digest = hashlib.sha256(encoding.text_fingerprint(pairs).encode())
    for name in sorted(tests):
        digest.update(f"{name} {encoding.text_fingerprint(tests[name])}".encode())
    indices = {label: i for i, label in enumerate(recipe.labels)}
    return Data(
        training=encoding.encode(pairs, tokenizer, recipe.max_length),
        labels=np.array([indices[label] for label in pairs["label"].to_pylist()], np.int64),
        tests={name: encoding.encode(table, tokenizer, recipe.max_length) for name, table in tests.items()},
        test_pairs=tests,
        fingerprint=digest.hexdigest()[:16],
    )
