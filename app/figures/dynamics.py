"""Figures of the Dynamics page."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from app.figures import theme
from app.measures import Measure

_COLOURS = (theme.BLUE, theme.VERMILLION, theme.GREEN, theme.ORANGE, theme.PURPLE, theme.SKY, theme.GREY)
_DASHES = ("solid", "dash", "dot", "dashdot")
CHANGE_COLOURS = {"learnt": theme.GREEN, "learnt again": theme.SKY, "forgotten": theme.VERMILLION}


def _style(measure: Measure, place: int) -> dict:
    """A heuristic's own colour for its cells, non-entailed ones dashed; other accuracies get theirs by their place."""
    if measure.is_cell:
        return {"color": theme.colour(measure.heuristic), "dash": "solid" if measure.gold == "entailment" else "dash"}
    return {"color": _COLOURS[place % len(_COLOURS)], "dash": _DASHES[place // len(_COLOURS) % len(_DASHES)]}


def trajectories(rows: pd.DataFrame, measures: Sequence[Measure]) -> go.Figure:
    """Accuracy in percent against step, a line a run, a colour a measure; at the right each run's last value.

    `rows` has columns run, step, measure, accuracy.
    """
    fig = make_subplots(rows=1, cols=2, shared_yaxes=True, column_widths=[0.85, 0.15], horizontal_spacing=0.02)
    runs = list(dict.fromkeys(rows["run"]))
    for i, measure in enumerate(measures):
        own = rows[rows["measure"] == measure.label]
        style, name = _style(measure, i), theme.plain(measure.label)
        for j, run in enumerate(runs):
            line = own[own["run"] == run].sort_values("step")
            fig.add_scatter(
                x=line["step"],
                y=100 * line["accuracy"],
                mode="lines+markers" if len(line) <= 40 else "lines",
                marker={"size": 5},
                line={"width": 2 if len(runs) <= 5 else 1.2, **style},
                opacity=1 if len(runs) <= 5 else 0.6,
                name=name,
                legendgroup=name,
                showlegend=j == 0,
                customdata=line["run"],
                hovertemplate=f"%{{customdata}}, step %{{x:,}}: %{{y:.2f}} %<extra>{name}</extra>",
                row=1,
                col=1,
            )
        last = own.sort_values("step").groupby("run", sort=False).tail(1)
        fig.add_scatter(
            x=[i + 1] * len(last),
            y=100 * last["accuracy"],
            mode="markers",
            marker={"symbol": "line-ew-open", "size": 16, "color": style["color"], "line": {"width": 2}},
            legendgroup=name,
            showlegend=False,
            customdata=last["run"],
            hovertemplate=f"%{{customdata}} at the end: %{{y:.2f}} %<extra>{name}</extra>",
            row=1,
            col=2,
        )
    fig.update_xaxes(title="training step", row=1, col=1)
    fig.update_xaxes(
        title={"text": "at the end", "standoff": 30},
        showticklabels=False,
        range=[0.4, len(measures) + 0.6],
        row=1,
        col=2,
    )
    fig.update_yaxes(theme.percent_axis("accuracy"), row=1, col=1)
    fig.update_yaxes(range=[-2, 102], row=1, col=2)
    return theme.lay_out(fig, height=460)


def changes(rows: pd.DataFrame) -> go.Figure:
    """Examples learnt (upwards), learnt again (upwards) and forgotten (downwards) on the way to each step of a run."""
    fig = go.Figure()
    steps = rows["step"].map("{:,}".format)
    for change, colour in CHANGE_COLOURS.items():
        sign = -1 if change == "forgotten" else 1
        fig.add_bar(
            x=steps,
            y=sign * rows[change],
            name=change,
            marker_color=colour,
            customdata=[[int(step), change, int(n)] for step, n in zip(rows["step"], rows[change], strict=True)],
            hovertemplate="step %{x}: %{customdata[2]:,} " + change + "<extra></extra>",
        )
    fig.update_layout(
        barmode="relative",
        xaxis={"title": "up to step", "type": "category"},
        yaxis={"title": "examples", "tickformat": ",d"},
        bargap=0.2,
    )
    return theme.lay_out(fig, height=360)
