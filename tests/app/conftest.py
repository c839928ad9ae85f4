"""Stores that the app's tests read."""

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest
from streamlit.testing.v1 import AppTest

from app import navigation
from pipeline import store
from tests.app import demo

# Run from a script elsewhere: with a folder named pages beside it, AppTest would run the pages without Home.py.
HOME = f"import runpy; runpy.run_path({str(store.ROOT / 'app' / 'Home.py')!r})"


@pytest.fixture(scope="session")
def demo_store(tmp_path_factory) -> Path:
    return demo.write(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="session")
def published() -> Iterator[duckdb.DuckDBPyConnection]:
    """The shipped results."""
    with store.connect([store.PUBLISHED]) as connection:
        yield connection


@pytest.fixture(scope="session")
def demonstration(demo_store) -> Iterator[duckdb.DuckDBPyConnection]:
    """The small store of `tests/app/demo.py`."""
    with store.connect([demo_store]) as connection:
        yield connection


@pytest.fixture
def open_page(monkeypatch) -> Callable[..., AppTest]:
    """`open_page(name, stores, **query)`: a page over these stores alone, with these parameters in its address."""

    def opened(name: str, stores: list[Path], **query) -> AppTest:
        monkeypatch.setattr("pipeline.store.reading.default_stores", lambda: stores)
        app = AppTest.from_string(HOME, default_timeout=30).run()
        if name != "home":
            app.switch_page(str(navigation.FOLDER / f"{name}.py"))
            for key, value in query.items():
                app.query_params[key] = value
            app.run()
        assert not app.exception, app.exception[0].message
        return app

    return opened


def said(app: AppTest) -> str:
    """Everything in words on the page."""
    elements = [*app.markdown, *app.caption, *app.info, *app.error, *app.text]
    return "\n".join(element.value for element in elements)
