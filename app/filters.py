"""What is in view: the sidebar's choices as one value, as SQL and as a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from app import search
from app.text import common as words
from pipeline import schema

RESET = ""
"""In a link's repeated parameter: forget what came before. (Streamlit appends a link's parameters to the URL's.)"""

URL_NAMES = {
    "collection": "collection",
    "runs": "run",
    "step": "step",
    "dataset": "dataset",
    "heuristic": "heuristic",
    "gold": "gold",
    "subcases": "subcase",
    "rule": "rule",
    "example": "example",
    "q": "q",
}
"""Field of Filter -> its name in the URL."""


@dataclass(frozen=True)
class Filter:
    """A choice of runs and test examples. An empty field means all; `step` None means final checkpoints."""

    collection: str | None = None
    runs: tuple[str, ...] = ()
    step: int | None = None
    dataset: str | None = None
    heuristic: str | None = None
    gold: str | None = None
    subcases: tuple[str, ...] = ()
    rule: str = "argmax"
    example: str | None = None
    q: str = ""

    def to_where(self, table: str) -> tuple[str, dict[str, Any]]:
        """The condition for a table or view of the store, and the values of its `$filter_…` parameters.

        Fields that the table has no column for do not apply to it; `rule` chooses a column, not rows. Without `step`,
        tables that have one are held to each run's final checkpoint. Names are unqualified: join in a subquery.
        """
        columns = schema.TABLES[table].names
        where, values = [], {}
        for name in ("collection", "dataset", "heuristic", "gold", "example", "step"):
            value = getattr(self, name)
            if name in columns and value is not None:
                where.append(f"{name} = $filter_{name}")
                values[f"filter_{name}"] = value
        for name, column in (("runs", "run"), ("subcases", "subcase")):
            value = getattr(self, name)
            # agreement counts runs in a column named runs; it has no column run.
            if column in columns and value:
                where.append(f"list_contains($filter_{name}, {column})")
                values[f"filter_{name}"] = list(value)
        if "step" in columns and self.step is None:
            where.append("(collection, run, step) IN (SELECT (collection, run, step) FROM checkpoints WHERE is_final)")
        if "premise" in columns:
            for i, term in enumerate(search.parse(self.q)):
                found = f"contains(lower(premise || chr(10) || hypothesis), $filter_word_{i})"
                where.append(f"NOT {found}" if term.excluded else found)
                values[f"filter_word_{i}"] = term.text
        return " AND ".join(where) or "TRUE", values

    def describe(self, *, runs: int | None = None, examples: int | None = None) -> str:
        """What is in view, as plain text: "100 runs of berts-of-a-feather · HANS · … · 5,000 examples".

        `runs` and `examples` are how many the data has under this filter, where the caller knows.
        """
        parts = [self._who(runs)]
        if self.step is not None:
            parts.append(f"step {self.step:,}")
        if self.dataset:
            parts.append(words.dataset(self.dataset))
        if self.subcases:
            parts.append(", ".join(words.subcase(s) for s in self.subcases))
        elif self.heuristic or self.gold:
            heuristic = self.heuristic and words.heuristic(self.heuristic)
            gold = self.gold and words.gold(self.gold)
            parts.append(", ".join(filter(None, (heuristic, gold))))
        if self.example:
            parts.append(f"example {self.example}")
        if self.q.strip():
            parts.append(f"with the words “{' '.join(self.q.split())}”")
        if self.rule == "sum":
            parts.append("sum, then merge")
        if examples is not None:
            parts.append(words.count(examples, "example"))
        return " · ".join(parts)

    def _who(self, runs: int | None) -> str:
        of = f" of {self.collection}" if self.collection else ""
        if runs is not None:
            return words.count(runs, "run") + of
        if 0 < len(self.runs) <= 3:
            return ("run " if len(self.runs) == 1 else "runs ") + ", ".join(self.runs) + of
        return (words.count(len(self.runs), "run") if self.runs else "all runs") + of

    def changed(self, **changes: Any) -> "Filter":
        """This filter with some fields replaced."""
        return replace(self, **changes)

    def to_query(self) -> dict[str, list[str]]:
        """The URL's parameters for this view; `sidebar` reads them back. Every name is set, so nothing old stays."""
        query = {}
        for field in fields(self):
            value = getattr(self, field.name)
            several = value if isinstance(value, tuple) else () if value in (None, "") else (value,)
            query[URL_NAMES[field.name]] = [RESET, *(str(v) for v in several)]
        return query


def from_choices(choices: dict[str, Sequence[str]]) -> Filter:
    """The filter that the sidebar's choices (URL name -> values) stand for."""

    def one(name: str) -> str | None:
        values = choices.get(name) or ()
        return values[-1] if values and values[-1] != "" else None

    step = one("step")
    return Filter(
        collection=one("collection"),
        runs=tuple(choices.get("run") or ()),
        step=int(step) if step and step.isdigit() else None,
        dataset=one("dataset"),
        heuristic=one("heuristic"),
        gold=one("gold"),
        subcases=tuple(choices.get("subcase") or ()),
        rule=one("rule") or "argmax",
        example=one("example"),
        q=one("q") or "",
    )
