"""Examples in the browser: the list, its filters and downloads, and one example opened and read."""

import io
import re

import pandas as pd
import pytest
from playwright.sync_api import expect

from tests.app import demo


def listed(app) -> list[dict[str, str]]:
    """The whole list in view, from its CSV."""
    names = [b.inner_text() for b in app.main.get_by_role("button", name=re.compile(r"All [\d,]+ \(CSV\)")).all()]
    return app.table(len(names) - 1)


def more_filters(app) -> None:
    """Unfold the page's own filters; a list that opens while they still move would close again."""
    app.main.get_by_text("More filters").click()
    expect(app.main.get_by_text("Runs agree")).to_be_visible()
    app.page.wait_for_timeout(600)


def select_row(app, n: int, which: int = -1) -> None:
    """Tick the nth row of a data frame (the last one on the page)."""
    frames = app.main.locator("[data-testid=stDataFrame]")
    frame = frames.nth(which if which >= 0 else frames.count() - 1)
    frame.scroll_into_view_if_needed()
    box = frame.locator("canvas").first.bounding_box()
    with app.rerun():
        app.page.mouse.click(box["x"] + 18, box["y"] + 35 * (n + 1) + 17)


def test_an_address_opens_an_example(app):
    app.open("examples", collection="instability", dataset="hans", example="ex397")
    expect(app.main).to_contain_text("example ex397 · gold: non-entailment · subject/object swap")
    expect(app.main.locator(".pair .premise")).to_have_text("The baker number 397 was thanked by the pilot .")
    assert app.main.locator(".pair .premise mark").all_inner_texts() == [
        "The",
        "baker",
        "number",
        "397",
        "thanked",
        "the",
        "pilot",
    ]
    expect(app.main).to_contain_text("10 of 10 runs right")
    expect(app.main).to_contain_text("398 of 30,000 in the list")
    answers = app.table()
    assert len(answers) == 10
    assert all(
        float(a["entailment"]) + float(a["neutral"]) + float(a["contradiction"]) == pytest.approx(1) for a in answers
    )


def test_the_neighbours_and_back(app):
    app.open("examples", collection="instability", dataset="hans", example="ex397")
    app.press("Next")
    expect(app.main).to_contain_text("example ex398 ·")
    app.press("Previous").press("Previous")
    expect(app.main).to_contain_text("example ex396 ·")
    assert "example=ex396" in app.query
    app.press("Close")
    expect(app.main.locator(".pair")).to_have_count(0)
    assert "example=" not in app.query


def test_selecting_a_row_opens_it_and_the_url_restores_everything(app):
    app.open("examples", collection="instability", dataset="hans", subcase="ln_passive")
    more_filters(app)
    app.choose("Runs agree", "split").choose("Sort by", "closest to half and half")
    assert app.sentence.endswith("examples")
    first = listed(app)[0]
    select_row(app, 0)
    expect(app.main).to_contain_text(f"example {first['example']} ·")
    url, sentence = app.page.url, app.sentence
    app.page.goto("about:blank")
    app.page.goto(url)
    app.settle()
    assert app.sentence == sentence
    expect(app.main).to_contain_text(f"example {first['example']} ·")
    expect(app.main).to_contain_text("1 of ")


def test_every_filter_narrows_the_list_and_downloads_hold_all_of_it(app):
    app.open("examples", collection=demo.COLLECTION)
    assert app.sentence == "4 runs of demo · demo-pairs · 48 examples"
    assert len(listed(app)) == 48
    app.choose("Heuristic", "subsequence")
    assert app.sentence.endswith("subsequence · 16 examples")
    app.choose("Gold label", "entailment")
    assert app.sentence.endswith("8 examples")
    more_filters(app)
    app.choose("Template", "se_adjective_1")
    rows = listed(app)
    assert app.sentence.endswith("4 examples") and len(rows) == 4
    assert {row["template"] for row in rows} == {"se_adjective_1"}
    app.choose("Template", "all").choose("Runs agree", "all right")
    assert all(row["correct"] == row["runs"] for row in listed(app))
    app.choose("Runs agree", "all").choose("Most runs say", "entailment")
    assert all(int(row["n_entailment"]) >= int(row["n_neutral"]) for row in listed(app))
    app.choose("Runs", "demo_2").choose("Checkpoint (step)", "10")
    assert app.sentence.startswith("1 run of demo · step 10")
    with app.page.expect_download() as waiting:
        app.main.get_by_role("button", name=re.compile(r"\(Parquet\)")).last.click()
    frame = pd.read_parquet(io.BytesIO(waiting.value.path().read_bytes()))
    assert list(frame["example"]) == [row["example"] for row in listed(app)]


def test_the_share_of_runs_right_is_a_range(app):
    app.open("examples", collection="instability", dataset="hans", share=["50", "60"])
    rows = listed(app)
    assert {row["correct"] for row in rows} == {"5", "6"}
    assert app.sentence.endswith(f"{len(rows):,} examples")


def test_words_find_and_exclude(app):
    app.open("examples", collection="instability", dataset="hans", q='"number 39" -397')
    found = [row["example"] for row in listed(app)]
    assert "ex39" in found and "ex390" in found and "ex397" not in found
    assert all(re.fullmatch(r"ex39\d*", example) for example in found)


def test_the_rule_changes_counts(app):
    app.open("examples", collection="instability", dataset="hans", run="seed_01")
    argmax = sum(int(row["correct"]) for row in listed(app))
    app.choose("Scoring rule", "sum")
    summed = sum(int(row["correct"]) for row in listed(app))
    assert (round(argmax / 300, 2), round(summed / 300, 2)) == (60.55, 61.72)


@pytest.mark.parametrize("i", range(len(demo.AWKWARD)))
def test_sentences_are_shown_literally(app, i):
    app.open("examples", collection=demo.COLLECTION, example=f"d{i}")
    premise = app.main.locator(".pair .premise")
    assert premise.evaluate("e => e.textContent") == demo.AWKWARD[i]
    assert premise.evaluate("e => e.querySelectorAll(':not(mark)').length") == 0
    box = premise.bounding_box()
    assert box["x"] + box["width"] <= app.page.viewport_size["width"]


def test_right_to_left_text_is_aligned_so(app):
    app.open("examples", collection=demo.COLLECTION, example="d5")
    assert app.main.locator(".pair .premise").evaluate("e => getComputedStyle(e).direction") == "rtl"


def test_without_sentences_the_construction_is_explained(app):
    app.open("examples", collection="instability", dataset="mnli", example="17")
    expect(app.main).to_contain_text("python -m pipeline fetch mnli")
    expect(app.main).to_contain_text("example 17 · gold:")
    expect(app.main.locator(".pair")).to_have_count(0)


def test_an_example_along_training(app):
    app.open("examples", collection="training-steps", dataset="hans", example="ex397")
    expect(app.main).to_contain_text("The same example at every checkpoint")
    steps = app.data("steps")
    assert len(steps) == 16


def test_published_counts_are_listed_and_say_what_they_cannot(app):
    app.open("examples", collection="berts-of-a-feather", dataset="mnli")
    more_filters(app)
    app.choose("Runs agree", "all wrong")
    assert app.sentence == "100 runs of berts-of-a-feather · MNLI matched dev · 526 examples"
    app.choose("Runs", "bert_03")
    expect(app.main).to_contain_text("choose no runs and no step")
    app.press("Show everything again")
    assert "run=" not in app.query


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"collection": "berts-of-a-feather", "dataset": "hans"}, "python -m pipeline fetch feather"),
        ({"collection": "hans-2019", "dataset": "hans", "rule": "sum"}, "has no logits on HANS"),
        ({"collection": "instability", "dataset": "stress-spell"}, "gold labels of stress-spell are not known"),
        ({"collection": "instability", "dataset": "hans", "q": "unheard"}, "No example fits"),
        ({"collection": "instability", "dataset": "hans", "example": "ex99999"}, "No example ex99999 in HANS"),
    ],
)
def test_what_cannot_be_shown_is_said(app, query, said):
    app.open("examples", **query)
    expect(app.main).to_contain_text(said)
