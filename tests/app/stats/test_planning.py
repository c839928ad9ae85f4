"""How many seeds?"""

from itertools import product
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_ind
from statsmodels.stats.power import TTestIndPower

from app import stats

VALUES = st.lists(st.integers(0, 20).map(lambda k: k / 20), min_size=1, max_size=5)


@given(VALUES, st.integers(1, 4))
def test_expected_extremes_equal_enumeration(values, n):
    every = list(product(values, repeat=n))
    assert stats.expected_maximum(values, n) == pytest.approx(np.mean([max(drawn) for drawn in every]))
    assert stats.expected_range(values, n) == pytest.approx(np.mean([max(d) - min(d) for d in every]), abs=1e-12)


def test_expected_maximum_closed_forms():
    assert stats.expected_maximum([0, 1], 3) == pytest.approx(1 - 1 / 8)
    assert stats.expected_maximum([0.3, 0.5, 0.7], 1) == pytest.approx(0.5)
    assert stats.expected_maximum([0.3, 0.5, 0.7], 1000) == pytest.approx(0.7)
    assert stats.expected_range([0.3, 0.5, 0.7], 1) == pytest.approx(0)
    uniform = np.linspace(0, 1, 2001)
    assert stats.expected_maximum(uniform, 9) == pytest.approx(0.9, abs=1e-3)
    assert stats.expected_range(uniform, 9) == pytest.approx(0.8, abs=1e-3)


def test_order_of_runs_does_not_matter():
    values = np.random.default_rng(0).random(30)
    for function in (stats.expected_maximum, stats.expected_range):
        assert function(values[::-1], 5) == pytest.approx(function(values, 5))


def spread(sd, runs=50):
    """`runs` values whose sample SD is exactly `sd`."""
    values = np.random.default_rng(0).normal(size=runs)
    return 0.5 + sd * (values - values.mean()) / values.std(ddof=1)


@pytest.mark.parametrize(("effect", "runs"), [(0.2, 394), (0.5, 64), (0.8, 26)])
def test_runs_needed_textbook_values(effect, runs):
    # Cohen (1988), table 2.4.1: power .80, two-sided level .05 (393 there, rounded).
    assert stats.runs_needed(spread(0.01), 0.01 * effect).per_group == runs


@pytest.mark.parametrize("effect", [0.05, 0.33, 1.0, 1.7, 2.5])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_runs_needed_equals_statsmodels(effect, power):
    expected = TTestIndPower().solve_power(effect, power=power, alpha=0.01)
    found = stats.runs_needed(spread(0.02), 0.02 * effect, power, level=0.01)
    assert found.per_group == max(2, ceil(expected))


def test_runs_needed_find_the_difference_as_often_as_promised():
    found = stats.runs_needed(spread(0.02), 0.02)
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.5, 0.02, (2, 20_000, found.per_group))
    power = np.mean(ttest_ind(a, b + 0.02, axis=1).pvalue < 0.05)
    assert 0.79 < power < 0.85


def test_runs_needed_states_what_it_assumes():
    found = stats.runs_needed(spread(0.02), 0.01, power=0.9)
    assert found.sd == pytest.approx(0.02)
    for part in ("50 runs", "2.00 points", "power 0.9", "level 0.05", "normally distributed", "t test"):
        assert part in found.assumptions


@pytest.mark.parametrize(
    ("sd", "difference", "runs"), [(0.001, 0.5, 2), (0.001, 0.012, 2), (0.0, 0.01, 2), (0.1, 1e-6, None)]
)
def test_runs_needed_at_the_ends(sd, difference, runs):
    assert stats.runs_needed(spread(sd), difference).per_group == runs


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: stats.expected_maximum([], 3), "at least one run"),
        (lambda: stats.expected_maximum([0.5], 0), "at least one run"),
        (lambda: stats.runs_needed([0.5], 0.01), "at least two runs"),
        (lambda: stats.runs_needed([0.5, 0.6], 0), "above zero"),
        (lambda: stats.runs_needed([0.5, 0.6], 0.1, power=1), "between 0 and 1"),
    ],
)
def test_impossible_plans_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()
