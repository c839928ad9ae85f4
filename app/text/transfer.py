"""The words of the Transfer page."""

import math

import pandas as pd

from app.filters import Filter
from app.measures import Measure
from app.text import common as words
from app.text.seeds import signed

INTRO = (
    "Does a run that does well on one slice do well on another – and is that more than both following its in-domain "
    "accuracy? Left the raw correlations, right the partial ones: what remains of the two once the in-domain accuracy "
    "has been regressed out of each."
)
UNITS = {
    "runs": "Each observation is one *run*, at its final checkpoint or the one that the sidebar names.",
    "checkpoints": (
        "Each observation is one *checkpoint*: neighbours along a run resemble each other, so p, stars and intervals "
        "claim more than the data can support. Everything that improves with training correlates; the partial "
        "correlation takes that out as far as the in-domain accuracy carries it. The sidebar's step does not apply."
    ),
}
STARS = (
    "Stars: p adjusted over all pairs (Benjamini–Hochberg), at most .05 (\\*), .01 (\\*\\*), .001 (\\*\\*\\*); large "
    "maps show one. A cross marks a pair without a correlation; its hover text says why. Click a cell to see its runs "
    "below."
)
NO_GENERAL_SIGN = (
    "Published work that correlated such residuals along training found no sign that holds in general: read each pair "
    "as a finding about these runs."
)
REGRESSION_HELP = (
    "How the in-domain accuracy is regressed out: a polynomial, a cubic spline, or ranks (Spearman, both maps)."
)
GIVEN_HELP = "The accuracy that the partial correlations hold constant."
ONE_CLUSTER = "*Groups of runs* in the sidebar opens one cluster alone."
MODELS = "These runs are different models, not seeds of one: a correlation over them says nothing about chance."
TRAINED = "Trained here, tested there"
TRAINED_INTRO = (
    "Collections of one architecture ({model}) that differ in training data. Each cell: mean accuracy, the runs’ "
    "range, and the drop from the collection’s own test set, framed. Collections may differ in more than their data, "
    "and their seeds are few: the range says how far chance alone goes."
)
NO_TRAINED = (
    "A matrix of training sets × test sets needs two collections of one architecture that differ in training data; "
    "none are here. python -m pipeline train minilm, and the same with minilm-snli, make such a pair."
)
NOT_COMPARABLE = "Two-way test sets have no drop: accuracy among two labels and among three are not on one scale."


def in_view(view: Filter, table: pd.DataFrame, unit: str, preset: str) -> str:
    """Which observations the maps rest on."""
    runs = len(table.reset_index()[["collection", "run"]].drop_duplicates())
    only = view.changed(dataset=None, heuristic=None, gold=None, subcases=(), example=None)
    if unit == "checkpoints":
        sentence = only.changed(step=None).describe(runs=runs)
        return f"{sentence} · {words.count(len(table), 'checkpoint')} · {preset}"
    return f"{only.describe(runs=runs)} · {preset}"


def too_few(n: int, unit: str, steps: int) -> str:
    """Why one or two observations have no correlation, and what would."""
    more = "Choose more runs" + (", or checkpoints as the unit." if unit == "runs" and steps > 2 else ".")
    return f"{words.count(n, unit[:-1])} in view: a correlation needs three. {more}"


def few(n: int, least: float) -> str:
    """How little a handful of observations can tell."""
    return (
        f"With {n} observations only correlations beyond ±{least:.2f} differ from zero at the 5 % level, even before "
        f"the adjustment for many pairs: a blank cell is not evidence of no relation."
    )


def constant(labels: list[str], n: int, unit: str) -> str:
    """Columns without variation."""
    verb = "is" if len(labels) == 1 else "are"
    return f"{'; '.join(labels)} {verb} constant over the {n} {unit}: no correlation is defined (crosses)."


def missing(measures: list[Measure], collection: str, rule: str) -> str:
    """Accuracies that no run in view has."""
    why = "by “sum, then merge”, which needs logits" if rule == "sum" else "in these runs"
    names = "; ".join(m.label for m in measures[:4])
    more = f" and {len(measures) - 4} more" if len(measures) > 4 else ""
    return f"{collection} has no score {why} on {names}{more}."


def names(measures: list[Measure]) -> dict[str, str]:
    """What each measure is called on the maps: its slice alone where all slices are of one test set.

    Where there are many, subcases have their stored names, which are short.
    """
    datasets = {m.dataset for m in measures if m.part}
    if len(datasets) > 1:
        return {m.label: m.label for m in measures}
    many = len(measures) >= 15
    return {m.label: (m.subcase if many else None) or m.part or m.label for m in measures}


def alt(kind: str, pairs: pd.DataFrame) -> str:
    """What a heat map shows, for readers who cannot see it."""
    made = pairs[pairs[f"{kind}_r"].notna()]
    if made.empty:
        return f"Heat map of {kind} correlations: none of {len(pairs)} pairs is defined."
    top = made.loc[made[f"{kind}_r"].abs().idxmax()]
    return (
        f"Heat map of {kind} correlations of {words.count(len(pairs), 'pair')}, {len(pairs) - len(made)} undefined; "
        f"strongest {top[f'{kind}_r']:.3f} between {top['x']} and {top['y']}."
    )


def pair(row: pd.Series, x: str, y: str, given: str, method: str) -> str:
    """Both correlations of a pair in a sentence each, or why there is none."""

    def said(kind: str, lead: str) -> str:
        r, low, high, p, q, n = (row[f"{kind}_{field}"] for field in ("r", "low", "high", "p", "q", "n"))
        if math.isnan(r):
            return f"{lead} undefined: {words.literal(row[f'{kind}_note'])}."
        interval = f" [{signed(low)}, {signed(high)}]" if not math.isnan(low) else ""
        note = f"; {words.literal(row[f'{kind}_note'])}" if row[f"{kind}_note"] else ""
        return f"{lead} **{signed(r)}**{interval}, {_p(p)}, adjusted {_p(q)}, n {n}{note}."

    kind = "Spearman’s ρ" if method == "rank" else "Pearson’s r"
    return (
        f"{words.literal(x)} and {words.literal(y)}. {said('raw', f'Raw {kind}')} "
        f"{said('partial', f'Given {words.literal(given)} ({method}):')}"
    )


def _p(p: float) -> str:
    return "p < .001" if p < 0.001 else f"p {p:.3f}".replace("0.", ".")


def pair_table(pairs: pd.DataFrame) -> pd.DataFrame:
    """All pairs, strongest partial correlation first, numbers as papers print them."""

    def cell(row: dict, kind: str) -> str:
        r = row[f"{kind}_r"]
        return f"{signed(r)} ({_p(row[f'{kind}_q'])})" if not math.isnan(r) else f"undefined: {row[f'{kind}_note']}"

    ordered = pairs.reindex(pairs["partial_r"].abs().sort_values(ascending=False, kind="stable").index)
    rows = ordered.to_dict("records")
    return pd.DataFrame(
        {
            "x": ordered["x"],
            "y": ordered["y"],
            "raw r (adjusted p)": [cell(row, "raw") for row in rows],
            "partial r (adjusted p)": [cell(row, "partial") for row in rows],
            "n": ordered["raw_n"],
        }
    )


def axis(measure: Measure, *, residual: bool, given: str, method: str) -> str:
    """What an axis of the scatterplots shows."""
    if not residual:
        return f"{measure.label}, {words.SCORINGS[measure.scoring]} (%)"
    return f"{measure.label}: residual given {given} ({'ranks' if method == 'rank' else 'points'})"


def train_table(table: pd.DataFrame) -> pd.DataFrame:
    """Train sets × test sets in percent."""
    shown = table[["training_data", "collection", "dataset", "scoring", "runs"]].assign(
        dataset=table["dataset"].map(words.dataset)
    )
    shown = shown.rename(columns={"training_data": "trained on", "dataset": "tested on"})
    for name in ("mean", "sd", "min", "max", "drop"):
        shown[f"{name} ({'points' if name in ('sd', 'drop') else '%'})"] = 100 * table[name]
    return shown
