"""Which pairs form a batch, in which order; and how a batch is computed with little padding.

Batches have exactly the pairs and the order that the order seed gives. Pairs of one batch differ in length, and padding
them to the longest wastes most of the work; so a batch is sorted by length and split into micro-batches whose gradients
add up to the batch's. Pairs never move from one batch to another.
"""

from dataclasses import dataclass

import numpy as np

from pipeline.training.encoding import Encoded


@dataclass(frozen=True)
class Order:
    """The training pairs one after the other: `sequence[step * batch:(step + 1) * batch]` are the pairs of a step.

    Epochs follow one another without a gap, so that a batch may hold the end of one and the start of the next.
    """

    sequence: np.ndarray
    batch: int
    pairs: int

    @property
    def steps(self) -> int:
        return max(1, len(self.sequence) // self.batch)

    def __getitem__(self, step: int) -> np.ndarray:
        """Indices of the pairs of a step (from 0), in their order."""
        return self.sequence[step * self.batch : (step + 1) * self.batch]

    def step_at(self, epoch: float) -> int:
        """Steps done after so many epochs."""
        return min(self.steps, round(epoch * self.pairs / self.batch))

    def epoch_at(self, step: int) -> float:
        return step * self.batch / self.pairs


def order(pairs: int, batch: int, epochs: float, seed: int, shuffle_buffer: int = 0) -> Order:
    """The order that a seed gives. `shuffle_buffer` 0 shuffles all pairs anew in each epoch.

    Otherwise the pairs, repeated in the order of their file, pass through a buffer of that size from which the next
    one is drawn at random, as in the input pipeline of BERT's original code (buffer 100): a much more local shuffle.
    """
    total = int(pairs * epochs)
    if shuffle_buffer:
        sequence = _through_buffer(pairs, total, seed, shuffle_buffer)
    else:
        count = -(-total // pairs)
        sequence = np.concatenate([np.random.default_rng([seed, e]).permutation(pairs) for e in range(count)])[:total]
    return Order(sequence, batch, pairs)


def _through_buffer(pairs: int, total: int, seed: int, size: int) -> np.ndarray:
    stream = np.arange(total + size, dtype=np.int64) % pairs
    buffer = stream[:size].tolist()
    incoming = stream[size:].tolist()
    drawn = np.empty(total, np.int64)
    for i, place in enumerate(np.random.default_rng(seed).integers(0, size, total).tolist()):
        drawn[i] = buffer[place]
        buffer[place] = incoming[i]
    return drawn


def micro_batches(lengths: np.ndarray, overhead: float, max_tokens: int) -> list[np.ndarray]:
    """Positions 0 … n−1 of a batch, longest first, in the groups that cost least.

    lengths: (n,) tokens of each pair. A group costs its pairs × its longest length, padding included, plus `overhead`
    (what a forward and backward pass costs whatever its size, in tokens). A group has at most `max_tokens` tokens,
    padding included, unless it is a single pair.
    """
    ranked = np.argsort(-lengths, kind="stable")
    sizes = lengths[ranked].astype(np.float64)
    n = len(sizes)
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    start_of = np.zeros(n + 1, np.int64)
    for end in range(1, n + 1):
        starts = np.arange(end)
        tokens = (end - starts) * sizes[:end]
        cost = best[:end] + tokens + overhead
        cost[(tokens > max_tokens) & (end - starts > 1)] = np.inf
        start_of[end] = cost.argmin()
        best[end] = cost[start_of[end]]
    groups, end = [], n
    while end:
        groups.append(ranked[start_of[end] : end])
        end = start_of[end]
    return groups[::-1]


def chunks_by_length(lengths: np.ndarray, max_tokens: int) -> list[np.ndarray]:
    """All positions, longest first, in chunks of at most `max_tokens` tokens with padding: for evaluation, where the
    order does not matter. The longest come first, so that memory runs out at once or never."""
    ranked = np.argsort(-lengths, kind="stable")
    chunks, start = [], 0
    while start < len(ranked):
        size = max(1, max_tokens // max(1, int(lengths[ranked[start]])))
        chunks.append(ranked[start : start + size])
        start += size
    return chunks


def padded(encoded: Encoded, rows: np.ndarray, pad: int) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """(tokens int64, mask bool, types int64 or None) of these pairs, (pairs, longest), padded on the right."""
    lengths = encoded.lengths[rows]
    columns = np.arange(lengths.max())
    mask = columns < lengths[:, None]
    places = np.where(mask, encoded.offsets[rows][:, None] + columns, 0)
    tokens = np.where(mask, encoded.tokens[places], pad).astype(np.int64)
    types = None if encoded.types is None else np.where(mask, encoded.types[places], 0).astype(np.int64)
    return tokens, mask, types
