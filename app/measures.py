"""An accuracy that a page can show: a test set, or a heuristic × gold cell or subcase of it."""

from dataclasses import dataclass

from app.text import common as words

TRAINING_DOMAINS = ("mnli", "miniature")
"""Test sets that resemble what the shipped collections were trained on: what pages begin with."""


@dataclass(frozen=True)
class Measure:
    """Which rows of `accuracies` to pool: correct over n, summed. Scorings never mix.

    `split` is true where the stores hold the test set scored both ways, so that the label has to say which.
    """

    dataset: str
    scoring: str
    heuristic: str | None = None
    gold: str | None = None
    subcase: str | None = None
    split: bool = False

    @property
    def label(self) -> str:
        """Its name on the screen and in the URL, such as "HANS: lexical overlap, non-entailed"."""
        name = words.dataset(self.dataset) + (f" ({words.SCORINGS[self.scoring]})" if self.split else "")
        part = self.part
        return f"{name}: {part}" if part else name

    @property
    def part(self) -> str:
        """The slice without the test set; empty for a whole test set."""
        if self.subcase:
            return words.subcase_with_cell(self.subcase)
        return ", ".join(w for w in (self.heuristic and words.heuristic(self.heuristic), words.gold(self.gold)) if w)

    @property
    def chance(self) -> float:
        """What guessing gives: a half of two labels, a third of three."""
        return 1 / 2 if self.scoring == "2-way" else 1 / 3

    @property
    def is_cell(self) -> bool:
        return self.subcase is None and self.heuristic is not None

    @property
    def misleads(self) -> bool:
        """Whether following the heuristic gives the wrong answer here."""
        return self.gold == "non-entailment"
