"""The ten BERT-base seeds of The Curse of Performance Instability: logits on twelve test sets."""

import csv
import gzip
import io
import json
from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline import schema, scoring
from pipeline.errors import FlockError

COLLECTION = "instability"
SEEDS = range(1, 11)
DATASETS = {
    "-hans": "hans",
    "-mnli": "mnli",
    "-mnli-mm": "mnli-mm",
    "-snli": "snli-dev",
    "-snli-hard": "snli-hard",
    "-break": "breaking-nli",
    "-stress-antonymy": "stress-antonymy",
    "-stress-length": "stress-length",
    "-stress-negation": "stress-negation",
    "-stress-numerical": "stress-numerical",
    "-stress-overlap": "stress-overlap",
    "-stress-spell": "stress-spell",
}
"""Folder upstream -> test set."""

LABEL_ORDER = ("contradiction", "entailment", "neutral")
DECIMALS = 5
"""Logits are rounded to this; it changes no argmax (4 would change two)."""


def breaking_nli(content: bytes) -> pa.Table:
    """Breaking-NLI as `examples`, 8,193 rows without text, from a gzipped TSV of label, premise, hypothesis."""
    rows = csv.reader(io.StringIO(gzip.decompress(content).decode()), delimiter="\t", quoting=csv.QUOTE_NONE)
    next(rows)
    return schema.EXAMPLES.rows(
        [{"dataset": "breaking-nli", "example": str(i), "position": i, "gold": row[0]} for i, row in enumerate(rows)]
    )


def unlabelled(dataset: str, n: int) -> pa.Table:
    """A test set of which only the number of examples is known."""
    return schema.EXAMPLES.rows([{"dataset": dataset, "example": str(i), "position": i} for i in range(n)])


def raw_logits(folder: Path) -> np.ndarray:
    """The logits of one seed on one test set as published, (examples, 3) in LABEL_ORDER, double precision."""
    file = folder / "logits_results.txt"
    logits = np.asarray(json.loads(file.read_text()), dtype=np.float64)
    if logits.ndim != 2 or logits.shape[1] != 3 or not np.isfinite(logits).all():
        raise FlockError(f"{file} is not a list of logit triples; restore the published file")
    return logits


def published_accuracy(folder: Path) -> float:
    """The accuracy that was published with the logits, a fraction."""
    return float((folder / "eval_results.txt").read_text().split("=")[1])


def predictions(run: str, dataset: str, logits: np.ndarray) -> pa.Table:
    """Logits as `predictions`: labels from the raw values, logits rounded to DECIMALS."""
    n = len(logits)
    rounded = np.round(logits, DECIMALS).astype(np.float32)
    labels = pa.DictionaryArray.from_arrays(logits.argmax(1).astype(np.int8), pa.array(LABEL_ORDER))
    columns = {
        "collection": pa.repeat(COLLECTION, n),
        "run": pa.repeat(run, n),
        "step": pa.repeat(0, n),
        "dataset": pa.repeat(dataset, n),
        "position": pa.array(np.arange(n)),
        "predicted": labels.cast(pa.string()),
    }
    columns |= {f"logit_{label}": pa.array(rounded[:, i]) for i, label in enumerate(LABEL_ORDER)}
    return schema.PREDICTIONS.conform(pa.table(columns))


def accuracies(run: str, dataset: str, logits: np.ndarray, accuracy: float, examples: pa.Table | None) -> pa.Table:
    """`accuracies` of one seed on one set: computed where gold is known (then they equal the published one).

    Raises FlockError when a published accuracy is not a whole number of examples, or differs from the computed one.
    """
    n, correct = len(logits), round(accuracy * len(logits))
    if abs(correct - accuracy * n) > 1e-6:
        raise FlockError(f"{run} on {dataset}: accuracy {accuracy} × {n} is not a whole number of examples")
    if examples is None:
        row = {"collection": COLLECTION, "run": run, "step": 0, "dataset": dataset, "n": n, "correct": correct}
        return schema.ACCURACIES.rows([row | {"scoring": "3-way", "origin": "published"}])
    table = scoring.score(predictions(run, dataset, logits), examples, "computed")
    computed = sum(table["correct"].to_pylist())
    if computed != correct:
        raise FlockError(f"{run} on {dataset}: {computed} right by its logits, {correct} published")
    return table
