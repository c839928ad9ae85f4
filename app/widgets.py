"""What pages draw with: figures and tables with their downloads, empty states, text from data sets."""

import html
from collections.abc import Callable, Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from app import sidebar
from app.text import common as words

MOST_ROWS = 1000
"""What a table shows at most; its download holds everything."""


def figure(
    fig: go.Figure,
    data: pd.DataFrame,
    *,
    name: str,
    alt: str,
    select: Sequence[str] = (),
    key: str | None = None,
) -> list:
    """Draw a figure with its toolbar (PNG or SVG) and its `data` as CSV; `alt` says what it shows.

    `select` turns on selecting ("points", "box", "lasso"); returns the `customdata` of the selected points, an id or
    a list of ids each as the figure set them, without repetition.
    """
    config = {
        "displaylogo": False,
        "displayModeBar": True,
        "toImageButtonOptions": {"format": st.session_state.get("_image_format", "png"), "filename": name, "scale": 2},
    }
    key = key or f"figure {name}"
    options = {"on_select": "rerun", "selection_mode": tuple(select)} if select else {}
    event = st.plotly_chart(fig, key=key, config=config, alt=alt, **options)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        download("Data (CSV)", lambda: to_csv(data), f"{name}.csv", key=f"{key} csv")
        _image_format(key)
    points = event.selection.points if select and event else []
    return list(dict.fromkeys(_hashable(p["customdata"]) for p in points if p.get("customdata") is not None))


def _hashable(value):
    return tuple(value) if isinstance(value, list) else value


def _image_format(key: str) -> None:
    """Which format the camera in the figure's toolbar saves; one choice for all figures."""

    def keep() -> None:
        st.session_state["_image_format"] = st.session_state[f"{key} format"]

    st.segmented_control(
        "Format of the image that the figure's camera button saves",
        ["png", "svg"],
        default=st.session_state.get("_image_format", "png"),
        required=True,
        format_func=str.upper,
        key=f"{key} format",
        on_change=keep,
        label_visibility="collapsed",
    )


def table(
    shown: pd.DataFrame,
    *,
    name: str,
    total: int | None = None,
    full: Callable[[], pd.DataFrame] | None = None,
    noun: str = "row",
    key: str | None = None,
    **dataframe,
):
    """Draw a table that says how much of the whole it shows, and a download of the whole.

    `total` rows exist and `full` fetches them all where `shown` is a part. Further arguments go to `st.dataframe`,
    whose result (the selection, with `on_select`) is returned.
    """
    rows = shown.head(MOST_ROWS)
    total = len(shown) if total is None else total
    key = key or f"table {name}"
    result = st.dataframe(rows, key=key, **{"hide_index": True, **dataframe})
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{len(rows):,} of {words.count(total, noun)}")
        download(f"All {total:,} (CSV)", lambda: to_csv(full() if full else shown), f"{name}.csv", key=f"{key} csv")
    return result


def download(
    label: str, content: Callable[[], str | bytes], file_name: str, *, key: str, mime: str = "text/csv"
) -> None:
    """A button that saves what `content` returns, computed only when it is pressed."""
    st.download_button(
        label, content, file_name, mime, key=key, on_click="ignore", type="tertiary", icon=":material/download:"
    )


def to_csv(data: pd.DataFrame) -> str:
    """CSV at full precision, with a header and without an index."""
    return data.to_csv(index=False)


def empty(sentence: str, *, clear: Sequence[str] = (), key: str = "empty") -> None:
    """Say why there is nothing to see, with a button that clears these filters (URL names; all but the collection)."""
    st.info(sentence, icon=":material/info:")
    st.button("Show everything again", key=f"clear {key}", on_click=sidebar.forget, args=tuple(clear))


def literal(text: str) -> None:
    """Draw text from a data set exactly as it is: no Markdown, HTML, colours or emoji codes."""
    st.text(text)


def in_view(sentence: str) -> None:
    """The sentence that says what is in view, under the page's title."""
    st.html(f'<p class="in-view" style="opacity:.75;margin:0">{html.escape(sentence)}</p>')
