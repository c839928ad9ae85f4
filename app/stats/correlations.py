"""Does one accuracy go with another over runs, and is it still so once a third is accounted for?"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.interpolate import BSpline

Method = Literal["pearson", "spearman"]
Regression = Literal["linear", "quadratic", "cubic", "spline", "rank"]

_DEGREES = {"linear": 1, "quadratic": 2, "cubic": 3, "rank": 1}
_NEXT_TO_NOTHING = 1e-9


@dataclass(frozen=True)
class Correlation:
    """r with its interval and two-sided p over n complete pairs; `note` says why where r is NaN."""

    r: float
    low: float
    high: float
    p: float
    n: int
    note: str = ""


def correlation(x: ArrayLike, y: ArrayLike, method: Method = "pearson", level: float = 0.95) -> Correlation:
    """Correlation of two columns of shape (runs,). Pairs with a NaN are left out; a constant column gives NaN, noted.

    p comes from t = r √(df / (1 − r²)), df = n − 2. The interval is tanh(artanh r ± z s), with s = 1 / √(n − 3) for
    Pearson (Fisher 1921) and s = √((1 + r² / 2) / (n − 3)) for Spearman (Bonett and Wright 2000).
    """
    if method not in ("pearson", "spearman"):
        raise ValueError(f"method is pearson or spearman, not {method!r}")
    x, y = _complete(x, y)
    # Before ranking, which would make rounding errors as large as real differences.
    note = _why_undefined(x, y)
    if method == "spearman":
        x, y = stats.rankdata(x), stats.rankdata(y)
    return _correlate(x, y, 0, method == "spearman", level, note)


def partial_correlation(
    x: ArrayLike, y: ArrayLike, given: ArrayLike, method: Regression = "linear", level: float = 0.95
) -> Correlation:
    """Correlation of what is left of x and of y after regressing each on `given`, all of shape (runs,).

    `method` is the regression: a polynomial, a cubic spline with knots at the quartiles of `given`, or "rank" (ranks of
    all three, then linear: Spearman's partial correlation). Every regressor costs a degree of freedom in p and in the
    interval, which otherwise are those of `correlation`. Triples with a NaN are left out. Where x or y is constant, or
    follows from `given` entirely, r is NaN and `note` says so; a constant `given` accounts for nothing, and is noted.
    """
    x, y, given = _complete(x, y, given)
    if (note := _why_undefined(x, y)) or len(x) < 3:
        return _correlate(x, y, 0, method == "rank", level, note)
    if method == "rank":
        x, y, given = map(stats.rankdata, (x, y, given))
    design = _design(given, method)
    left_x, left_y = _residuals(x, design), _residuals(y, design)
    names = [name for name, left, whole in (("x", left_x, x), ("y", left_y, y)) if _nothing_left(left, whole)]
    note = f"{' and '.join(names)} follows from what is accounted for entirely: nothing is left" if names else ""
    regressors = int(np.linalg.matrix_rank(design)) - 1
    result = _correlate(left_x, left_y, regressors, method == "rank", level, note)
    if not regressors and not result.note:
        return Correlation(result.r, result.low, result.high, result.p, result.n, "what is accounted for is constant")
    return result


def residuals(y: ArrayLike, given: ArrayLike, method: Regression = "linear") -> NDArray[np.float64]:
    """What is left of y, shape (runs,), after regressing it on `given` (see `partial_correlation`): the points to plot.

    With "rank" in ranks. NaN where y or `given` is NaN.
    """
    y, given = np.asarray(y, dtype=float), np.asarray(given, dtype=float)
    left = np.full(y.shape, np.nan)
    there = ~(np.isnan(y) | np.isnan(given))
    y, given = y[there], given[there]
    if y.size:
        if method == "rank":
            y, given = stats.rankdata(y), stats.rankdata(given)
        left[there] = _residuals(y, _design(given, method))
    return left


def _complete(*columns: ArrayLike) -> list[NDArray[np.float64]]:
    arrays = [np.asarray(column, dtype=float) for column in columns]
    if any(array.ndim != 1 or array.shape != arrays[0].shape for array in arrays):
        raise ValueError(f"columns have shape (runs,) each, not {' and '.join(str(a.shape) for a in arrays)}")
    there = ~np.isnan(arrays).any(axis=0)
    return [array[there] for array in arrays]


def _why_undefined(x: NDArray, y: NDArray) -> str:
    if len(x) < 3:
        have = "1 run has" if len(x) == 1 else f"{len(x)} runs have"
        return f"{have} both values: a correlation needs three"
    names = [name for name, column in (("x", x), ("y", y)) if _nothing_left(column - column.mean(), column)]
    verb = "is" if len(names) == 1 else "are"
    return f"{' and '.join(names)} {verb} constant over the {len(x)} runs: no correlation is defined" if names else ""


def _nothing_left(left: NDArray, whole: NDArray) -> bool:
    """Whether residuals are rounding error: a correlation of rounding errors would look like a finding."""
    spread = np.ptp(whole)
    scale = spread if spread > _NEXT_TO_NOTHING * np.abs(whole).max() else np.abs(whole).max()
    return bool(np.abs(left).max() <= _NEXT_TO_NOTHING * scale)


def _correlate(x: NDArray, y: NDArray, regressors: int, ranks: bool, level: float, note: str) -> Correlation:
    n, freedom = len(x), len(x) - 2 - regressors
    if not note and freedom < 1:
        note = f"{n} runs are too few to account for {regressors} regressors"
    if note:
        return Correlation(*[float("nan")] * 4, n, note)
    r = float(stats.pearsonr(x, y).statistic)
    if abs(r) > 1 - 1e-14:
        return Correlation(np.sign(r), np.sign(r), np.sign(r), 0.0, n)
    p = float(2 * stats.t.sf(abs(r) * np.sqrt(freedom / (1 - r**2)), freedom))
    if freedom < 2:
        return Correlation(r, -1.0, 1.0, p, n)
    error = np.sqrt((1 + r**2 / 2 if ranks else 1) / (freedom - 1))
    low, high = np.tanh(np.arctanh(r) + stats.norm.ppf(0.5 + level / 2) * error * np.array([-1, 1]))
    return Correlation(r, float(low), float(high), p, n)


def _design(given: NDArray, method: Regression) -> NDArray[np.float64]:
    """Regressors of shape (runs, 1 + k), the first being the constant."""
    if method != "spline" and method not in _DEGREES:
        raise ValueError(f"method is one of {', '.join([*_DEGREES, 'spline'])}, not {method!r}")
    spread = np.ptp(given)
    if spread <= _NEXT_TO_NOTHING * np.abs(given).max():
        return np.ones((len(given), 1))
    # Powers of accuracies between .83 and .85 are all but collinear; of values between −1 and 1 they are not.
    scaled = 2 * (given - given.min()) / spread - 1
    if method != "spline":
        return np.vander(scaled, _DEGREES[method] + 1, increasing=True)
    inner = np.unique(np.quantile(scaled, [0.25, 0.5, 0.75]))
    inner = inner[(inner > -1) & (inner < 1)]
    knots = np.concatenate([[-1] * 4, inner, [1] * 4])
    # The B-splines add up to one: with the constant in front, one of them is spare.
    splines = BSpline.design_matrix(scaled, knots, 3).toarray()
    return np.column_stack([np.ones(len(given)), splines[:, 1:]])


def _residuals(y: NDArray, design: NDArray) -> NDArray[np.float64]:
    return y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
