"""What the Seeds page computes: points, correlations, and the spread of runs beside test-set sampling error."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from app import stats
from app.measures import Measure

_KEY = ["collection", "run"]


def points(accuracies: pd.DataFrame, x: Measure, y: Measure) -> pd.DataFrame:
    """One row a run that has both accuracies: collection, run, x, x_n, x_error, y, y_n, y_error (fractions), origin.

    `accuracies` as from `queries.accuracies.by_run`; errors are standard errors of the test sets' size.
    """

    def side(name: str, measure: Measure) -> pd.DataFrame:
        rows = accuracies[accuracies["measure"] == measure.label]
        error = stats.sampling_error(rows["accuracy"], rows["n"])
        return pd.DataFrame(
            {
                **rows[[*_KEY, "origin"]],
                name: rows["accuracy"],
                f"{name}_n": rows["n"],
                f"{name}_error": np.asarray(error),
            }
        )

    both = side("x", x).merge(side("y", y), on=_KEY, suffixes=("_x", "_y"))
    origins = both.pop("origin_x") + "|" + both.pop("origin_y")
    both["origin"] = [", ".join(sorted(set("|".join([o]).replace(", ", "|").split("|")))) for o in origins]
    return both


def colours(accuracies: pd.DataFrame, colour: str, properties: pd.DataFrame) -> pd.DataFrame:
    """What colours each run (collection, run, value): its collection, a property of it, or the accuracy so named."""
    if colour == "collection":
        return accuracies[_KEY].drop_duplicates().assign(value=lambda runs: runs["collection"])
    if not properties.empty:
        return properties
    rows = accuracies[accuracies["measure"] == colour]
    return rows[_KEY].assign(value=100 * rows["accuracy"])


def chosen(points: pd.DataFrame, ids: Iterable[tuple[str, str]]) -> pd.DataFrame:
    """The points of these (collection, run), in their order in `points`."""
    wanted = set(ids)
    return points[[key in wanted for key in zip(points["collection"], points["run"], strict=True)]]


def colour_by(points: pd.DataFrame, values: pd.DataFrame) -> pd.DataFrame:
    """The points with a column `colour`: numbers where every value is one, else text with "unknown" for the rest.

    `values` has collection, run, value.
    """
    coloured = points.merge(values[[*_KEY, "value"]], on=_KEY, how="left").rename(columns={"value": "colour"})
    numbers = pd.to_numeric(coloured["colour"], errors="coerce")
    if coloured["colour"].notna().any() and numbers.isna().equals(coloured["colour"].isna()):
        return coloured.assign(colour=numbers.astype(float))
    return coloured.assign(colour=coloured["colour"].astype(object).where(coloured["colour"].notna(), "unknown"))


def is_graded(points: pd.DataFrame) -> bool:
    """Whether the colour is a scale rather than groups."""
    return pd.api.types.is_float_dtype(points["colour"])


def correlations(points: pd.DataFrame) -> pd.DataFrame:
    """Pearson's and Spearman's correlation of x with y, for each collection and each group by colour within it.

    Collections are never pooled: they differ in more than the seed. Columns: collection, group ("" for all its runs),
    n, pearson, pearson_low, pearson_high, spearman, spearman_low, spearman_high, note (why a correlation is missing).
    """
    rows = []
    for collection, own in points.groupby("collection", sort=False):
        rows.append(_correlation(collection, "", own))
        if not is_graded(own) and own["colour"].nunique() > 1:
            rows += [_correlation(collection, group, part) for group, part in own.groupby("colour", sort=True)]
    return pd.DataFrame(rows)


def _correlation(collection: str, group: str, rows: pd.DataFrame) -> dict:
    found = {method: stats.correlation(rows["x"], rows["y"], method) for method in ("pearson", "spearman")}
    numbers = {
        f"{method}{end}": getattr(result, field)
        for method, result in found.items()
        for end, field in (("", "r"), ("_low", "low"), ("_high", "high"))
    }
    return {"collection": collection, "group": group, "n": len(rows), **numbers, "note": found["pearson"].note}


def spreads(points: pd.DataFrame, axes: Iterable[str] = ("x", "y")) -> pd.DataFrame:
    """For each collection and axis: mean and SD over runs, and the test set's sampling error there, as fractions."""
    return pd.DataFrame(
        {
            "collection": collection,
            "axis": axis,
            "runs": len(own),
            "mean": own[axis].mean(),
            "sd": stats.summary(own[axis]).sd,
            "error": stats.sampling_error(own[axis].mean(), own[f"{axis}_n"].mean()),
        }
        for collection, own in points.groupby("collection", sort=False)
        for axis in axes
    )
