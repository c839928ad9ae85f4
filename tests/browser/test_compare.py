"""Compare in the browser: choosing two groups, the switches, the URL, and what is said where data are missing."""

import pytest
from playwright.sync_api import expect

from tests.app import demo

SWAP = "HANS: subject/object swap (lexical overlap, non-entailed)"


def by_measure(rows):
    return {row["measure"]: row for row in rows}


def test_two_collections(app):
    app.open("compare")
    assert app.sentence.startswith("A: 100 runs of berts-of-a-feather · B: 10 runs of instability")
    for sentence in ("a difference here does not say why", "fetch feather", "held the truth 95.2 % of the time"):
        expect(app.main).to_contain_text(sentence)
    rows = by_measure(app.table())
    assert len(rows) == 6 and {row["drawn"] for row in rows.values()} == {"runs"}
    lexical = rows["HANS: lexical overlap, non-entailed"]
    assert float(lexical["mean_a"]) == pytest.approx(0.27657, abs=5e-6) and lexical["clear"] == "True"
    points = app.main.locator(".js-plotly-plot").first.locator(".scatterlayer .trace").first.locator(".point")
    assert points.count() == 600
    # Two-way and three-way test sets have their own axes.
    app.choose("Slices", "all test sets")
    assert [row["measure"] for row in app.data("differences-3-way")] == ["MNLI matched dev"]
    assert [row["measure"] for row in app.data("differences-2-way")] == ["HANS"]
    expect(app.main).to_contain_text("Left out, as only one of the groups has a score there")


def test_the_rest_of_the_collection_is_the_other_group(app):
    app.open("compare", collection="instability", b="instability", heuristic="lexical_overlap", slices="subcases")
    expect(app.main).to_contain_text("Both groups are the same runs")
    app.choose("Runs", "seed_01", "seed_02")
    assert app.sentence.startswith("A: 2 runs of instability · B: 8 runs of instability")
    expect(app.main).to_contain_text("8 of 10 slices have fewer than 5 templates")
    rows = by_measure(app.table())
    assert rows[SWAP]["drawn"] == "runs and examples" and rows[SWAP]["templates"] == "1"
    assert sum(row["drawn"] == "runs and templates" for row in rows.values()) == 2
    app.choose("Draw examples", "held fixed")
    assert {row["drawn"] for row in app.table()} == {"runs"}
    url, before = app.page.url, app.table()
    app.page.goto("about:blank")
    app.page.goto(url)
    app.settle()
    assert app.table() == before and app.page.url == url


def test_a_named_group_against_another(app):
    app.open("compare", b="berts-of-a-feather", bgroup="cluster: smaller cluster", dataset="mnli")
    app.page.get_by_role("button", name="Groups of runs").click()
    app.press("cluster: larger cluster · 88")
    expect(app.main.locator(".in-view").first).to_contain_text("A: 88 runs of berts-of-a-feather · B: 12 runs")
    (row,) = app.table()
    assert (round(float(row["mean_a"]), 4), round(float(row["mean_b"]), 4)) == (0.8440, 0.8393)
    assert row["clear"] == "False"  # runs alone were drawn, and the test set's size explains half a point


def test_two_checkpoints_are_paired(app):
    app.open("compare", collection=demo.COLLECTION, dataset=demo.DATASET, b=demo.COLLECTION)
    app.choose("B: checkpoint", "10")
    expect(app.main).to_contain_text("drawn in pairs")
    assert {row["paired"] for row in app.table()} == {"True"}
    assert "bstep=10" in app.query


def test_variance_and_seeds(app):
    app.open("compare", dataset="mnli")
    variance = {row["group"]: row for row in app.table(1)}
    found = [round(100 * float(variance["A"][c]), 4) for c in ("sd", "independent", "covariance")]
    assert found == [0.2420, 0.1788, 0.1630]
    best = {(row["group"], row["n"]): float(row["best"]) for row in app.data("best-of-n")}
    assert round(best["A", "10"], 5) == 0.84648 and ("B", "11") not in best
    before = {row["group"]: int(row["needed"]) for row in app.table(2)}
    app.main.get_by_label("Difference to find (points)").fill("0.1")
    with app.rerun():
        app.page.keyboard.press("Enter")
    after = {row["group"]: int(row["needed"]) for row in app.table(2)}
    assert after["A"] > before["A"] and "difference=0.1" in app.query


def test_one_run_against_the_rest(app):
    app.open("compare", run="bert_08", b="berts-of-a-feather")
    assert app.sentence.startswith("A: 1 run of berts-of-a-feather · B: 99 runs of berts-of-a-feather")
    for sentence in ("One group is a single run", "chosen for their results", "Group A is one run: it has no spread"):
        expect(app.main).to_contain_text(sentence)


def test_missing_logits_leave_a_way_out(app):
    app.open("compare", rule="sum")
    expect(app.main).to_contain_text("Group A has nothing to compare")
    app.press("Show everything again")
    assert app.sentence.startswith("A: 100 runs")
