"""The spread over runs, and the yardsticks beside it: test-set sampling error and chance. All values are fractions."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats


@dataclass(frozen=True)
class Summary:
    """Of n values; sd is the sample standard deviation (ddof 1), NaN for one value."""

    mean: float
    sd: float
    min: float
    max: float
    median: float
    n: int


@dataclass(frozen=True)
class AboveChance:
    """Per run: the one-sided p, and whether it is below the level; `count` of `runs` are."""

    p: NDArray[np.float64]
    above: NDArray[np.bool_]
    count: int
    runs: int


def summary(values: ArrayLike) -> Summary:
    """Mean, SD, extremes and median over runs, leaving out NaN; all NaN where nothing remains."""
    values = np.asarray(values, dtype=float).ravel()
    values = values[~np.isnan(values)]
    if not values.size:
        return Summary(*[float("nan")] * 5, n=0)
    sd = float(values.std(ddof=1)) if values.size > 1 else float("nan")
    return Summary(
        float(values.mean()), sd, float(values.min()), float(values.max()), float(np.median(values)), values.size
    )


def sampling_error(accuracy: ArrayLike, n: ArrayLike) -> NDArray[np.float64] | float:
    """Standard error √(p (1 − p) / n) of an accuracy p on n test examples: the binomial yardstick.

    How far the accuracy of one and the same model would spread over test sets of this size. Elementwise.
    """
    accuracy = np.asarray(accuracy, dtype=float)
    error = np.sqrt(accuracy * (1 - accuracy) / np.asarray(n))
    return float(error) if error.ndim == 0 else error


def mean_sampling_error(accuracies: ArrayLike, n: ArrayLike) -> float:
    """Mean over runs of each run's `sampling_error`, to set beside the SD over runs. NaN accuracies are left out."""
    errors = np.atleast_1d(sampling_error(accuracies, n))
    return float(np.nanmean(errors)) if (~np.isnan(errors)).any() else float("nan")


def runs_above_chance(correct: ArrayLike, n: ArrayLike, chance: float = 0.5, level: float = 0.05) -> AboveChance:
    """Which runs beat chance: exact one-sided binomial test of each run's `correct` of `n` against `chance`.

    Each run is tested on its own at `level`, with no adjustment for the number of runs: of runs that truly guess, about
    5 % are counted at the default level.
    """
    correct, n = np.broadcast_arrays(np.atleast_1d(correct), n)
    if (correct > n).any() or (correct < 0).any():
        raise ValueError("right answers lie between 0 and the number of examples")
    p = stats.binom.sf(correct - 1, n, chance)
    above = p < level
    return AboveChance(p, above, int(above.sum()), above.size)
