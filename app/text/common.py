"""Names and phrases that all pages share."""

import re

DATASETS = {
    "hans": "HANS",
    "mnli": "MNLI matched dev",
    "mnli-mm": "MNLI mismatched dev",
    "snli-dev": "SNLI dev",
    "snli-test": "SNLI test",
    "breaking-nli": "Breaking-NLI",
}
HEURISTICS = {"lexical_overlap": "lexical overlap", "subsequence": "subsequence", "constituent": "constituent"}
GOLD = {"entailment": "entailed", "non-entailment": "non-entailed"}
CELL_PREFIXES = {"l": "lexical overlap", "s": "subsequence", "c": "constituent"}

RULES = {
    "argmax": "argmax, then merge",
    "sum": "sum, then merge",
}

SCORINGS = {"3-way": "three-way", "2-way": "two-way"}
"""Right among three labels, or among entailed and non-entailed: never on one axis."""

NOTHING = (
    "There are no results yet. The published ones belong in data/published; `python -m pipeline import` and "
    "`python -m pipeline train` write yours to data/local."
)

SYNTHETIC = "its test pairs are made up"


def dataset(name: str) -> str:
    """A test set's name on the screen."""
    return DATASETS.get(name, name)


def heuristic(name: str) -> str:
    return HEURISTICS.get(name, name.replace("_", " "))


def gold(name: str | None) -> str | None:
    """HANS speaks of entailed and non-entailed examples; three-way labels keep their names."""
    return GOLD.get(name, name)


def subcase(name: str) -> str:
    """A HANS subcase without its two-letter prefix: "ln_subject/object_swap" -> "subject/object swap"."""
    bare = re.sub(r"^[lsc][en]_", "", name)
    return bare.replace("_", " ")


def subcase_with_cell(name: str) -> str:
    """A HANS subcase with its heuristic and label, since several share a short name."""
    if not re.match(r"^[lsc][en]_", name):
        return subcase(name)
    side = "entailed" if name[1] == "e" else "non-entailed"
    return f"{subcase(name)} ({CELL_PREFIXES[name[0]]}, {side})"


def count(n: int, noun: str) -> str:
    """ "1 run", "5,000 examples"."""
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


def percent(fraction: float, digits: int = 1) -> str:
    """A fraction in percent; a dash where there is none."""
    return "—" if fraction is None or fraction != fraction else f"{100 * fraction:.{digits}f} %"


def literal(text: str) -> str:
    """`text` for a place where Streamlit reads Markdown, so that every character shows as itself."""
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|~$:<>&^=])", r"\\\1", text)


def prose(sentence: str) -> str:
    """A sentence of ours that may name a command in backticks: those show as code, all else as itself."""
    parts = sentence.split("`")
    if len(parts) % 2 == 0:
        return literal(sentence)
    return "".join(f"`{part}`" if i % 2 else literal(part) for i, part in enumerate(parts))
