"""Spread, sampling error, chance, and many tests at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.multitest import fdrcorrection

from app import stats


def test_summary_of_own_values():
    found = stats.summary([0.2, 0.4, np.nan, 0.9])
    assert found == stats.Summary(mean=0.5, sd=pytest.approx(np.sqrt(0.13)), min=0.2, max=0.9, median=0.4, n=3)
    assert np.isnan(stats.summary([0.5]).sd)
    assert stats.summary([]).n == 0
    assert np.isnan(stats.summary([np.nan]).mean)


def test_sampling_error_is_the_spread_of_a_binomial_share():
    assert stats.sampling_error(0.5, 100) == 0.05
    np.testing.assert_allclose(stats.sampling_error([0.5, 0.8], [100, 400]), [0.05, 0.02])
    shares = np.random.default_rng(0).binomial(400, 0.8, 20_000) / 400
    assert shares.std() == pytest.approx(stats.sampling_error(0.8, 400), rel=0.02)
    assert stats.mean_sampling_error([0.5, 0.8, np.nan], [100, 400, 100]) == pytest.approx(0.035)
    assert np.isnan(stats.mean_sampling_error([np.nan], 10))


@given(st.lists(st.integers(0, 60), min_size=1, max_size=8), st.sampled_from([1 / 3, 0.5]))
def test_runs_above_chance_equal_single_binomial_tests(correct, chance):
    found = stats.runs_above_chance(correct, 60, chance)
    expected = [binomtest(right, 60, chance, alternative="greater").pvalue for right in correct]
    np.testing.assert_allclose(found.p, expected, rtol=1e-9)
    assert found.count == sum(p < 0.05 for p in expected)
    assert list(found.above) == [p < 0.05 for p in expected]
    assert found.runs == len(correct)


def test_more_right_than_examples_is_refused():
    with pytest.raises(ValueError, match="number of examples"):
        stats.runs_above_chance([11], 10)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_fdr_equals_statsmodels(p_values):
    np.testing.assert_allclose(stats.fdr(p_values), fdrcorrection(p_values)[1], atol=1e-12)


def test_fdr_own_example_passes_over_nan_and_keeps_the_shape():
    found = stats.fdr([[0.01, np.nan], [0.04, 0.03]])
    np.testing.assert_allclose(found, [[0.03, np.nan], [0.04, 0.04]])
    assert np.isnan(stats.fdr([np.nan, np.nan])).all()
    assert stats.fdr([]).shape == (0,)


def test_fdr_holds_the_share_of_false_discoveries():
    rng = np.random.default_rng(0)
    shares = []
    for _ in range(500):
        p = np.concatenate([rng.random(80), rng.beta(0.05, 5, 20)])
        found = stats.fdr(p) <= 0.1
        shares.append(found[:80].sum() / max(found.sum(), 1))
    assert np.mean(shares) == pytest.approx(0.08, abs=0.012)
