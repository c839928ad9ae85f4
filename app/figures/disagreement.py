"""Figures of the Disagreement page. What can be clicked carries ids in `customdata`."""

import math
from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from app.figures import theme

_MOST_MARKERS = 1000
"""Pairs of runs above which the chosen one is not framed, since a marker for each would take seconds to draw."""


def histogram(counts: pd.DataFrame, *, log: bool) -> go.Figure:
    """How many examples are right in k runs; `counts` as from `disagreement.histogram`."""
    runs = len(counts) - 1
    colours = [theme.VERMILLION if k == 0 else theme.GREEN if k == runs else theme.SKY for k in counts["right"]]
    fig = go.Figure()
    fig.add_bar(
        x=counts["right"],
        y=counts["examples"],
        marker_color=colours,
        customdata=counts["right"],
        hovertemplate=f"%{{x}} of {runs} runs right: %{{y:,}} examples<extra></extra>",
    )
    fig.update_layout(
        bargap=0.1,
        xaxis={
            "title": f"runs that are right (of {runs})",
            "range": [-0.6, runs + 0.6],
            "dtick": max(1, round(runs / 10)),
        },
        yaxis={"title": "examples", "tickformat": ",d", **(_from_one(counts["examples"].max()) if log else {})},
    )
    return theme.lay_out(fig, height=340, legend=False)


def _from_one(most: int) -> dict:
    """A logarithmic axis from just below one, so that the height of a bar means something."""
    return {"type": "log", "dtick": 1, "range": [-0.1, math.log10(max(most, 1)) + 0.1]}


def matrix(rows: pd.DataFrame, runs: Sequence[str], value: str) -> go.Figure:
    """The triangle of all pairs as cells that can be clicked; `value` is "agreement" or "kappa"."""
    names = {"agreement": "agreement", "kappa": "Cohen’s κ"}
    shown = list(map(theme.plain, runs))
    gap = 1 if len(runs) <= 40 else 0
    fig = go.Figure()
    fig.add_heatmap(
        x=shown,
        y=shown,
        z=rows.pivot(index="b", columns="a", values=value).reindex(index=runs, columns=runs).to_numpy(),
        xgap=gap,
        ygap=gap,
        colorscale=theme.SEQUENTIAL,
        colorbar={"title": names[value], "thickness": 12},
        hoverinfo="skip",
    )
    # A heat map fills its cells at any width but cannot be selected from; unseen markers on it can, drawn or not.
    fig.add_scatter(
        x=rows["a"].map(theme.plain),
        y=rows["b"].map(theme.plain),
        mode="markers",
        marker={
            "symbol": "square-open",
            "size": 12,
            "color": theme.VERMILLION,
            "opacity": 0,
            "maxdisplayed": 1 if len(rows) > _MOST_MARKERS else 0,
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 0}},
        customdata=rows[["a", "b", "agreement", "kappa"]],
        hovertemplate="%{customdata[0]} and %{customdata[1]}: agreement %{customdata[2]:.3f}, "
        "κ %{customdata[3]:.3f}<extra></extra>",
    )
    axis = {"type": "category", "categoryorder": "array", "categoryarray": shown}
    axis |= {"title": None, "showgrid": False, "tickfont": {"size": 11}}
    axis["dtick"] = math.ceil(len(runs) / 30)
    axis["range"] = [-0.6, len(runs) - 0.4]
    fig.update_layout(hoverdistance=60, xaxis={**axis, "tickangle": -90}, yaxis={**axis, "range": axis["range"][::-1]})
    return theme.lay_out(fig, height=560, legend=False)


def by_accuracy(rows: pd.DataFrame) -> go.Figure:
    """Mean agreement with the other runs against accuracy, in percent, a point a run."""
    fig = go.Figure()
    fig.add_scatter(
        x=100 * rows["accuracy"],
        y=100 * rows["agreement"],
        mode="markers",
        marker={"size": 9, "color": theme.BLUE, "opacity": 0.8},
        customdata=rows["run"],
        hovertemplate="%{customdata}: %{x:.2f} % right, agrees on %{y:.2f} %<extra></extra>",
    )
    fig.update_layout(
        xaxis=theme.percent_axis("accuracy", whole=False),
        yaxis=theme.percent_axis("mean agreement with the other runs", whole=False),
    )
    return theme.lay_out(fig, height=560, legend=False)


def patterns(rows: pd.DataFrame, runs: Sequence[str], most: int = 40) -> go.Figure:
    """Who is right: a bar a pattern above a column of dots, filled for the runs that are right."""
    shown = rows.head(most)
    fig = make_subplots(rows=2, cols=1, shared_xaxes=True, row_heights=[0.6, 0.4], vertical_spacing=0.03)
    fig.add_bar(
        x=list(range(len(shown))),
        y=shown["examples"],
        marker_color=theme.BLUE,
        customdata=shown["pattern"],
        text=shown["examples"].map("{:,}".format) if len(shown) <= 20 else None,
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{y:,} examples<extra></extra>",
        row=1,
        col=1,
    )
    for row, run in enumerate(runs):
        right = [pattern[row] == "1" for pattern in shown["pattern"]]
        fig.add_scatter(
            x=list(range(len(shown))),
            y=[theme.plain(run)] * len(shown),
            mode="markers",
            marker={"size": 11, "symbol": ["circle" if r else "circle-open" for r in right], "color": theme.BLUE},
            customdata=shown["pattern"],
            hovertemplate=[f"{theme.plain(run)}: {'right' if r else 'wrong'}<extra></extra>" for r in right],
            row=2,
            col=1,
        )
    fig.update_xaxes(showticklabels=False, range=[-0.7, len(shown) - 0.3], showgrid=False)
    fig.update_yaxes(title="examples", row=1, col=1)
    fig.update_yaxes(type="category", autorange="reversed", row=2, col=1)
    return theme.lay_out(fig, height=300 + 28 * len(runs), legend=False)


def subcases(rows: pd.DataFrame, names: Sequence[str], colours: Sequence[str]) -> go.Figure:
    """Share of examples on which the runs split, in percent, a bar a subcase, most first."""
    fig = go.Figure()
    fig.add_bar(
        x=100 * rows["split"],
        y=[theme.wrapped(name, 34) for name in names],
        orientation="h",
        marker_color=list(colours),
        customdata=rows["subcase"],
        hovertemplate="%{y}: runs split on %{x:.1f} %<extra></extra>",
    )
    fig.update_layout(
        xaxis=theme.percent_axis("examples that split"),
        yaxis={"autorange": "reversed", "automargin": True, "tickfont": {"size": 11}},
        bargap=0.25,
    )
    return theme.lay_out(fig, height=120 + 32 * len(rows), legend=False)
