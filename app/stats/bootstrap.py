"""The multi-bootstrap: how sure is an accuracy, or a difference, over other seeds and other test examples?"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm
from scipy.stats import t as student

_EXACT_IN_FLOAT32 = 2**24
_CHUNK_CELLS = 1_000_000
"""Weights at a time: 8 MB of 64-bit integers, which stay near the processor."""


@dataclass(frozen=True)
class Bootstrap:
    """Accuracy, or a difference of two, as a fraction, with its expanded percentile interval.

    p: two-sided, of no difference: the level at which the interval would just reach zero; NaN for one group.
    draws: the replicates, shape (draws,).
    runs: the runs resampled, of the smaller group: below 20 show `simulated_coverage(runs, groups)` with the interval.
    """

    estimate: float
    low: float
    high: float
    p: float
    draws: NDArray[np.float64] = field(repr=False, compare=False)
    runs: int


def multi_bootstrap(
    correct: ArrayLike,
    other: ArrayLike | None = None,
    *,
    draws: int = 1000,
    paired_runs: bool = False,
    resample_runs: bool = True,
    resample_examples: bool = True,
    clusters: ArrayLike | None = None,
    seed: int = 0,
    level: float = 0.95,
) -> Bootstrap:
    """Mean accuracy of `correct`, or `correct` minus `other`, resampling runs and examples (Sellam et al. 2022).

    Both arrays have shape (runs, examples) over the same examples, of 0/1; accuracies in between do too, such as one
    column of published accuracies with `resample_examples=False`. A replicate draws runs and examples with
    replacement and takes the mean over the drawn rows and columns; both groups get the same examples. `paired_runs`
    draws the same runs too: row k of both must belong together. A switch turned off holds runs or examples fixed.
    `clusters`, shape (examples,), such as the template of each, draws whole clusters instead of single examples.

    Plain percentiles of the replicates make an interval too narrow where units are few: their variance lacks the
    factor n / (n − 1), and their tails are the normal's, not Student's. So the interval is expanded: it ends at the
    tail shares Φ(f t), t being Student's quantile and f² = Σ V / Σ V (n − 1) / n (expanded percentile interval of
    Hesterberg 2015), over the parts V of the variance that are resampled, each from n units; with the degrees of
    freedom (Σ V)² / Σ (V² / (n − 1)) of Satterthwaite (1946). What it still lacks: `simulated_coverage`.

    Raises ValueError for arrays that do not fit, missing values, fewer than two clusters, or nothing to resample.
    """
    groups = [_accuracies(group) for group in (correct, other) if group is not None]
    _check(groups, paired_runs, draws)
    if not (resample_runs or resample_examples):
        raise ValueError("turn on the resampling of runs, of examples, or of both")
    rng = np.random.default_rng(seed)
    stacked, sizes = _by_cluster(np.concatenate(groups), clusters if resample_examples else None)
    if resample_examples:
        totals, drawn = _over_examples(stacked, sizes, draws, rng)
    else:
        totals, drawn = stacked.sum(axis=1, keepdims=True).T.astype(float), np.array([sizes.sum()])

    replicates, estimates, weights = [], [], None
    for group, part in zip(groups, np.split(totals, [len(groups[0])], axis=1), strict=False):
        if resample_runs and (weights is None or not paired_runs):
            weights = _draw(len(group), draws, rng).astype(float)
        summed = (weights * part).sum(axis=1) if resample_runs else part.sum(axis=1)
        # Whole numbers until this division, so equal groups give differences of exactly zero.
        replicates.append(np.broadcast_to(summed / (len(group) * drawn), draws))
        estimates.append(float(group.mean()))

    values = replicates[0] - replicates[1] if len(groups) == 2 else np.array(replicates[0])
    shape = _Expansion.of(_parts(groups, stacked, sizes, resample_runs, resample_examples, paired_runs))
    tail = shape.tail(0.5 - level / 2)
    low, high = np.quantile(values, [tail, 1 - tail])
    p = _two_sided(values, shape) if len(groups) == 2 else float("nan")
    return Bootstrap(
        estimates[0] - sum(estimates[1:]), float(low), float(high), p, values, min(len(group) for group in groups)
    )


def _over_examples(
    correct: NDArray, sizes: NDArray, draws: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Per draw of examples: each run's right answers, shape (draws, runs), and the examples drawn, shape (draws,)."""
    whole = np.issubdtype(correct.dtype, np.integer) and sizes.max() * len(sizes) < _EXACT_IN_FLOAT32
    columns = np.ascontiguousarray(np.vstack([correct, sizes]).T, dtype=np.float32 if whole else np.float64)
    step = max(1, _CHUNK_CELLS // len(sizes))
    totals = np.concatenate(
        [
            _draw(len(sizes), min(step, draws - start), rng).astype(columns.dtype) @ columns
            for start in range(0, draws, step)
        ]
    ).astype(float)
    return totals[:, :-1], totals[:, -1]


def _draw(n: int, draws: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """How often each of n is drawn in n draws with replacement, shape (draws, n): multinomial weights.

    Counting drawn numbers is several times faster than `rng.multinomial`, which walks through n binomials a draw.
    """
    places = rng.integers(0, n, size=(draws, n), dtype=np.uint16 if n <= 2**16 else np.int64).astype(np.intp)
    places += n * np.arange(draws)[:, None]
    return np.bincount(places.ravel(), minlength=draws * n).reshape(draws, n)


def _by_cluster(correct: NDArray, clusters: ArrayLike | None) -> tuple[NDArray, NDArray[np.intp]]:
    """Right answers per run and cluster, shape (runs, clusters), and the clusters' sizes; single examples without."""
    if clusters is None:
        return correct, np.ones(correct.shape[1], dtype=np.intp)
    clusters = np.asarray(clusters)
    if clusters.shape != correct.shape[1:]:
        raise ValueError(f"clusters names one cluster an example: {correct.shape[1]}, not {clusters.shape}")
    names, member = np.unique(clusters, return_inverse=True)
    if len(names) < 2:
        raise ValueError("all examples are in one cluster: drawing clusters needs at least two")
    by_member = np.argsort(member, kind="stable")
    sizes = np.bincount(member)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return np.add.reduceat(correct[:, by_member], starts, axis=1), sizes


@dataclass(frozen=True)
class _Expansion:
    """How far the replicates' tails are moved; see `multi_bootstrap`."""

    factor: float
    degrees: float

    @classmethod
    def of(cls, parts: list[tuple[float, int]]) -> "_Expansion":
        """From (unbiased variance of the estimate, units) of each part; normal where nothing varies."""
        variance = np.array([v for v, _ in parts])
        units = np.array([n for _, n in parts])
        if not variance.sum() > 0:
            return cls(1.0, np.inf)
        factor = variance.sum() / (variance * (units - 1) / units).sum()
        return cls(float(np.sqrt(factor)), float(variance.sum() ** 2 / (variance**2 / (units - 1)).sum()))

    def tail(self, share: float) -> float:
        """The replicates' tail share that stands for a tail share of the sampling distribution."""
        return float(norm.cdf(self.factor * student.ppf(share, self.degrees)))

    def share(self, tail: float) -> float:
        """The inverse of `tail`."""
        return float(student.cdf(norm.ppf(tail) / self.factor, self.degrees))


def _parts(
    groups: list[NDArray], stacked: NDArray, sizes: NDArray, of_runs: bool, of_examples: bool, paired_runs: bool
) -> list[tuple[float, int]]:
    """(unbiased variance of the estimate, units) for what is resampled: runs, a part a group unless they are paired,
    and examples or clusters, whose accuracy is a ratio of their right answers and their sizes. One run has none."""
    parts = []
    if of_runs:
        means = [group.mean(axis=1) for group in groups]
        means = [means[0] - means[1]] if paired_runs else means
        parts += [(float(mean.var(ddof=1) / len(mean)), len(mean)) for mean in means if len(mean) > 1]
    if of_examples:
        right = [part.mean(axis=0) for part in np.split(stacked, [len(groups[0])]) if len(part)]
        right = right[0] - right[1] if len(right) == 2 else right[0]
        off = right - right.sum() / sizes.sum() * sizes
        m = len(sizes)
        if m > 1:
            parts.append((float(m / (m - 1) * (off**2).sum() / sizes.sum() ** 2), m))
    return parts


def _two_sided(differences: NDArray, shape: _Expansion) -> float:
    tail = min((differences <= 0).mean(), (differences >= 0).mean())
    return min(1.0, 2 * shape.share(max(tail, 0.5 / len(differences))))


def _accuracies(group: ArrayLike) -> NDArray:
    group = np.asarray(group)
    if group.ndim != 2 or 0 in group.shape:
        raise ValueError(f"correct has shape (runs, examples) with at least one of each, not {group.shape}")
    if group.dtype == bool:
        return group.astype(np.int32)
    if not (group.min() >= 0 and group.max() <= 1):
        raise ValueError("correct holds missing values, or values outside 0 … 1")
    return group.astype(np.int32) if np.issubdtype(group.dtype, np.integer) else group.astype(np.float64)


def _check(groups: list[NDArray], paired_runs: bool, draws: int) -> None:
    if draws < 1:
        raise ValueError("draws is at least one")
    if len(groups) == 2 and groups[0].shape[1] != groups[1].shape[1]:
        raise ValueError(f"the groups have {groups[0].shape[1]} and {groups[1].shape[1]} examples, not the same ones")
    if paired_runs and (len(groups) < 2 or len(groups[0]) != len(groups[1])):
        raise ValueError("paired runs need two groups with as many runs")
