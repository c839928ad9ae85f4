"""How far all runs agree: unanimity, mean pairwise agreement, Fleiss' κ, majority vote.

Agreement is of *correctness* (right or wrong) unless a function says labels: two runs may both be wrong with different
labels. All numbers are fractions.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from statsmodels.stats.inter_rater import fleiss_kappa

from app.stats import arrays


@dataclass(frozen=True)
class Agreement:
    """Agreement in correctness.

    pairwise: mean over examples and pairs of runs of "both right or both wrong"; NaN for one run.
    fleiss_kappa: NaN for one run, or where every run has every example right (or wrong).
    all_right, all_wrong, split: shares of examples; they add up to 1.
    """

    runs: int
    examples: int
    pairwise: float
    fleiss_kappa: float
    all_right: float
    all_wrong: float
    split: float


@dataclass(frozen=True)
class LabelAgreement:
    """Agreement in the labels given; fields as in `Agreement`, `unanimous` being the share with one label only."""

    runs: int
    examples: int
    pairwise: float
    fleiss_kappa: float
    unanimous: float
    split: float


def agreement(correct: ArrayLike) -> Agreement:
    """Agreement in correctness of a (runs, examples) array of 0/1."""
    correct = arrays.correctness(correct)
    return agreement_from_counts(correct.sum(axis=0), len(correct))


def agreement_from_counts(counts: ArrayLike, runs: int) -> Agreement:
    """Agreement in correctness from how many of the `runs` have each example right, shape (examples,).

    Raises ValueError for an empty array or a count outside 0 … runs.
    """
    counts = _counts(counts, runs)
    pairwise, kappa = _fleiss(np.column_stack([counts, runs - counts]))
    right, wrong = float(np.mean(counts == runs)), float(np.mean(counts == 0))
    split = float(np.mean((counts > 0) & (counts < runs)))
    return Agreement(runs, len(counts), pairwise, kappa, right, wrong, split)


def label_agreement(labels: ArrayLike) -> LabelAgreement:
    """Agreement in labels of a (runs, examples) array of labels: integers (fast) or strings."""
    codes, kinds = arrays.label_codes(labels)
    table = np.column_stack([(codes == kind).sum(axis=0) for kind in range(kinds)])
    pairwise, kappa = _fleiss(table)
    unanimous = float(np.mean(table.max(axis=1) == len(codes)))
    split = float(np.mean(table.max(axis=1) < len(codes)))
    return LabelAgreement(*codes.shape, pairwise, kappa, unanimous, split)


def majority_vote(correct: ArrayLike) -> NDArray[np.bool_]:
    """Whether more than half of the runs are right, per example, shape (examples,). A tie counts as wrong."""
    correct = arrays.correctness(correct)
    return 2 * correct.sum(axis=0) > len(correct)


def _counts(counts: ArrayLike, runs: int) -> NDArray[np.int64]:
    counts = np.asarray(counts)
    if counts.ndim != 1 or not counts.size:
        raise ValueError(f"counts has shape (examples,) with at least one example, not {counts.shape}")
    if runs < 1 or counts.min() < 0 or counts.max() > runs:
        raise ValueError(f"counts of right runs lie between 0 and {runs}, the number of runs")
    return counts.astype(np.int64)


def _fleiss(table: NDArray) -> tuple[float, float]:
    """Mean pairwise agreement P̄ and Fleiss' κ = (P̄ − P_e) / (1 − P_e) from an (examples, categories) table of votes.

    Fleiss (1971). P̄ is the mean over examples of Σ_k c_k (c_k − 1) / (n (n − 1)) with n votes, c_k of them for k.
    """
    votes = table[0].sum()
    if votes < 2:
        return float("nan"), float("nan")
    pairwise = float(np.mean((table * (table - 1)).sum(axis=1) / (votes * (votes - 1))))
    if (table.sum(axis=0) > 0).sum() < 2:
        return pairwise, float("nan")
    return pairwise, float(fleiss_kappa(table))
