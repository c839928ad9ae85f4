"""The multi-bootstrap against enumeration, a slow reference, closed forms and simulated coverage."""

import runpy
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import norm, t

from app import stats
from app.stats import bootstrap
from app.stats.coverage import COVERAGE
from tests.app.stats.conftest import nominal

SIMULATION = runpy.run_path(str(Path(__file__).resolve().parents[3] / "benchmarks" / "coverage.py"))
MATRICES = st.tuples(st.integers(1, 5), st.integers(1, 20)).flatmap(lambda shape: arrays(bool, shape))


def random_runs(runs, examples, seed=0):
    rng = np.random.default_rng(seed)
    hardness, skill = rng.normal(size=(1, examples)), rng.normal(size=(runs, 1))
    return rng.normal(size=(runs, examples)) < hardness + 0.5 * skill


def slow_replicates(correct, draws, seed):
    """Repeats each run and each example as often as it was drawn, and takes the mean."""
    rng = np.random.default_rng(seed)
    examples = bootstrap._draw(correct.shape[1], draws, rng)
    runs = bootstrap._draw(len(correct), draws, rng)
    return [
        np.repeat(np.repeat(correct, rows, axis=0), columns, axis=1).mean()
        for rows, columns in zip(runs, examples, strict=True)
    ]


@given(MATRICES, st.integers(0, 1000))
@settings(max_examples=50)
def test_replicates_equal_the_slow_reference(correct, seed):
    found = stats.multi_bootstrap(correct, draws=30, seed=seed)
    expected = slow_replicates(correct, 30, seed)
    np.testing.assert_allclose(found.draws, expected, rtol=1e-12)
    assert found.estimate == pytest.approx(correct.mean())
    tail = expanded_tail(correct)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(expected, [tail, 1 - tail])))


def expanded_tail(correct, share=0.025):
    """From two sums of squares: between runs, and between examples."""
    means = correct.mean(axis=1), correct.mean(axis=0)
    parts = [(np.var(values, ddof=1) / len(values), len(values)) for values in means if len(values) > 1]
    total = sum(v for v, _ in parts)
    if not total:
        return share
    factor = (total / sum(v * (n - 1) / n for v, n in parts)) ** 0.5
    return norm.cdf(factor * t.ppf(share, total**2 / sum(v**2 / (n - 1) for v, n in parts)))


def test_replicates_have_the_enumerated_distribution():
    correct = np.array([[1, 0, 0], [1, 1, 0]])
    every = [
        correct[np.ix_(rows, columns)].mean()
        for rows in product(range(2), repeat=2)
        for columns in product(range(3), repeat=3)
    ]
    found = stats.multi_bootstrap(correct, draws=100_000).draws
    for value in np.unique(np.round(every, 9)):
        share = np.isclose(every, value).mean()
        assert np.isclose(found, value).mean() == pytest.approx(share, abs=4 * (share / 100_000) ** 0.5)


def test_weights_are_multinomial():
    weights = bootstrap._draw(50, 4000, np.random.default_rng(0))
    assert (weights.sum(axis=1) == 50).all()
    assert weights.mean(axis=0) == pytest.approx(1, abs=4 / 4000**0.5)
    assert weights.var() == pytest.approx(1 - 1 / 50, rel=0.02)
    many = bootstrap._draw(70_000, 2, np.random.default_rng(0))
    assert (many.sum(axis=1) == 70_000).all()
    assert many[:, 65_536:].sum() == pytest.approx(2 * (70_000 - 65_536), rel=0.1)


def test_switches_hold_runs_or_examples_fixed():
    correct = random_runs(12, 80)
    runs_only = stats.multi_bootstrap(correct, draws=20_000, resample_examples=False)
    examples_only = stats.multi_bootstrap(correct, draws=20_000, resample_runs=False)
    both = stats.multi_bootstrap(correct, draws=20_000)
    assert runs_only.draws.std() == pytest.approx(correct.mean(axis=1).std() / 12**0.5, rel=0.03)
    assert examples_only.draws.std() == pytest.approx(correct.mean(axis=0).std() / 80**0.5, rel=0.03)
    assert both.draws.var() > runs_only.draws.var() + examples_only.draws.var()
    with pytest.raises(ValueError, match="turn on"):
        stats.multi_bootstrap(correct, resample_runs=False, resample_examples=False)


def test_replicates_are_exact_in_single_precision():
    correct = random_runs(100, 30_000)
    found = stats.multi_bootstrap(correct, draws=50)
    whole = found.draws * correct.size
    np.testing.assert_allclose(whole, np.round(whole), atol=1e-6)
    precise = stats.multi_bootstrap(correct.astype(float) * 0.5, draws=50)
    np.testing.assert_allclose(precise.draws, found.draws / 2, rtol=1e-12)


def test_chunks_do_not_show(monkeypatch):
    correct = random_runs(5, 300)
    monkeypatch.setattr(bootstrap, "_CHUNK_CELLS", 13 * 300)
    found = stats.multi_bootstrap(correct, draws=10_000, resample_runs=False).draws
    assert found.shape == (10_000,)
    assert found.std() == pytest.approx(correct.mean(axis=0).std() / 300**0.5, rel=0.03)
    assert np.corrcoef(found[:-13], found[13:])[0, 1] == pytest.approx(0, abs=0.04)


def test_groups_on_the_same_examples_differ_less_than_on_their_own():
    correct = random_runs(10, 200)
    other = correct ^ (np.random.default_rng(1).random(correct.shape) < 0.05)
    joint = stats.multi_bootstrap(correct, other, draws=5000, resample_runs=False)
    alone = [stats.multi_bootstrap(group, draws=5000, resample_runs=False).draws.var() for group in (correct, other)]
    assert joint.draws.var() < 0.2 * sum(alone)
    difference = correct.mean(axis=0) - other.mean(axis=0)
    assert joint.draws.std() == pytest.approx(difference.std() / 200**0.5, rel=0.05)


def test_paired_runs_are_drawn_together():
    correct = random_runs(10, 200)
    same = stats.multi_bootstrap(correct, correct, paired_runs=True)
    assert (same.estimate, same.low, same.high, same.p) == (0, 0, 0, 1)
    apart = stats.multi_bootstrap(correct, correct)
    assert apart.low < 0 < apart.high
    other = random_runs(10, 200, seed=5)
    paired = stats.multi_bootstrap(correct, other, paired_runs=True, resample_examples=False, draws=20_000)
    by_run = correct.mean(axis=1) - other.mean(axis=1)
    assert paired.draws.std() == pytest.approx(by_run.std() / 10**0.5, rel=0.03)


def test_p_is_the_level_at_which_the_interval_reaches_zero():
    correct, other = random_runs(10, 300), random_runs(8, 300, seed=3)
    found = stats.multi_bootstrap(correct, other, draws=2000)
    at_p = stats.multi_bootstrap(correct, other, draws=2000, level=1 - found.p)
    assert min(abs(at_p.low), abs(at_p.high)) == pytest.approx(0, abs=0.002)
    assert found.p > 2 * min((found.draws <= 0).mean(), (found.draws >= 0).mean())
    assert found.runs == 8
    swapped = stats.multi_bootstrap(other, correct, draws=2000)
    assert swapped.estimate == pytest.approx(-found.estimate)
    certain = stats.multi_bootstrap(np.ones((5, 9)), np.zeros((5, 9)), draws=400)
    assert (certain.low, certain.high, certain.p) == pytest.approx((1, 1, 1 / 400))
    assert np.isnan(stats.multi_bootstrap(correct).p)


def test_few_runs_widen_the_interval_as_students_t_does():
    """Runs only: the expanded interval is that of t, from the replicates' normal shape."""
    accuracies = np.random.default_rng(0).normal(0.6, 0.03, (8, 1))
    found = stats.multi_bootstrap(accuracies, resample_examples=False, draws=200_000)
    half = t.ppf(0.975, 7) * accuracies.std(ddof=1) / 8**0.5
    assert (found.low, found.high) == pytest.approx((found.estimate - half, found.estimate + half), abs=0.1 * half)


def test_no_difference_is_found_at_the_level():
    rng = np.random.default_rng(0)
    p = [
        stats.multi_bootstrap(*(rng.random((2, 20, 50)) < rng.beta(4, 6, (2, 20, 1))), draws=400, seed=k).p
        for k in range(600)
    ]
    assert np.mean(np.array(p) <= 0.05) == pytest.approx(0.05, abs=3 * (0.05 * 0.95 / 600) ** 0.5)


def test_order_of_runs_and_examples_does_not_matter():
    correct = random_runs(15, 400)
    rng = np.random.default_rng(0)
    shuffled = correct[rng.permutation(15)][:, rng.permutation(400)]
    one, other = (stats.multi_bootstrap(values, draws=20_000) for values in (correct, shuffled))
    assert other.estimate == pytest.approx(one.estimate)
    tolerance = 0.05 * (one.high - one.low)
    assert (other.low, other.high) == pytest.approx((one.low, one.high), abs=tolerance)


def test_the_seed_repeats_the_draws():
    correct = random_runs(5, 50)
    one, same, other = (stats.multi_bootstrap(correct, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.draws, same.draws)
    assert (one.draws != other.draws).any()


def test_clusters_are_drawn_whole():
    # Four clusters of different size, right or wrong throughout: the accuracy is Σ w n right / Σ w n.
    sizes, right = np.array([10, 20, 30, 40]), np.array([1, 0, 1, 0])
    clusters = np.repeat(["a", "b", "c", "d"], sizes)
    correct = np.repeat(right, sizes)[None]
    shuffle = np.random.default_rng(0).permutation(100)
    found = stats.multi_bootstrap(correct[:, shuffle], clusters=clusters[shuffle], draws=50, seed=3)
    weights = bootstrap._draw(4, 50, np.random.default_rng(3))
    np.testing.assert_allclose(found.draws, weights @ (sizes * right) / (weights @ sizes))
    assert found.estimate == pytest.approx(0.4)


def test_clusters_of_one_are_single_examples():
    correct = random_runs(6, 40)
    one = stats.multi_bootstrap(correct)
    np.testing.assert_array_equal(stats.multi_bootstrap(correct, clusters=np.arange(40)).draws, one.draws)


def test_clusters_widen_the_interval_where_they_go_together():
    rng = np.random.default_rng(0)
    clusters = np.repeat(np.arange(20), 25)
    correct = np.repeat(rng.random((1, 20)) < 0.5, 25, axis=1)
    single = stats.multi_bootstrap(correct, draws=4000)
    whole = stats.multi_bootstrap(correct, clusters=clusters, draws=4000)
    assert whole.draws.std() / single.draws.std() == pytest.approx(5, rel=0.05)


def test_one_column_of_accuracies_does_too():
    accuracies = np.random.default_rng(0).normal(0.84, 0.002, (40, 1))
    found = stats.multi_bootstrap(accuracies, resample_examples=False, draws=20_000)
    assert found.estimate == pytest.approx(accuracies.mean())
    assert found.draws.std() == pytest.approx(accuracies.std() / 40**0.5, rel=0.03)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: stats.multi_bootstrap([1, 0]), "shape"),
        (lambda: stats.multi_bootstrap([[1, 2]]), "outside"),
        (lambda: stats.multi_bootstrap([[1, np.nan]]), "missing"),
        (lambda: stats.multi_bootstrap([[1, 0]], [[1, 0, 1]]), "not the same"),
        (lambda: stats.multi_bootstrap([[1, 0]], [[1, 0], [0, 1]], paired_runs=True), "as many runs"),
        (lambda: stats.multi_bootstrap([[1, 0]], paired_runs=True), "two groups"),
        (lambda: stats.multi_bootstrap([[1, 0]], clusters=["a", "a"]), "one cluster"),
        (lambda: stats.multi_bootstrap([[1, 0]], clusters=["a"]), "one cluster an example"),
        (lambda: stats.multi_bootstrap([[1, 0]], draws=0), "at least one"),
    ],
)
def test_what_cannot_be_resampled_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


@pytest.mark.parametrize("runs", [20, 40])
def test_coverage_where_the_test_set_is_noisier_than_the_runs(runs):
    """As on MNLI: examples easy or hard for all runs, runs that differ little."""
    a, run_sd, example_sd, repetitions = 1.9, 0.04, 1.6, 400
    truth = norm.cdf(a / np.sqrt(1 + run_sd**2 + example_sd**2))
    rng = np.random.default_rng(runs)
    held = 0
    for repetition in range(repetitions):
        chance = a + run_sd * rng.normal(size=(runs, 1)) + example_sd * rng.normal(size=(1, 600))
        interval = stats.multi_bootstrap(rng.normal(size=chance.shape) < chance, draws=600, seed=repetition)
        held += interval.low <= truth <= interval.high
    assert held / repetitions == nominal(repetitions)


@pytest.mark.parametrize("clusters", [5, 40])
def test_coverage_of_clusters_is_that_of_as_many_runs(clusters):
    """Templates right or wrong together, runs alike: few templates narrow the interval as few runs do."""
    repetitions = 600
    names = np.repeat(np.arange(clusters), 20)
    rng = np.random.default_rng(clusters)
    held = 0
    for repetition in range(repetitions):
        correct = rng.random((20, 20 * clusters)) < np.repeat(rng.beta(5, 5, clusters), 20)
        interval = stats.multi_bootstrap(correct, clusters=names, seed=repetition)
        held += interval.low <= 0.5 <= interval.high
    assert held / repetitions == nominal(repetitions, stats.simulated_coverage(clusters))


@pytest.mark.parametrize(("runs", "groups"), [(3, 1), (5, 1), (5, 2), (10, 2), (20, 1), (20, 2)])
def test_the_coverage_table_is_what_simulation_gives(runs, groups):
    repetitions = 300
    expected = stats.simulated_coverage(runs, groups)
    found = SIMULATION["simulate"](runs, groups, repetitions, seed=1)
    error = (expected * (1 - expected) * (1 / repetitions + 1 / SIMULATION["REPETITIONS"])) ** 0.5
    assert found == pytest.approx(expected, abs=3 * error)


@pytest.mark.parametrize("groups", [1, 2])
def test_the_coverage_table(groups):
    assert tuple(COVERAGE[groups]) == SIMULATION["RUNS"]
    assert stats.simulated_coverage(13, groups) == COVERAGE[groups][12]
    assert stats.simulated_coverage(1000, groups) == COVERAGE[groups][100]
    assert np.isnan(stats.simulated_coverage(1, groups))
    assert stats.simulated_coverage(2, groups) < stats.simulated_coverage(3, groups) < 0.95
    for runs in (20, 30, 50, 100):
        assert stats.simulated_coverage(runs, groups) == nominal(SIMULATION["REPETITIONS"])
