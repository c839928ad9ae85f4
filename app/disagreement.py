"""What the Disagreement page computes: counts, pairs of runs, patterns, subcases. Fractions inside."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from app import stats
from app.queries.disagreement import Answers

MOST_RUNS_IN_PATTERNS = 8


def histogram(votes: pd.DataFrame) -> pd.DataFrame:
    """How many examples are right in exactly k runs: columns right (k, from 0 to the number of runs), examples."""
    counts = votes["correct"].dropna().astype(int).value_counts()
    most = int(votes["runs"].max())
    return pd.DataFrame({"right": range(most + 1), "examples": [int(counts.get(k, 0)) for k in range(most + 1)]})


def agreement(votes: pd.DataFrame) -> stats.Agreement:
    """Agreement in correctness, from how many runs are right on each example.

    Examples that not every run has answered, or whose gold label is unknown, are left out.
    """
    runs = int(votes["runs"].max())
    known = votes.loc[votes["correct"].notna() & (votes["runs"] == runs), "correct"]
    return stats.agreement_from_counts(known.to_numpy(dtype=int), runs)


def label_agreement(answers: Answers) -> stats.LabelAgreement:
    """Agreement in labels of all runs."""
    return stats.label_agreement(answers.labels)


def pairs(answers: Answers, what: str) -> tuple[list[str], np.ndarray, np.ndarray]:
    """(runs in clustered order, agreement, κ), both matrices runs × runs; `what` is "correctness" or "labels"."""
    values = answers.labels if what == "labels" or answers.correct is None else answers.correct
    agreement = stats.pairwise_agreement(values)
    order = stats.cluster_order(agreement) if len(answers.runs) > 2 else np.arange(len(answers.runs))
    kappa = stats.pairwise_kappa(values)
    both = np.ix_(order, order)
    return [answers.runs[i] for i in order], agreement[both], kappa[both]


def matrix_rows(runs: Sequence[str], agreement: np.ndarray, kappa: np.ndarray) -> pd.DataFrame:
    """The pairs of different runs as rows, each once: a, b, agreement, kappa; a comes before b in `runs`."""
    a, b = np.triu_indices(len(runs), 1)
    names = np.array(runs, dtype=object)
    return pd.DataFrame({"a": names[a], "b": names[b], "agreement": agreement[a, b], "kappa": kappa[a, b]})


def by_accuracy(answers: Answers) -> pd.DataFrame:
    """Each run's accuracy and its mean agreement in correctness with the other runs."""
    together = stats.pairwise_agreement(answers.correct)
    n = len(answers.runs)
    mean = (together.sum(1) - 1) / (n - 1) if n > 1 else np.full(n, np.nan)
    return pd.DataFrame({"run": answers.runs, "accuracy": answers.correct.mean(1), "agreement": mean})


def by_subcase(votes: pd.DataFrame, subcases: pd.Series) -> pd.DataFrame:
    """Subcases by how much they split the runs, most first.

    `subcases` maps positions to subcases. Columns subcase, examples, split, all_right, all_wrong (shares of examples),
    agreement, kappa.
    """
    rows = []
    named = votes.assign(subcase=votes["position"].map(subcases))
    for subcase, own in named.dropna(subset=["subcase"]).groupby("subcase", sort=False):
        found = agreement(own)
        rows.append(
            {
                "subcase": subcase,
                "examples": len(own),
                "split": found.split,
                "all_right": found.all_right,
                "all_wrong": found.all_wrong,
                "agreement": found.pairwise,
                "kappa": found.fleiss_kappa,
            }
        )
    table = pd.DataFrame(rows)
    return table if table.empty else table.sort_values("split", ascending=False, ignore_index=True)


def patterns(answers: Answers) -> pd.DataFrame:
    """Who is right: a row a pattern that occurs, most frequent first; columns pattern ("101", a digit a run), right
    (how many runs), examples."""
    found = [
        {"pattern": "".join("1" if r else "0" for r in p.right), "right": sum(p.right), "examples": p.count}
        for p in stats.patterns(answers.correct)
    ]
    return pd.DataFrame(found).sort_values(["examples", "pattern"], ascending=[False, True], ignore_index=True)


def positions_of_pattern(answers: Answers, pattern: str) -> np.ndarray:
    """The positions of the examples on which exactly the runs marked 1 are right."""
    wanted = np.array([digit == "1" for digit in pattern])[:, None]
    return answers.positions[(answers.correct == wanted).all(0)]


CELLS = ("both right", "only A right", "only B right", "both wrong")


def compare(answers: Answers, a: Sequence[str], b: Sequence[str]) -> dict:
    """Two runs or groups: counts of CELLS, McNemar's exact p, error overlap, and each one's share right.

    A group is right on an example when more than half of its runs are.
    """
    right_a, right_b = (stats.majority_vote(answers.of(list(group)).correct) for group in (a, b))
    table = stats.two_by_two(right_a, right_b)
    return {
        "cells": dict(zip(CELLS, (table.both_right, table.only_a, table.only_b, table.both_wrong), strict=True)),
        "p": stats.mcnemar(right_a, right_b),
        "overlap": stats.error_overlap(right_a, right_b),
        "a": float(right_a.mean()),
        "b": float(right_b.mean()),
        "positions": {
            "both right": answers.positions[right_a & right_b],
            "only A right": answers.positions[right_a & ~right_b],
            "only B right": answers.positions[~right_a & right_b],
            "both wrong": answers.positions[~right_a & ~right_b],
        },
    }


def sides(
    runs: Sequence[str], a: Sequence[str], b: Sequence[str], clicked: Sequence[str] | None
) -> tuple[list[str], list[str]]:
    """The two sides to compare: what was chosen, else the clicked pair, else the first run against the others."""
    if not a and not b and clicked:
        return [clicked[0]], [clicked[1]]
    first = list(a) or [run for run in runs if run not in b][:1] or list(runs[:1])
    return first, list(b) or [run for run in runs if run not in first] or list(runs[:1])


def cell_rows(found: dict) -> pd.DataFrame:
    """The 2 × 2 table as rows: cell, examples."""
    return pd.DataFrame({"cell": list(found["cells"]), "examples": list(found["cells"].values())})


def subcase_table(rows: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """The ranking as the table shows it, shares in percent."""
    shares = {"split %": "split", "all right %": "all_right", "all wrong %": "all_wrong"}
    shown = {"subcase": list(names), "examples": rows["examples"]}
    shown |= {name: 100 * rows[column] for name, column in shares.items()}
    return pd.DataFrame(shown | {"pairs agree": rows["agreement"], "Fleiss κ": rows["kappa"]})
