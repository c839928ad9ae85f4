"""What the Compare page computes: differences of two groups of runs. Each group by itself: `app/spreading.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from app import stats
from app.filters import Filter
from app.measures import Measure
from app.queries.disagreement import Answers

AUTOMATIC = "automatic"
TEMPLATES, SINGLE, FIXED = "by template", "one by one", "held fixed"
EXAMPLES = (TEMPLATES, SINGLE, FIXED)
FEWEST_TEMPLATES = 5
_FAR_LARGER = 5
"""From so many times the runs on, the smaller group alone makes the noise (see `stats.simulated_coverage`)."""


@dataclass(frozen=True)
class Group:
    """Runs at a checkpoint each, with their results.

    `accuracies`: as from `queries.accuracies.by_run`. `answers`: test set -> Answers, for those with predictions.
    `counts`: test set -> how many runs are right on each example (position, runs, correct), where only that is known.
    """

    view: Filter
    accuracies: pd.DataFrame
    answers: Mapping[str, Answers]
    counts: Mapping[str, pd.DataFrame]

    def of(self, measure: Measure) -> pd.DataFrame:
        """Its accuracies on a measure, a row a run."""
        return self.accuracies[self.accuracies["measure"] == measure.label]

    def correct(self, measure: Measure, examples: pd.DataFrame) -> np.ndarray | None:
        """(runs, examples) of the measure, rows as in `of`; None where a run lacks predictions."""
        answers, runs = self.answers.get(measure.dataset), list(self.of(measure)["run"])
        if answers is None or answers.correct is None or not set(runs) <= set(answers.runs):
            return None
        return answers.of(runs).correct[:, np.isin(answers.positions, examples["position"])]


def second(first: Filter, collection: str, step: int | None, chosen: Sequence[str], runs: Sequence[str]) -> Filter:
    """The second group's filter: `chosen` runs of a collection, or what follows from the first group.

    Of another collection all runs; at another checkpoint the same runs; else the collection's `runs` not in `first`
    (an empty choice there means all, so nothing is left to compare with: the same filter comes back).
    """
    view = first.changed(collection=collection, step=step, runs=tuple(chosen))
    if chosen or collection != first.collection:
        return view
    if step != first.step or not first.runs:
        return view.changed(runs=first.runs)
    return view.changed(runs=tuple(run for run in runs if run not in first.runs) or first.runs)


def default_collection(collections: pd.DataFrame, own: str, dataset: str) -> str:
    """The collection to compare with first: the next largest with the same test set, else the same one."""
    fits = [dataset in datasets for datasets in collections["datasets"]]
    others = [c for c in collections[fits]["collection"] if c != own]
    return others[0] if others else own


def applicable(view: Filter, measures: Sequence[Measure]) -> Filter:
    """The view without choices of slices that the test set's accuracies are not split by."""
    own = [m for m in measures if m.dataset == view.dataset]
    return view.changed(
        heuristic=view.heuristic if any(m.heuristic for m in own) else None,
        gold=view.gold if any(m.gold for m in own) else None,
        subcases=view.subcases if any(m.subcase for m in own) else (),
    )


def levels(measures: Sequence[Measure], view: Filter) -> dict[str, list[Measure]]:
    """Named choices of slices within the view's test set and slices, and all whole test sets."""
    own = [
        m
        for m in measures
        if m.dataset == view.dataset
        and view.heuristic in (None, m.heuristic)
        and view.gold in (None, m.gold)
        and (not view.subcases or m.subcase in view.subcases)
    ]
    found = {
        "heuristics": [m for m in own if m.is_cell],
        "subcases": [m for m in own if m.subcase],
        "whole test set": [m for m in own if not m.part],
        "all test sets": [m for m in measures if not m.part],
    }
    if len(found["all test sets"]) < 2:
        del found["all test sets"]
    return {name: chosen for name, chosen in found.items() if chosen}


def rows_of(examples: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """The examples of a measure; `examples` as from `queries.compare.examples` of its test set."""
    for column in ("heuristic", "gold", "subcase"):
        if (value := getattr(measure, column)) is not None:
            examples = examples[examples[column] == value]
    return examples


def templates(examples: pd.DataFrame) -> int:
    """How many templates a slice has; 0 where any example has none."""
    return 0 if examples.empty or examples["template"].isna().any() else examples["template"].nunique()


def whole(view: Filter, dataset: str) -> Filter:
    """The view's runs on a whole test set."""
    return view.changed(dataset=dataset, heuristic=None, gold=None, subcases=())


def runs(group: Group) -> int:
    """How many runs have a result on any of the measures."""
    return len(group.accuracies[["collection", "run"]].drop_duplicates())


def is_same(a: Group, b: Group) -> bool:
    """Whether both are the same runs at the same checkpoints."""
    ids = [set(map(tuple, group.accuracies[["collection", "run", "step"]].to_numpy())) for group in (a, b)]
    return ids[0] == ids[1]


def lacking(group: Group, measures: Sequence[Measure]) -> list[str]:
    """The test sets on which the right answers of its runs are not known one by one."""
    sets = dict.fromkeys(m.dataset for m in measures if not group.of(m).empty)
    return [d for d in sets if (answers := group.answers.get(d)) is None or answers.correct is None]


def same_runs(a: pd.DataFrame, b: pd.DataFrame) -> bool:
    """Whether two groups' accuracies are of the same runs in the same order, so that they can be drawn in pairs."""
    return a[["collection", "run"]].values.tolist() == b[["collection", "run"]].values.tolist()


def shared_runs(a: Group, b: Group) -> int:
    """How many runs are in both groups."""
    return len(
        {*zip(a.accuracies["collection"], a.accuracies["run"], strict=True)}
        & {*zip(b.accuracies["collection"], b.accuracies["run"], strict=True)}
    )


def compare(
    a: Group,
    b: Group,
    measures: Sequence[Measure],
    examples: Mapping[str, pd.DataFrame],
    *,
    draw_runs: bool = True,
    draw_examples: str = TEMPLATES,
) -> pd.DataFrame:
    """A row a measure that both groups have: mean of a less mean of b with its multi-bootstrap interval (fractions).

    Columns: measure, scoring, n, then for a and b runs_, mean_, min_, max_; difference, low, high, p (two-sided), q (p
    adjusted over the rows), drawn (what was resampled), templates, paired, coverage (simulated, of the nominal 95 %;
    NaN where neither runs nor templates were drawn, or one run stands for a group), error (sampling error of one
    accuracy on this slice), yardstick (see `yardstick`), clear (see `is_clear`), note (why less was resampled than
    asked). Without anything to resample low, high and p are missing.

    `examples` as from `queries.compare.examples`, by test set; `draw_examples` is one of EXAMPLES.
    """
    rows = []
    for measure in measures:
        own = a.of(measure), b.of(measure)
        if own[0].empty or own[1].empty:
            continue
        rows.append(
            {
                "measure": measure.label,
                "scoring": measure.scoring,
                "n": int(own[0]["n"].iloc[0]),
                **{f"{name}_{side}": value for side, runs in zip("ab", own, strict=True) for name, value in _of(runs)},
                **_difference(a, b, measure, rows_of(examples[measure.dataset], measure), draw_runs, draw_examples),
            }
        )
    table = pd.DataFrame(rows)
    if len(table):
        table["q"] = stats.fdr(table["p"])
        table["yardstick"] = yardstick(table["error"])
        table["clear"] = [is_clear(row) for row in table.itertuples()]
    return table


def yardstick(error: pd.Series) -> pd.Series:
    """How far two accuracies, each with this sampling error, may lie apart by their test examples alone: 1.96 √2 error.

    For independent test sets; on one and the same set it is an upper bound as long as both find the same examples hard.
    """
    return 1.96 * np.sqrt(2) * error


def is_clear(row) -> bool:
    """Whether a difference stands out: adjusted p at most .05, and beyond the yardstick where examples were not drawn.

    A resampling of runs alone says nothing about other test examples, so a small difference never passes by it alone.
    """
    return bool(
        row.q <= 0.05 and (row.drawn.endswith(("examples", "templates")) or abs(row.difference) > row.yardstick)
    )


def _of(rows: pd.DataFrame) -> list[tuple[str, float]]:
    spread = stats.summary(rows["accuracy"])
    return [("runs", spread.n), ("mean", spread.mean), ("min", spread.min), ("max", spread.max)]


def _difference(a: Group, b: Group, measure: Measure, examples: pd.DataFrame, draw_runs: bool, wanted: str) -> dict:
    rows = a.of(measure), b.of(measure)
    accuracies = [own["accuracy"].to_numpy() for own in rows]
    correct = [group.correct(measure, examples) for group in (a, b)]
    paired = same_runs(*rows)
    number = templates(examples)
    notes, clusters = [], None
    by_example = wanted != FIXED
    if by_example and any(c is None for c in correct):
        by_example = False
        notes.append("no predictions of every run: examples held fixed")
    if by_example and wanted == TEMPLATES:
        if number >= FEWEST_TEMPLATES:
            clusters = examples["template"].to_numpy(str)
        elif number:
            notes.append(f"{number} of at least {FEWEST_TEMPLATES} templates needed: single examples drawn")
    few = min(len(own) for own in rows)
    draws_runs = draw_runs and max(len(own) for own in rows) > 1
    if draw_runs and few == 1:
        notes.append("one run: nothing is known about other seeds of that group")
    table = {
        "difference": float(accuracies[0].mean() - accuracies[1].mean()),
        "error": float(
            np.mean([stats.mean_sampling_error(x, own["n"]) for x, own in zip(accuracies, rows, strict=True)])
        ),
        "templates": number,
        "paired": paired,
        "note": "; ".join(notes),
    }
    if not (draws_runs or by_example):
        return {**table, "low": np.nan, "high": np.nan, "p": np.nan, "drawn": "nothing", "coverage": np.nan}
    groups = correct if by_example else [x[:, None] for x in accuracies]
    found = stats.multi_bootstrap(
        *groups, paired_runs=paired, resample_runs=draws_runs, resample_examples=by_example, clusters=clusters
    )
    drawn = [*["runs"] * draws_runs, *(["templates" if clusters is not None else "examples"] if by_example else [])]
    return {
        **table,
        "low": found.low,
        "high": found.high,
        "p": found.p,
        "drawn": " and ".join(drawn),
        "coverage": _coverage([len(own) for own in rows], draws_runs, paired, number if clusters is not None else None),
    }


def _coverage(runs: Sequence[int], draws_runs: bool, paired: bool, clusters: int | None) -> float:
    """Simulated coverage of the interval, at the fewest units that it draws."""
    if not draws_runs:
        return float("nan") if clusters is None else stats.simulated_coverage(clusters)
    groups = 1 if paired or max(runs) >= _FAR_LARGER * min(runs) else 2
    return stats.simulated_coverage(min(*runs, clusters or min(runs)), groups)


def runs_shown(a: Group, b: Group, measures: Sequence[Measure]) -> pd.DataFrame:
    """Every run of both groups on these measures: group ("A" or "B"), collection, run, step, measure, accuracy, …"""
    labels = [m.label for m in measures]
    both = pd.concat([g.accuracies.assign(group=name) for name, g in (("A", a), ("B", b))], ignore_index=True)
    return both[both["measure"].isin(labels)]
