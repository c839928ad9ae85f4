"""Figures of the Transfer page."""

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go

from app import transferring
from app.figures import theme
from app.text import common as words

_MOST_WITH_NUMBERS = 10


def heat_map(pairs: pd.DataFrame, labels: Sequence[str], names: Mapping[str, str], kind: str) -> go.Figure:
    """Correlations of all pairs as a heat map with stars, `kind` "raw" or "partial"; undefined ones get a cross.

    `pairs` as from `transferring.pairs`, `names` what each label is called here. On each cell lies an invisible square
    that can be clicked, since heat maps cannot: its `customdata` is (x, y).
    """
    place = {label: i for i, label in enumerate(labels)}
    many = len(labels) >= 15
    most = 1 if many else 3
    r = [[None] * len(labels) for _ in labels]
    text = [[""] * len(labels) for _ in labels]
    cells = []
    for row in pairs.to_dict("records"):
        value, q, note = (row[f"{kind}_{field}"] for field in ("r", "q", "note"))
        undefined = value != value
        mark = "" if undefined else transferring.stars(q)
        number = "" if undefined or len(labels) > _MOST_WITH_NUMBERS else _signed(value)
        said = note if undefined else f"{_signed(value, 3)}{mark}, adjusted p {q:.2g}, n {row[f'{kind}_n']}"
        for x, y in ((row["x"], row["y"]), (row["y"], row["x"])):
            r[place[y]][place[x]] = None if undefined else value
            text[place[y]][place[x]] = f"{number}<br>{mark}" if number and mark else number or mark[:most]
            cells.append((place[x], place[y], x, y, undefined, said))
    fig = go.Figure()
    fig.add_heatmap(
        z=r,
        text=text,
        texttemplate="%{text}",
        textfont={"size": 11},
        zmin=-1,
        zmax=1,
        colorscale=theme.DIVERGING,
        xgap=1,
        ygap=1,
        hoverinfo="skip",
        colorbar={"title": {"text": "r", "side": "top"}, "thickness": 10, "tickvals": [-1, -0.5, 0, 0.5, 1]},
    )
    crosses = [cell for cell in cells if cell[4]]
    fig.add_scatter(
        x=[cell[0] for cell in crosses],
        y=[cell[1] for cell in crosses],
        mode="markers",
        marker={"symbol": "x-thin", "size": 5 if many else 8, "line": {"width": 1.5, "color": theme.GREY}},
        hoverinfo="skip",
    )
    size = max(8, min(36, 300 // max(len(labels), 1)))
    fig.add_scatter(
        x=[cell[0] for cell in cells],
        y=[cell[1] for cell in cells],
        mode="markers",
        marker={"symbol": "square", "size": size, "color": theme.GREY, "opacity": 0},
        selected={"marker": {"opacity": 0.45}},
        unselected={"marker": {"opacity": 0}},
        customdata=[[cell[2], cell[3]] for cell in cells],
        text=[f"{theme.plain(names[x])} – {theme.plain(names[y])}<br>{theme.plain(s)}" for *_, x, y, _, s in cells],
        hovertemplate="%{text}<extra></extra>",
    )
    ticks = [theme.plain(names[label]) if many else theme.wrapped(names[label]) for label in labels]
    axis = {"tickvals": list(range(len(labels))), "ticktext": ticks, "showgrid": False, "zeroline": False}
    axis |= {"automargin": True, "tickfont": {"size": 9 if many else 11}}
    ends = [-0.5, len(labels) - 0.5]
    fig.update_layout(xaxis={**axis, "range": ends, "tickangle": -90}, yaxis={**axis, "range": ends[::-1]})
    fig.update_layout(dragmode=False)
    return theme.lay_out(fig, height=440 if len(labels) <= _MOST_WITH_NUMBERS else 240 + 18 * len(labels), legend=False)


def scatter(points: pd.DataFrame, titles: Sequence[str], *, residual: bool, percent: bool, unit: str) -> go.Figure:
    """One point a unit, y over x or their residuals, as from `transferring.points`; `customdata` is the unit's ids.

    `titles` of the two axes; `percent` scales fractions.
    """
    x, y = ("residual_x", "residual_y") if residual else ("x", "y")
    scale = 100 if percent else 1
    fig = go.Figure()
    fig.add_scatter(
        x=scale * points[x],
        y=scale * points[y],
        mode="markers",
        marker={"size": 8, "color": theme.BLUE, "opacity": 0.75, "line": {"width": 0.5, "color": "white"}},
        customdata=points[transferring.UNIT],
        hovertemplate="%{customdata[1]}"
        + (", step %{customdata[2]:,}" if unit == "checkpoints" else "")
        + "<br>%{x:.2f}, %{y:.2f}<extra></extra>",
    )
    axes = [{"title": theme.wrapped(title, 34), "automargin": True} for title in titles]
    fig.update_layout(xaxis=axes[0], yaxis=axes[1])
    return theme.lay_out(fig, height=400, legend=False)


def train_by_test(table: pd.DataFrame) -> go.Figure:
    """Training sets × test sets of one scoring: mean accuracy, the runs' range and the drop; own test sets framed.

    `table` as from `transferring.train_by_test`.
    """
    rows, columns = (list(dict.fromkeys(table[name])) for name in ("collection", "dataset"))
    z = [[None] * len(columns) for _ in rows]
    text = [[""] * len(columns) for _ in rows]
    fig = go.Figure()
    for cell in table.itertuples():
        i, j = rows.index(cell.collection), columns.index(cell.dataset)
        z[i][j] = 100 * cell.mean
        drop = "own test set" if cell.home else "" if cell.drop != cell.drop else f"drop {100 * cell.drop:+.1f}"
        runs = f"{100 * cell.min:.1f}–{100 * cell.max:.1f}, n {cell.runs}"
        text[i][j] = f"<b>{100 * cell.mean:.1f} %</b><br>{runs}<br>{drop}".replace("-", "−")
        if cell.home:
            edge = {"x0": j - 0.48, "x1": j + 0.48, "y0": i - 0.46, "y1": i + 0.46}
            fig.add_shape(type="rect", line={"color": theme.ORANGE, "width": 3}, **edge)
    names = table.drop_duplicates("collection").set_index("collection")["training_data"]
    fig.add_heatmap(
        z=z,
        text=text,
        texttemplate="%{text}",
        zmin=0,
        zmax=100,
        colorscale=theme.SEQUENTIAL,
        xgap=2,
        ygap=2,
        hovertemplate="%{y} on %{x}: %{text}<extra></extra>",
        showscale=False,
    )
    ticks = [f"{theme.plain(names[row])}<br>({theme.plain(row)})" for row in rows]
    sets = [theme.plain(words.dataset(column)) for column in columns]
    fig.update_layout(
        xaxis={"title": "tested on", "tickvals": list(range(len(columns))), "ticktext": sets, "side": "top"},
        yaxis={"tickvals": list(range(len(rows))), "ticktext": ticks, "autorange": "reversed", "automargin": True},
    )
    return theme.lay_out(fig, height=90 + 80 * len(rows), legend=False).update_layout(margin={"t": 90})


def _signed(r: float, digits: int = 2) -> str:
    return f"{r:+.{digits}f}".replace("+0.", "+.").replace("-0.", "-.").replace("-", "−")
