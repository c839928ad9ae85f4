"""Why accuracy varies over runs: examples that flip by themselves, or together."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from app.stats import arrays


@dataclass(frozen=True)
class VarianceParts:
    """Variances (ddof 1) of accuracy as a fraction; total = independent + covariance, which may be negative.

    NaN for one run.
    """

    total: float
    independent: float
    covariance: float


def decompose_variance(correct: ArrayLike) -> VarianceParts:
    """Variance over runs of the accuracy on a (runs, examples) array, split after Zhou et al. (2020).

    With N examples and variance s_i² of example i over runs, Var(accuracy) = Σ s_i² / N² + covariance: the first part
    is what independent examples would give, the second is examples changing together.
    """
    correct = arrays.correctness(correct)
    return decompose_variance_from_counts(correct.sum(axis=0), len(correct), correct.mean(axis=1))


def decompose_variance_from_counts(counts: ArrayLike, runs: int, accuracies: ArrayLike) -> VarianceParts:
    """The same from how many of the `runs` have each example right and from each run's accuracy, shape (runs,).

    An example right for k of n runs has s² = k (n − k) / (n (n − 1)). Raises ValueError where the accuracies are not
    one a run or a count lies outside 0 … runs.
    """
    counts, accuracies = np.asarray(counts, dtype=float), np.asarray(accuracies, dtype=float)
    if accuracies.shape != (runs,):
        raise ValueError(f"needs the accuracy of each of the {runs} runs, not an array of shape {accuracies.shape}")
    if counts.ndim != 1 or not counts.size or counts.min() < 0 or counts.max() > runs:
        raise ValueError(f"counts of right runs, one an example, lie between 0 and {runs}, the number of runs")
    if runs < 2:
        return VarianceParts(*[float("nan")] * 3)
    independent = float(np.sum(counts * (runs - counts)) / (runs * (runs - 1)) / counts.size**2)
    total = float(accuracies.var(ddof=1))
    return VarianceParts(total, independent, total - independent)
