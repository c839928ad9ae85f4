"""What the Dynamics page computes: spread along training beside spread between seeds. Fractions inside."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from app import stats
from app.measures import TRAINING_DOMAINS, Measure
from app.text import common as words


def spreads(accuracies: pd.DataFrame) -> pd.DataFrame:
    """One row a measure: how far neighbouring checkpoints of a run differ, and how far the runs do at the end.

    `accuracies` has columns run, step, measure, accuracy. Columns of the result: measure, runs, checkpoints (most of
    one run), neighbours – the root mean square difference of neighbouring checkpoints in the second half of training,
    over √2, so that it equals the SD if each checkpoint were an independent draw – and seeds, the SD (ddof 1) of the
    runs' last checkpoints; NaN where there are fewer than two of either.
    """
    rows = []
    for measure, own in accuracies.groupby("measure", sort=False):
        differences, last, most = [], [], 0
        for _, run in own.groupby("run", sort=False):
            values = run.sort_values("step")["accuracy"].to_numpy()
            most = max(most, len(values))
            last.append(values[-1])
            differences += list(np.diff(values[(len(values) - 1) // 2 :]))
        rows.append(
            {
                "measure": measure,
                "runs": len(last),
                "checkpoints": most,
                "neighbours": float(np.sqrt(np.mean(np.square(differences)) / 2)) if differences else float("nan"),
                "seeds": stats.summary(last).sd if len(last) > 1 else float("nan"),
            }
        )
    return pd.DataFrame(rows)


def spread_table(rows: pd.DataFrame) -> pd.DataFrame:
    """`spreads` in percentage points."""
    return pd.DataFrame(
        {
            "accuracy": rows["measure"],
            "runs": rows["runs"],
            "checkpoints": rows["checkpoints"],
            "between neighbouring checkpoints (points)": 100 * rows["neighbours"],
            "between seeds at the end (SD, points)": 100 * rows["seeds"],
        }
    )


def default_measures(measures: Sequence[Measure]) -> list[str]:
    """What the page shows unasked: the training domain and the cells where a heuristic misleads, else whole sets."""
    whole = [m for m in measures if not m.part]
    domain = [m for m in whole if m.dataset in TRAINING_DOMAINS][:1]
    cells = [m for m in measures if m.is_cell and m.misleads]
    return [m.label for m in domain + cells] or [m.label for m in whole[:3]]


def by_scoring(measures: Sequence[Measure]) -> dict[str, list[Measure]]:
    """Measures by scoring, three-way first: two-way and three-way scores never share an axis."""
    return {scoring: chosen for scoring in words.SCORINGS if (chosen := [m for m in measures if m.scoring == scoring])}
