"""What the Subcases page computes: which panels a preset shows, and the table under them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from app import stats
from app.measures import Measure
from app.text import common as words


def presets(measures: Sequence[Measure]) -> dict[str, list[Measure]]:
    """Named choices of accuracies that may share an axis; only those that these measures fill.

    The paper's three exhibits come first, then everything else that has been measured.
    """
    hans = [m for m in measures if m.dataset == "hans" and m.scoring == "2-way"]
    found = {
        "MNLI": [m for m in measures if m.dataset == "mnli" and m.scoring == "3-way"][:1],
        "The six cells of HANS": [m for m in hans if m.is_cell],
        "Lexical overlap, non-entailed": [
            m for m in hans if m.subcase and (m.heuristic, m.gold) == ("lexical_overlap", "non-entailment")
        ],
        "All 30 subcases": [m for m in hans if m.subcase],
    }
    shown = {m for preset in found.values() for m in preset}
    for scoring in words.SCORINGS:
        whole = [m for m in measures if m.scoring == scoring and not m.part and m not in shown]
        found[f"Whole test sets, {words.SCORINGS[scoring]}"] = whole
    for measure in measures:
        if (measure.subcase or measure.is_cell) and measure not in shown:
            name = words.dataset(measure.dataset) + (f" ({words.SCORINGS[measure.scoring]})" if measure.split else "")
            found.setdefault(f"{name}: {'its subcases' if measure.subcase else 'its cells'}", []).append(measure)
    return {name: chosen for name, chosen in found.items() if chosen}


def contrast(measures: Mapping[str, Sequence[Measure]]) -> tuple[str | None, list[Measure]]:
    """The first collection that has both of the paper's contrast: MNLI, and lexical overlap where it misleads."""
    for collection, own in measures.items():
        mnli = [m for m in own if (m.dataset, m.scoring, m.part) == ("mnli", "3-way", "")]
        cell = [m for m in own if m.is_cell and (m.heuristic, m.gold) == ("lexical_overlap", "non-entailment")]
        cell = [m for m in cell if m.dataset == "hans"]
        if mnli and cell:
            return collection, [mnli[0], cell[0]]
    return None, []


def by_cell(measures: Sequence[Measure]) -> dict[str, list[Measure]]:
    """Subcases by heuristic and gold label, entailed cells before non-entailed; all else under one empty name."""
    cells: dict[str, list[Measure]] = {}
    for measure in sorted(measures, key=lambda m: (m.gold or "") if m.subcase else ""):
        cells.setdefault(replace(measure, subcase=None).part if measure.subcase else "", []).append(measure)
    return cells


def summaries(accuracies: pd.DataFrame, measures: Sequence[Measure]) -> pd.DataFrame:
    """One row a measure and collection, fractions: what the runs make of it, beside sampling error and chance.

    Columns: dataset, heuristic, gold, subcase, measure, part (the slice alone), collection, runs, mean, sd, min, max,
    median, error (standard error of the test set at the mean), n, above_chance (runs that beat chance at the 5 % level,
    one-sided), origin.
    """
    rows = []
    for measure in measures:
        of_measure = accuracies[accuracies["measure"] == measure.label]
        for collection, own in of_measure.groupby("collection", sort=False):
            spread = stats.summary(own["accuracy"])
            rows.append(
                {
                    "dataset": measure.dataset,
                    "heuristic": measure.heuristic,
                    "gold": measure.gold,
                    "subcase": measure.subcase,
                    "measure": measure.label,
                    "part": measure.part,
                    "collection": collection,
                    "runs": spread.n,
                    "mean": spread.mean,
                    "sd": spread.sd,
                    "min": spread.min,
                    "max": spread.max,
                    "median": spread.median,
                    "error": stats.sampling_error(spread.mean, own["n"].mean()),
                    "n": int(own["n"].max()),
                    "above_chance": stats.runs_above_chance(own["correct"], own["n"], measure.chance).count,
                    "origin": ", ".join(sorted(set(own["origin"]))),
                }
            )
    return pd.DataFrame(rows)
