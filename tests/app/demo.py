"""A small store with everything a collection can have: sentences, logits, checkpoints, clusters, columns about runs."""

from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline import schema, scoring, store

COLLECTION, DATASET = "demo", "demo-pairs"
RUNS = ("demo_1", "demo_2", "demo_3", "demo_4")
STEPS = (10, 20, 30)
PER_SUBCASE = 8
SUBCASES = ("le_passive", "ln_passive", "se_adjective", "sn_NP/S", "ce_adverb", "cn_adverb")
AWKWARD = (
    "The cook paid $5 and $7 for *two* pies .",
    "The <b>bold</b> sign said :red[stop] .",
    "A # heading , a `tick` and a :smile: were printed .",
    "The guide wrote [a link](nowhere) & left < > .",
    "The _pilot_ ran <script>alert('x')</script> and __slept__ .",
    "\u0646\u0627\u0645 \u0627\u0644\u0637\u0628\u0627\u062e \u0641\u064a \u0627\u0644\u0628\u064a\u062a .",
    "The baker " + "sang and " * 220 + "slept .",
)
"""Sentences that show wrong where text is read as Markdown, HTML or emoji codes."""


def examples() -> pa.Table:
    """48 test pairs over six subcases."""
    rows = []
    for subcase in SUBCASES:
        heuristic, gold = next((h, g) for h, sides in schema.SUBCASES.items() for g, s in sides.items() if subcase in s)
        for i in range(PER_SUBCASE):
            k = len(rows)
            premise = AWKWARD[i] if i < len(AWKWARD) else f"The baker number {k} was thanked by the pilot ."
            rows.append(
                {
                    "dataset": DATASET,
                    "example": f"d{k}",
                    "position": k,
                    "gold": gold,
                    "heuristic": heuristic,
                    "subcase": subcase,
                    "template": f"{subcase}_{i % 2}",
                    "premise": premise,
                    "hypothesis": f"The pilot thanked the baker number {k} .",
                }
            )
    return schema.EXAMPLES.rows(rows)


def write_sentences(folder: Path) -> Path:
    """A store with nothing but sentences of our own for the 30,000 ids of HANS, whose text is not shipped."""
    rows = [
        {
            "dataset": "hans",
            "example": f"ex{i}",
            "position": i,
            "premise": f"The baker number {i} was thanked by the pilot .",
            "hypothesis": f"The pilot thanked the baker number {i} .",
        }
        for i in range(30_000)
    ]
    store.write_examples(folder, schema.EXAMPLES.rows(rows))
    return folder


def write(folder: Path) -> Path:
    """Write the store; the same each time."""
    pairs = examples()
    store.write_examples(folder, pairs)
    random = np.random.default_rng(7)
    n = pairs.num_rows
    for r, run in enumerate(RUNS):
        predictions = []
        for s, step in enumerate(STEPS):
            logits = random.normal(size=(n, 3)) + np.array([1.0 + s, 0.2 * r, 0.0])
            for position in range(n):
                values = dict(zip(schema.LOGITS, map(float, logits[position]), strict=True))
                label = schema.LABELS[int(logits[position].argmax())]
                predictions.append(
                    {
                        "collection": COLLECTION,
                        "run": run,
                        "step": step,
                        "dataset": DATASET,
                        "position": position,
                        "predicted": label,
                        **values,
                    }
                )
        table = schema.PREDICTIONS.rows(predictions)
        checkpoints = [
            {"collection": COLLECTION, "run": run, "step": step, "epoch": step / 10, "is_final": step == STEPS[-1]}
            for step in STEPS
        ]
        about = {"collection": COLLECTION, "run": run, "model": "a small model", "init_seed": r, "order_seed": r}
        store.write_run(
            folder,
            store.RunResults(
                runs=schema.RUNS.rows([about]),
                checkpoints=schema.CHECKPOINTS.rows(checkpoints),
                accuracies=scoring.score(table, pairs, "own"),
                predictions=table,
            ),
        )
    about = {"collection": COLLECTION, "title": "Demo", "description": "Four made-up runs.", "synthetic": True}
    store.write_collection_table(folder, "collections", schema.COLLECTIONS.rows([about]))
    told = zip(RUNS, ("1e-5", "2e-5", "3e-5", "4e-5"), ("adam", "adam", "sgd", "sgd"), strict=True)
    columns = [
        {"collection": COLLECTION, "run": run, "name": name, "value": value}
        for run, rate, optimiser in told
        for name, value in (("rate", rate), ("optimiser", optimiser))
    ]
    store.write_collection_table(folder, "run_columns", schema.RUN_COLUMNS.rows(columns))
    return folder
