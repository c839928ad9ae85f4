"""Histograms of runs, one panel an accuracy, on a common axis."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from app.figures import theme
from app.measures import Measure
from app.text import common as words

_PANEL = 92
_BINS = 40


def histograms(
    accuracies: pd.DataFrame, measures: Sequence[Measure], colours: dict[str, str] | None = None, *, whole: bool = True
) -> go.Figure:
    """A panel for each measure, all on one axis: how many runs score how much, collections overlaid, chance dashed.

    `accuracies` as from `queries.accuracies.by_run`; the measures share one scoring. `colours` gives each collection
    its colour; without it the heuristics' colours are used. Non-entailed slices are hatched. `whole` shows 0 to 100 %.
    """
    rows = accuracies[accuracies["measure"].isin([m.label for m in measures])]
    edges = np.linspace(0, 100, _BINS + 1) if whole else _edges(100 * rows["accuracy"])
    bars, named = [], set()
    for i, measure in enumerate(measures):
        for collection, own in rows[rows["measure"] == measure.label].groupby("collection", sort=False):
            shade = colours[collection] if colours else theme.colour(measure.heuristic)
            shown = bool(colours) and collection not in named
            named.add(collection)
            bars.append(_bars(own, edges, shade, measure, axis=_axis(i), shown=shown))
    return theme.lay_out(
        go.Figure(bars, _panels(measures, edges, bars)),
        height=90 + max(2, len(measures)) * _PANEL,
        legend=bool(colours),
    )


def _panels(measures: Sequence[Measure], edges: np.ndarray, bars: Sequence[go.Bar]) -> dict:
    """The layout: panels below each other with an axis of counts each, over one axis of accuracy."""
    share = 1 / len(measures)
    tops = [1 - i * share for i in range(len(measures))]
    layout = {
        f"yaxis{_axis(i)}": {"domain": [top - 0.68 * share, top], "showgrid": False, **_counts(bars, f"y{_axis(i)}")}
        for i, top in enumerate(tops)
    }
    place = {"xref": "paper", "yref": "paper", "x": 0, "xanchor": "left", "yanchor": "bottom", "showarrow": False}
    layout["annotations"] = [
        {**place, "y": top, "text": theme.plain(name), "font": {"size": 13}}
        for top, name in zip(tops, titles(measures), strict=True)
    ]
    chance = 100 * measures[0].chance
    if edges[0] <= chance <= edges[-1]:
        line = {"dash": "dash", "color": theme.GREY, "width": 1}
        across = {"type": "line", "x0": chance, "x1": chance, "yref": "paper", "line": line}
        layout["shapes"] = [{**across, "y0": top - 0.68 * share, "y1": top} for top in tops]
    title = f"accuracy, {words.SCORINGS[measures[0].scoring]}"
    return layout | {
        "barmode": "overlay",
        "bargap": 0.04,
        "xaxis": {
            "title": title,
            "range": [edges[0], edges[-1]],
            "ticksuffix": " %",
            "showgrid": True,
            "anchor": f"y{_axis(len(measures) - 1)}",
        },
    }


def _axis(i: int) -> str:
    """What Plotly appends to the name of the axis of panel i."""
    return "" if i == 0 else str(i + 1)


def _counts(bars: Sequence[go.Bar], axis: str) -> dict:
    """A few ticks at whole numbers of runs, from 0."""
    most = max((max(bar.y, default=0) for bar in bars if bar.yaxis == axis), default=0)
    return {"rangemode": "tozero", **({"nticks": 3} if most > 2 else {"dtick": 1})}


def titles(measures: Sequence[Measure]) -> list[str]:
    """A name for each panel, no longer than needed to tell them apart."""
    same_cell = len({(m.heuristic, m.gold) for m in measures}) == 1
    return [words.subcase(m.subcase) if m.subcase and same_cell else m.part or m.label for m in measures]


def _bars(rows: pd.DataFrame, edges: np.ndarray, shade: str, measure: Measure, *, axis: str, shown: bool) -> go.Bar:
    counts, _ = np.histogram(100 * rows["accuracy"], edges)
    collection = rows["collection"].iloc[0]
    kept = counts > 0
    return go.Bar(
        x=(edges[:-1] + edges[1:])[kept] / 2,
        y=counts[kept],
        width=np.diff(edges)[kept],
        yaxis=f"y{axis}",
        name=theme.plain(collection),
        legendgroup=collection,
        showlegend=shown,
        customdata=np.column_stack([edges[:-1], edges[1:]])[kept],
        hovertemplate=f"{theme.plain(collection)}<br>%{{customdata[0]:.4g}} – %{{customdata[1]:.4g}} %: "
        "%{y} runs<extra></extra>",
        marker={
            "color": theme.fade(shade, 0.65),
            "line": {"color": shade, "width": 1},
            "pattern": {"shape": theme.GOLD_PATTERNS.get(measure.gold, ""), "fgcolor": shade, "size": 5},
        },
    )


def _edges(percent: pd.Series) -> np.ndarray:
    """Bins of a round width around the values; about twenty."""
    if percent.empty:
        return np.linspace(0, 100, _BINS + 1)
    low, high = percent.min(), percent.max()
    width = next((w for w in (0.02, 0.05, 0.1, 0.25, 0.5, 1.0) if (high - low) / w <= 24), 2.5)
    first = np.floor(low / width) - 1
    return np.clip(width * np.arange(first, np.ceil(high / width) + 2), 0, 100)
