"""The pages: their order, addresses and filters.

To add a page: write `app/pages/NAME.py` and a line in PAGES. The page appears at /NAME; one whose file is missing is
left out. In the page, `sidebar.current()` is the Filter that the reader chose and `data.connection()` the stores:

    view = sidebar.current()
    rows = queries.topic(data.connection(), view)
    widgets.figure(figures.topic(rows), rows, name="topic", alt="what the figure shows")
"""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

FOLDER = Path(__file__).parent / "pages"


@dataclass(frozen=True)
class PageInfo:
    """`filters` are the sidebar's filters on the page, by their names in the URL."""

    name: str
    title: str
    icon: str
    question: str
    filters: tuple[str, ...] = ()

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.py"

    @property
    def address(self) -> str:
        return "" if self.name == "home" else self.name


_RUNS = ("collection", "run")
_SLICE = ("dataset", "heuristic", "gold", "subcase")

PAGES = (
    PageInfo("home", "Home", ":material/home:", "What is here, and where to go"),
    PageInfo(
        "seeds",
        "Seeds",
        ":material/scatter_plot:",
        "One point a run: any accuracy against any other",
        (*_RUNS, "step", "rule"),
    ),
    PageInfo(
        "subcases",
        "Subcases",
        ":material/bar_chart:",
        "How far the runs spread on each subcase",
        (*_RUNS, "step", "rule"),
    ),
    PageInfo(
        "examples",
        "Examples",
        ":material/list:",
        "Read single examples and what each run says",
        (*_RUNS, "step", *_SLICE, "rule", "q", "example"),
    ),
    PageInfo(
        "disagreement",
        "Disagreement",
        ":material/call_split:",
        "Which examples split the runs, and which runs agree",
        (*_RUNS, "step", *_SLICE, "rule", "example"),
    ),
    PageInfo(
        "dynamics",
        "Dynamics",
        ":material/timeline:",
        "Accuracy along training, a line a run",
        (*_RUNS, *_SLICE, "rule"),
    ),
    PageInfo(
        "transfer", "Transfer", ":material/swap_horiz:", "Does one result predict another?", (*_RUNS, "step", "rule")
    ),
    PageInfo(
        "compare",
        "Compare",
        ":material/compare_arrows:",
        "Two groups of runs: is the difference more than noise?",
        (*_RUNS, "step", *_SLICE, "rule"),
    ),
    PageInfo("ask", "Ask", ":material/chat:", "Type a pair and see how the runs vote", _RUNS),
    PageInfo("audit", "Audit", ":material/fact_check:", "The paper's claims against the data"),
)


def available() -> list[PageInfo]:
    """The pages whose file exists."""
    return [page for page in PAGES if page.file.exists()]


def current() -> tuple[PageInfo, "st.Page"]:
    """The page that the address names, ready to `run()`."""
    pages = available()
    # Without icons: Streamlit would fetch each as the browser tab's icon from the internet.
    chosen = st.navigation(
        [st.Page(p.file, title=p.title, url_path=p.address or None, default=p.name == "home") for p in pages]
    )
    info = next((p for p in pages if p.address == chosen.url_path), pages[0])
    return info, chosen
