"""Intervals of an accuracy and of a mean over runs. All values are fractions."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import proportion_confint


@dataclass(frozen=True)
class Interval:
    """NaN where it cannot be had; `note` says why."""

    low: float
    high: float
    note: str = ""


def accuracy_interval(correct: int, n: int, level: float = 0.95) -> Interval:
    """Of one run's accuracy with `correct` of n independent examples right: Wilson's score interval (1927)."""
    if not 0 <= correct <= n or n < 1:
        raise ValueError(f"right answers lie between 0 and the number of examples, not {correct} of {n}")
    low, high = proportion_confint(correct, n, alpha=1 - level, method="wilson")
    return Interval(float(low), float(high))


def clustered_interval(correct: ArrayLike, clusters: ArrayLike, level: float = 0.95) -> Interval:
    """Of an accuracy where examples of one cluster (a template, say) go right or wrong together.

    `correct`: shape (examples,) for one run, or (runs, examples) for the mean of these very runs. Mean ± t s with
    cluster-robust s (Liang and Zeger 1986, with the G / (G − 1) correction) and t on G − 1 degrees of freedom, G being
    the number of clusters; cut at 0 and 1. NaN with one cluster. No width at all where all examples are right or wrong.
    """
    correct, clusters = np.asarray(correct, dtype=float), np.asarray(clusters)
    share = correct.mean(axis=0) if correct.ndim == 2 else correct
    if share.shape != clusters.shape or share.ndim != 1 or not share.size:
        raise ValueError(f"clusters names one cluster an example: {share.shape}, not {clusters.shape}")
    if not ((share >= 0) & (share <= 1)).all():
        raise ValueError("correct holds missing values, or values outside 0 … 1")
    names, member = np.unique(clusters, return_inverse=True)
    if len(names) < 2:
        return Interval(float("nan"), float("nan"), "all examples are in one cluster: other clusters may differ")
    if np.ptp(share) == 0:
        return Interval(float(share[0]), float(share[0]), "no example differs: nothing tells how clusters vary")
    fit = OLS(share, np.ones(share.size)).fit(cov_type="cluster", cov_kwds={"groups": member}, use_t=True)
    low, high = np.clip(fit.conf_int(alpha=1 - level)[0], 0, 1)
    return Interval(float(low), float(high))


def mean_interval(values: ArrayLike, level: float = 0.95) -> Interval:
    """Student's t interval of a mean over runs, from one value a run, shape (runs,). NaN values are left out."""
    values = np.asarray(values, dtype=float)
    values = values[~np.isnan(values)]
    if values.size < 2:
        return Interval(float("nan"), float("nan"), f"{values.size} run: the spread over runs needs two")
    half = half_width(float(values.std(ddof=1)), values.size, level)
    return Interval(float(values.mean() - half), float(values.mean() + half))


def half_width(sd: float, runs: int, level: float = 0.95) -> float:
    """Half the width of the t interval of a mean over `runs` runs that spread by `sd` (ddof 1): t sd / √runs."""
    if runs < 2:
        return float("nan")
    return float(stats.t.ppf(0.5 + level / 2, runs - 1) * sd / np.sqrt(runs))
