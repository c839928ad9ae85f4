"""The sidebar's filters, bound to the URL, remembered between pages.

They are drawn by Home.py, not by the pages: only so does Streamlit treat a filter as the same widget on every page.
A page asks `current()` for what was chosen, and `link` leads to another page with another choice.
"""

from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitAPIException

from app import groups, navigation
from app.filters import RESET, URL_NAMES, Filter, from_choices
from app.navigation import PageInfo
from app.queries import catalogue
from app.text import common as words

_CHOSEN = "_filter"
_REMEMBERED = "_choices"
_PAGE = "_page"
_ARRIVED = "_arrived"
_SEVERAL = ("run", "subcase")


def current() -> Filter:
    """What the reader chose on this page."""
    if _CHOSEN not in st.session_state:
        # The first visitor after a start who opens a page's own address: Streamlit then runs that file without
        # Home.py, because of the folder's name, until st.navigation has been called once.
        navigation.current()
        st.session_state[_CHOSEN] = Filter()
        st.rerun()
    return st.session_state[_CHOSEN]


def arrived() -> bool:
    """Whether this run of the script is the first since the reader came to the page."""
    return st.session_state.get(_ARRIVED, False)


def link(page: str, label: str, view: Filter | None = None, **query: str) -> None:
    """A link to a page (by its name) that opens it on `view`; further parameters of the address as they are.

    Draws nothing where the page does not exist.
    """
    info = next((p for p in navigation.available() if p.name == page), None)
    if info is not None:
        kept = {n: v for n, v in (view.to_query() if view else {}).items() if n in info.filters}
        st.page_link(info.file, label=words.literal(label), icon=info.icon, query_params={**kept, **query})


def forget(*names: str) -> None:
    """Callback: clear these filters (URL names), or all but the collection."""
    for name in names or [n for n in URL_NAMES.values() if n != "collection"]:
        st.session_state[_REMEMBERED].pop(name, None)
        if name in st.session_state:
            st.session_state[name] = [] if name in _SEVERAL else "" if name in ("q", "example") else None


def choose(**choices) -> None:
    """Callback: set filters (URL names), on this page."""
    for name, value in choices.items():
        st.session_state[_REMEMBERED][name] = list(value) if name in _SEVERAL else [value]
        st.session_state[name] = list(value) if name in _SEVERAL else value


def draw(connection, page: PageInfo) -> None:
    """Draw the filters of `page` and note what is chosen for `current()`."""
    state = st.session_state
    remembered = state.setdefault(_REMEMBERED, {})
    state[_ARRIVED] = state.get(_PAGE) != page.name
    if state[_ARRIVED]:
        # Arriving: what the link says, over what was chosen elsewhere. Set as state, since a bound widget ignores
        # a link's parameter that equals its default.
        for name in URL_NAMES.values():
            if name in st.query_params:
                remembered[name] = _last_said(st.query_params.get_all(name))
        for name in page.filters:
            if name in remembered:
                state[name] = _as_state(name, remembered[name])
    state[_PAGE] = page.name
    with st.sidebar:
        drawn = _Filters(connection, page)
        for name in page.filters:
            getattr(drawn, name)()
        if "run" in page.filters:
            groups.draw(connection, drawn.one("collection"), choose)
    for name in set(URL_NAMES.values()) & set(st.query_params) - set(drawn.chosen):
        # What a filter of the page before still holds, Streamlit takes out of the address itself.
        with suppress(StreamlitAPIException):
            del st.query_params[name]
    remembered.update(drawn.chosen)
    state[_CHOSEN] = from_choices(drawn.chosen)


def _last_said(values: list[str]) -> list[str]:
    """A parameter's values after its last reset."""
    if RESET in values:
        values = values[len(values) - values[::-1].index(RESET) :]
    return values


def _as_state(name: str, values: list[str]):
    if name in _SEVERAL:
        return values
    return values[-1] if values else "" if name in ("q", "example") else None


class _Filters:
    """One method a filter, named as in the URL; each may depend on those drawn before it.

    Options are the stored names themselves, because the URL carries what the widget shows.
    """

    def __init__(self, connection, page: PageInfo):
        self.connection = connection
        self.page = page
        self.chosen: dict[str, list[str]] = {}
        self._slices = None

    def _select(self, name: str, label: str, options: list[str], *, default: str | None = None, **more) -> None:
        """One of `options`, by default the first if it is the `default`; without one also none, which means all."""
        if name in st.session_state and st.session_state[name] not in options:
            st.session_state[name] = default
        index = None if default is None else 0
        value = st.selectbox(label, options, index=index, key=name, bind="query-params", **more)
        self.chosen[name] = [value] if value is not None else []

    def _multiselect(self, name: str, label: str, options: list[str], **more) -> None:
        if name in st.session_state:
            st.session_state[name] = [v for v in st.session_state[name] if v in options]
        self.chosen[name] = st.multiselect(label, options, key=name, bind="query-params", **more)

    def one(self, name: str) -> str | None:
        values = self.chosen.get(name)
        return values[0] if values else None

    def collection(self) -> None:
        names = list(catalogue.collections(self.connection)["collection"])
        if names:
            self._select("collection", "Collection", names, default=names[0], help="A population of comparable runs.")
        else:
            self.chosen["collection"] = []

    def run(self) -> None:
        names = catalogue.runs(self.connection, self.one("collection"))
        self._multiselect("run", "Runs", names, placeholder=f"all {len(names)}", help="None chosen means all.")

    def step(self) -> None:
        steps = [str(s) for s in catalogue.steps(self.connection, self.one("collection"))]
        if len(steps) > 1:
            self._select("step", "Checkpoint (step)", steps, placeholder="final")

    def dataset(self) -> None:
        names = catalogue.datasets(self.connection, self.one("collection"))
        if names:
            self._select("dataset", "Test set", names, default=names[0])

    def _slice(self, column: str, **held: str | None) -> list[str]:
        if self._slices is None:
            self._slices = catalogue.slices(self.connection, self.one("dataset"))
        rows = self._slices
        for name, value in held.items():
            rows = rows if value is None else rows[rows[name] == value]
        return list(dict.fromkeys(rows[column].dropna()))

    def heuristic(self) -> None:
        if names := self._slice("heuristic"):
            self._select("heuristic", "Heuristic", names, placeholder="all")

    def gold(self) -> None:
        if names := self._slice("gold", heuristic=self.one("heuristic")):
            self._select("gold", "Gold label", names, placeholder="all")

    def subcase(self) -> None:
        names = self._slice("subcase", heuristic=self.one("heuristic"), gold=self.one("gold"))
        if names:
            self._multiselect("subcase", "Subcases", names, placeholder=f"all {len(names)}")

    def rule(self) -> None:
        self._select(
            "rule",
            "Scoring rule",
            list(words.RULES),
            default="argmax",
            help="HANS has two labels, the models three. *argmax*: take the likeliest of the three, then merge neutral "
            "and contradiction (as the paper does). *sum*: add those two probabilities first; needs logits.",
        )

    def example(self) -> None:
        self.chosen["example"] = [st.text_input("Example", key="example", bind="query-params", placeholder="its id")]

    def q(self) -> None:
        self.chosen["q"] = [st.text_input("Words", key="q", bind="query-params", placeholder="in either sentence")]
