"""What the Compare page computes of each group by itself: parts of its variance, how many seeds."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from app import stats
from app.comparing import Group, rows_of
from app.measures import Measure


def variances(
    groups: Mapping[str, Group], measures: Sequence[Measure], examples: Mapping[str, pd.DataFrame]
) -> pd.DataFrame:
    """A row a group and measure: SD over runs split into independent examples and examples that change together.

    Columns: group, measure, scoring, runs, n, sd, independent (√), covariance (√ of its absolute value, with its sign),
    binomial (mean sampling error of one run), all fractions; NaN where the runs' answers are not known, or one run.
    """
    rows = []
    for name, group in groups.items():
        for measure in measures:
            own = group.of(measure)
            if own.empty:
                continue
            parts = _parts(group, measure, rows_of(examples[measure.dataset], measure), own["accuracy"].to_numpy())
            rows.append(
                {
                    "group": name,
                    "measure": measure.label,
                    "scoring": measure.scoring,
                    "runs": len(own),
                    "n": int(own["n"].iloc[0]),
                    "sd": stats.summary(own["accuracy"]).sd,
                    "independent": np.sqrt(parts.independent),
                    "covariance": _signed_root(parts.covariance),
                    "binomial": stats.mean_sampling_error(own["accuracy"], own["n"]),
                }
            )
    return pd.DataFrame(rows)


def _signed_root(covariance: float) -> float:
    """The root of the absolute value with its sign; what is left of a difference of equal numbers counts as zero."""
    return 0.0 if abs(covariance) < 1e-15 else float(np.sign(covariance) * np.sqrt(abs(covariance)))


def _parts(group: Group, measure: Measure, examples: pd.DataFrame, accuracies: np.ndarray) -> stats.VarianceParts:
    correct = group.correct(measure, examples)
    if correct is not None:
        return stats.decompose_variance(correct)
    counts = group.counts.get(measure.dataset)
    if counts is not None and not group.view.runs and group.view.step is None:
        counts = counts[counts["position"].isin(examples["position"])]
        if len(counts) and (counts["runs"] == len(accuracies)).all():
            return stats.decompose_variance_from_counts(counts["correct"], len(accuracies), accuracies)
    return stats.VarianceParts(*[float("nan")] * 3)


def best_of(groups: Mapping[str, Group], measure: Measure) -> pd.DataFrame:
    """What best and worst of n runs are expected to be: group, n up to all runs, best, worst, range (fractions)."""
    rows = []
    for name, group in groups.items():
        values = group.of(measure)["accuracy"].to_numpy()
        for n in range(1, len(values) + 1):
            best, between = stats.expected_maximum(values, n), stats.expected_range(values, n)
            rows.append({"group": name, "n": n, "best": best, "worst": best - between, "range": between})
    return pd.DataFrame(rows)


def needed(groups: Mapping[str, Group], measures: Sequence[Measure], difference: float) -> pd.DataFrame:
    """Runs a group needs to find a `difference` (a fraction): group, measure, runs, sd, needed (NA: more than a million
    runs), half_5, half_10, half_100 (half the width of the 95 % t interval of a mean over so many).

    Groups of one run have no SD and no row.
    """
    rows = []
    for name, group in groups.items():
        for measure in measures:
            values = group.of(measure)["accuracy"].to_numpy()
            if len(values) < 2:
                continue
            found = stats.runs_needed(values, difference)
            rows.append(
                {
                    "group": name,
                    "measure": measure.label,
                    "runs": len(values),
                    "sd": found.sd,
                    "needed": found.per_group,
                    **{f"half_{n}": stats.half_width(found.sd, n) for n in (5, 10, 100)},
                }
            )
    table = pd.DataFrame(rows)
    return table.astype({"needed": "Int64"}) if len(table) else table
