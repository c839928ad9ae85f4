"""Subcases in the browser: the presets, several collections, the table's downloads, explanations."""

import pytest
from playwright.sync_api import expect


def table(app) -> dict[tuple[str, str], dict[str, str]]:
    """The downloaded table by (accuracy, collection)."""
    return {(row["measure"], row["collection"]): row for row in app.table()}


@pytest.mark.parametrize(
    ("preset", "panels", "examples"),
    [
        ("MNLI", 1, "9,815 examples"),
        ("The six cells of HANS", 6, "30,000 examples"),
        ("Lexical overlap, non-entailed", 5, "5,000 examples"),
        ("All 30 subcases", 30, "30,000 examples"),
    ],
)
def test_the_presets_show_the_papers_exhibits(app, preset, panels, examples):
    app.open("subcases", show=preset)
    assert app.sentence == f"100 runs of berts-of-a-feather · {preset} · {examples}"
    expect(app.main.locator(".js-plotly-plot .cartesianlayer > [class^='subplot x']")).to_have_count(panels)
    assert len(table(app)) == panels


def test_the_table_has_the_published_numbers(app):
    row = table(app.open("subcases"))["HANS: subject/object swap (lexical overlap, non-entailed)", "berts-of-a-feather"]
    assert (round(100 * float(row["mean"]), 3), round(100 * float(row["sd"]), 3)) == (19.021, 17.303)
    assert (float(row["min"]), float(row["max"]), row["runs"]) == (0.0, 0.662, "100")


def test_collections_are_overlaid_and_a_url_restores_them(app):
    app.open("subcases").choose("Show", "The six cells of HANS").choose("Together with", "instability", "hans-2019")
    assert "10 runs of instability" in app.sentence and "4 runs of hans-2019" in app.sentence
    before, url = table(app), app.page.url
    assert len(before) == 18
    app.page.goto("about:blank")
    app.page.goto(url)
    assert table(app.settle()) == before
    expect(app.main.locator(".js-plotly-plot .legend").first).to_contain_text("hans-2019")


def test_latex_is_offered_with_booktabs(app):
    latex = app.open("subcases").download("LaTeX")
    assert r"\toprule" in latex and r"\bottomrule" in latex
    assert "passive (lexical overlap, non-entailed) & berts-of-a-feather & 100 & 0.50 & 0.88 &" in latex


def test_the_figures_data_are_every_run(app):
    rows = app.open("subcases", show="MNLI").data("subcases-1")
    assert len(rows) == 100 and sum(int(row["correct"]) for row in rows) == 827_790


def test_each_subcase_is_explained(app):
    app.open("subcases")
    for name in ("subject/object_swap", "preposition", "relative_clause", "passive", "conjunction"):
        expect(app.main.get_by_text(f"ln_{name}", exact=True)).to_be_visible()
    app.choose("Show", "All 30 subcases")
    assert app.main.locator("[data-testid=stExpander]").count() == 6


def test_filters_change_what_is_counted(app):
    app.open("subcases", collection="training-steps", show="The six cells of HANS")
    assert app.sentence.startswith("1 run of training-steps ·")
    final = table(app)
    app.choose("Checkpoint (step)", "1")
    assert "step 1" in app.sentence
    assert table(app) != final
    app.choose("Collection", "instability").choose("Scoring rule", "sum")
    assert app.sentence.startswith("10 runs of instability · sum, then merge")


def test_nothing_in_view_has_a_way_out(app):
    app.open("subcases", collection="hans-2019", rule="sum")
    expect(app.main).to_contain_text("needs logits")
    app.press("Show everything again")
    assert app.sentence.startswith("4 runs of hans-2019")
