"""What pages draw with: figures and tables with their downloads, empty states, text from data sets."""

import html
from collections.abc import Callable, Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from app import examples, navigation, sidebar
from app.filters import Filter
from app.text import common as words
from app.text import examples as example_words

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
    key = f"figure {key or name}"
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
    latex: Callable[[], str] | None = None,
    key: str | None = None,
    **dataframe,
):
    """Draw a table that says how much of the whole it shows, and a download of the whole.

    `total` rows exist and `full` fetches them all where `shown` is a part; `latex` makes a download of that for papers.
    Floats show two digits, whatever their number. Further arguments go to `st.dataframe`,
    whose result (the selection, with `on_select`) is returned.
    """
    rows = shown.head(MOST_ROWS).round(6)  # 100 × 0.153 would be read out as 15.299999999999999
    total = len(shown) if total is None else total
    key = key or f"table {name}"
    numbers = {c: st.column_config.NumberColumn(format="%.2f") for c in rows.select_dtypes("float").columns}
    columns = {**numbers, **dataframe.pop("column_config", {})}
    options = {"hide_index": True, "column_config": columns, "placeholder": "–", **dataframe}
    result = st.dataframe(rows, key=key, **options)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{len(rows):,} of {words.count(total, noun)}")
        download(f"All {total:,} (CSV)", lambda: to_csv(full() if full else shown), f"{name}.csv", key=f"{key} csv")
        if latex:
            download("LaTeX", latex, f"{name}.tex", key=f"{key} latex", mime="application/x-tex")
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
    st.info(words.prose(sentence), icon=":material/info:")
    st.button("Show everything again", key=f"clear {key}", on_click=sidebar.forget, args=tuple(clear))


def choice(label: str, options: Sequence[str], *, key: str, default: str | None = None, **selectbox) -> str:
    """A select box of a page's own, bound to the URL under `key`; `default` or the first option where nothing is said.

    The options are what the URL carries, so they are texts that a reader can understand.
    """
    state = st.session_state
    if sidebar.arrived() and key in st.query_params:
        state[key] = st.query_params[key]  # a bound widget by itself ignores a link that asks for its default
    if key in state and state[key] not in options:
        del state[key]
    # The default leads the list: Streamlit warns when a default by index and a link's value meet.
    if default in options:
        options = [default, *(o for o in options if o != default)]
    return st.selectbox(label, options, key=key, bind="query-params", **selectbox)


def choices(label: str, options: Sequence[str], *, key: str, **multiselect) -> list[str]:
    """A multi-select of a page's own, bound to the URL under `key`. Draws nothing where there is nothing to choose."""
    if not options:
        return []
    state = st.session_state
    if sidebar.arrived() and key in st.query_params:
        state[key] = st.query_params.get_all(key)
    if key in state:
        state[key] = [v for v in state[key] if v in options]
    return st.multiselect(label, options, key=key, bind="query-params", **multiselect)


def note(sentence: str) -> None:
    """A sentence that says what is missing, in the place where it would be."""
    st.caption(":material/info: " + words.prose(sentence))


def synthetic(collections: pd.DataFrame, shown: Sequence[str]) -> None:
    """Say which of the collections shown are made up; `collections` as from `queries.catalogue`."""
    for row in collections[collections["collection"].isin(shown)].itertuples():
        if row.synthetic:
            note(f"{row.collection} is synthetic: {words.SYNTHETIC}.")


def metrics(values: dict[str, str], explanations: dict[str, str]) -> None:
    """Numbers side by side, each with its explanation."""
    with st.container(horizontal=True, gap="medium"):
        for label, value in values.items():
            st.metric(label, value, help=explanations[label], width="content")


def quarters(cells: pd.DataFrame, *, name: str) -> str | None:
    """A 2 × 2 table of buttons from rows of cell and examples, two a line; returns the cell that was chosen last."""
    total = max(int(cells["examples"].sum()), 1)
    for line in (cells.iloc[:2], cells.iloc[2:]):
        for column, row in zip(st.columns(2), line.itertuples(), strict=True):
            with column:
                st.button(
                    f"{row.cell}  \n**{row.examples:,}** · {words.percent(row.examples / total)}",
                    key=f"{name} {row.cell}",
                    type="primary" if st.session_state.get(name) == row.cell else "secondary",
                    on_click=st.session_state.update,
                    args=({name: row.cell},),
                    width="stretch",
                )
    download("Data (CSV)", lambda: to_csv(cells), f"{name}.csv", key=f"figure {name} csv")
    return st.session_state.get(name)


def open_elsewhere(view: Filter, runs: pd.DataFrame, here: str) -> None:
    """Links that open every other page on just these runs (rows with collection and run), a row a collection."""
    for collection, own in runs.groupby("collection", sort=False):
        names = tuple(own["run"])
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.text(f"Open {words.count(len(names), 'run')} of {collection} in")
            for page in navigation.available():
                if "run" in page.filters and page.name != here:
                    sidebar.link(page.name, page.title, view.changed(collection=collection, runs=names))
            if collection == view.collection:
                keep = {"on_click": sidebar.choose, "kwargs": {"run": names}}
                st.button("Keep only these here", key=f"only {here}", type="tertiary", **keep)


def literal(text: str) -> None:
    """Draw text from a data set exactly as it is: no Markdown, HTML, colours or emoji codes."""
    st.text(text)


def in_view(sentence: str) -> None:
    """The sentence that says what is in view, under the page's title."""
    st.html(f'<p class="in-view" style="opacity:.75;margin:0">{html.escape(sentence)}</p>')


def span(label: str, *, key: str, **slider) -> tuple[int, int]:
    """A range in percent, bound to the URL under `key`; 0 to 100 where nothing is said."""
    return st.slider(label, 0, 100, (0, 100), key=key, bind="query-params", format="%d %%", **slider)


def page_number(total: int, size: int) -> int:
    """The page of a list, from 1; draws nothing where one page holds all."""
    pages = -(-total // size)
    if pages < 2:
        return 1
    if st.session_state.get("page", 1) > pages:
        st.session_state["page"] = pages
    return int(st.number_input(f"Page (of {pages:,})", 1, pages, key="page", bind="query-params", width=200))


def neighbours(place: int | None, total: int, previous: str | None, following: str | None) -> None:
    """Buttons to the example before and after in the list, and to close the one that is open."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for label, icon, example in (("Previous", "arrow_back", previous), ("Next", "arrow_forward", following)):
            st.button(
                label,
                icon=f":material/{icon}:",
                disabled=example is None,
                key=f"{label} example",
                on_click=sidebar.choose,
                kwargs={"example": example},
            )
        if place is not None:
            st.caption(f"{place:,} of {total:,} in the list")
        st.button("Close", icon=":material/close:", type="tertiary", on_click=sidebar.forget, args=("example",))


def example_list(shown: pd.DataFrame, *, runs: int, total: int, full: Callable[[], pd.DataFrame]) -> None:
    """The list of examples: selecting a row opens it; downloads hold the whole list, as CSV and Parquet."""

    def open_selected() -> None:
        rows = st.session_state["examples"].selection.rows
        if rows:
            sidebar.choose(example=shown["example"].iloc[rows[0]])

    bar = st.column_config.ProgressColumn("right", format=f"%d of {runs}", min_value=0, max_value=runs, width=140)
    numbers = st.column_config.NumberColumn(format="%.1f", width=115)
    columns = {"right": bar, "P(entailment) %": numbers, "± SD": numbers, "runs": None}
    st.dataframe(
        shown,
        key="examples",
        hide_index=True,
        column_config=columns,
        selection_mode="single-row",
        on_select=open_selected,
        height=min(len(shown), 15) * 35 + 40,
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{len(shown):,} of {words.count(total, 'example')}")
        download(f"All {total:,} (CSV)", lambda: to_csv(full()), "examples.csv", key="examples csv")
        download(
            f"All {total:,} (Parquet)",
            lambda: full().to_parquet(index=False),
            "examples.parquet",
            key="examples parquet",
            mime="application/vnd.apache.parquet",
        )


def reader(rows: pd.DataFrame, view: Filter, *, title: str, key: str, most: int = 50) -> None:
    """Examples to read in place (all columns of `queries.examples.page`); selecting one offers to open it."""
    shown = rows.head(most)
    st.markdown(f"**{words.count(len(rows), 'example')}, {words.literal(title)}**")
    if rows.empty:
        return
    columns = ("example", "forgotten", "gold", "premise", "hypothesis", "subcase")
    text = [c for c in columns if c in shown and shown[c].notna().any()]
    event = st.dataframe(
        shown[text],
        key=f"read {key}",
        hide_index=True,
        selection_mode="single-row",
        on_select="rerun",
        height=min(len(shown), 8) * 35 + 40,
    )
    if shown["premise"].isna().all():
        note(example_words.no_text(view.dataset))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{len(shown):,} of {words.count(len(rows), 'example')}")
        download(f"All {len(rows):,} (CSV)", lambda: to_csv(rows), f"{key}.csv", key=f"{key} examples csv")
        if event.selection.rows:
            example = shown["example"].iloc[event.selection.rows[0]]
            sidebar.link("examples", f"Open {example}", view.changed(example=example))
    if event.selection.rows:
        row = shown.iloc[event.selection.rows[0]]
        if pd.notna(row["premise"]) and pd.notna(row["hypothesis"]):
            st.html(examples.pair(row["premise"], row["hypothesis"]))
