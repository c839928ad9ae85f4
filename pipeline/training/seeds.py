"""The seeds of a run. Three, so that the causes of a difference between runs can be told apart."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.errors import FlockError


@dataclass(frozen=True)
class Seeds:
    """`init`: initial weights of new layers. `order`: order of the training pairs. `dropout`: what dropout drops."""

    init: int
    order: int
    dropout: int

    def name(self, prefix: str) -> str:
        """The run's name, such as minilm_07, or minilm_i0_o3_d3 where the seeds differ."""
        if self.init == self.order == self.dropout:
            return f"{prefix}_{self.init:02d}"
        return f"{prefix}_i{self.init}_o{self.order}_d{self.dropout}"


def parse(text: str, option: str = "--seeds") -> list[int]:
    """Seeds from "0-99" or "0,3,7-9", each once, in the order given."""
    seeds: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()) or (dash and int(last) < int(first)):
            raise FlockError(f'{option} {text}: write seeds as "0-99" or "0,3,7-9"')
        seeds += range(int(first), int(last or first) + 1)
    return list(dict.fromkeys(seeds))


def crossed(
    seeds: Sequence[int] | None = None,
    init: Sequence[int] | None = None,
    order: Sequence[int] | None = None,
    dropout: Sequence[int] | None = None,
) -> list[Seeds]:
    """One run for each of `seeds`, or for each combination of `init` and `order` (and `dropout`).

    What is not given is seed 0; dropout follows the order where it is not given: both are the noise of training.
    Raises FlockError when both ways are mixed.
    """
    if init is None and order is None and dropout is None:
        return [Seeds(s, s, s) for s in (seeds if seeds is not None else [0])]
    if seeds is not None:
        raise FlockError("--seeds sets all three seeds: leave out --init-seeds, --order-seeds and --dropout-seeds")
    if dropout is None:
        return [Seeds(i, o, o) for i, o in itertools.product(init or [0], order or [0])]
    return [Seeds(i, o, d) for i, o, d in itertools.product(init or [0], order or [0], dropout)]
