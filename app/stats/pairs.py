"""Runs against each other: matrices over all pairs, the 2 × 2 table of two, patterns of a few."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform
from statsmodels.stats import contingency_tables

from app.stats import arrays
from app.stats.consensus import majority_vote

PATTERN_RUNS = 16
"""Most runs that `patterns` takes: beyond that nearly every example has a pattern of its own."""


@dataclass(frozen=True)
class TwoByTwo:
    """Numbers of examples that both have right, only one has right, or both have wrong."""

    both_right: int
    only_a: int
    only_b: int
    both_wrong: int


@dataclass(frozen=True)
class Pattern:
    """`count` examples are right for exactly those runs whose place in `right` is True."""

    right: tuple[bool, ...]
    count: int


def pairwise_agreement(values: ArrayLike) -> NDArray[np.float64]:
    """Share of examples on which two runs agree, a (runs, runs) matrix with ones on the diagonal.

    `values` of shape (runs, examples) holds correctness (agreement in correctness) or labels (agreement in labels).
    """
    codes, kinds = arrays.label_codes(values)
    return _pairwise(codes, kinds)


def pairwise_kappa(values: ArrayLike) -> NDArray[np.float64]:
    """Cohen's κ of every pair of runs, a (runs, runs) matrix; `values` as in `pairwise_agreement`.

    κ = (p_o − p_e) / (1 − p_e), p_e = Σ_k p_ak p_bk (Cohen 1960). NaN where both runs give one and the same value
    throughout: chance alone then explains all agreement.
    """
    codes, kinds = arrays.label_codes(values)
    observed = _pairwise(codes, kinds)
    shares = np.column_stack([(codes == kind).sum(axis=1) for kind in range(kinds)]) / codes.shape[1]
    expected = shares @ shares.T
    constant = expected > 1 - 1e-12
    return np.where(constant, np.nan, (observed - expected) / np.where(constant, 1, 1 - expected))


def cohen_kappa(a: ArrayLike, b: ArrayLike) -> float:
    """Cohen's κ of two runs' correctness or labels, shape (examples,) each; see `pairwise_kappa`."""
    return float(pairwise_kappa(_stacked(a, b))[0, 1])


def error_overlap(a: ArrayLike, b: ArrayLike) -> float:
    """Of the examples that at least one of two runs has wrong, the share that both have wrong (Jaccard index).

    `a`, `b`: correctness of shape (examples,). NaN where neither errs.
    """
    table = two_by_two(a, b)
    either = table.only_a + table.only_b + table.both_wrong
    return table.both_wrong / either if either else float("nan")


def mcnemar(a: ArrayLike, b: ArrayLike) -> float:
    """Two-sided p of McNemar's exact test that two runs (or groups, see `two_by_two`) are equally often right.

    It looks at these runs on these examples: it says nothing about other seeds of the same two recipes.
    """
    table = two_by_two(a, b)
    counts = [[table.both_right, table.only_a], [table.only_b, table.both_wrong]]
    return float(contingency_tables.mcnemar(counts, exact=True).pvalue)


def two_by_two(a: ArrayLike, b: ArrayLike) -> TwoByTwo:
    """Both right, only A, only B, both wrong, over the examples.

    Correctness of shape (examples,) is one run; of shape (runs, examples) a group, which is right where more than half
    of its runs are (a tie is wrong). Raises ValueError where A and B differ in examples.
    """
    a, b = _voice(a), _voice(b)
    if a.shape != b.shape:
        raise ValueError(f"A has {a.size} examples and B has {b.size}: they must be the same examples")
    return TwoByTwo(int((a & b).sum()), int((a & ~b).sum()), int((~a & b).sum()), int((~a & ~b).sum()))


def patterns(correct: ArrayLike) -> list[Pattern]:
    """Who is right together: each pattern over the runs and its number of examples, most frequent first.

    `correct` has shape (runs, examples). Equal counts come with the pattern of more right runs first. Raises ValueError
    beyond PATTERN_RUNS runs.
    """
    correct = arrays.correctness(correct)
    if len(correct) > PATTERN_RUNS:
        raise ValueError(f"patterns are for at most {PATTERN_RUNS} runs, not {len(correct)}")
    rows, counts = np.unique(correct.T, axis=0, return_counts=True)
    found = [Pattern(tuple(map(bool, row)), int(count)) for row, count in zip(rows, counts, strict=True)]
    return sorted(found, key=lambda p: (p.count, sum(p.right), p.right), reverse=True)


def cluster_order(matrix: ArrayLike) -> NDArray[np.intp]:
    """An order of the runs that puts like next to like, from a (runs, runs) matrix of agreement or κ.

    Average linkage on 1 − agreement with optimal leaf ordering (Bar-Joseph et al. 2001). NaN counts as no agreement.
    """
    matrix = np.asarray(matrix, dtype=float)
    if len(matrix) < 3:
        return np.arange(len(matrix))
    distances = 1 - np.nan_to_num((matrix + matrix.T) / 2, nan=0.0)
    np.fill_diagonal(distances, 0)
    condensed = squareform(distances, checks=False)
    return hierarchy.leaves_list(hierarchy.linkage(condensed, "average", optimal_ordering=True)).astype(np.intp)


def _pairwise(codes: NDArray[np.intp], kinds: int) -> NDArray[np.float64]:
    # Counts stay below 2**24, so single precision is exact and twice as fast.
    same = np.zeros((len(codes), len(codes)))
    for kind in range(kinds):
        given = (codes == kind).astype(np.float32)
        same += given @ given.T
    return same / codes.shape[1]


def _voice(correct: ArrayLike) -> NDArray[np.bool_]:
    return majority_vote(correct) if np.ndim(correct) == 2 else arrays.one_run(correct)


def _stacked(a: ArrayLike, b: ArrayLike) -> NDArray:
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError(f"two runs have shape (examples,) each, over the same examples, not {a.shape} and {b.shape}")
    return np.stack([a, b])
