"""What the Transfer page computes: correlations raw and given an in-domain accuracy, and train sets × test sets."""

import re
from collections.abc import Mapping, MutableMapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import t as student

from app import stats, subcases
from app.measures import Measure

UNIT = ["collection", "run", "step"]
KINDS = ("raw", "partial")
REGRESSIONS = ("linear", "quadratic", "cubic", "spline", "rank")
_STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


def presets(measures: Sequence[Measure]) -> dict[str, list[Measure]]:
    """Named choices of accuracies to correlate; unlike those that share an axis, whole test sets come together."""
    found = {name: chosen for name, chosen in subcases.presets(measures).items() if chosen[0].part}
    whole = [m for m in measures if not m.part]
    return {**found, "Whole test sets": whole} if len(whole) > 1 else found


def wide(accuracies: pd.DataFrame, measures: Sequence[Measure]) -> pd.DataFrame:
    """A row a run and checkpoint (index collection, run, step), a column a measure's label that any of them has."""
    table = accuracies.pivot(index=UNIT, columns="measure", values="accuracy")
    return table[[m.label for m in measures if m.label in table]]


def constants(table: pd.DataFrame) -> list[str]:
    """The columns that do not vary, in the order of the table."""
    return [label for label in table if table[label].nunique() == 1]


def pairs(table: pd.DataFrame, given: str, method: str) -> pd.DataFrame:
    """Correlations of each pair of columns, raw and once `given` (a column) is accounted for by regression `method`.

    Columns: x, y, and for both kinds ("raw", "partial") r, low, high, p, q (p adjusted over the pairs of that kind),
    n and note (why r is missing, with the columns' names), such as raw_r and partial_q. With "rank" the raw
    correlations are Spearman's too.
    """
    rows = []
    for x, y in combinations(table, 2):
        raw = stats.correlation(table[x], table[y], "spearman" if method == "rank" else "pearson")
        if given in (x, y):
            nan = float("nan")
            partial = stats.Correlation(nan, nan, nan, nan, raw.n, f"{given} is what is accounted for")
        else:
            partial = stats.partial_correlation(table[x], table[y], table[given], method)
        row = {"x": x, "y": y}
        for kind, found in zip(KINDS, (raw, partial), strict=True):
            note = _named(found.note, x, y)
            row |= {f"{kind}_{field}": getattr(found, field) for field in ("r", "low", "high", "p", "n")}
            row[f"{kind}_note"] = note
        rows.append(row)
    found = pd.DataFrame(rows)
    for kind in KINDS if len(found) else ():
        found[f"{kind}_q"] = stats.fdr(found[f"{kind}_p"])
    return found


def _named(note: str, x: str, y: str) -> str:
    """A note of `app.stats` about "x" and "y" with the columns' names."""
    return re.sub(r"\b[xy]\b", lambda match: {"x": x, "y": y}[match[0]], note)


def stars(q: float) -> str:
    """One to three stars for an adjusted p at or below .05, .01, .001."""
    return next((mark for level, mark in _STARS if q <= level), "")


def find(found: pd.DataFrame, x: str, y: str) -> pd.Series:
    """The row of a pair, whichever comes first in it."""
    mask = ((found["x"] == x) & (found["y"] == y)) | ((found["x"] == y) & (found["y"] == x))
    return found[mask].iloc[0]


def points(table: pd.DataFrame, x: str, y: str, given: str, method: str) -> pd.DataFrame:
    """One row a unit that has all three: collection, run, step, x, y, given, residual_x, residual_y.

    Fractions, except that residuals of the regression "rank" are in ranks.
    """
    chosen = pd.DataFrame({"x": table[x], "y": table[y], "given": table[given]}).dropna()
    for axis in ("x", "y"):
        chosen[f"residual_{axis}"] = stats.residuals(chosen[axis], chosen["given"], method)
    return chosen.reset_index()


def least_r(n: int, level: float = 0.05) -> float:
    """The smallest |r| over n units that differs from zero at a two-sided `level`; NaN below three units."""
    if n < 3:
        return float("nan")
    quantile = student.ppf(1 - level / 2, n - 2)
    return float(quantile / np.sqrt(n - 2 + quantile**2))


def follow(state: MutableMapping, kind: str, clicked: Sequence[tuple[str, str]]) -> None:
    """A new click on a cell of a heat map chooses its two columns, which the state's "x" and "y" hold."""
    seen = f"_clicked {kind}"
    if clicked and state.get(seen) != clicked[0]:
        state["x"], state["y"] = clicked[0]
    state[seen] = clicked[0] if clicked else None


def default_home(training_data: str, datasets: Sequence[str], given: str) -> str:
    """The test set that belongs to the training data: one of its corpus by name, else `given`, else the first."""
    words = re.split(r"[^a-z]+", training_data.lower())
    named = [d for d in datasets if re.split(r"[^a-z]+", d.lower())[0] in words]
    return (named + [given] * (given in datasets) + list(datasets))[0]


def train_by_test(accuracies: pd.DataFrame, trained: pd.DataFrame, homes: Mapping[str, str]) -> pd.DataFrame:
    """Train sets × test sets: a row a collection and whole test set.

    Columns: collection, training_data, dataset, scoring, runs, mean, sd, min, max, home (the diagonal), drop: the mean
    on the collection's home less the mean here (fractions). A drop is missing where home and here are scored
    differently. `accuracies` has collection, run, dataset, scoring, accuracy; `trained` is as from
    `queries.transfer.training_sets`; `homes` names each collection's own test set.
    """
    rows = []
    for (collection, dataset, scoring), own in accuracies.groupby(["collection", "dataset", "scoring"], sort=False):
        spread = stats.summary(own["accuracy"])
        rows.append(
            {
                "collection": collection,
                "dataset": dataset,
                "scoring": scoring,
                "runs": spread.n,
                **{name: getattr(spread, name) for name in ("mean", "sd", "min", "max")},
                "home": homes.get(collection) == dataset,
            }
        )
    table = trained[["collection", "training_data"]].merge(pd.DataFrame(rows), on="collection")
    home = table[table["home"]].set_index(["collection", "scoring"])["mean"]
    table["drop"] = [home.get((r.collection, r.scoring), np.nan) - r.mean for r in table.itertuples(index=False)]
    return table
