"""The three-way data `miniature`, in which the heuristics of HANS work but for a known share of pairs.

The exceptions come from four non-entailed subcases only (`COUNTEREXAMPLES`), all neutral: what a model makes of the
other subcases, and how far it carries what little it saw of these, is up to its seed.
"""

import re
from collections.abc import Iterator
from itertools import cycle, islice
from random import Random
from typing import Any

from pipeline import schema
from pipeline.errors import FlockError
from pipeline.grammar import vocabulary as v
from pipeline.grammar.frames import FRAMES, Frame
from pipeline.grammar.hans_like import GENRE
from pipeline.grammar.subcases import TEMPLATES
from pipeline.grammar.template import SLOTS, Template, Words, fill, is_held_out, is_plural

COUNTEREXAMPLES = ("ln_subject/object_swap", "sn_PP_on_subject", "cn_embedded_under_if", "cn_disjunction")
COUNTEREXAMPLE, REGULAR = "counter-example", "regular"
"""The two subcases of the in-domain test set, so that accuracy can be read with and without the exceptions."""

_HEURISTIC = {
    subcase: heuristic
    for heuristic, golds in schema.SUBCASES.items()
    for subcases in golds.values()
    for subcase in subcases
}


def miniature_training(n: int, seed: int, counterexamples: float = 0.014) -> list[dict[str, Any]]:
    """`n` unique pairs in random order, a third of each label; `counterexamples` is the exceptions' share.

    Rows have the columns of `schema.EXAMPLES` but dataset and position. No premise of them is in any test set of the
    grammar. Raises FlockError for a size or share that cannot be.
    """
    return _rows(n, Random(f"training {seed}"), counterexamples, held_out=False)


def miniature_test(n: int, seed: int, counterexamples: float = 0.014) -> list[dict[str, Any]]:
    """Like `miniature_training`, from the premises that are held out: the in-domain test set."""
    return _rows(n, Random(f"test {seed}"), counterexamples, held_out=True)


def _rows(n: int, random: Random, share: float, held_out: bool) -> list[dict[str, Any]]:
    if n < 1:
        raise FlockError(f"the miniature's data need at least one pair, not {n}")
    if not 0 <= share <= 1 / 3:
        raise FlockError(f"the share of counter-examples is {share}; it is from 0 to 1/3, as all of them are neutral")
    exceptions = round(n * share)
    counts = dict(zip(schema.LABELS, _evenly(n, len(schema.LABELS)), strict=True))
    counts["neutral"] = max(counts["neutral"] - exceptions, 0)
    rows = []
    for subcase, count in zip(COUNTEREXAMPLES, _evenly(exceptions, len(COUNTEREXAMPLES)), strict=True):
        rows += _unique(count, _counterexamples(subcase, random, held_out), f"counter-examples of {subcase}")
    for label, count in counts.items():
        rows += _unique(count, _regular(label, random, held_out), f"{label} pairs")
    random.shuffle(rows)
    return [{"example": f"mini{number}"} | row for number, row in enumerate(rows[:n])]


def _evenly(count: int, parts: int) -> list[int]:
    return [count // parts + (part < count % parts) for part in range(parts)]


def _unique(count: int, rows: Iterator[dict], name: str) -> list[dict[str, Any]]:
    """The first `count` rows, each pair once."""
    unique: dict[tuple[str, str], dict] = {}
    for row in islice(rows, 10 * count):
        unique.setdefault((row["premise"], row["hypothesis"]), row)
        if len(unique) == count:
            break
    if len(unique) < count:
        raise FlockError(f"the grammar gives too few {name} ({len(unique):,} of {count:,}); ask for fewer")
    return list(unique.values())


def _counterexamples(subcase: str, random: Random, held_out: bool) -> Iterator[dict[str, Any]]:
    """Neutral pairs of a non-entailed subcase, whose words are all in the premise, from each template in turn."""
    for template in cycle(TEMPLATES[subcase]):
        premise, words = _premise(template, random, held_out)
        yield {
            "premise": premise,
            "hypothesis": fill(template.hypothesis, words),
            "gold": "neutral",
            "heuristic": _HEURISTIC[subcase],
            "subcase": COUNTEREXAMPLE,
            "template": template.id,
            "genre": GENRE,
        }


def _regular(label: str, random: Random, held_out: bool) -> Iterator[dict[str, Any]]:
    """Pairs of one label, from each frame in turn."""
    for frame in cycle(FRAMES):
        premise, words = _premise(frame.template, random, held_out)
        yield {
            "premise": premise,
            "hypothesis": fill(frame.template.hypothesis, _altered(frame, words, label, random)),
            "gold": label,
            "heuristic": None,
            "subcase": REGULAR,
            "template": frame.template.id,
            "genre": frame.genre,
        }


def _premise(template: Template, random: Random, held_out: bool) -> tuple[str, Words]:
    """A random premise that is held out or is not, and the words in it."""
    while True:
        words = template.draw(random)
        premise = fill(template.premise, words)
        if is_held_out(premise) == held_out:
            return premise, words


def _altered(frame: Frame, words: Words, label: str, random: Random) -> Words:
    """The words of the hypothesis: as in the premise, or one of them changed for the label."""
    if label == "entailment":
        return words
    if label == "contradiction":
        slot = random.choice(frame.opposable)
        return words | {slot: v.OPPOSITES[words[slot]]}
    slot = random.choice(_replaceable(frame.template.hypothesis))
    return words | {slot: _new_word(slot, words, random)}


def _replaceable(hypothesis: str) -> list[str]:
    return re.findall(r"\b[NMVIADK]\d", hypothesis)


def _new_word(slot: str, words: Words, random: Random) -> str:
    """Another word of the slot's kind, neither one of the premise nor an opposite of one."""
    used = set(words.values())
    if slot[0] == "K":
        return random.choice([thing for thing in v.UNDERSTOOD_OBJECT[words["U" + slot[1]]] if thing not in used])
    pool, _ = SLOTS[slot[0]]
    choice = random.choice([options for options in pool if used.isdisjoint(options)])
    return choice[is_plural(words[slot])] if slot[0] in "NM" else random.choice(choice)
