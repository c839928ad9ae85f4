"""Raw and partial correlations, their intervals and p values."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats as scipy_stats
from scipy.interpolate import LSQUnivariateSpline
from statsmodels.regression.linear_model import OLS

from app import stats
from tests.app.stats.conftest import nominal

REGRESSIONS = ("linear", "quadratic", "cubic", "spline", "rank")
THREE_COLUMNS = st.integers(8, 40).flatmap(
    lambda n: arrays(float, (3, n), elements=st.integers(0, 1000).map(lambda k: k / 1000), unique=True)
)


def three(n=60, seed=0):
    rng = np.random.default_rng(seed)
    given = rng.normal(0.84, 0.0024, n)
    return 0.3 + 20 * (given - 0.84) + rng.normal(0, 0.05, n), given + rng.normal(0, 0.002, n), given


@given(THREE_COLUMNS)
def test_pearson_and_spearman_equal_scipy(columns):
    x, y, _ = columns
    found, expected = stats.correlation(x, y), scipy_stats.pearsonr(x, y)
    assert (found.r, found.p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)
    assert (found.low, found.high) == pytest.approx(tuple(expected.confidence_interval()), abs=1e-9)
    found, expected = stats.correlation(x, y, "spearman"), scipy_stats.spearmanr(x, y)
    assert (found.r, found.p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)


def test_spearman_interval_closed_form():
    x, y, _ = three()
    found = stats.correlation(x, y, "spearman")
    half = scipy_stats.norm.ppf(0.975) * np.sqrt((1 + found.r**2 / 2) / 57)
    assert np.arctanh([found.low, found.high]) == pytest.approx(np.arctanh(found.r) + np.array([-half, half]))


@given(THREE_COLUMNS)
def test_linear_partial_correlation_closed_form(columns):
    x, y, z = columns
    xy, xz, yz = (np.corrcoef(*pair)[0, 1] for pair in ((x, y), (x, z), (y, z)))
    assume(abs(xz) < 0.999 and abs(yz) < 0.999)
    expected = (xy - xz * yz) / np.sqrt((1 - xz**2) * (1 - yz**2))
    assert stats.partial_correlation(x, y, z).r == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(("method", "degree"), [("linear", 1), ("quadratic", 2), ("cubic", 3)])
def test_partial_p_is_that_of_the_multiple_regression(method, degree):
    x, y, z = three()
    scaled = (z - z.mean()) / z.std()
    fit = OLS(y, np.column_stack([x, np.vander(scaled, degree + 1)])).fit()
    found = stats.partial_correlation(x, y, z, method)
    assert found.p == pytest.approx(fit.pvalues[0], rel=1e-6)
    half = scipy_stats.norm.ppf(0.975) / np.sqrt(60 - degree - 3)
    assert np.arctanh([found.low, found.high]) == pytest.approx(np.arctanh(found.r) + np.array([-half, half]))


def test_rank_partial_is_the_linear_one_of_ranks():
    columns = three()
    ranks = [scipy_stats.rankdata(column) for column in columns]
    found = stats.partial_correlation(*columns, "rank")
    assert found.r == pytest.approx(stats.partial_correlation(*ranks).r)
    monotone = np.exp(columns[0]), columns[1] ** 3, np.log(columns[2])
    assert stats.partial_correlation(*monotone, "rank").r == pytest.approx(found.r)


def test_spline_residuals_equal_a_least_squares_spline():
    x, _, z = three()
    order = np.argsort(z)
    spline = LSQUnivariateSpline(z[order], x[order], np.quantile(z, [0.25, 0.5, 0.75]), k=3)
    np.testing.assert_allclose(stats.residuals(x, z, "spline"), x - spline(z), atol=1e-9)


@pytest.mark.parametrize("method", REGRESSIONS)
def test_residuals_are_what_partial_correlation_correlates(method):
    x, y, z = three()
    left = stats.residuals(x, z, method), stats.residuals(y, z, method)
    assert stats.partial_correlation(x, y, z, method).r == pytest.approx(np.corrcoef(*left)[0, 1])
    assert left[0].mean() == pytest.approx(0, abs=1e-9)
    base = scipy_stats.rankdata(z) if method == "rank" else z
    assert np.corrcoef(left[0], base)[0, 1] == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize("method", ["quadratic", "cubic", "spline"])
def test_a_curve_hides_behind_a_straight_line_only(method):
    rng = np.random.default_rng(0)
    z = rng.normal(size=400)
    x, y = z**2 + rng.normal(0, 0.5, 400), z**2 + rng.normal(0, 0.5, 400)
    assert stats.partial_correlation(x, y, z, "linear").r > 0.7
    assert abs(stats.partial_correlation(x, y, z, method).r) < 0.15


@given(THREE_COLUMNS, st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_order_of_runs_does_not_matter(columns, random):
    shuffled = columns[:, random.sample(range(columns.shape[1]), columns.shape[1])]
    for method in ("pearson", "spearman"):
        assert stats.correlation(*shuffled[:2], method).r == pytest.approx(stats.correlation(*columns[:2], method).r)
    for method in REGRESSIONS:
        one, other = (stats.partial_correlation(*c, method) for c in (columns, shuffled))
        assert other.r == pytest.approx(one.r, abs=1e-6, nan_ok=True)


def test_missing_values_leave_with_their_pair():
    x, y, z = three()
    x[3], y[5], z[8] = np.nan, np.nan, np.nan
    there = ~np.isnan([x, y, z]).any(axis=0)
    assert stats.correlation(x, y).n == 58
    assert stats.partial_correlation(x, y, z) == stats.partial_correlation(x[there], y[there], z[there])
    assert list(np.flatnonzero(np.isnan(stats.residuals(x, z)))) == [3, 8]


@pytest.mark.parametrize(
    ("columns", "note"),
    [
        (([1.0, 1, 1, 1], [1, 2, 3, 5]), "x is constant over the 4 runs"),
        (([1, 2, 3, 5], [0.1, 0.1, 0.1, 0.1]), "y is constant over the 4 runs"),
        (([0.1, 0.1, 0.1], [0.7, 0.7, 0.7]), "x and y are constant over the 3 runs"),
        (([0.1 + 0.2, 0.3, 0.3, 0.3], [1, 2, 3, 5]), "x is constant"),
        (([0, 0, 0, 0], [1, 2, 3, 5]), "x is constant"),
        (([1, 2], [2, 1]), "2 runs have both values"),
        (([1], [2]), "1 run has both values"),
        (([], []), "0 runs have both values"),
    ],
)
def test_undefined_correlations_are_explained(columns, note):
    partial = stats.partial_correlation(*columns, np.arange(len(columns[0])))
    for found in (stats.correlation(*columns), stats.correlation(*columns, "spearman"), partial):
        assert np.isnan([found.r, found.low, found.high, found.p]).all()
        assert note in found.note


def test_nothing_left_is_explained():
    _, y, z = three()
    for found in (
        stats.partial_correlation(z, y, z),
        stats.partial_correlation(3 * z + 1, y, z, "spline"),
        stats.partial_correlation(z**2, y, z, "quadratic"),
        stats.partial_correlation(np.exp(z), y, z, "rank"),
    ):
        assert np.isnan(found.r)
        assert "x follows from what is accounted for" in found.note


def test_a_constant_accounts_for_nothing():
    x, y, _ = three()
    found, raw = stats.partial_correlation(x, y, np.full(60, 0.7)), stats.correlation(x, y)
    assert (found.r, found.low, found.p) == pytest.approx((raw.r, raw.low, raw.p))
    assert "constant" in found.note


def test_too_few_runs_for_the_regression_are_explained():
    rng = np.random.default_rng(0)
    found = stats.partial_correlation(*rng.random((3, 5)), "cubic")
    assert np.isnan(found.r)
    assert found.note


def test_perfect_and_three_point_correlations():
    perfect = stats.correlation([1, 2, 3, 4], [2, 4, 6, 8])
    assert (perfect.r, perfect.low, perfect.high, perfect.p) == (1, 1, 1, 0)
    assert stats.correlation([1, 2, 3, 4], [4, 3, 2, 1]).r == -1
    three_points = stats.correlation([1, 2, 3], [1, 3, 2])
    assert (three_points.low, three_points.high) == (-1, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: stats.correlation([1, 2, 3], [1, 2]),
        lambda: stats.correlation([1, 2, 3], [1, 2, 3], "kendall"),
        lambda: stats.partial_correlation([1, 2, 3, 5], [1, 2, 4, 3], [4, 2, 3, 1], "quartic"),
    ],
)
def test_unfit_columns_and_methods_are_refused(wrong):
    with pytest.raises(ValueError, match=r"shape|method"):
        wrong()


@pytest.mark.parametrize("n", [20, 100])
@pytest.mark.parametrize("rho", [0.0, 0.6])
def test_coverage(n, rho):
    rng = np.random.default_rng([n, int(10 * rho)])
    repetitions = 1500
    held = np.zeros(3)
    spearman = 6 / np.pi * np.arcsin(rho / 2)
    for _ in range(repetitions):
        z, common = rng.normal(size=(2, n))
        left, right = np.sqrt(rho) * common + np.sqrt(1 - rho) * rng.normal(size=(2, n))
        found = (
            (stats.correlation(left, right), rho),
            (stats.correlation(left, right, "spearman"), spearman),
            (stats.partial_correlation(left + z, right + z, z), rho),
        )
        held += [interval.low <= truth <= interval.high for interval, truth in found]
    assert list(held / repetitions) == [nominal(repetitions)] * 3
