"""Figures about one example: the runs' votes, and each run's probability."""

import pandas as pd
import plotly.graph_objects as go

from app.figures import theme

LABEL_COLOURS = {
    "entailment": theme.BLUE,
    "neutral": theme.ORANGE,
    "contradiction": theme.VERMILLION,
    "non-entailment": theme.PURPLE,
}


def votes(labels: pd.DataFrame) -> go.Figure:
    """How many runs give each label, as one bar. `labels` has a column predicted, a row a run."""
    counts = labels["predicted"].value_counts()
    fig = go.Figure()
    for label, colour in LABEL_COLOURS.items():
        if label in counts:
            n = int(counts[label])
            fig.add_bar(
                x=[n],
                y=[""],
                name=label,
                orientation="h",
                marker_color=colour,
                text=[f"{label} {n}"],
                textposition="inside",
                insidetextanchor="middle",
                hovertemplate=f"{label}: {n} of {len(labels)} runs<extra></extra>",
            )
    fig.update_layout(barmode="stack", xaxis={"title": "runs", "range": [0, len(labels)], "dtick": _tick(len(labels))})
    return theme.lay_out(fig, height=150, legend=False)


def _tick(runs: int) -> int:
    return max(1, round(runs / 10))


def probabilities(labels: pd.DataFrame) -> go.Figure:
    """P(entailment) of every run in percent, highest first; filled where the run is right, hollow where it is wrong."""
    rows = labels.sort_values("entailment", ascending=False).reset_index(drop=True)
    fig = go.Figure()
    for name, chosen, symbol in (
        ("right", rows["correct"].eq(True), "circle"),
        ("wrong", rows["correct"].eq(False), "circle-open"),
        ("gold unknown", rows["correct"].isna(), "diamond"),
    ):
        part = rows[chosen]
        if len(part):
            fig.add_scatter(
                x=part.index + 1,
                y=100 * part["entailment"],
                mode="markers",
                name=name,
                marker={"symbol": symbol, "size": 10, "color": theme.BLUE, "line": {"width": 2}},
                customdata=part[["run", "predicted"]],
                hovertemplate="%{customdata[0]}: %{y:.1f} % entailment, says %{customdata[1]}<extra></extra>",
            )
    fig.add_hline(y=50, line={"dash": "dot", "color": theme.GREY})
    fig.update_layout(
        xaxis={"title": "runs, by P(entailment)", "range": [0.3, len(rows) + 0.7], "dtick": _tick(len(rows))},
        yaxis=theme.percent_axis("P(entailment)"),
    )
    return theme.lay_out(fig, height=300)


def steps(rows: pd.DataFrame) -> go.Figure:
    """Share of runs that are right on the example at each step, in percent."""
    fig = go.Figure()
    fig.add_scatter(
        x=rows["step"],
        y=100 * rows["correct"] / rows["runs"],
        mode="lines+markers",
        line={"shape": "hv", "color": theme.BLUE},
        customdata=rows[["correct", "runs"]],
        hovertemplate="step %{x:,}: %{customdata[0]} of %{customdata[1]} runs right<extra></extra>",
    )
    fig.update_layout(xaxis={"title": "training step"}, yaxis=theme.percent_axis("runs right"))
    return theme.lay_out(fig, height=260, legend=False)
