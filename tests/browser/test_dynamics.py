"""Dynamics in the browser."""

from playwright.sync_api import expect

from tests.app import demo
from tests.browser.test_disagreement import click_point


def test_the_shipped_run_along_its_training(app):
    app.open("dynamics", collection="training-steps", dataset="hans")
    mnli, hans = app.data("dynamics-3-way"), app.data("dynamics-2-way")
    assert len(mnli) == 16 and {row["scoring"] for row in mnli} == {"3-way"}
    assert len(hans) == 48 and {row["scoring"] for row in hans} == {"2-way"}
    expect(app.main).to_contain_text("With one run there is no spread between seeds")
    changes = app.data("changes")
    assert len(changes) == 15


def test_a_bar_opens_the_examples_that_moved(app):
    app.open("dynamics", collection="training-steps", dataset="hans")
    changes = app.data("changes")
    click_point(app, "changes", 0)
    expect(app.main).to_contain_text(f"{int(changes[0]['learnt']):,} examples, learnt by bert-base up to step 10,000")


def test_several_runs_have_a_line_each_and_a_spread(app):
    app.open("dynamics", collection=demo.COLLECTION)
    rows = app.data("dynamics-2-way")
    assert {row["run"] for row in rows} == set(demo.RUNS)
    assert {row["step"] for row in rows} == {"10", "20", "30"}
    (first, *_) = app.table()
    assert float(first["seeds"]) > 0 and float(first["neighbours"]) > 0
    app.choose("Accuracies", "demo-pairs: passive (lexical overlap, entailed)")
    assert {row["measure"] for row in app.data("dynamics-2-way")} == {"demo-pairs: passive (lexical overlap, entailed)"}
    app.choose("Runs", "demo_2").choose("Gold label", "entailment")
    assert {row["run"] for row in app.data("dynamics-2-way")} == {"demo_2"}
    expect(app.main).to_contain_text("24 examples")


def test_one_checkpoint_says_why_nothing_moves_and_where_to_look(app):
    app.open("dynamics", collection="instability")
    expect(app.main).to_contain_text("one checkpoint a run, so nothing moves")
    app.press("See training-steps")
    expect(app.main).to_contain_text("1 run of training-steps")


def test_a_set_without_predictions_says_so(app):
    app.open("dynamics", collection="training-steps", dataset="mnli")
    expect(app.main).to_contain_text("needs predictions with gold labels")
