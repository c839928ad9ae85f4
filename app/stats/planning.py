"""How many seeds? What the best of n runs hides, and how many runs a difference needs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from statsmodels.stats.power import FTestAnovaPower

MOST_RUNS = 1_000_000


@dataclass(frozen=True)
class RunsNeeded:
    """Runs per group, None beyond MOST_RUNS, with the SD (ddof 1) it rests on and the assumptions in words."""

    per_group: int | None
    sd: float
    assumptions: str


def expected_maximum(values: ArrayLike, n: int) -> float:
    """Expected best of n runs drawn with replacement from those seen, shape (runs,), with no further assumption.

    E[max_n] = Σ_v v (F̂(v)ⁿ − F̂(v⁻)ⁿ), F̂ being the share of runs at or below v (Dodge et al. 2019). It never exceeds
    the best run seen, so it is too low where n comes near the number of runs.
    """
    values = np.sort(_seen(values))
    if n < 1:
        raise ValueError("n is at least one run")
    below = np.arange(len(values) + 1) / len(values)
    return float(np.sum(values * np.diff(below**n)))


def expected_range(values: ArrayLike, n: int) -> float:
    """Expected best minus expected worst of n runs drawn as in `expected_maximum`; 0 for n = 1."""
    values = _seen(values)
    return expected_maximum(values, n) + expected_maximum(-values, n)


def runs_needed(values: ArrayLike, difference: float, power: float = 0.8, level: float = 0.05) -> RunsNeeded:
    """Runs in each of two groups to find a `difference` of mean accuracy (a fraction) with this power.

    `values`, shape (runs,), are accuracies of runs already there; their SD stands for both groups. The smallest n at
    which Student's two-sided t test of two independent groups reaches `power` at `level`, as statsmodels computes it.
    """
    values = _seen(values)
    if values.size < 2:
        raise ValueError("the spread over runs needs at least two runs")
    if not difference > 0:
        raise ValueError("the difference is above zero")
    if not (0 < power < 1 and 0 < level < 1):
        raise ValueError("power and level lie between 0 and 1")
    sd = float(values.std(ddof=1))
    assumptions = (
        f"Two independent groups of equally many runs, accuracies of both normally distributed with the same SD as "
        f"these {values.size} runs ({100 * sd:.2f} points), Student's two-sided t test at level {level:g}, "
        f"power {power:g}, one fixed test set."
    )
    return RunsNeeded(_smallest(difference / sd if sd else np.inf, power, level), sd, assumptions)


def _smallest(effect: float, power: float, level: float) -> int | None:
    """Bisects for the n a group at which an effect of so many SDs is found; None beyond MOST_RUNS."""
    low, high = 1, 2
    while not _finds(effect, high, power, level):
        low, high = high, 2 * high
        if low >= MOST_RUNS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _finds(effect, middle, power, level) else (middle, high)
    return high if high <= MOST_RUNS else None


def _finds(effect: float, n: int, power: float, level: float) -> bool:
    # Of two groups F = t², and the noncentral F holds where the noncentral t gives NaN (from 8 SDs and n = 3). Its own
    # NaN come where power is 1.
    return effect > 100 or not FTestAnovaPower().power(effect / 2, 2 * n, level, k_groups=2) < power


def _seen(values: ArrayLike) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    values = values[~np.isnan(values)]
    if values.ndim != 1 or not values.size:
        raise ValueError("needs the accuracy of at least one run")
    return values
