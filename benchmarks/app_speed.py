"""How long each page and filter change takes to redraw with 100 runs × 39,815 predictions with logits.

    python benchmarks/app_speed.py

Makes a store of that size (what `fetch feather` brings, with made-up answers and, unlike it, with logits) in a
temporary folder, starts the app on it, changes filters in headless Chromium and prints the seconds from the change
until the page has redrawn. The first visit opens the store and counts the answers; changes are what users wait for.
"""

import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import numpy as np
import pyarrow as pa
from playwright.sync_api import Page, sync_playwright

from pipeline import schema, scoring, store

WATCH = """
window.scriptRuns = 0;
window.lastChange = 0;
const seen = node => {
  const element = node.closest ? node : node.parentElement;
  return element?.closest("[data-testid=stApp]") && !element.closest("canvas");
};
new MutationObserver(changes => {
  if (changes.some(change => seen(change.target))) window.lastChange = performance.now();
}).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
new MutationObserver(changes => {
  for (const {target} of changes) {
    if (target.getAttribute("data-test-script-state") === "notRunning") window.scriptRuns += 1;
  }
}).observe(document, {subtree: true, attributeFilter: ["data-test-script-state"]});
"""
"""Notes in the page how often the app's script has finished, and when the app last changed.

What nobody sees does not count: announcements for screen readers, Plotly's measuring of texts, and the copy for
screen readers that a table keeps inside its canvas and writes some time after it has drawn.
"""

STANDS_STILL = """() => window.scriptRuns > 0 && performance.now() - window.lastChange > 500
  && document.querySelector("[data-test-script-state=notRunning]")
  && document.querySelector("[data-testid=stMain] h1")"""

RUNS, COLLECTION = 100, "stand-in"
LIMIT = 1.0
"""Seconds in which a filter change should redraw."""


def write_store(folder: Path) -> None:
    """100 runs on HANS and MNLI: right with a probability of each example's own, as real runs are."""
    with store.connect([store.PUBLISHED]) as connection:
        sets = {
            name: connection.sql(
                "SELECT * FROM examples WHERE dataset = ? ORDER BY position", params=[name]
            ).to_arrow_table()
            for name in ("hans", "mnli")
        }
    random = np.random.default_rng(0)
    ease = {name: random.beta(0.5, 0.3, table.num_rows) for name, table in sets.items()}
    examples = pa.concat_tables(schema.EXAMPLES.conform(t) for t in sets.values())
    for run in range(RUNS):
        tables = [_predictions(f"run_{run:02d}", table, ease[name], random) for name, table in sets.items()]
        predictions = pa.concat_tables(tables)
        owner = {"collection": COLLECTION, "run": f"run_{run:02d}"}
        results = store.RunResults(
            schema.RUNS.rows([owner]),
            schema.CHECKPOINTS.rows([{**owner, "step": 0, "is_final": True}]),
            scoring.score(predictions, examples, "own"),
            predictions,
        )
        store.write_run(folder, results)


def _predictions(run: str, examples: pa.Table, ease: np.ndarray, random: np.random.Generator) -> pa.Table:
    n = examples.num_rows
    gold = np.array([schema.LABELS.index(g) if g in schema.LABELS else 1 for g in examples["gold"].to_pylist()])
    label = np.where(random.random(n) < ease, gold, (gold + 1 + random.integers(0, 2, n)) % 3)
    logits = random.normal(0, 1, (n, 3)).astype(np.float32)
    logits[np.arange(n), label] = logits.max(1) + 0.5
    columns = {
        "collection": pa.repeat(COLLECTION, n),
        "run": pa.repeat(run, n),
        "step": pa.repeat(0, n),
        "dataset": examples["dataset"],
        "position": examples["position"],
        "predicted": pa.array(np.array(schema.LABELS)[label]),
    }
    columns |= {name: pa.array(logits[:, i]) for i, name in enumerate(schema.LOGITS)}
    return schema.PREDICTIONS.conform(pa.table(columns))


class Timer:
    """A page of the app, and how long its redraws take."""

    def __init__(self, page: Page, address: str):
        self.page, self.address = page, address
        self.times: dict[str, float] = {}

    def open(self, name: str, query: str) -> None:
        self._time(f"{name}: first visit", lambda: self.page.goto(f"{self.address}/{name}?{query}"))

    def choose(self, name: str, label: str, option: str) -> None:
        box = self.page.locator("[data-testid=stSelectbox], [data-testid=stMultiSelect]").filter(
            has=self.page.get_by_text(label, exact=True)
        )
        box.locator("input").click()
        box.locator("input").fill(option)
        choice = self.page.get_by_role("option", name=option, exact=True).first
        choice.wait_for()
        self._time(f"{name}: {label} = {option}", choice.click)
        if box.get_attribute("data-testid") == "stMultiSelect":  # whose list stays open; elsewhere Escape clears
            self.page.keyboard.press("Escape")

    def _time(self, what: str, act) -> None:
        """Seconds from the act to the last change of the page, after which it stands still."""
        self.page.evaluate("window.scriptRuns = 0; window.lastChange = 0")
        start = self.page.evaluate("performance.now()")
        act()
        self.page.wait_for_function(STANDS_STILL, timeout=60_000)
        first = what.endswith("first visit")  # a new document, whose clock starts with it
        self.times[what] = (self.page.evaluate("window.lastChange") - (0 if first else start)) / 1000


def measure(address: str) -> dict[str, float]:
    """Seconds of each first visit and each filter change."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script(WATCH)
        timer = Timer(page, address)
        for name in ("examples", "disagreement"):
            timer.open(name, f"collection={COLLECTION}&dataset=hans")
            timer.choose(name, "Heuristic", "lexical_overlap")
            timer.choose(name, "Gold label", "non-entailment")
            timer.choose(name, "Subcases", "ln_passive")
            timer.choose(name, "Scoring rule", "sum")
            timer.choose(name, "Runs", "run_07")
            timer.choose(name, "Runs", "run_08")
        timer.open("seeds", f"collection={COLLECTION}")
        timer.choose("seeds", "y", "HANS: passive (lexical overlap, non-entailed)")
        timer.choose("seeds", "Runs", "run_07")
        timer.open("subcases", f"collection={COLLECTION}")
        timer.choose("subcases", "Show", "All 30 subcases")
        browser.close()
    return timer.times


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        print("writing 100 runs × 39,815 predictions …", flush=True)
        write_store(Path(folder) / "big")
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        options = [f"--server.port={port}", "--server.headless=true", "--server.address=127.0.0.1"]
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app/Home.py", *options],
            cwd=store.ROOT,
            env={**os.environ, "FLOCK_STORES": f"{folder}/big", "FLOCK_LOCAL": f"{folder}/own"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            for _ in range(300):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.1)
            times = measure(f"http://127.0.0.1:{port}")
        finally:
            process.terminate()
            process.wait()
    for what, seconds in times.items():
        print(f"{seconds:6.2f} s  {what}")
    changes = [seconds for what, seconds in times.items() if "first" not in what]
    print(f"changes: median {statistics.median(changes):.2f} s, slowest {max(changes):.2f} s, limit {LIMIT:.1f} s")
    sys.exit(max(changes) > LIMIT)


if __name__ == "__main__":
    main()
