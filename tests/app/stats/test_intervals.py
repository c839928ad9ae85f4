"""Intervals of an accuracy and of a mean over runs, closed forms and coverage."""

import numpy as np
import pytest
from scipy.stats import binom, norm, t, ttest_1samp

from app import stats
from tests.app.stats.conftest import nominal


def test_wilson_closed_form():
    z = norm.ppf(0.975)
    p, n = 0.3, 50
    middle = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    found = stats.accuracy_interval(15, 50)
    assert (found.low, found.high) == pytest.approx((middle - half, middle + half))
    assert stats.accuracy_interval(0, 20).low == 0
    assert stats.accuracy_interval(20, 20).high == 1


@pytest.mark.parametrize("n", [20, 100, 1000])
def test_wilson_coverage_is_nominal_over_accuracies(n):
    right = np.arange(n + 1)
    intervals = [stats.accuracy_interval(k, n) for k in right]
    low, high = np.array([(i.low, i.high) for i in intervals]).T
    accuracies = np.linspace(0.02, 0.98, 400)
    coverage = [binom.pmf(right[(low <= p) & (p <= high)], n, p).sum() for p in accuracies]
    assert np.mean(coverage) == pytest.approx(0.95, abs=0.005)


def test_mean_interval_is_that_of_the_t_test():
    values = np.random.default_rng(0).normal(0.5, 0.1, 12)
    expected = ttest_1samp(values, 0).confidence_interval(0.9)
    found = stats.mean_interval(values, level=0.9)
    assert (found.low, found.high) == pytest.approx(tuple(expected))
    assert stats.half_width(0.1, 12, level=0.9) == pytest.approx(t.ppf(0.95, 11) * 0.1 / 12**0.5)


def test_mean_interval_of_one_run_is_explained():
    found = stats.mean_interval([0.5, np.nan])
    assert np.isnan(found.low)
    assert "1 run" in found.note
    assert np.isnan(stats.half_width(0.1, 1))


@pytest.mark.parametrize("runs", [3, 20, 100])
def test_mean_interval_coverage(runs):
    values = np.random.default_rng(runs).normal(0.5, 0.1, (4000, runs))
    intervals = [stats.mean_interval(row) for row in values]
    assert np.mean([i.low <= 0.5 <= i.high for i in intervals]) == nominal(4000)


def test_clustered_interval_closed_form():
    correct = np.array([1, 1, 0, 1, 0, 0, 1, 0, 1])
    clusters = np.array(["a", "a", "a", "b", "b", "c", "c", "c", "d"])
    sums = [np.sum(correct[clusters == name] - correct.mean()) for name in "abcd"]
    error = np.sqrt(np.sum(np.square(sums)) * 4 / 3) / 9
    expected = correct.mean() + t.ppf([0.025, 0.975], 3) * error
    found = stats.clustered_interval(correct, clusters)
    assert (found.low, found.high) == pytest.approx(tuple(np.clip(expected, 0, 1)))
    order = np.random.default_rng(0).permutation(9)
    assert stats.clustered_interval(correct[order], clusters[order]).low == pytest.approx(found.low)


def test_clusters_of_one_give_the_t_interval_of_the_examples():
    correct = np.random.default_rng(0).random(200) < 0.4
    found, expected = stats.clustered_interval(correct, np.arange(200)), stats.mean_interval(correct)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_clustered_interval_of_several_runs_is_that_of_their_mean():
    correct = np.random.default_rng(0).random((5, 60)) < 0.4
    clusters = np.repeat(np.arange(6), 10)
    assert stats.clustered_interval(correct, clusters) == stats.clustered_interval(correct.mean(axis=0), clusters)


def test_clustered_intervals_that_cannot_be_had_are_explained():
    one = stats.clustered_interval([1, 0, 1], ["a", "a", "a"])
    assert np.isnan([one.low, one.high]).all()
    assert "one cluster" in one.note
    same = stats.clustered_interval([1, 1, 1], ["a", "a", "b"])
    assert (same.low, same.high) == (1, 1)
    assert "no example differs" in same.note


@pytest.mark.parametrize("clusters", [20, 50])
def test_clustered_interval_coverage(clusters):
    rng = np.random.default_rng(clusters)
    names = np.repeat(np.arange(clusters), 30)
    held = 0
    for _ in range(1000):
        correct = rng.random(30 * clusters) < np.repeat(rng.beta(5, 5, clusters), 30)
        interval = stats.clustered_interval(correct, names)
        held += interval.low <= 0.5 <= interval.high
    assert held / 1000 == nominal(1000)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: stats.accuracy_interval(5, 4), "number of examples"),
        (lambda: stats.accuracy_interval(0, 0), "number of examples"),
        (lambda: stats.clustered_interval([1, 0], ["a"]), "one cluster an example"),
        (lambda: stats.clustered_interval([1, np.nan], ["a", "b"]), "missing"),
    ],
)
def test_impossible_inputs_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()
