"""The app in headless Chromium: one server for the session over the shipped store and `tests/app/demo.py`.

A test takes the fixture `app` and says `app.open("seeds", run=["bert_08"])`. It fails on any Python exception that a
page shows, and on any error in the browser's console.
"""

import csv
import io
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import BrowserContext, Download, Locator, Page, expect, sync_playwright

from pipeline import store
from tests.app import demo

ARGUMENTS = [
    f"--{name}"
    for name in (
        "headless",
        "no-sandbox",
        "disable-gpu",
        "disable-quic",
        "no-first-run",
        "disable-background-networking",
        "disable-component-update",
        "disable-sync",
    )
]
COUNT_RUNS = """
window.scriptRuns = 0;
new MutationObserver(changes => {
  for (const {target} of changes) {
    if (target.getAttribute("data-test-script-state") === "notRunning") window.scriptRuns += 1;
  }
}).observe(document, {subtree: true, attributeFilter: ["data-test-script-state"]});
"""
"""Counts in the page how often the app's script has finished, to tell a run that follows an action from one before."""

DEADLINE = 20_000
"""Milliseconds that a test waits for anything; far above what is normal, as the machine may be busy."""

expect.set_options(timeout=DEADLINE)


def pytest_collection_modifyitems(items) -> None:
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def own_store(tmp_path_factory) -> Path:
    """Where the server keeps what its user saves."""
    return tmp_path_factory.mktemp("own")


@pytest.fixture(scope="session")
def address(tmp_path_factory, own_store) -> Iterator[str]:
    """The address of a running server; it is ended with the session."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    stores = [str(demo.write(tmp_path_factory.mktemp("demo")))]
    stores.append(str(demo.write_sentences(tmp_path_factory.mktemp("sentences"))))
    server = [sys.executable, "-m", "streamlit", "run", "app/Home.py"]
    options = {"port": port, "headless": "true", "address": "127.0.0.1"}
    log = tmp_path_factory.mktemp("server") / "log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [*server, *(f"--server.{name}={value}" for name, value in options.items())],
            cwd=store.ROOT,
            env={**os.environ, "FLOCK_STORES": os.pathsep.join(stores), "FLOCK_LOCAL": str(own_store)},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{url}/_stcore/health", process, log)
        yield url
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait_for(url: str, process: subprocess.Popen, log: Path) -> None:
    for _ in range(300):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the app did not start:\n{log.read_text()}")


@pytest.fixture(scope="session")
def window() -> Iterator[BrowserContext]:
    """One browser window for all tests, so that the app's code is loaded once; each test has a tab of its own."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or "/usr/bin/chromium", args=ARGUMENTS
        )
        context = chromium.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
        context.add_init_script(COUNT_RUNS)
        yield context
        chromium.close()


class App:
    """A page of the app in the browser, and what tests do with it."""

    def __init__(self, page: Page, address: str):
        self.page = page
        self.address = address
        self.errors: list[str] = []
        page.set_default_timeout(DEADLINE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._note)

    def _note(self, message) -> None:
        # Opened at a page's own address, Streamlit looks for its endpoints below it first: two 404s, not ours.
        if message.type == "error" and "/_stcore/" not in (message.location or {}).get("url", ""):
            self.errors.append(message.text)

    def open(self, name: str = "", **query) -> "App":
        """Open a page by its name, with filters by their names in the URL."""
        self.page.goto(f"{self.address}/{name}?{urlencode(query, doseq=True)}".rstrip("?"))
        return self.settle()

    def settle(self) -> "App":
        """Wait until the script has run and drawn; fails if it raised."""
        self.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        self.page.locator("[data-testid=stMain] h1, [data-testid=stMain] [data-testid=stAlert]").first.wait_for()
        self.page.wait_for_timeout(100)  # a second run may follow at once, as after st.rerun
        self.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        exceptions = self.page.locator("[data-testid=stException]")
        assert exceptions.count() == 0, exceptions.first.inner_text()
        return self

    def go(self, title: str) -> "App":
        """Go to a page by its title in the sidebar."""
        self.page.locator("[data-testid=stSidebarNavLink]").get_by_text(title, exact=True).click()
        expect(self.page.locator("[data-testid=stMain] h1")).to_contain_text("Flock" if title == "Home" else title)
        return self.settle()

    @contextmanager
    def rerun(self) -> Iterator[None]:
        """What is done inside makes the script run again; afterwards it has."""
        before = self.page.evaluate("window.scriptRuns")
        yield
        self.page.wait_for_function("before => window.scriptRuns > before", arg=before)
        self.settle()

    def choose(self, label: str, *options: str) -> "App":
        """Choose in a select box or add to a multi-select by its label."""
        box = self.page.locator("[data-testid=stSelectbox], [data-testid=stMultiSelect]").filter(
            has=self.page.get_by_text(label, exact=True)
        )
        for option in options:
            box.locator("input").click()
            box.locator("input").fill(option)
            with self.rerun():
                self.page.get_by_role("option", name=option, exact=True).first.click()
            if box.get_attribute("data-testid") == "stMultiSelect":  # whose list stays open
                self.page.keyboard.press("Escape")
        return self

    def press(self, name: str) -> "App":
        """Press a button that changes what is shown."""
        with self.rerun():
            self.page.get_by_role("button", name=name).first.click()
        return self

    def table(self, nth: int = 0) -> list[dict[str, str]]:
        """The rows of the nth table of the page, from its CSV."""
        return list(csv.DictReader(io.StringIO(self.download(re.compile(r"All [\d,]+ \(CSV\)"), nth))))

    def data(self, figure: str) -> list[dict[str, str]]:
        """The rows behind a figure, by the key it has in its page, from its CSV."""
        return list(csv.DictReader(io.StringIO(self._saved(self.page.locator(f".st-key-figure-{figure}-csv button")))))

    def download(self, name: str | re.Pattern, nth: int = 0) -> str:
        """Press a download button and return the text of the file."""
        return self._saved(self.page.get_by_role("button", name=name).nth(nth))

    def _saved(self, button: Locator) -> str:
        with self.page.expect_download() as waiting:
            button.click()
        file: Download = waiting.value
        return Path(file.path()).read_text()

    @property
    def main(self) -> Locator:
        return self.page.locator("[data-testid=stMain]")

    @property
    def sentence(self) -> str:
        """What the page says is in view."""
        return self.main.locator(".in-view").first.inner_text()

    @property
    def query(self) -> str:
        """The URL after the question mark."""
        return self.page.url.partition("?")[2]


@pytest.fixture
def app(window, address) -> Iterator[App]:
    """A fresh tab, a new session of the app; afterwards there may be no console error."""
    app = App(window.new_page(), address)
    yield app
    app.page.close()
    assert not app.errors, app.errors
