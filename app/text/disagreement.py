"""The words of the Disagreement page."""

import math

from app.filters import Filter
from app.text import common as words

INTRO = (
    "Runs with the same accuracy can be right on different examples. Which examples split them, and which runs agree?"
)
CLICK_BAR = "Click a bar to read its examples."
CLICK_CELL = "Click a square to compare its two runs below."
CLICK_QUARTER = "Click a cell to read its examples."
CLICK_PATTERN = "Each column is a pattern: filled dots are runs that are right. Click a bar to read its examples."
ONLY_LABELS = "{reason} What can be told is which runs give the same labels."
KAPPA = (
    "Raw agreement is high wherever nearly every answer is the same, and κ, which subtracts what chance would give, is "
    "then low or undefined: on slices where nearly all runs say entailment read both."
)
LABELS_NOTE = "Labels on two-way sets are entailment and non-entailment, as they are scored."
GROUPS = "A group is right on an example when more than half of its runs are; a tie counts as wrong."
MCNEMAR = (
    "McNemar's exact test asks whether these two are equally often right on these examples. It says nothing about "
    "other seeds: for that see *Compare*."
)
ONE_RUN = "One run has nobody to disagree with: choose more runs, or none for all of them."
CHOOSE_FEW = "Choose 2 to 8 runs in the sidebar to see the patterns of who is right."


def no_predictions(view: Filter) -> str:
    """Why runs cannot be compared, and what would open it."""
    dataset = words.dataset(view.dataset or "")
    if view.collection == "berts-of-a-feather":
        how = "`python -m pipeline fetch feather` brings every single prediction of the 100 runs."
    else:
        how = "`python -m pipeline import` adds predictions, `python -m pipeline evaluate` makes them."
    return (
        f"Which runs agree on {dataset} needs the predictions of each run, and {view.collection} has none here. {how}"
    )


def numbers(found) -> dict[str, str]:
    """Name -> value of the agreement of all runs; `found` as from `stats.agreement`."""
    return {
        "pairs agree": _number(found.pairwise),
        "Fleiss κ": _number(found.fleiss_kappa),
        "all right": words.percent(found.all_right),
        "all wrong": words.percent(found.all_wrong),
        "split": words.percent(found.split),
    }


def label_numbers(found) -> dict[str, str]:
    """Name -> value of the agreement of all runs in labels; `found` as from `stats.label_agreement`."""
    return {
        "pairs agree": _number(found.pairwise),
        "Fleiss κ": _number(found.fleiss_kappa),
        "one label": words.percent(found.unanimous),
        "several": words.percent(found.split),
    }


def _number(value: float) -> str:
    return "—" if math.isnan(value) else f"{value:.3f}"


NUMBERS_HELP = {
    "pairs agree": "Mean over pairs of runs of the share of examples that both have right or both have wrong.",
    "Fleiss κ": "Agreement in correctness beyond chance; undefined where all answers are alike.",
    "all right": "Share of examples that every run has right.",
    "all wrong": "Share of examples that no run has right.",
    "split": "Share of examples that some runs have right and others wrong.",
}

LABEL_NUMBERS_HELP = {
    "pairs agree": "Mean over pairs of runs of the share of examples that both give the same label.",
    "Fleiss κ": "Agreement in labels beyond chance; undefined where all labels are alike.",
    "one label": "Share of examples that every run gives the same label.",
    "several": "Share of examples that runs give different labels.",
}


def compared(found: dict, a: str, b: str) -> str:
    """The two sides, McNemar's p and the overlap of errors in a sentence each."""
    p = found["p"]
    printed = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    shared = f"{words.percent(found['overlap'])} of all errors are shared"
    overlap = "neither errs" if math.isnan(found["overlap"]) else shared
    return (
        f"A ({words.literal(a)}) is right on {words.percent(found['a'], 2)}, B ({words.literal(b)}) on "
        f"{words.percent(found['b'], 2)}; {printed} (McNemar, exact); {overlap}."
    )


def side(runs: list[str]) -> str:
    """What a side of a comparison is called."""
    return runs[0] if len(runs) == 1 else f"{len(runs)} runs"


def histogram_alt(counts) -> str:
    """What the histogram shows, for those who cannot see it."""
    examples = counts["examples"]
    return (
        f"Of {words.count(int(examples.sum()), 'example')} {examples.iloc[-1]:,} are right in all "
        f"{len(counts) - 1} runs and {examples.iloc[0]:,} in none."
    )
