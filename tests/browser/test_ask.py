"""Ask in the browser: type, read the votes, share the address."""

import re

import pytest
from playwright.sync_api import expect

from pipeline import store
from tests.app import demo, weights


@pytest.fixture(scope="module", autouse=True)
def voting(own_store):
    """The final weights of three runs, in the store of the server's user; afterwards they are gone again."""
    weights.write(own_store, demo.RUNS[:3])
    yield
    for run in demo.RUNS[:3]:
        folder = store.weights_folder(own_store, demo.COLLECTION, run)
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


def entailment(app) -> dict[str, str]:
    return {row["run"]: row["entailment"] for row in app.data("answers")}


def test_an_edit_asks_every_run_again_and_the_address_keeps_it(app):
    app.open("ask", collection=demo.COLLECTION)
    first = entailment(app)
    assert set(first) == set(demo.RUNS[:3])
    expect(app.main).to_contain_text(re.compile(r"\d of 3 runs says? "))
    box = app.main.get_by_label("Hypothesis", exact=True)
    box.fill("the farmer praised a zebra")
    with app.rerun():
        box.press("Enter")
    second = entailment(app)
    assert all(first[run] != second[run] for run in first)
    expect(app.main).to_contain_text("“a”, “zebra”")
    assert "hypothesis=the" in app.query
    app.page.reload()
    app.settle()
    assert entailment(app) == second


def test_the_accuracy_beside_the_votes_is_the_one_picked(app):
    app.open("ask", collection=demo.COLLECTION)
    app.choose("Beside their accuracy on", "demo-pairs: passive (lexical overlap, entailed)")
    rows = app.data("answers")
    accuracies = [float(row["accuracy"]) for row in rows]
    assert accuracies == sorted(accuracies, reverse=True)
    assert {round(a * demo.PER_SUBCASE, 6) % 1 for a in accuracies} == {0.0}
    expect(app.main).to_contain_text("3 of 3 runs")
    app.choose("Runs", "demo_2")
    assert [row["run"] for row in app.data("answers")] == ["demo_2"]


def test_a_collection_without_weights_names_the_command(app):
    app.open("ask", collection="berts-of-a-feather")
    expect(app.main).to_contain_text("python -m pipeline train miniature")
