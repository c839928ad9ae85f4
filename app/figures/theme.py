"""Colours, symbols and layout that all figures share.

Colours are Okabe and Ito's, which colour-blind readers can tell apart; none is black, white or yellow, so that they
show on light and dark pages alike. Text, grid and page colours are left to Streamlit's own theme, which knows whether
the page is light or dark.
"""

import html
import textwrap
from collections.abc import Sequence

import plotly.graph_objects as go

BLUE, ORANGE, GREEN = "#0072B2", "#E69F00", "#009E73"
VERMILLION, PURPLE, SKY, GREY = "#D55E00", "#CC79A7", "#56B4E9", "#8C8C8C"

HEURISTIC_COLOURS = {"lexical_overlap": BLUE, "subsequence": ORANGE, "constituent": GREEN}
"""One colour a heuristic, on all pages."""

GROUP_COLOURS = (VERMILLION, SKY, PURPLE, GREEN, ORANGE, BLUE, GREY)
"""For collections, clusters and other groups, in the order in which they are shown."""

GOLD_SYMBOLS = {"entailment": "circle", "non-entailment": "circle-open"}
"""Entailed slices are filled, non-entailed ones hollow (bars: hatched)."""

GOLD_PATTERNS = {"entailment": "", "non-entailment": "/"}

SEQUENTIAL = "Cividis"
DIVERGING = "RdBu"


def colour(heuristic: str | None) -> str:
    """A heuristic's colour; grey where there is none."""
    return HEURISTIC_COLOURS.get(heuristic, GREY)


def group_colours(names: Sequence[str]) -> dict[str, str]:
    """A colour for each group, repeating after seven."""
    return {name: GROUP_COLOURS[i % len(GROUP_COLOURS)] for i, name in enumerate(names)}


def fade(colour: str, opacity: float) -> str:
    """A "#rrggbb" colour made transparent."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def plain(text: str) -> str:
    """A name or sentence for a figure's labels, so that Plotly shows `<b>` and the like as they are."""
    return html.escape(str(text), quote=False)


def wrapped(text: str, width: int = 22) -> str:
    """A literal label broken into lines at spaces, for phones."""
    lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    return "<br>".join(map(plain, lines))


def lay_out(fig: go.Figure, *, height: int = 420, legend: bool = True) -> go.Figure:
    """Margins that leave room for the toolbar above, and a legend below everything."""
    fig.update_layout(
        height=height + (40 if legend else 0),
        margin={"l": 10, "r": 30, "t": 50, "b": 60 if legend else 10},
        showlegend=legend,
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0, "title": None},
        hoverlabel={"align": "left"},
    )
    return fig


def percent_axis(title: str, *, whole: bool = True) -> dict:
    """An axis in percent for values given in percent; `whole` shows 0 to 100."""
    axis = {"title": title, "ticksuffix": " %", "automargin": True}
    return {**axis, "range": [-2, 102]} if whole else axis
