"""The test set `hans-like`: pairs to which a heuristic applies, for each of the 30 subcases, in our own words."""

from collections.abc import Mapping
from itertools import islice
from random import Random
from typing import Any

from pipeline import schema
from pipeline.errors import FlockError
from pipeline.grammar.subcases import TEMPLATES
from pipeline.grammar.template import Template

GENRE = "synthetic"


def hans_like(per_subcase: int, seed: int) -> list[dict[str, Any]]:
    """`per_subcase` unique pairs of each subcase, spread evenly over its templates, with the ids hl0, hl1, ….

    No premise occurs in any training data of `miniature_training`. Raises FlockError where a subcase cannot give that
    many.
    """
    if per_subcase < 1:
        raise FlockError(f"hans-like needs at least one pair of each subcase, not {per_subcase}")
    rows = []
    for heuristic, golds in schema.SUBCASES.items():
        for gold, subcases in golds.items():
            for subcase in subcases:
                slice_ = {"gold": gold, "heuristic": heuristic, "subcase": subcase, "genre": GENRE}
                pairs = subcase_pairs(TEMPLATES[subcase], per_subcase, seed, subcase)
                rows += [slice_ | pair for pair in pairs]
    return [{"example": f"hl{number}"} | row for number, row in enumerate(rows)]


def subcase_pairs(templates: list[Template], count: int, seed: int, name: str) -> list[Mapping[str, str]]:
    """`count` unique pairs from the templates, as even shares as their sizes allow; small templates come first.

    A mapping of premise, hypothesis and template each. Raises FlockError where the templates cannot give that many.
    """
    by_size = sorted(templates, key=lambda template: template.size)
    if count > sum(template.size for template in templates):
        raise _too_few(name, count, sum(template.size for template in templates))
    pairs: dict[str, list[Mapping[str, str]]] = {}
    missing = count
    for done, template in enumerate(by_size):
        share = -(-missing // (len(by_size) - done))
        drawn = islice(template.pairs(Random(f"{seed} {template.id}")), share)
        pairs[template.id] = [
            {"premise": premise, "hypothesis": hypothesis, "template": template.id} for premise, hypothesis in drawn
        ]
        missing -= len(pairs[template.id])
    if missing:
        raise _too_few(name, count, count - missing)
    return [pair for template in templates for pair in pairs[template.id]]


def _too_few(name: str, count: int, most: int) -> FlockError:
    return FlockError(f"the templates of {name} give at most {most:,} unique pairs, not {count:,}; ask for fewer")
