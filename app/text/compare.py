"""The words of the Compare page."""

import math
from collections.abc import Sequence

import pandas as pd

from app import comparing
from app.comparing import Group
from app.filters import Filter
from app.measures import Measure
from app.text import common as words
from app.text.seeds import FEATHER

INTRO = (
    "Two groups of runs: how large is the difference, is it more than the noise of seeds and test examples, and how "
    "many seeds would settle it? The sidebar chooses group **A** and the slices; here is group **B**."
)
RUNS_HELP = (
    "Of another collection all runs; at another checkpoint the same runs; else the runs of the collection that are not "
    "in A. Or a group of runs by name."
)
DRAW_HELP = (
    "The multi-bootstrap draws runs and test examples anew, both with replacement, the same examples for both groups. "
    "Held fixed, the interval speaks of these very runs or examples only. By template: all examples of a template are "
    "drawn together, where a slice has at least five templates."
)
CAPTION = (
    "Differences are A − B in points with 95 % intervals of the multi-bootstrap (1,000 draws, percentiles expanded for "
    "few runs) and two-sided p, adjusted over the slices shown (Benjamini–Hochberg). Filled: adjusted p at most .05 "
    "and, where examples were held fixed, beyond the grey band, which the size of the test set alone could explain. "
    "Vertical strokes are means."
)
COVERAGE = (
    "*Holds* is how often such an interval held the true difference in a simulation with as many runs (or templates, "
    "where these are fewer) and runs that differ far more than the test set is noisy: about the least to expect of the "
    "nominal 95 %."
)
OTHER_COLLECTION = (
    "The groups come from different collections, which may differ in toolkit, training data and hyperparameters as "
    "well as in the seed: a difference here does not say why."
)
SAME = (
    "Both groups are the same runs at the same checkpoint: there is nothing to compare. Choose runs in the sidebar "
    "(the rest of the collection is then B), or another collection, group or checkpoint for B."
)
CHOSEN = "Runs chosen for their results differ in those results by choice: no interval can account for that."
PAIRED = "Both groups are the same runs at two checkpoints: runs are drawn in pairs."

VARIANCE = "Where the variance comes from"
VARIANCE_CAPTION = (
    "The variance of accuracy over runs is the sum of what examples contribute each by itself (independent) and of "
    "examples that change together (covariance); shown are their square roots, in points, on a logarithmic axis. The "
    "grey stroke is the sampling error of one accuracy on a test set of this size."
)
SEEDS = "How many seeds?"
SEEDS_CAPTION = (
    "Expected best and worst of n runs drawn with replacement from those seen: no other assumption. The curve ends "
    "where the runs do; close to that end it is too cautious, since it never passes the best run seen."
)
ASSUMPTIONS = (
    "For Student’s two-sided t test of two independent groups of equally many runs at the 5 % level with power 80 %, "
    "both normally distributed with this SD, on one fixed test set. ± is half the 95 % t interval of a mean over so "
    "many runs."
)
SINGLE_RUN = (
    "One group is a single run: the interval knows nothing of its other seeds. What it shows is about this run, not "
    "about training it again."
)
FETCH = " python -m pipeline fetch feather brings those of the hundred BERTs."
NO_SPREAD = "Each group is one run: there is no variance over runs to take apart."
ONE_RUN = "{group} is one run: it has no spread, so it cannot say how many seeds a difference needs."


def in_view(a: Filter, b: Filter, runs: tuple[int, int], level: str) -> str:
    """Both groups and the slices, in a sentence."""

    def who(view: Filter, n: int) -> str:
        return view.changed(dataset=None, heuristic=None, gold=None, subcases=(), example=None).describe(runs=n)

    scope = Filter(dataset=None if level == "all test sets" else a.dataset, heuristic=a.heuristic, gold=a.gold)
    where = scope.changed(subcases=a.subcases).describe().removeprefix("all runs")
    return f"A: {who(a, runs[0])} · B: {who(b, runs[1])}{where} · {level}"


def nothing(group: str, view: Filter, level: str) -> str:
    """Why a group has no results to compare."""
    logits = " by “sum, then merge”, which needs logits" if view.rule == "sum" else ""
    where = "these test sets" if level == "all test sets" else words.dataset(view.dataset or "this test set")
    return f"Group {group} has nothing to compare: no run of {view.collection} in view has a score on {where}{logits}."


def not_split(view: Filter) -> str:
    """Slices that the sidebar offers but accuracies do not have."""
    return f"Accuracies on {words.dataset(view.dataset or '')} are not split so: its examples are compared as a whole."


def absent(measures: Sequence[Measure]) -> str:
    """Slices that only one group has."""
    named = "; ".join(m.label for m in measures[:4]) + (f" and {len(measures) - 4} more" if len(measures) > 4 else "")
    return f"Left out, as only one of the groups has a score there: {named}."


def cautions(a: Group, b: Group) -> list[str]:
    """What the choice of the two groups means for their difference."""
    sentences = []
    shared = comparing.shared_runs(a, b)
    numbers = comparing.runs(a), comparing.runs(b)
    if a.view.collection != b.view.collection:
        sentences.append(OTHER_COLLECTION)
    elif shared == max(numbers):
        sentences.append(PAIRED)
    else:
        if shared:
            verb = "is" if shared == 1 else "are"
            sentences.append(f"{words.count(shared, 'run')} {verb} in both groups, which are drawn as if independent.")
        sentences.append(CHOSEN)
    if min(numbers) == 1:
        sentences.append(SINGLE_RUN)
    return sentences


def limits(table: pd.DataFrame, a: Group, b: Group, measures: Sequence[Measure], draw_examples: str) -> list[str]:
    """What could not be drawn, or not drawn well, and what it means for the intervals."""
    sentences = []
    both = [m for m in measures if m.label in set(table["measure"])]
    if draw_examples != comparing.FIXED:
        for collection, group in {group.view.collection: group for group in (a, b)}.items():
            if sets := comparing.lacking(group, both):
                sentences.append(
                    f"Which single examples each run of {collection} has right is not known on "
                    f"{', '.join(words.dataset(d) for d in sets)}: only runs are drawn there, and the interval speaks "
                    f"of these very examples.{FETCH if collection == FEATHER else ''}"
                )
    few = int(table["note"].str.contains("templates").sum())
    if few:
        sentences.append(
            f"{few} of {words.count(len(table), 'slice')} {'has' if few == 1 else 'have'} fewer than "
            f"{comparing.FEWEST_TEMPLATES} templates: there single examples are drawn, and other templates may differ "
            "more."
        )
    smaller = int(table[["runs_a", "runs_b"]].min().min())
    if 1 < smaller < 20 and table["coverage"].notna().any():
        sentences.append(
            f"The smaller group has {smaller} runs: in a simulation, intervals of nominally 95 % with so few held the "
            f"truth {words.percent(table['coverage'].min())} of the time."
        )
    return sentences


def alt(table: pd.DataFrame) -> str:
    """What the forest plot shows, for readers who cannot see it."""
    row = table.loc[table["difference"].abs().idxmax()]
    return (
        f"Runs of both groups and {words.count(len(table), 'difference')} with intervals; {int(table['clear'].sum())} "
        f"clear; the largest is {100 * row.difference:+.2f} points on {row.measure}."
    )


def comparison(table: pd.DataFrame) -> pd.DataFrame:
    """Differences as text and numbers in percent."""

    def group(row, side: str) -> str:
        mean, low, high, n = (getattr(row, f"{name}_{side}") for name in ("mean", "min", "max", "runs"))
        return f"{100 * mean:.2f} [{100 * low:.2f} – {100 * high:.2f}], {words.count(n, 'run')}"

    rows = list(table.itertuples())
    return pd.DataFrame(
        {
            "slice": table["measure"],
            "examples": table["n"],
            "A: mean [min – max] %": [group(r, "a") for r in rows],
            "B: mean [min – max] %": [group(r, "b") for r in rows],
            "A − B [95 %] points": [_interval(r) for r in rows],
            "adjusted p": ["—" if math.isnan(r.q) else f"{r.q:.3f}" for r in rows],
            "clear": ["yes" if r.clear else "no" for r in rows],
            "drawn": [r.drawn + (", paired" if r.paired else "") for r in rows],
            "holds": [words.percent(r.coverage) for r in rows],
            "note": table["note"],
        }
    )


def _interval(row) -> str:
    interval = "no interval" if math.isnan(row.low) else f"{100 * row.low:+.2f}, {100 * row.high:+.2f}"
    return f"{100 * row.difference:+.2f} [{interval}]".replace("-", "−")


def variance_table(table: pd.DataFrame) -> pd.DataFrame:
    """The parts of the variance in points, with the reason where they are not known."""
    names = {"sd": "SD", "independent": "√ independent", "covariance": "√ covariance", "binomial": "binomial"}
    shown = table[["group", "measure", "runs"]].rename(columns={"measure": "slice"})
    for column, name in names.items():
        shown[f"{name} (points)"] = [_points(value) for value in table[column]]
    return shown.assign(note=[_why(row) for row in table.itertuples()])


def _points(value: float) -> str:
    return "—" if math.isnan(value) else f"{100 * value:.4f}".replace("-", "−")


def _why(row) -> str:
    if row.runs < 2:
        return "one run: a spread needs two"
    if row.sd == 0:
        return "all runs score alike"
    return "no answers of single examples: parts unknown" if math.isnan(row.independent) else ""


def variance_alt(table: pd.DataFrame) -> str:
    """What the variance figure shows, for readers who cannot see it."""
    below = int((table["sd"] < table["binomial"]).sum())
    return (
        f"SD over runs, its independent and covariance parts and the binomial yardstick on "
        f"{words.count(table['measure'].nunique(), 'slice')}; in {below} of {len(table)} rows the runs spread less "
        "than the test set's sampling error."
    )


def needed_title(points: float) -> str:
    return f"**Runs needed to find a difference of {points:g} point{'' if points == 1 else 's'}**"


def needed_table(table: pd.DataFrame) -> pd.DataFrame:
    """Runs that a difference needs, beside what a mean over 5, 10 and 100 runs is worth."""
    shown = table[["group", "measure", "runs"]].rename(columns={"measure": "slice"})
    shown["SD (points)"] = 100 * table["sd"]
    shown["runs needed a group"] = ["over a million" if pd.isna(n) else f"{n:,}" for n in table["needed"]]
    for n in (5, 10, 100):
        shown[f"± with {n} runs"] = 100 * table[f"half_{n}"]
    return shown


def best_of(curve: pd.DataFrame, group: str, label: str) -> str:
    """What reporting the best of n runs would do, in a sentence."""
    if len(curve) < 2:
        return ONE_RUN.format(group=f"Group {group}")
    at = [n for n in (5, 10, 50, 100) if n <= len(curve)] or [len(curve)]
    by_n = curve.set_index("n")
    numbers = ", ".join(f"{words.percent(by_n.loc[n, 'best'], 2)} of {n}" for n in at)
    return (
        f"{words.literal(label)}, {group}: one run scores {words.percent(by_n.loc[1, 'best'], 2)} on average; the best "
        f"is expected at {numbers}, with {100 * by_n.loc[at[-1], 'range']:.2f} points between best and worst of "
        f"{at[-1]}."
    )
