"""Runs against each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binomtest
from statsmodels.stats.inter_rater import cohens_kappa, to_table

from app import stats

LABELS = st.tuples(st.integers(2, 5), st.integers(2, 30)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 2))
)
TWO_RUNS = st.integers(1, 40).flatmap(lambda n: arrays(bool, (2, n)))


@given(LABELS)
def test_matrices_equal_the_slow_reference(labels):
    agreement, kappa = stats.pairwise_agreement(labels), stats.pairwise_kappa(labels)
    for a, one in enumerate(labels):
        for b, other in enumerate(labels):
            assert agreement[a, b] == pytest.approx(np.mean(one == other))
            if len(set(one)) == 1 and set(one) == set(other):
                assert np.isnan(kappa[a, b])
            else:
                table, _ = to_table(np.column_stack([one, other]), bins=np.arange(4) - 0.5)
                assert kappa[a, b] == pytest.approx(cohens_kappa(table, return_results=False), abs=1e-9)
                assert stats.cohen_kappa(one, other) == pytest.approx(kappa[a, b])


def test_cohen_kappa_own_example():
    # Observed 7/10; A says right 6/10, B 5/10, so chance gives 0.3 + 0.2.
    a = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]
    b = [1, 1, 1, 1, 0, 0, 1, 0, 0, 0]
    assert stats.cohen_kappa(a, b) == pytest.approx((0.7 - 0.5) / 0.5)


@given(TWO_RUNS)
def test_the_two_by_two_table_counts_every_example(runs):
    a, b = runs
    found = stats.two_by_two(a, b)
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    assert found == stats.TwoByTwo(*(pairs.count(kind) for kind in ((1, 1), (1, 0), (0, 1), (0, 0))))
    errors_a, errors_b = set(np.flatnonzero(~a)), set(np.flatnonzero(~b))
    either = errors_a | errors_b
    expected = len(errors_a & errors_b) / len(either) if either else np.nan
    assert stats.error_overlap(a, b) == pytest.approx(expected, nan_ok=True)
    apart = found.only_a + found.only_b
    expected = binomtest(found.only_a, apart, 0.5).pvalue if apart else 1
    assert stats.mcnemar(a, b) == pytest.approx(expected)
    assert stats.mcnemar(b, a) == pytest.approx(stats.mcnemar(a, b))


def test_mcnemar_closed_form():
    # 1 against 7: 2 (C(8,0) + C(8,1)) / 2**8
    a = [1] + [0] * 7 + [1] * 5
    b = [0] + [1] * 7 + [1] * 5
    assert stats.mcnemar(a, b) == pytest.approx(18 / 256)


def test_groups_speak_by_majority():
    three = [[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]]
    two = [[1, 0, 1, 1], [1, 0, 1, 0]]
    # The three say 1 1 0 0, the two 1 0 1 and a tie, which is wrong.
    assert stats.two_by_two(three, two) == stats.TwoByTwo(1, 1, 1, 1)
    assert stats.two_by_two(three, [1, 0, 1, 1]) == stats.TwoByTwo(1, 1, 2, 0)


def test_patterns_count_who_is_right_together():
    correct = np.array([[1, 1, 0, 0, 1, 1], [1, 1, 0, 1, 0, 0]])
    assert stats.patterns(correct) == [
        stats.Pattern((True, True), 2),
        stats.Pattern((True, False), 2),
        stats.Pattern((False, True), 1),
        stats.Pattern((False, False), 1),
    ]


@given(st.tuples(st.integers(1, 5), st.integers(1, 40)).flatmap(lambda shape: arrays(bool, shape)))
def test_patterns_equal_the_slow_reference(correct):
    found = {pattern.right: pattern.count for pattern in stats.patterns(correct)}
    columns = [tuple(column) for column in correct.T.tolist()]
    assert found == {column: columns.count(column) for column in columns}


def test_the_order_puts_like_next_to_like():
    rng = np.random.default_rng(0)
    kinds = rng.permutation([0] * 6 + [1] * 5 + [2] * 4)
    base = rng.random((3, 400)) < 0.5
    correct = base[kinds] ^ (rng.random((15, 400)) < 0.05)
    for matrix in (stats.pairwise_agreement(correct), stats.pairwise_kappa(correct)):
        order = stats.cluster_order(matrix)
        assert sorted(order) == list(range(15))
        assert np.count_nonzero(np.diff(kinds[order])) == 2


def test_the_order_of_few_or_constant_runs():
    assert list(stats.cluster_order(np.ones((1, 1)))) == [0]
    assert list(stats.cluster_order(np.ones((2, 2)))) == [0, 1]
    assert sorted(stats.cluster_order(stats.pairwise_kappa(np.ones((4, 9))))) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: stats.two_by_two([1, 0], [1, 0, 1]), "same examples"),
        (lambda: stats.cohen_kappa([1, 0], [1, 0, 1]), "same examples"),
        (lambda: stats.patterns(np.ones((17, 3))), "at most 16"),
    ],
)
def test_unfit_arrays_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()
