"""Seeds in the browser: every control, selecting runs, links, downloads, and a view that comes back from its URL."""

import pytest
from playwright.sync_api import expect

SIX_LOW = ["bert_15", "bert_26", "bert_41"]


def drag_over(app, tool: str, *places: tuple[float, float]) -> None:
    """Take a tool of the figure and drag from place to place, in shares of the scatterplot's width and height."""
    app.main.get_by_role("button", name=tool).first.click()
    boxes = [box.bounding_box() for box in app.main.locator(".js-plotly-plot .nsewdrag").all()]
    area = max(boxes, key=lambda box: box["width"] * box["height"])
    mouse = app.page.mouse
    for i, (x, y) in enumerate(places):
        mouse.move(area["x"] + x * area["width"], area["y"] + y * area["height"], steps=4)
        if i == 0:
            mouse.down()
    with app.rerun():
        mouse.up()


def test_the_paper_contrast_opens_first(app):
    app.open("seeds")
    assert app.sentence == "100 runs of berts-of-a-feather"
    (row,) = app.table()
    assert row["n"] == "100"
    assert float(row["pearson"]) == pytest.approx(0.4869, abs=1e-3)
    assert float(row["spearman"]) == pytest.approx(0.423, abs=1e-3)
    assert len(app.data("seeds")) == 100
    expect(app.main).to_contain_text("SD over runs 0.24 points, sampling error of the test set 0.37")
    expect(app.main).to_contain_text("no more than one model would")


def test_the_cluster_view_shows_the_correlation_within_the_larger_cluster(app):
    app.open("seeds").choose("Colour", "cluster")
    rows = {row["group"]: row for row in app.table()}
    assert {name: row["n"] for name, row in rows.items()} == {
        "": "100",
        "larger cluster": "88",
        "smaller cluster": "12",
    }
    assert float(rows[""]["pearson"]) == pytest.approx(0.487, abs=5e-4)
    assert float(rows["larger cluster"]["pearson"]) == pytest.approx(0.217, abs=5e-4)
    expect(app.main).to_contain_text("clusters of their weights")
    expect(app.main).to_contain_text("no test finds two separate clouds")


def test_every_control_changes_the_figure_and_the_url_restores_it(app):
    app.open("seeds")
    app.choose("x", "HANS").choose("y", "HANS: preposition (lexical overlap, non-entailed)").choose(
        "Colour", "MNLI matched dev"
    )
    app.choose("Axes", "0 to 100 %").choose("Whiskers", "none").choose("Together with", "instability", "hans-2019")
    expect(app.main.locator(".in-view")).to_contain_text("10 runs of instability")
    before, url = app.data("seeds"), app.page.url
    assert {row["collection"] for row in before} == {"berts-of-a-feather", "instability", "hans-2019"}
    app.page.goto("about:blank")
    app.page.goto(url)
    app.settle()
    assert app.page.url == url
    assert app.data("seeds") == before
    assert "axes=0+to+100" in app.query and "whiskers=none" in app.query


def test_a_constant_accuracy_is_explained(app):
    app.open("seeds", x="MNLI matched dev", y="HANS: adverb (constituent, entailed)")
    expect(app.main).to_contain_text("all 100 runs score 100.00 %")
    (row,) = app.table()
    assert row["pearson"] == "" and "constant" in row["note"]


def test_a_collection_without_both_accuracies_is_named(app):
    app.open("seeds", **{"with": "hans-2019"})
    expect(app.main).to_contain_text("hans-2019 is not shown")
    assert {row["collection"] for row in app.data("seeds")} == {"berts-of-a-feather"}


def test_two_way_and_three_way_are_named_on_their_axes(app):
    app.open("seeds")
    plot = app.main.locator(".js-plotly-plot").first
    expect(plot).to_contain_text("MNLI matched dev, three-way")
    expect(plot).to_contain_text("HANS: lexical overlap, non-entailed, two-way")


@pytest.mark.parametrize(
    ("tool", "places"),
    [
        ("Box Select", [(0.02, 0.75), (0.6, 0.99)]),
        ("Lasso Select", [(0.02, 0.75), (0.6, 0.75), (0.6, 0.99), (0.02, 0.99), (0.02, 0.75)]),
    ],
)
def test_a_drag_selects_runs_that_other_pages_open_on(app, tool, places):
    app.open("seeds")
    drag_over(app, tool, *places)
    expect(app.main.get_by_role("heading", name="selected run")).to_be_visible()
    chosen = app.table()
    low = {row["run"] for row in chosen}
    assert {"bert_44", "bert_73", "bert_89"} <= low and len(low) < 60
    assert all(float(row["y"]) < 0.25 for row in chosen)
    app.main.get_by_role("link", name="Subcases").click()
    expect(app.main.locator("h1")).to_contain_text("Subcases")
    app.settle()
    assert app.sentence.startswith(f"{len(low)} runs of berts-of-a-feather")
    assert all(f"run={run}" in app.query for run in low)


def test_a_click_selects_one_run(app):
    app.open("seeds", run=["bert_08"])
    box = app.main.locator(".js-plotly-plot .scatterlayer .point").first.bounding_box()
    place = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    app.page.mouse.move(*place, steps=3)
    expect(app.main.locator(".js-plotly-plot .hoverlayer")).to_contain_text("bert_08")
    app.page.mouse.click(*place)
    expect(app.main.get_by_role("heading", name="1 selected run")).to_be_visible()


def test_chosen_runs_survive_a_page_switch_and_become_a_group(app, own_store):
    app.open("seeds").choose("Runs", *SIX_LOW)
    assert app.sentence == "3 runs of berts-of-a-feather"
    app.go("Subcases")
    assert app.sentence.startswith("3 runs of berts-of-a-feather")
    app.go("Home").go("Seeds")
    assert app.sentence == "3 runs of berts-of-a-feather"

    app.page.get_by_role("button", name="Groups of runs").click()
    app.page.get_by_label("Save the 3 chosen as").fill("no swap at all")
    with app.rerun():
        app.page.get_by_role("button", name="Save", exact=True).click()
    assert (own_store / "collections" / "berts-of-a-feather" / "run_columns.parquet").exists()

    app.open("seeds")
    app.page.get_by_role("button", name="Groups of runs").click()
    app.page.get_by_role("button", name="no swap at all · 3").click()
    expect(app.main.locator(".in-view")).to_have_text("3 runs of berts-of-a-feather")
    assert app.query == "&".join(f"run={run}" for run in SIX_LOW)
    app.choose("Colour", "cluster")


def test_sum_needs_logits_and_says_so(app):
    app.open("seeds", rule="sum")
    expect(app.main).to_contain_text("which needs logits")
    app.press("Show everything again")
    assert app.sentence == "100 runs of berts-of-a-feather"
    assert "rule" not in app.query


def test_synthetic_collections_say_so(app):
    app.open("seeds", collection="demo")
    expect(app.main).to_contain_text("demo is synthetic")
    app.choose("Colour", "rate")
    assert len(app.data("seeds")) == 4
