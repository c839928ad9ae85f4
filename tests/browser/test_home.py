"""Home in the browser: what is here, the contrast, and links that open what they promise."""

import re

from playwright.sync_api import expect


def test_home_counts_what_is_here(app):
    app.open()
    assert re.match(r"\d+ collections · \d+ runs · \d+ checkpoints · [\d,]+ predictions", app.sentence)
    for title in ("BERTs of a feather", "Instability", "HANS 2019", "Training steps", "Demo"):
        expect(app.main).to_contain_text(title)
    expect(app.main).to_contain_text("Synthetic: its test pairs are made up.")


def test_home_shows_the_contrast(app):
    app.open()
    expect(app.main).to_contain_text("The 100 runs of berts-of-a-feather score between 83.67 % and 84.77 % on MNLI")
    expect(app.main).to_contain_text("between 5.2 % and 54.5 %")
    expect(app.main.locator(".js-plotly-plot")).to_have_count(1)
    assert len(app.data("contrast")) == 200


def test_a_question_opens_its_page_whatever_was_chosen_before(app):
    app.open("seeds", x="HANS", collection="instability", run="seed_1").go("Home")
    app.main.get_by_role("link", name="How far apart are runs").click()
    expect(app.main.locator("h1")).to_contain_text("Seeds")
    expect(app.main.locator(".in-view")).to_have_text("100 runs of berts-of-a-feather")
    expect(app.main.locator(".js-plotly-plot").first).to_contain_text("MNLI matched dev, three-way")
    app.go("Home")
    app.main.get_by_role("link", name="On which constructions").click()
    expect(app.main.locator(".in-view")).to_contain_text("All 30 subcases")


def test_a_pages_own_address_works_first_thing(app):
    """Streamlit may run the page's file without Home.py then; see app.sidebar.current."""
    app.open("subcases")
    expect(app.page).to_have_title("Subcases · Flock")


def test_figures_save_as_png_or_svg(app):
    app.open()
    with app.rerun():
        app.page.get_by_role("radio", name="SVG").click()
    with app.page.expect_download() as waiting:
        app.main.get_by_role("button", name=re.compile("Download plot|camera", re.I)).first.click()
    assert waiting.value.suggested_filename == "contrast.svg"


def test_figures_have_alt_text(app):
    app.open("seeds")
    expect(app.main.locator("[aria-label*='Scatterplot of 100 runs'], [alt*='Scatterplot of 100 runs']")).to_have_count(
        1
    )
