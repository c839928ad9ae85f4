"""Figures of the Compare page: A and B have a colour and a symbol each."""

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from app.figures import theme

GROUPS = {"A": (theme.BLUE, "circle"), "B": (theme.VERMILLION, "diamond")}
_SIDE = {"A": -0.06, "B": 0.22}
PARTS = {
    "sd": ("SD over runs", "circle", theme.BLUE),
    "independent": ("√ independent", "triangle-up", theme.GREEN),
    "covariance": ("√ |covariance|", "square", theme.VERMILLION),
    "binomial": ("binomial yardstick", "line-ns-open", theme.GREY),
}


def forest(table: pd.DataFrame, runs: pd.DataFrame) -> go.Figure:
    """Left every run of both groups, right their differences with intervals; a row a measure of one scoring.

    `table` as from `comparing.compare`, `runs` as from `comparing.runs_shown`. A filled mark is a clear difference;
    the grey band is the yardstick of the test set's size where examples were held fixed.
    """
    place = {label: i for i, label in enumerate(table["measure"])}
    fig = make_subplots(rows=1, cols=2, shared_yaxes=True, horizontal_spacing=0.06)
    for group, (colour, symbol) in GROUPS.items():
        own = runs[(runs["group"] == group) & runs["measure"].isin(place)]
        fig.add_scatter(
            x=100 * own["accuracy"],
            y=own["measure"].map(place) + _SIDE[group],
            mode="markers",
            name=f"runs of {group}",
            marker={"color": theme.fade(colour, 0.45), "symbol": symbol, "size": 7},
            customdata=own[["collection", "run"]],
            hovertemplate="<b>%{customdata[1]}</b> of %{customdata[0]}: %{x:.2f} %<extra></extra>",
            row=1,
            col=1,
        )
        fig.add_scatter(
            x=100 * table[f"mean_{group.lower()}"],
            y=table["measure"].map(place) + _SIDE[group],
            mode="markers",
            marker={"symbol": "line-ns-open", "size": 14, "color": colour, "line": {"width": 2.5}},
            hovertemplate=f"mean of {group}: %{{x:.2f}} %<extra></extra>",
            showlegend=False,
            row=1,
            col=1,
        )
    fixed = table[~table["drawn"].str.contains("examples|templates")]
    fig.add_bar(
        x=200 * fixed["yardstick"],
        base=-100 * fixed["yardstick"],
        y=fixed["measure"].map(place),
        orientation="h",
        width=0.5,
        marker_color=theme.fade(theme.GREY, 0.25),
        name="by test-set size alone",
        hovertemplate="two accuracies differ by up to this much by their test examples alone<extra></extra>",
        row=1,
        col=2,
    )
    points = 100 * table[["difference", "low", "high"]]
    fig.add_scatter(
        x=points["difference"],
        y=table["measure"].map(place),
        error_x={
            "symmetric": False,
            "array": (points["high"] - points["difference"]).fillna(0),
            "arrayminus": (points["difference"] - points["low"]).fillna(0),
            "thickness": 2,
            "width": 4,
            "color": theme.PURPLE,
        },
        mode="markers",
        name="A − B (filled: clear)",
        marker={
            "color": theme.PURPLE,
            "size": 10,
            "symbol": ["circle" if clear else "circle-open" for clear in table["clear"]],
            "line": {"width": 2, "color": theme.PURPLE},
        },
        customdata=points[["low", "high"]].assign(q=table["q"], drawn=table["drawn"], holds=100 * table["coverage"]),
        hovertemplate="%{x:+.2f} points [%{customdata[0]:+.2f}, %{customdata[1]:+.2f}]<br>"
        "adjusted p %{customdata[2]:.3f}; drawn: %{customdata[3]}; holds %{customdata[4]:.1f} %<extra></extra>",
        row=1,
        col=2,
    )
    fig.add_vline(x=0, line={"color": theme.GREY, "width": 1, "dash": "dot"}, row=1, col=2)
    fig.update_xaxes(theme.percent_axis("accuracy", whole=False), row=1, col=1)
    fig.update_xaxes(title="A − B (points)", row=1, col=2)
    return _rows(fig, place)


def variances(table: pd.DataFrame) -> go.Figure:
    """SD over runs and its parts beside the binomial yardstick, in points on a logarithmic axis; a panel a group.

    `table` as from `spreading.variances`, of one scoring. What is zero has no place on the axis and is left out.
    """
    place = {label: i for i, label in enumerate(dict.fromkeys(table["measure"]))}
    groups = list(dict.fromkeys(table["group"]))
    named = set()
    fig = make_subplots(rows=1, cols=len(groups), shared_yaxes=True, shared_xaxes="all", horizontal_spacing=0.06)
    for column, group in enumerate(groups, start=1):
        own = table[table["group"] == group]
        for part, (name, symbol, colour) in PARTS.items():
            seen = own[own[part].abs() > 0]
            if seen.empty:
                continue
            fig.add_scatter(
                x=100 * seen[part].abs(),
                y=seen["measure"].map(place),
                mode="markers",
                name=name,
                legendgroup=name,
                showlegend=name not in named,
                marker={
                    "symbol": symbol,
                    "size": 18 if part == "binomial" else 10,
                    "color": colour,
                    "line": {"width": 3 if part == "binomial" else 0, "color": colour},
                },
                text=["negative" if value < 0 else "" for value in seen[part]],
                hovertemplate=f"{name} of {group}: %{{x:.3f}} points %{{text}}<extra></extra>",
                row=1,
                col=column,
            )
            named.add(name)
        fig.update_xaxes(title=f"{group}: points", type="log", dtick=1, matches="x", row=1, col=column)
    return _rows(fig, place)


def seeds(curves: pd.DataFrame, runs: pd.DataFrame) -> go.Figure:
    """Expected best and worst of n runs, in percent, per group; at the right every run.

    `curves` as from `spreading.best_of`; `runs` has columns group, run, accuracy.
    """
    groups = list(dict.fromkeys(curves["group"]))
    fig = make_subplots(rows=1, cols=2, shared_yaxes=True, column_widths=[0.85, 0.15], horizontal_spacing=0.02)
    for i, group in enumerate(groups):
        curve = curves[curves["group"] == group]
        colour, symbol = GROUPS[group]
        for end, dash in (("best", "solid"), ("worst", "dash")):
            fig.add_scatter(
                x=curve["n"],
                y=100 * curve[end],
                mode="lines" if len(curve) > 1 else "markers",
                line={"color": colour, "dash": dash, "width": 2},
                fill="tonexty" if end == "worst" else None,
                fillcolor=theme.fade(colour, 0.1),
                name=f"{group}: expected {end}",
                hovertemplate=f"{group}, {end} of %{{x}}: %{{y:.2f}} %<extra></extra>",
                row=1,
                col=1,
            )
        own = runs[runs["group"] == group]
        fig.add_scatter(
            x=[i] * len(own),
            y=100 * own["accuracy"],
            mode="markers",
            marker={"symbol": symbol, "size": 7, "color": theme.fade(colour, 0.45)},
            showlegend=False,
            customdata=own["run"],
            hovertemplate="%{customdata}: %{y:.2f} %<extra></extra>",
            row=1,
            col=2,
        )
    fig.update_xaxes(title="best and worst of n runs", row=1, col=1, dtick=1 if curves["n"].max() <= 10 else None)
    fig.update_xaxes(tickvals=list(range(len(groups))), ticktext=groups, title="runs", row=1, col=2)
    fig.update_xaxes(range=[-0.6, len(groups) - 0.4], row=1, col=2)
    fig.update_yaxes(theme.percent_axis("accuracy", whole=False), row=1, col=1)
    return theme.lay_out(fig, height=400)


def _rows(fig: go.Figure, place: Mapping[str, int]) -> go.Figure:
    """A row a name: the name stands above its row, where it has room on narrow screens too."""
    for label, y in place.items():
        name = {"text": theme.plain(label), "x": 0, "y": y - 0.36, "xref": "paper", "yref": "y"}
        fig.add_annotation(**name, xanchor="left", yanchor="middle", showarrow=False, font={"size": 12})
    fig.update_yaxes(showticklabels=False, showgrid=False, zeroline=False, range=[len(place) - 0.6, -0.6])
    return theme.lay_out(fig, height=150 + 60 * len(place))
