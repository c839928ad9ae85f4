"""The answers of all runs in view as one matrix."""

from dataclasses import dataclass

import duckdb
import numpy as np
import pandas as pd

from app.filters import Filter

LABELS = ("entailment", "neutral", "contradiction", "non-entailment")


@dataclass(frozen=True)
class Answers:
    """`labels` and `correct` are (runs, examples): class indices into LABELS, and booleans (None without gold).

    `positions` and `subcases` (object, None where there is none) describe the examples.
    """

    runs: list[str]
    positions: np.ndarray
    subcases: np.ndarray
    labels: np.ndarray
    correct: np.ndarray | None

    def of(self, runs: list[str]) -> "Answers":
        """The answers of some of the runs, in their order."""
        rows = [self.runs.index(run) for run in runs]
        correct = None if self.correct is None else self.correct[rows]
        return Answers(list(runs), self.positions, self.subcases, self.labels[rows], correct)


def answers(connection: duckdb.DuckDBPyConnection, view: Filter) -> Answers | None:
    """The answers of the view's runs on its slice, by its rule; None where no run has predictions there.

    By the rule "sum" only runs with logits take part on two-way sets.
    """
    chosen = Filter(collection=view.collection, runs=view.runs, step=view.step, dataset=view.dataset)
    where, values = chosen.to_where("predictions")
    slice_where, slice_values = view.changed(example=None).to_where("examples")
    rows = connection.execute(
        f"""
        WITH e AS (
            SELECT position, gold, subcase, row_number() OVER (ORDER BY position) - 1 AS place
            FROM examples WHERE {slice_where}),
        d AS (SELECT two_way FROM datasets WHERE dataset = $filter_dataset)
        SELECT run, place::INTEGER AS place,
               (list_position($labels, if(two_way AND predicted != 'entailment', 'non-entailment', predicted)) - 1)
                   ::TINYINT AS label,
               CASE WHEN $rule = 'sum' AND two_way THEN
                   is_correct_summed(predicted, logit_entailment, logit_neutral, logit_contradiction, gold, two_way)
                   ELSE is_correct(predicted, gold) END AS correct
        FROM (SELECT * FROM predictions WHERE {where}) p JOIN e USING (position), d
        """,
        {**values, **slice_values, "rule": view.rule, "labels": list(LABELS)},
    ).fetchnumpy()
    examples = connection.execute(
        f"SELECT position, subcase FROM examples WHERE {slice_where} ORDER BY position", slice_values
    ).df()
    if not len(rows["place"]):
        return None
    codes, names = pd.factorize(rows["run"], sort=False)
    order = sorted(range(len(names)), key=lambda i: _natural(names[i]))
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    labels = np.full((len(names), len(examples)), -1, dtype=np.int8)
    labels[rank[codes], rows["place"]] = rows["label"]
    known = ~np.ma.getmaskarray(rows["correct"])
    correct = np.full(labels.shape, -1, dtype=np.int8)
    correct[rank[codes][known], rows["place"][known]] = np.ma.getdata(rows["correct"])[known]
    whole = (labels >= 0).all(1) & ((correct >= 0).all(1) if known.any() else True)
    subcases = examples["subcase"].astype(object).where(examples["subcase"].notna(), None).to_numpy()
    if not whole.any():
        return None
    kept = [names[order[i]] for i in np.flatnonzero(whole)]
    graded = correct[whole].astype(bool) if known.any() else None
    return Answers(kept, examples["position"].to_numpy(), subcases, labels[whole], graded)


def _natural(name: str) -> tuple:
    """Numbers at the end of a name in their own order."""
    stem = name.rstrip("0123456789")
    number = name[len(stem) :]
    return (stem, int(number) if number else -1, name)
