"""The words of the Seeds page."""

import math
from collections.abc import Sequence

import pandas as pd

from app.filters import Filter
from app.measures import Measure
from app.text import common as words

INTRO = (
    "Each point is one training run. Where the runs of a collection share everything but their random seeds, chance "
    "sets them apart; the whiskers show how far chance in the *test set* alone would move a point."
)

HOW_TO_SELECT = (
    "Click a point (shift adds), or take the box or lasso from the figure's toolbar and drag: the runs are listed, and "
    "other pages open on just them."
)

WHISKERS = "One standard error of an accuracy on a test set of this size, √(p(1 − p)/n), on each side."

FEATHER = "berts-of-a-feather"

CONTINUUM = (
    "The hundred BERTs of a feather form a continuum along every accuracy, piled up where one cannot fall below zero: "
    "no test finds two separate clouds of results."
)

CLUSTERS = (
    "The two clusters are clusters of their *weights* (Juneja et al. 2022). A correlation over all runs mixes the "
    "difference between the clusters with what happens inside them; inside the larger one it can be much weaker."
)

SEVERAL = (
    "Several collections are shown together and never pooled: they may differ in toolkit, training data and "
    "hyperparameters as well as in the seed."
)

SUMMED = "Scored by “sum, then merge”: runs without logits have no such score and are left out."


def spread(row, measure: Measure) -> str:
    """One sentence: how far a collection's runs spread on an accuracy, beside the test set's sampling error."""
    where = f"**{words.literal(measure.label)}**, {words.literal(row.collection)}"
    if row.runs < 2:
        return f"{where}: one run, {words.percent(row.mean, 2)}; a spread needs two."
    numbers = f"SD over runs {100 * row.sd:.2f} points, sampling error of the test set {100 * row.error:.2f}"
    if row.sd == 0:
        return (
            f"{where}: all {row.runs} runs score {words.percent(row.mean, 2)}; nothing varies, nothing can correlate."
        )
    if row.sd <= row.error:
        return f"{where}: {numbers}. The runs differ no more than one model would over test sets of this size."
    return f"{where}: {numbers}, {row.sd / row.error:.1f} times as much." if row.error else f"{where}: {numbers}."


def correlation_table(correlations: pd.DataFrame) -> pd.DataFrame:
    """Correlations as text: "+.487 [+.320, +.625]", or why there is none."""

    def cell(row, method: str) -> str:
        r, low, high = (getattr(row, f"{method}{end}") for end in ("", "_low", "_high"))
        if math.isnan(r):
            return f"undefined: {row.note}" if row.note else "undefined"
        return f"{signed(r)} [{signed(low)}, {signed(high)}]" if not math.isnan(low) else f"{signed(r)} [no interval]"

    return pd.DataFrame(
        {
            "runs": [
                f"{r.collection}: {r.group}" if r.group else f"{r.collection}: all" for r in correlations.itertuples()
            ],
            "n": correlations["n"],
            "Pearson r [95 %]": [cell(r, "pearson") for r in correlations.itertuples()],
            "Spearman ρ [95 %]": [cell(r, "spearman") for r in correlations.itertuples()],
        }
    )


def signed(r: float) -> str:
    """A correlation as papers print it: sign, no leading zero, three digits."""
    return f"{r:+.3f}".replace("+0.", "+.").replace("-0.", "-.").replace("-", "−")


def alt(x: Measure, y: Measure, n: int, correlations: pd.DataFrame) -> str:
    """What the scatterplot shows, for readers who cannot see it."""
    first = correlations.iloc[0] if len(correlations) else None
    r = "" if first is None or math.isnan(first.pearson) else f" Pearson r is {first.pearson:.3f} over {first.n} runs."
    return f"Scatterplot of {words.count(n, 'run')}: {y.label} against {x.label}, in percent.{r}"


def about(colour: str, shown: list[str]) -> list[str]:
    """Paragraphs that keep readers from seeing more in the figure than there is."""
    paragraphs = [CONTINUUM] if FEATHER in shown else []
    paragraphs += [CLUSTERS] if FEATHER in shown and colour == "cluster" else []
    return paragraphs + ([SEVERAL] if len(shown) > 1 else [])


def in_view(view: Filter, points: pd.DataFrame) -> str:
    """Which runs the figure shows, the chosen collection first."""
    counts = points["collection"].value_counts()
    others = [f"{words.count(n, 'run')} of {name}" for name, n in counts.items() if name != view.collection]
    return " · ".join([view.describe(runs=int(counts.get(view.collection, 0))), *others])


def missing(collection: str, x: Measure, y: Measure, rule: str) -> str:
    """Why a collection is not in the figure."""
    logits = ", scored by “sum, then merge”, which needs logits" if rule == "sum" else ""
    return f"{collection} is not shown: no run in view has both {x.label} and {y.label}{logits}."


def default_y(measures: Sequence[Measure]) -> str:
    """The paper's contrast, the first cell where a heuristic misleads; without one the second accuracy."""
    misled = [m for m in measures if m.is_cell and m.misleads]
    return (misled or measures[1:] or measures)[0].label


def points_table(points: pd.DataFrame, x: Measure, y: Measure, colour: str) -> pd.DataFrame:
    """Points with their numbers in percent."""
    table = points[["collection", "run"]].copy()
    for axis, measure in (("x", x), ("y", y)):
        table[f"{axis}: {measure.label} (%)"] = (100 * points[axis]).round(2)
        table[f"{axis}: sampling error"] = (100 * points[f"{axis}_error"]).round(2)
    if colour != "collection":
        table[f"colour: {colour}"] = points["colour"]
    return table.assign(origin=points["origin"])
