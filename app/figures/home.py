"""The paper's contrast in one figure."""

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from app.figures import theme
from app.measures import Measure
from app.text import common as words


def contrast(accuracies: pd.DataFrame, measures: list[Measure]) -> go.Figure:
    """A point a run, in a strip for each accuracy, each on an axis of its own from 0 to 100 %.

    `accuracies` as from `queries.accuracies.by_run`. Points are spread over the strip's height to lie apart.
    """
    fig = make_subplots(
        rows=len(measures), vertical_spacing=0.3, subplot_titles=[theme.plain(m.label) for m in measures]
    )
    for i, measure in enumerate(measures, start=1):
        rows = accuracies[accuracies["measure"] == measure.label]
        height = [(k * 7) % 11 for k in range(len(rows))]
        fig.add_trace(
            go.Scatter(
                x=100 * rows["accuracy"],
                y=height,
                mode="markers",
                marker={
                    "color": theme.colour(measure.heuristic),
                    "symbol": theme.GOLD_SYMBOLS.get(measure.gold, "circle"),
                    "size": 8,
                    "opacity": 0.9,
                },
                customdata=rows[["collection", "run"]],
                hovertemplate="<b>%{customdata[1]}</b>: %{x:.2f} %<extra></extra>",
                showlegend=False,
            ),
            row=i,
            col=1,
        )
        axis = theme.percent_axis(f"accuracy, {words.SCORINGS[measure.scoring]}")
        fig.update_xaxes(**axis, row=i, col=1)
        fig.add_vline(100 * measure.chance, line={"dash": "dash", "color": theme.GREY, "width": 1}, row=i, col=1)
    fig.update_yaxes(visible=False, range=[-3, 13])
    fig.update_annotations(x=0, xanchor="left", font_size=14)
    return theme.lay_out(fig, height=380, legend=False)
