"""Batches: exactly the order seed's, however they are computed."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.training import batches
from pipeline.training.encoding import Encoded


def test_every_epoch_holds_every_pair_once():
    order = batches.order(pairs=10, batch=4, epochs=3, seed=1)
    assert order.steps == 7
    assert np.concatenate([order[i] for i in range(7)]).tolist() == order.sequence[:28].tolist()
    epochs = order.sequence.reshape(3, 10)
    assert all(sorted(epoch) == list(range(10)) for epoch in epochs.tolist())
    assert len({tuple(epoch) for epoch in epochs.tolist()}) == 3


def test_order_follows_its_seed_alone():
    def sequence(seed, **changes):
        return batches.order(**{"pairs": 50, "batch": 4, "epochs": 2, "seed": seed} | changes).sequence.tolist()

    assert sequence(1) == sequence(1)
    assert sequence(1) != sequence(2)
    assert sequence(1)[:50] == sequence(1, epochs=1) == sequence(1, epochs=1, batch=16)


def test_part_of_an_epoch():
    order = batches.order(pairs=100, batch=10, epochs=1.5, seed=0)
    assert len(order.sequence) == 150
    assert len(set(order.sequence[100:].tolist())) == 50
    assert [order.step_at(e) for e in (0, 0.25, 1, 1.5)] == [0, 2, 10, 15]
    assert order.epoch_at(15) == 1.5


def test_fewer_pairs_than_a_batch():
    order = batches.order(pairs=3, batch=8, epochs=1, seed=0)
    assert order.steps == 1
    assert sorted(order[0].tolist()) == [0, 1, 2]


def test_shuffle_buffer_is_local():
    """The i-th pair drawn cannot be later in the stream than the buffer reaches; each pair comes once an epoch,
    except for those still in the buffer at the end."""
    sequence = batches.order(pairs=1000, batch=1, epochs=3, seed=5, shuffle_buffer=100).sequence
    first = sequence[:900]
    assert (first < np.arange(900) + 100).all()
    assert len(set(first.tolist())) == 900
    counts = np.bincount(sequence, minlength=1000)
    assert counts.sum() == 3000
    assert counts.min() >= 2 and counts.max() <= 4
    assert np.abs(first - np.arange(900)).mean() > 30
    assert batches.order(1000, 1, 3, 6, 100).sequence.tolist() != sequence.tolist()


def cost(groups, lengths, overhead):
    return sum(len(g) * max(lengths[list(g)]) + overhead for g in groups)


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=8),
    st.sampled_from([0.0, 5.0, 50.0, 1e6]),
    st.sampled_from([40, 80, 10_000]),
)
@settings(max_examples=150, deadline=None)
def test_micro_batches_cost_least(values, overhead, max_tokens):
    lengths = np.array(values)
    groups = batches.micro_batches(lengths, overhead, max_tokens)
    assert sorted(np.concatenate(groups).tolist()) == list(range(len(values)))
    assert all(len(g) == 1 or len(g) * lengths[g].max() <= max_tokens for g in groups)

    ranked = np.argsort(-lengths, kind="stable")
    best = np.inf
    for cuts in itertools.product([False, True], repeat=len(values) - 1):
        edges = [0, *(i + 1 for i, cut in enumerate(cuts) if cut), len(values)]
        split = [ranked[a:b] for a, b in itertools.pairwise(edges)]
        if all(len(g) == 1 or len(g) * lengths[g].max() <= max_tokens for g in split):
            best = min(best, cost(split, lengths, overhead))
    assert cost(groups, lengths, overhead) == pytest.approx(best)


def test_chunks_hold_everything_and_fit():
    lengths = np.random.default_rng(0).integers(3, 60, 500)
    chunks = batches.chunks_by_length(lengths, 256)
    assert sorted(np.concatenate(chunks).tolist()) == list(range(500))
    assert all(len(c) * lengths[c].max() <= 256 for c in chunks)
    assert lengths[chunks[0]].max() == lengths.max()
    assert batches.chunks_by_length(np.array([500, 1]), 256)[0].tolist() == [0]
    assert batches.chunks_by_length(np.array([], np.int64), 256) == []


def test_padded_keeps_every_token():
    rng = np.random.default_rng(1)
    lengths = rng.integers(1, 9, 20)
    tokens = rng.integers(10, 99, lengths.sum()).astype(np.int32)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    encoded = Encoded(tokens, (tokens % 2).astype(np.uint8), offsets)
    rows = np.array([19, 0, 7])
    ids, mask, types = batches.padded(encoded, rows, pad=5)
    assert ids.shape == mask.shape == types.shape == (3, lengths[rows].max())
    for i, row in enumerate(rows):
        own = tokens[offsets[row] : offsets[row + 1]]
        assert ids[i][mask[i]].tolist() == own.tolist()
        assert types[i][mask[i]].tolist() == (own % 2).tolist()
    assert set(ids[~mask].tolist()) <= {5}
    assert set(types[~mask].tolist()) <= {0}
