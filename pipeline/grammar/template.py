"""What a template is: a premise and a hypothesis with slots, and how words fill it.

A slot is a capital, perhaps more letters, and a number: in `the N1 V1 the N2` the two nouns differ. `SLOTS` says what
each stands for. `Was1` is the was/were of N1, `K1` a thing that the verb U1 takes, `Uen1` its past participle.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from zlib import crc32

from pipeline.grammar import vocabulary as v

SLOTS = {
    "N": (v.NOUNS, (0, 1)),
    "M": (v.NOUNS, (1,)),
    "V": (v.TRANSITIVE, (0, 1)),
    "I": (v.INTRANSITIVE, (0, 1)),
    "A": (v.ADJECTIVES, (0, 1)),
    "D": (v.MANNERS, (0, 1)),
    "U": ([(verb,) for verb in v.UNDERSTOOD_OBJECT], (0,)),
    "E": (v.OPTIONAL_OBJECT, (0,)),
    "B": (v.NOT_FACTIVE, (0,)),
    "F": (v.FACTIVE, (0,)),
    "S": (v.OBJECT_OR_CLAUSE, (0,)),
    "L": (v.PLACES, (0,)),
    "P": (v.PREPOSITIONS, (0,)),
    "Sure": (v.CERTAIN, (0,)),
    "Maybe": (v.UNCERTAIN, (0,)),
    "Since": (v.SINCE, (0,)),
    "While": (v.WHILE, (0,)),
    "If": (v.IF, (0,)),
}
"""Kind of slot -> its pool of words and which members of a tuple may fill it (M is a plural without article)."""

_SLOT = re.compile(r"([A-Z][a-z]*)(\d)")
_HELD_OUT = 4

Words = dict[str, str]
"""Slot -> the word in it."""


def is_held_out(premise: str) -> bool:
    """Whether a premise is kept for test sets: a fixed quarter of all premises, which training data never holds."""
    return crc32(premise.encode()) % _HELD_OUT == 0


@dataclass(frozen=True)
class Template:
    """A pair of sentences with slots. Every slot of the hypothesis is in the premise."""

    id: str
    premise: str
    hypothesis: str

    @cached_property
    def slots(self) -> list[tuple[str, str]]:
        """The premise's own slots as (name, kind); Was, Uen and K depend on others."""
        found = dict.fromkeys(m.groups() for m in _SLOT.finditer(self.premise))
        return [(kind + number, kind) for kind, number in found if kind in SLOTS]

    @cached_property
    def _pools(self) -> list[tuple[list, list[tuple[str, tuple[int, ...]]]]]:
        """Per pool of words: the pool, and the slots it fills with the members of a tuple that each may take."""
        pools: dict[int, tuple[list, list]] = {}
        for name, kind in self.slots:
            pool, members = SLOTS[kind]
            pools.setdefault(id(pool), (pool, []))[1].append((name, members))
        return list(pools.values())

    @cached_property
    def size(self) -> int:
        """How many different pairs the template can give."""
        size = 1
        for pool, slots in self._pools:
            size *= math.perm(len(pool), len(slots)) * math.prod(len(members) for _, members in slots)
        return size * 3 ** len(set(re.findall(r"K\d", self.premise)))

    def draw(self, random: Random) -> Words:
        """Random words for all slots, no two of one tuple."""
        words = {}
        for pool, slots in self._pools:
            for (name, members), choice in zip(slots, random.sample(pool, len(slots)), strict=True):
                words[name] = choice[members[0] if len(members) == 1 else random.randrange(2)]
        for name in list(words):
            number = name[-1]
            if name[0] == "N":
                words["Was" + number] = "were" if is_plural(words[name]) else "was"
            elif name[0] == "U":
                words["Uen" + number] = v.participle(words[name])
                words["K" + number] = random.choice(v.UNDERSTOOD_OBJECT[words[name]])
        return words

    def fill(self, words: Words) -> tuple[str, str]:
        """Premise and hypothesis as sentences."""
        return fill(self.premise, words), fill(self.hypothesis, words)

    def pairs(self, random: Random) -> Iterator[tuple[str, str]]:
        """All pairs of the template whose premise is held out, in random order, each once."""
        seen = set()
        while len(seen) < self.size:
            pair = self.fill(self.draw(random))
            if pair not in seen:
                seen.add(pair)
                if is_held_out(pair[0]):
                    yield pair


_PLURALS = frozenset(plural for _, plural in v.NOUNS)


def is_plural(noun: str) -> bool:
    return noun in _PLURALS


def fill(pattern: str, words: Words) -> str:
    """A pattern with its slots filled, as a sentence."""
    return v.to_sentence([words.get(token, token) for token in pattern.split()])
