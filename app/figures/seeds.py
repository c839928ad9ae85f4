"""Figures of the Seeds page."""

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from app.figures import theme
from app.measures import Measure
from app.text import common as words

_GL_ABOVE = 2000
_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star")


def scatter(
    points: pd.DataFrame, x: Measure, y: Measure, *, colour: str, whole: bool = False, whiskers: bool = True
) -> go.Figure:
    """A point a run, y over x, with histograms at the margins; `customdata` is (collection, run).

    `points` as from `app.seeds.colour_by`; `colour` names its column of that name. `whole` shows both axes from 0 to
    100 %, `whiskers` one standard error of the test set.
    """
    fig = make_subplots(
        rows=2,
        cols=2,
        column_widths=[0.86, 0.14],
        row_heights=[0.16, 0.84],
        horizontal_spacing=0.015,
        vertical_spacing=0.02,
        shared_xaxes=True,
        shared_yaxes=True,
    )
    graded = pd.api.types.is_float_dtype(points["colour"])
    groups = [("", points)] if graded else list(points.groupby("colour", sort=False))
    colours = theme.group_colours(sorted((str(name) for name, _ in groups), key=_unknown_last))
    # Shape repeats what colour says: the collections where there are several, else the groups.
    shape = "collection" if graded or points["collection"].nunique() > 1 else "colour"
    symbols = {name: _SYMBOLS[i % len(_SYMBOLS)] for i, name in enumerate(points[shape].unique())}
    for name, rows in groups:
        shade = theme.BLUE if graded or len(groups) == 1 else colours[str(name)]
        _points(fig, rows, str(name), shade, rows[shape].map(symbols), graded=graded, colour=colour, whiskers=whiskers)
        _margins(fig, rows, shade)
    theme.lay_out(fig, height=560, legend=not graded and len(groups) > 1)
    # Dragging pans unless the reader takes the box or lasso: with those set here, Streamlit selects nothing by click.
    fig.update_layout(barmode="overlay", bargap=0.05)
    fig.update_xaxes(theme.percent_axis(axis_title(x), whole=whole), row=2, col=1)
    fig.update_yaxes(theme.percent_axis(axis_title(y), whole=whole), row=2, col=1)
    fig.update_xaxes(showticklabels=False, row=1, col=1)
    fig.update_yaxes(showticklabels=False, row=2, col=2)
    fig.update_yaxes(showticklabels=False, showgrid=False, row=1, col=1)
    fig.update_xaxes(showticklabels=False, showgrid=False, row=2, col=2)
    return fig


def axis_title(measure: Measure) -> str:
    """What an axis shows, the scoring included."""
    return f"{theme.plain(measure.label)}, {words.SCORINGS[measure.scoring]}"


def _unknown_last(name: str) -> tuple[bool, str]:
    return name == "unknown", name


def _points(fig, rows: pd.DataFrame, name: str, shade: str, symbols, *, graded: bool, colour: str, whiskers: bool):
    kind = go.Scattergl if len(rows) > _GL_ABOVE else go.Scatter
    marker = {"size": 9, "symbol": symbols, "line": {"width": 0.5, "color": "white"}}
    if graded:
        marker |= {
            "color": rows["colour"],
            "colorscale": theme.SEQUENTIAL,
            "colorbar": {"title": {"text": theme.plain(colour), "side": "right"}, "x": 1.02, "thickness": 12},
        }
    else:
        marker["color"] = shade
    error = {"color": theme.fade(theme.GREY if graded else shade, 0.3), "thickness": 1, "width": 0}
    fig.add_trace(
        kind(
            x=100 * rows["x"],
            y=100 * rows["y"],
            error_x={**error, "array": 100 * rows["x_error"]} if whiskers else None,
            error_y={**error, "array": 100 * rows["y_error"]} if whiskers else None,
            mode="markers",
            name=theme.plain(name),
            marker=marker,
            customdata=rows[["collection", "run"]],
            text=[f"{colour}: {value:.4g}" if graded else f"{colour}: {value}" for value in rows["colour"]],
            hovertemplate="<b>%{customdata[1]}</b> of %{customdata[0]}<br>%{x:.2f} %, %{y:.2f} %<br>%{text}"
            "<extra></extra>",
        ),
        row=2,
        col=1,
    )


def _margins(fig, rows: pd.DataFrame, shade: str) -> None:
    bars = {"marker_color": theme.fade(shade, 0.6), "showlegend": False}
    for axis, place, other in (("x", 1, "y"), ("y", 2, "x")):
        hover = f"%{{{axis}}}: %{{{other}}} runs<extra></extra>"
        bins = {f"nbins{axis}": 30, axis: 100 * rows[axis]}
        fig.add_trace(go.Histogram(hovertemplate=hover, **bins, **bars), row=place, col=place)
