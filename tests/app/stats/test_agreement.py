"""Agreement, kappa and unanimity against closed forms and slow, obvious references."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from app import stats

MATRICES = st.tuples(st.integers(2, 6), st.integers(1, 25)).flatmap(lambda shape: arrays(bool, shape))
LABELS = st.tuples(st.integers(2, 6), st.integers(1, 25)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 2))
)


def slow_pairwise(values):
    """Each pair of runs, each example, one at a time."""
    return np.mean([a == b for one, other in combinations(values, 2) for a, b in zip(one, other, strict=True)])


def slow_fleiss(values):
    expected = sum(np.mean(values == kind) ** 2 for kind in np.unique(values))
    return (slow_pairwise(values) - expected) / (1 - expected) if expected < 1 else np.nan


@given(MATRICES)
def test_agreement_equals_the_slow_reference(correct):
    found = stats.agreement(correct)
    assert found.pairwise == pytest.approx(slow_pairwise(correct))
    assert found.fleiss_kappa == pytest.approx(slow_fleiss(correct), nan_ok=True)
    assert found.all_right == np.mean([all(column) for column in correct.T])
    assert found.all_wrong == np.mean([not any(column) for column in correct.T])
    assert found.all_right + found.all_wrong + found.split == pytest.approx(1)
    assert found == stats.agreement_from_counts(correct.sum(axis=0), len(correct)) or np.isnan(found.fleiss_kappa)


@given(LABELS)
def test_label_agreement_equals_the_slow_reference(labels):
    found = stats.label_agreement(labels)
    assert found.pairwise == pytest.approx(slow_pairwise(labels))
    assert found.fleiss_kappa == pytest.approx(slow_fleiss(labels), nan_ok=True)
    assert found.unanimous == np.mean([len(set(column)) == 1 for column in labels.T])
    assert found.unanimous + found.split == pytest.approx(1)


@given(LABELS, st.randoms(use_true_random=False))
def test_order_of_runs_and_examples_does_not_matter(labels, random):
    runs, examples = (random.sample(range(size), size) for size in labels.shape)
    shuffled = labels[runs][:, examples]
    one, other = stats.label_agreement(labels), stats.label_agreement(shuffled)
    assert other.pairwise == pytest.approx(one.pairwise)
    assert other.fleiss_kappa == pytest.approx(one.fleiss_kappa, nan_ok=True)
    pairwise = stats.pairwise_agreement(labels)
    np.testing.assert_array_equal(stats.pairwise_agreement(shuffled), pairwise[np.ix_(runs, runs)])
    right, wrong = stats.decompose_variance(labels > 0), stats.decompose_variance(shuffled > 0)
    assert (right.total, right.independent) == pytest.approx((wrong.total, wrong.independent))


def test_fleiss_own_example():
    # p = 3/4, so P_e = 10/16; every example splits 3 to 1, so P̄ = 1/2.
    found = stats.agreement(np.ones((4, 4)) - np.eye(4))
    assert found.pairwise == pytest.approx(1 / 2)
    assert found.fleiss_kappa == pytest.approx((1 / 2 - 10 / 16) / (6 / 16))


def test_one_run_has_shares_but_no_agreement():
    found = stats.agreement([[1, 0, 1, 1]])
    assert (found.all_right, found.all_wrong, found.split) == (0.75, 0.25, 0)
    assert np.isnan([found.pairwise, found.fleiss_kappa]).all()


def test_kappa_is_undefined_where_all_is_right():
    found = stats.agreement(np.ones((3, 5)))
    assert (found.pairwise, found.all_right) == (1, 1)
    assert np.isnan(found.fleiss_kappa)


def test_labels_may_be_words():
    words = np.array(["entailment", "neutral", "contradiction"])
    codes = np.random.default_rng(0).integers(0, 3, (5, 40))
    assert stats.label_agreement(words[codes]) == stats.label_agreement(codes)
    assert stats.label_agreement(words[codes].astype(object)) == stats.label_agreement(codes)


def test_a_tie_is_no_majority():
    np.testing.assert_array_equal(stats.majority_vote([[1, 1, 0], [0, 1, 0]]), [False, True, False])
    np.testing.assert_array_equal(stats.majority_vote([[1, 1], [0, 1], [1, 0]]), [True, True])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: stats.agreement([1, 0, 1]), "shape"),
        (lambda: stats.agreement(np.empty((3, 0))), "at least one"),
        (lambda: stats.agreement([[0, 2]]), "besides 0 and 1"),
        (lambda: stats.agreement([[0, np.nan]]), "besides 0 and 1"),
        (lambda: stats.agreement_from_counts([0, 11], 10), "between 0 and 10"),
        (lambda: stats.agreement_from_counts([], 10), "at least one"),
        (lambda: stats.label_agreement([[0.0, np.nan]]), "missing"),
        (lambda: stats.label_agreement([["entailment", None]]), "missing"),
        (lambda: stats.decompose_variance_from_counts([1, 2], 2, [0.5]), "each of the 2 runs"),
        (lambda: stats.decompose_variance_from_counts([1, 3], 2, [0.5, 0.5]), "between 0 and 2"),
    ],
)
def test_unfit_arrays_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


@given(MATRICES)
@settings(max_examples=50)
def test_variance_equals_the_whole_covariance_matrix(correct):
    covariances = np.atleast_2d(np.cov(correct.astype(float), rowvar=False, ddof=1))
    examples = correct.shape[1]
    found = stats.decompose_variance(correct)
    assert found.total == pytest.approx(covariances.sum() / examples**2, abs=1e-12)
    assert found.independent == pytest.approx(np.trace(covariances) / examples**2, abs=1e-12)
    assert found.covariance == pytest.approx(found.total - found.independent, abs=1e-12)


def test_variance_of_independent_and_of_identical_examples():
    one = np.array([[1], [0], [1], [0]])
    together = stats.decompose_variance(np.repeat(one, 10, axis=1))
    assert together.total == pytest.approx(1 / 3)
    assert together.independent == pytest.approx(1 / 30)
    against = stats.decompose_variance(np.hstack([one, 1 - one]))
    assert against.total == 0
    assert against.covariance == pytest.approx(-against.independent)
    assert np.isnan(stats.decompose_variance([[1, 0]]).total)
