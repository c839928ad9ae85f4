"""One BERT-base along its training: HANS labels and MNLI accuracy at 16 steps."""

from pathlib import Path

import pyarrow as pa

from pipeline import schema, scoring
from pipeline.errors import FlockError
from pipeline.sources import feather, hans

COLLECTION = "training-steps"
RUN = "bert-base"

STEPS_PER_EPOCH = 49_088
"""392,702 training pairs in batches of 8; three epochs end at step 147,264."""


def steps(folder: Path) -> list[int]:
    """The steps that have both a HANS and an MNLI file, ascending."""
    found = sorted(int(path.stem.removeprefix("hans_")) for path in folder.glob("hans_*.txt"))
    if not found:
        raise FlockError(f"{folder} holds no hans_STEP.txt; --from takes the folder of the source files")
    return found


def checkpoints(found: list[int]) -> pa.Table:
    return schema.CHECKPOINTS.rows(
        [
            {
                "collection": COLLECTION,
                "run": RUN,
                "step": step,
                "epoch": step / STEPS_PER_EPOCH,
                "is_final": step == max(found),
            }
            for step in found
        ]
    )


def predictions(folder: Path, found: list[int], examples: pa.Table) -> pa.Table:
    """The HANS labels at every step."""
    tables = []
    for step in found:
        labels = hans.labels((folder / f"hans_{step}.txt").read_bytes(), examples)
        n = len(labels)
        columns = {
            "collection": pa.repeat(COLLECTION, n),
            "run": pa.repeat(RUN, n),
            "step": pa.repeat(step, n),
            "dataset": pa.repeat("hans", n),
            "position": examples["position"],
            "predicted": pa.array(labels),
        }
        tables.append(schema.PREDICTIONS.conform(pa.table(columns)))
    return pa.concat_tables(tables)


def accuracies(folder: Path, found: list[int], predictions: pa.Table, examples: pa.Table) -> pa.Table:
    """HANS as counted from the labels, MNLI as published."""
    rows = []
    for step in found:
        accuracy = float((folder / f"mnli_{step}.txt").read_text().split("=")[1])
        correct = round(accuracy * feather.MNLI_SIZE)
        if abs(correct - accuracy * feather.MNLI_SIZE) > 1e-6:
            raise FlockError(f"{folder}/mnli_{step}.txt: {accuracy} is not a whole number of {feather.MNLI_SIZE} pairs")
        row = {"collection": COLLECTION, "run": RUN, "step": step, "dataset": "mnli", "n": feather.MNLI_SIZE}
        rows.append(row | {"correct": correct, "scoring": "3-way", "origin": "published"})
    return pa.concat_tables([scoring.score(predictions, examples, "computed"), schema.ACCURACIES.rows(rows)])
