"""BERTs of a feather: the published accuracies of 100 runs and their agreement on MNLI."""

import csv
import io

import pyarrow as pa

from pipeline import schema

COLLECTION = "berts-of-a-feather"
RUNS = tuple(f"bert_{i:02d}" for i in range(100))

SMALLER_CLUSTER = frozenset({15, 25, 26, 42, 44, 46, 56, 61, 63, 70, 73, 89})
"""Runs in the smaller cluster of final weights, as listed by Juneja et al. (2022), arXiv 2205.12411."""

MNLI_SIZE, SUBCASE_SIZE = 9815, 1000


def published_accuracies(content: bytes) -> list[dict]:
    """The CSV's rows for runs 0 to 99, fractions by column; its summary rows are left out."""
    rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
    return [
        {name: float(value) for name, value in row.items() if name != "Run"}
        for row in rows
        if (row["Run"] or "").startswith("Run ")
    ]


def accuracies(content: bytes) -> list[pa.Table]:
    """The `accuracies` of each run: MNLI and the 30 HANS subcases, as counts of correct answers."""
    return [_accuracies(run, row) for run, row in zip(RUNS, published_accuracies(content), strict=True)]


def _accuracies(run: str, row: dict) -> pa.Table:
    key = {"collection": COLLECTION, "run": run, "step": 0, "origin": "published"}
    slices = [
        {
            **key,
            "dataset": "mnli",
            "n": MNLI_SIZE,
            "correct": round(row["MNLI dev acc."] * MNLI_SIZE),
            "scoring": "3-way",
        }
    ]
    for heuristic, by_gold in schema.SUBCASES.items():
        for gold, subcases in by_gold.items():
            slices += [
                {
                    **key,
                    "dataset": "hans",
                    "heuristic": heuristic,
                    "subcase": subcase,
                    "gold": gold,
                    "n": SUBCASE_SIZE,
                    "correct": round(row[subcase] * SUBCASE_SIZE),
                    "scoring": "2-way",
                }
                for subcase in subcases
            ]
    return schema.ACCURACIES.rows(slices)


def mnli(content: bytes, *, text: bool) -> tuple[pa.Table, pa.Table]:
    """MNLI matched dev as `examples` (9,815 rows) and the runs' `agreement` on it.

    Quotes in the file are literal. Premises and hypotheses only with `text`.
    """
    rows = list(csv.reader(io.StringIO(content.decode(), newline="\n"), delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    examples = [
        {
            "dataset": "mnli",
            "example": index,
            "position": int(index),
            "gold": gold,
            "premise": premise if text else None,
            "hypothesis": hypothesis if text else None,
        }
        for index, premise, hypothesis, gold, _ in rows
    ]
    agreement = [
        {
            "collection": COLLECTION,
            "dataset": "mnli",
            "position": int(index),
            "runs": len(RUNS),
            "correct": int(correct),
            "origin": "published",
        }
        for index, _, _, _, correct in rows
    ]
    return schema.EXAMPLES.rows(examples), schema.AGREEMENT.rows(agreement)


def runs() -> list[dict]:
    """The `runs` rows of the 100 published runs."""
    return [
        {
            "collection": COLLECTION,
            "run": run,
            "model": "bert-base-uncased",
            "recipe": "feather",
            "training_data": "MNLI",
            "cluster": "smaller cluster" if i in SMALLER_CLUSTER else "larger cluster",
            "hyperparameters": schema.to_json(
                {"batch": 32, "epochs": 3, "learning_rate": 2e-5, "length": 128, "warmup": 0.1}
            ),
            "notes": "initial weights of the classifier and order of the training examples differ together",
            "source": "McCoy, Min, Linzen (2020), arXiv 1911.02969",
        }
        for i, run in enumerate(RUNS)
    ]
