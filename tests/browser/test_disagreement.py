"""Disagreement in the browser: from a number to the sentences behind it."""

import pytest
from playwright.sync_api import expect

from tests.app import demo
from tests.browser.test_seeds import drag_over


def click_point(app, name: str, n: int, kind: str = "point") -> None:
    """Click the nth bar or marker of the figure that has the key `name` in its page."""
    plot = app.main.locator(f".st-key-figure-{name} .js-plotly-plot")
    plot.scroll_into_view_if_needed()
    app.settle()
    app.page.wait_for_timeout(800)  # figures further up may still grow, and move this one
    box = plot.locator(f".{kind} path, path.{kind}").nth(n).bounding_box()
    # Near its top: on a logarithmic axis a bar reaches far below the figure.
    place = (box["x"] + box["width"] / 2, box["y"] + (box["height"] / 2 if box["height"] < 300 else 12))
    app.page.mouse.move(*place, steps=3)
    expect(plot.locator(".hoverlayer .hovertext")).not_to_have_count(0)
    with app.rerun():
        app.page.mouse.click(*place)


def test_published_numbers_are_on_the_page(app):
    app.open("disagreement", collection="berts-of-a-feather", dataset="mnli")
    counts = {row["right"]: row["examples"] for row in app.data("right-runs")}
    assert (counts["0"], counts["100"]) == ("526", "6526")
    for text in ("0.937", "0.762", "66.5 %", "5.4 %", "28.2 %"):
        expect(app.main).to_contain_text(text)
    expect(app.main).to_contain_text("python -m pipeline fetch feather")


def test_a_bar_opens_its_examples(app):
    app.open("disagreement", collection="instability", dataset="hans")
    with app.rerun():
        app.page.get_by_text("Logarithmic").click()
    app.page.wait_for_timeout(500)
    click_point(app, "right-runs", 5)
    count = next(row["examples"] for row in app.data("right-runs") if row["right"] == "5")
    expect(app.main).to_contain_text(f"{int(count):,} examples, right in 5 of 10 runs")
    assert "log=true" in app.query


def test_from_five_lassoed_seeds_to_a_pair_in_three_clicks(app):
    app.open("seeds", collection="instability", x="MNLI matched dev", y="HANS")
    drag_over(app, "Lasso Select", (0.01, 0.01), (0.99, 0.01), (0.99, 0.7), (0.01, 0.7), (0.01, 0.01))
    chosen = {row["run"] for row in app.table()}
    assert 2 <= len(chosen) <= 8
    app.main.get_by_role("link", name="Disagreement").click()
    expect(app.main.locator("h1")).to_contain_text("Disagreement")
    app.settle()
    assert app.sentence.startswith(f"{len(chosen)} runs of instability")
    app.press("only A right")
    read = app.main.locator("[data-testid=stDataFrame]").first
    expect(read).to_be_visible()
    expect(app.main).to_contain_text("examples, only A right")


def test_two_groups_and_patterns(app):
    app.open("disagreement", collection=demo.COLLECTION, a=["demo_1", "demo_2"], b=["demo_3"])
    cells = {row["cell"]: int(row["examples"]) for row in app.data("two-by-two")}
    assert sum(cells.values()) == 48
    expect(app.main).to_contain_text("McNemar, exact")
    patterns = app.data("patterns")
    assert sum(int(row["examples"]) for row in patterns) == 48
    click_point(app, "patterns", 0)
    expect(app.main).to_contain_text(f"{patterns[0]['examples']} examples, this pattern")


def test_agreement_in_labels_and_kappa(app):
    app.open("disagreement", collection="instability", dataset="mnli")
    correctness = app.data("agreement")
    assert len(correctness) == 45
    app.choose("Agreement in", "labels").choose("Colour", "kappa")
    labels = app.data("agreement")
    mean = sum(float(row["kappa"]) for row in labels) / len(labels)
    assert mean == pytest.approx(0.899, abs=2e-3)
    assert labels != correctness
    assert "agree=labels" in app.query and "value=kappa" in app.query


def test_without_gold_labels_the_agreement_in_labels_is_left(app):
    app.open("disagreement", collection="instability", dataset="stress-spell")
    expect(app.main).to_contain_text("gold labels of stress-spell are not known")
    assert len(app.data("agreement")) == 45
    expect(app.main).to_contain_text("one label")
    expect(app.main).not_to_contain_text("Two runs or groups")


def test_each_quarter_opens_its_own_examples(app):
    app.open("disagreement", collection=demo.COLLECTION, a=["demo_1"], b=["demo_3"])
    for row in app.data("two-by-two"):
        app.press(row["cell"])
        count = int(row["examples"])
        expect(app.main).to_contain_text(f"{count} example{'' if count == 1 else 's'}, {row['cell']}")


def test_a_square_chooses_the_pair(app):
    app.open("disagreement", collection="instability", dataset="hans")
    click_point(app, "agreement", 0)
    expect(app.main).to_contain_text("A (seed_")
    expect(app.main).to_contain_text("B (seed_")


def test_subcases_are_ranked(app):
    app.open("disagreement", collection="instability", dataset="hans")
    rows = app.table()
    assert rows[0]["subcase"] == "ln_passive"
    assert len(rows) == 30


def test_one_run_draws_nothing_about_several(app):
    app.open("disagreement", collection="instability", dataset="hans", run="seed_01")
    expect(app.main).to_contain_text("One run has nobody to disagree with")
    expect(app.main.locator("h3")).to_have_text(["How many runs are right"])


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"collection": "berts-of-a-feather", "dataset": "hans"}, "fetch feather"),
        ({"collection": "hans-2019", "dataset": "hans", "rule": "sum"}, "has no logits on HANS"),
        ({"collection": "instability", "dataset": "hans"}, "Choose 2 to 8 runs"),
    ],
)
def test_what_cannot_be_shown_is_said(app, query, said):
    app.open("disagreement", **query)
    expect(app.main).to_contain_text(said)
