"""Transfer in the browser: maps, a click on a cell, its residuals, and what is said where there is nothing to show."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_disagreement import click_point

LEXICAL, SUBSEQUENCE = "HANS: lexical overlap, non-entailed", "HANS: subsequence, non-entailed"


def pairs(app):
    return {(row["x"], row["y"]): row for row in app.table()}


def test_raw_and_partial_maps_and_the_residuals_behind_a_cell(app):
    app.open("transfer")
    assert app.sentence == "100 runs of berts-of-a-feather · The six cells of HANS"
    row = pairs(app)[LEXICAL, SUBSEQUENCE]
    assert float(row["raw_r"]) == pytest.approx(0.7814, abs=5e-5)
    assert float(row["partial_r"]) == pytest.approx(0.7810, abs=5e-5)
    boxes = [plot.bounding_box() for plot in app.main.locator(".js-plotly-plot").all()[:2]]
    assert boxes[0]["y"] == boxes[1]["y"] and boxes[0]["x"] < boxes[1]["x"]
    assert len(app.data("raw")) == len(app.data("partial")) == 21
    # A click on a cell opens its residuals.
    before = app.data("residuals")
    click_point(app, "partial", 13)
    expect(app.main).to_contain_text("Given MNLI matched dev (linear):")
    after = app.data("residuals")
    assert len(after) == 100 and after != before
    assert "x=" in app.query or "y=" in app.query
    row = after[0]
    assert float(row["residual_x"]) != float(row["x"])
    url = app.page.url
    app.page.goto("about:blank")
    app.page.goto(url)
    app.settle()
    assert app.data("residuals") == after


def test_regression_and_in_domain_set_are_chosen(app):
    app.open("transfer").choose("Regression", "rank")
    row = pairs(app)[LEXICAL, SUBSEQUENCE]
    assert float(row["partial_r"]) == pytest.approx(0.779, abs=5e-4)
    expect(app.main).to_contain_text("Raw Spearman’s ρ")
    app.choose("In-domain accuracy", "HANS")
    expect(app.main).to_contain_text("Given HANS (rank)")
    assert "method=rank" in app.query and "given=HANS" in app.query


def test_checkpoints_are_the_unit_of_a_single_run(app):
    app.open("transfer", collection="training-steps")
    assert app.sentence.startswith("1 run of training-steps · 16 checkpoints")
    expect(app.main).to_contain_text("neighbours along a run resemble each other")
    assert {row["raw_n"] for row in app.table()} == {"16"}
    app.choose("Unit", "runs")
    expect(app.main).to_contain_text("1 run in view: a correlation needs three")


def test_constants_are_marked(app):
    app.open("transfer", show="All 30 subcases")
    expect(app.main).to_contain_text("are constant over the 100 runs: no correlation is defined (crosses)")
    crosses = app.main.locator(".js-plotly-plot").first.locator(".scatterlayer .trace").first.locator(".point")
    assert crosses.count() == 2 * (30 + 29)


def test_ten_runs_are_few(app):
    app.open("transfer", collection="instability", show="Whole test sets")
    expect(app.main).to_contain_text("With 10 observations only correlations beyond ±0.63")


def test_two_training_sets_on_the_same_test_sets(app):
    app.open("transfer", collection="minilm")
    expect(app.main).to_contain_text("differ in training data. Each cell: mean accuracy, the runs’ range")
    for cell in ("67.9 %67.8–68.3, n 6", "79.4 %79.3–79.6, n 6drop −11.5", "59.6 %59.3–60.0, n 3drop +22.0"):
        expect(app.main).to_contain_text(cell)
    expect(app.main).to_contain_text("Two-way test sets have no drop")


def test_one_run_has_no_correlation_but_a_way_out(app):
    app.open("transfer", run="bert_08")
    expect(app.main).to_contain_text("1 run in view: a correlation needs three")
    app.press("Show everything again")
    assert app.sentence.startswith("100 runs of berts-of-a-feather")
