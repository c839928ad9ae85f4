"""Figure of the Ask page: what each run says of one pair."""

import pandas as pd
import plotly.graph_objects as go

from app.figures import theme
from app.figures.examples import LABEL_COLOURS

_ROW, _AROUND = 26, 130
"""Pixels of a run, and of axis and margins."""


def answers(rows: pd.DataFrame) -> go.Figure:
    """The probabilities of the labels as one bar a run, first row on top, named with the run and its accuracy.

    `rows` has run, accuracy and a column a label, all fractions.
    """
    names = [_name(run, accuracy) for run, accuracy in zip(rows["run"], rows["accuracy"], strict=True)]
    fig = go.Figure()
    for label, colour in LABEL_COLOURS.items():
        if label in rows:
            fig.add_bar(
                x=100 * rows[label],
                y=names,
                name=label,
                orientation="h",
                marker_color=colour,
                customdata=rows[["run"]],
                hovertemplate=f"%{{customdata[0]}}: %{{x:.1f}} % {label}<extra></extra>",
            )
    fig.update_layout(
        barmode="stack",
        xaxis={**theme.percent_axis("probability"), "range": [0, 100]},
        yaxis={"autorange": "reversed", "type": "category", "automargin": True},
        legend={"traceorder": "normal"},
    )
    return theme.lay_out(fig, height=max(220, _ROW * len(rows) + _AROUND))


def _name(run: str, accuracy: float) -> str:
    return theme.plain(run) if accuracy != accuracy else f"{theme.plain(run)} · {100 * accuracy:.1f} %"
