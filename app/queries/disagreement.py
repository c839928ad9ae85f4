"""The answers of all runs in view as one matrix."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import numpy as np

from app.filters import Filter
from app.text.common import RULES

LABELS = ("entailment", "neutral", "contradiction", "non-entailment")


@dataclass(frozen=True)
class Answers:
    """`labels` and `correct` are (runs, examples): class indices into LABELS, and booleans (None without gold).

    On two-way sets neutral and contradiction are merged into non-entailment. `positions` (ascending) name the examples.
    """

    runs: list[str]
    positions: np.ndarray
    labels: np.ndarray
    correct: np.ndarray | None

    def of(self, runs: Sequence[str]) -> "Answers":
        """The answers of some of the runs, in their order."""
        rows = [self.runs.index(run) for run in runs]
        correct = None if self.correct is None else self.correct[rows]
        return Answers(list(runs), self.positions, self.labels[rows], correct)

    def at(self, positions: Sequence[int]) -> "Answers":
        """The answers to some of the examples, in the order of positions."""
        kept = np.flatnonzero(np.isin(self.positions, positions))
        correct = None if self.correct is None else self.correct[:, kept]
        return Answers(self.runs, self.positions[kept], self.labels[:, kept], correct)


def answers(connection: duckdb.DuckDBPyConnection, view: Filter) -> Answers | None:
    """The answers of the view's runs on its whole test set, by its rule; None where no run has predictions there.

    Runs that have not answered all of it are left out, and where some gold labels are known, examples without one. By
    the rule "sum" only runs with logits take part on two-way sets.
    """
    return by_both_rules(connection, view)[view.rule]


def by_both_rules(connection: duckdb.DuckDBPyConnection, view: Filter) -> dict[str, Answers | None]:
    """`answers` by the rules "argmax" and "sum", from one pass over the predictions."""
    chosen = Filter(collection=view.collection, runs=view.runs, step=view.step, dataset=view.dataset)
    where, values = chosen.to_where("predictions")
    rows = connection.execute(
        f"""
        WITH e AS (
            SELECT position, gold, row_number() OVER (ORDER BY position) - 1 AS place
            FROM examples WHERE dataset = $filter_dataset),
        d AS (SELECT two_way FROM datasets WHERE dataset = $filter_dataset),
        r AS (SELECT DISTINCT run FROM prediction_sets
              WHERE collection = $filter_collection AND dataset = $filter_dataset),
        n AS (SELECT run, row_number() OVER (ORDER BY run) - 1 AS number FROM r)
        SELECT number::SMALLINT AS number, place::INTEGER AS place,
               (list_position($labels, if(two_way AND predicted != 'entailment', 'non-entailment', predicted)) - 1)
                   ::TINYINT AS label,
               is_correct(predicted, gold) AS argmax,
               CASE WHEN two_way THEN
                   is_correct_summed(predicted, logit_entailment, logit_neutral, logit_contradiction, gold, two_way)
                   ELSE argmax END AS sum
        FROM (SELECT * FROM predictions WHERE {where}) p JOIN e USING (position) JOIN n USING (run), d
        """,
        {**values, "labels": list(LABELS)},
    ).fetchnumpy()
    if not len(rows["place"]):
        return dict.fromkeys(RULES)
    names = connection.execute(
        "SELECT DISTINCT run FROM prediction_sets WHERE collection = ? AND dataset = ? ORDER BY run",
        [view.collection, view.dataset],
    ).fetchall()
    positions = connection.execute(
        "SELECT position FROM examples WHERE dataset = ? ORDER BY position", [view.dataset]
    ).fetchnumpy()["position"]
    runs = [name for (name,) in names]
    at = rows["number"].astype(np.intp) * len(positions) + rows["place"]
    labels, *correct = (_matrix(rows[c], at, (len(runs), len(positions))) for c in ("label", *RULES))
    return {rule: _whole(runs, positions, labels, c) for rule, c in zip(RULES, correct, strict=True)}


def _matrix(values: np.ndarray, at: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """A matrix with `values` at the flat places `at`, -1 where there is none."""
    known = ~np.ma.getmaskarray(values)
    matrix = np.full(shape, -1, dtype=np.int8)
    matrix.ravel()[at[known]] = np.ma.getdata(values)[known]
    return matrix


def _whole(runs: list[str], positions: np.ndarray, labels: np.ndarray, correct: np.ndarray) -> Answers | None:
    """The runs that have answered everything, or None."""
    graded = (correct >= 0).any(0)
    if graded.any():
        positions, labels, correct = positions[graded], labels[:, graded], correct[:, graded]
    whole = (labels >= 0).all(1) & ((correct >= 0).all(1) | (not graded.any()))
    order = sorted(np.flatnonzero(whole), key=lambda i: _natural(runs[i]))
    if not order:
        return None
    right = correct[order].astype(bool) if graded.any() else None
    return Answers([runs[i] for i in order], np.asarray(positions), labels[order], right)


def _natural(name: str) -> tuple:
    """Numbers at the end of a name in their own order."""
    stem = name.rstrip("0123456789")
    number = name[len(stem) :]
    return (stem, int(number) if number else -1, name)
