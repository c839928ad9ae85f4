"""Pages without a browser: what they say when there is nothing, or not enough, to show."""

from pathlib import Path

import pytest

from app import groups, navigation
from app.queries import catalogue
from pipeline import schema, store
from tests.app import demo
from tests.app.conftest import said


def bare_run(folder: Path, n: int = 1) -> Path:
    """A store of runs whose results are not there."""
    for i in range(n):
        about = {"collection": "bare", "run": f"run_{i}"}
        tables = schema.RUNS.rows([about]), schema.CHECKPOINTS.rows([{**about, "step": 0, "is_final": True}])
        store.write_run(folder, store.RunResults(*tables, schema.ACCURACIES.arrow.empty_table()))
    return folder


def test_an_empty_store_says_how_to_fill_it(open_page, tmp_path):
    assert "python -m pipeline import" in said(open_page("home", [tmp_path]))


@pytest.mark.parametrize("page", ["seeds", "subcases"])
def test_pages_of_an_empty_store_point_home(open_page, tmp_path, page):
    assert "no results yet" in said(open_page(page, [tmp_path]))


def test_home_without_a_description_says_so(open_page, tmp_path):
    """Also where every description is missing, which pandas reads as numbers."""
    assert "no description" in said(open_page("home", [bare_run(tmp_path)]))


@pytest.mark.parametrize("page", ["seeds", "subcases"])
def test_runs_without_results_are_a_sentence(open_page, tmp_path, page):
    assert "bare has no accuracies yet" in said(open_page(page, [bare_run(tmp_path)]))


def test_home_without_the_contrast_says_so(open_page, demo_store):
    words = said(open_page("home", [demo_store]))
    assert "the contrast of the two appears once one does" in words
    assert "Four made\\-up runs" in words and "Synthetic" in words


@pytest.mark.parametrize("page", ["seeds", "subcases"])
def test_a_single_run_draws_without_a_spread(open_page, tmp_path, page):
    folder = bare_run(tmp_path)
    row = {"collection": "bare", "run": "run_0", "step": 0, "dataset": "mine", "n": 10, "correct": 7}
    results = store.read_run(folder, "bare", "run_0")
    accuracies = schema.ACCURACIES.rows([{**row, "scoring": "3-way", "origin": "own"}])
    store.write_run(folder, store.RunResults(results.runs, results.checkpoints, accuracies), replace_existing=True)
    words = said(open_page(page, [folder]))
    assert ("a spread needs two" if page == "seeds" else "*Sampling error*") in words


@pytest.mark.parametrize("page", ["seeds", "subcases"])
def test_an_unknown_name_in_the_address_is_ignored(open_page, demo_store, page):
    app = open_page(page, [demo_store], collection="gone", run="nobody", rule="none")
    assert app.selectbox(key="collection").value == demo.COLLECTION
    assert app.multiselect(key="run").value == []


def test_a_damaged_store_is_one_line_not_a_traceback(open_page, tmp_path):
    folder = bare_run(tmp_path)
    next(folder.glob("**/runs.parquet")).write_bytes(b"PAR1 not really")
    app = open_page("home", [folder])
    assert "cannot be read" in said(app)


def test_text_of_a_collection_is_shown_as_written(open_page, tmp_path):
    folder = bare_run(tmp_path)
    about = {"collection": "bare", "title": "*A* <b>b</b> $x$ :red[c]", "description": "# not a heading :smile:"}
    store.write_collection_table(folder, "collections", schema.COLLECTIONS.rows([{**about, "synthetic": False}]))
    words = said(open_page("home", [folder]))
    assert r"\*A\* \<b\>b\</b\> \$x\$ \:red\[c\]" in words and r"\# not a heading \:smile\:" in words


def test_a_saved_group_is_a_column_about_the_runs(tmp_path, monkeypatch, demo_store):
    monkeypatch.setattr(store, "LOCAL", tmp_path)
    groups.save(demo.COLLECTION, "the first two", list(demo.RUNS[:2]))
    groups.save(demo.COLLECTION, "the last", list(demo.RUNS[3:]))
    groups.save(demo.COLLECTION, "the last", list(demo.RUNS[2:]))
    with store.connect([demo_store, tmp_path]) as connection:
        found = {
            groups.title(g.name, g.value): list(g.runs)
            for g in catalogue.groups(connection, demo.COLLECTION).itertuples()
        }
    assert found["the first two"] == list(demo.RUNS[:2])
    assert found["the last"] == list(demo.RUNS[2:])
    assert found["optimiser: adam"] == list(demo.RUNS[:2])


def test_every_listed_page_has_an_address_of_its_own():
    addresses = [page.address for page in navigation.PAGES]
    assert len(set(addresses)) == len(addresses) and addresses[0] == ""
    assert {page.name for page in navigation.available()} == {p.stem for p in navigation.FOLDER.glob("*.py")}


@pytest.mark.parametrize("page", ["home", "seeds", "subcases"])
def test_pages_hold_neither_sql_nor_computation(page):
    source = (navigation.FOLDER / f"{page}.py").read_text()
    assert len(source.splitlines()) <= 120
    for word in ("SELECT ", "execute(", "import numpy", "import pandas", ".mean(", ".std("):
        assert word not in source, word
