"""The Ask page: the runs' answers, in numbers and on the page."""

import sys
import time
from pathlib import Path

import pandas as pd
import pytest
import torch
import transformers

from app import asking
from app.figures import ask as figures
from pipeline import store
from pipeline.errors import FlockError
from tests.app import demo, weights
from tests.app.conftest import said

PREMISE, HYPOTHESIS = "The baker thanked the tall pilot.", "the pilot praised the baker"


@pytest.fixture(scope="module")
def voting(tmp_path_factory) -> Path:
    """The demo store with the final weights of its first three runs, and those of one checkpoint before."""
    folder = demo.write(tmp_path_factory.mktemp("voting"))
    weights.write(folder, demo.RUNS[:3])
    weights.write(folder, demo.RUNS[:1], step=20)
    return folder


@pytest.fixture
def only(voting, monkeypatch):
    monkeypatch.setattr("pipeline.store.default_stores", lambda: [voting])
    return voting


def test_kept_weights_by_run_and_step(only):
    assert asking.steps(demo.COLLECTION) == [None, 20]
    assert list(asking.checkpoints(demo.COLLECTION, (), None)) == list(demo.RUNS[:3])
    assert list(asking.checkpoints(demo.COLLECTION, ("demo_2", "demo_4"), None)) == ["demo_2"]
    assert asking.checkpoints(demo.COLLECTION, (), 20) == {"demo_1": only / "weights" / "demo" / "demo_1@00000020"}
    assert asking.steps("another") == []


def test_a_later_store_wins_and_names_survive_the_disk(tmp_path):
    early, late = tmp_path / "a", tmp_path / "b"
    for target, run, step in ((early, "x/1 @2", None), (late, "x/1 @2", None), (early, "x/1 @2", 7)):
        store.weights_folder(target, "c.d", run, step).mkdir(parents=True)
    found = store.kept_weights([early, late], "c.d")
    assert set(found) == {("x/1 @2", None), ("x/1 @2", 7)}
    assert found["x/1 @2", None].is_relative_to(late) and found["x/1 @2", 7].is_relative_to(early)


@torch.inference_mode()
def test_answers_are_those_of_the_models(only):
    folders = asking.checkpoints(demo.COLLECTION, (), None)
    votes = asking.ask(folders, PREMISE, HYPOTHESIS).votes
    assert list(votes.columns) == ["run", "predicted", "entailment", "neutral", "contradiction"]
    for row, folder in zip(votes.to_dict("records"), folders.values(), strict=True):
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        model = transformers.AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32).eval()
        (shares,) = model(**tokenizer(PREMISE, HYPOTHESIS, return_tensors="pt")).logits.softmax(-1).tolist()
        expected = dict(zip(("entailment", "neutral", "contradiction"), shares, strict=True))
        assert {label: row[label] for label in expected} == pytest.approx(expected, abs=1e-5)
        assert row["predicted"] == max(expected, key=expected.get)
    assert votes["entailment"].nunique() == 3


def test_words_outside_the_vocabulary_are_named(only):
    folders = asking.checkpoints(demo.COLLECTION, (), None)
    assert asking.ask(folders, "The BAKER thanked a zebra.", "the zebra slept").unknown == ["a", "zebra", "slept"]
    assert asking.ask(folders, PREMISE, HYPOTHESIS).unknown == []


def test_a_two_way_model_has_two_probabilities(tmp_path, monkeypatch):
    weights.write(tmp_path, ("r",), labels=("non-entailment", "entailment"))
    monkeypatch.setattr("pipeline.store.default_stores", lambda: [tmp_path])
    votes = asking.ask(asking.checkpoints(demo.COLLECTION, (), None), PREMISE, HYPOTHESIS).votes
    assert list(votes.columns) == ["run", "predicted", "entailment", "non-entailment"]
    assert votes[["entailment", "non-entailment"]].sum(axis=1).tolist() == pytest.approx([1.0])


def test_an_edit_takes_less_than_a_second_once_the_weights_are_there(only):
    folders = asking.checkpoints(demo.COLLECTION, (), None)
    asking.ask(folders, PREMISE, HYPOTHESIS)
    started = time.monotonic()
    asking.ask(folders, PREMISE, "the farmer praised the baker")
    assert time.monotonic() - started < 1


def test_tally():
    votes = pd.DataFrame({"predicted": ["neutral", "entailment", "entailment", "contradiction", "entailment"]})
    assert asking.tally(votes) == "3 of 5 runs say entailment, 1 says neutral, 1 says contradiction"
    assert asking.tally(votes[:1]) == "1 of 1 run says neutral"


def test_the_most_accurate_run_is_first_and_one_without_accuracy_last():
    votes = pd.DataFrame({"run": ["a", "b", "c"], "predicted": "neutral", "neutral": [0.5, 0.6, 0.7]})
    accuracies = pd.DataFrame({"run": ["c", "a", "z"], "accuracy": [0.25, 0.75, 1.0]})
    rows = asking.with_accuracy(votes, accuracies)
    assert rows["run"].tolist() == ["a", "c", "b"]
    assert asking.table(rows, "own")["accuracy on own %"].tolist()[:2] == [75.0, 25.0]
    assert "accuracy" not in " ".join(asking.table(asking.with_accuracy(votes, None), ""))
    bars = figures.answers(rows).data
    assert [bar.name for bar in bars] == ["neutral"]
    assert list(bars[0].y) == ["a · 75.0 %", "c · 25.0 %", "b"]
    assert list(bars[0].x) == pytest.approx([50.0, 70.0, 60.0])


def open_ask(open_page, monkeypatch, stores, **query):
    monkeypatch.setattr("pipeline.store.default_stores", lambda: stores)
    return open_page("ask", stores, **query)


def test_the_page_shows_every_vote_and_follows_an_edit(open_page, monkeypatch, voting):
    app = open_ask(open_page, monkeypatch, [voting], premise=PREMISE, hypothesis="the zebra slept")
    assert "of 3 runs say" in said(app) and "“zebra”, “slept”" in said(app)
    assert app.dataframe[0].value["run"].tolist() and len(app.dataframe[0].value) == 3
    assert any("accuracy on demo-pairs" in column for column in app.dataframe[0].value)
    before = app.dataframe[0].value.set_index("run")["entailment %"]
    app.text_input(key="hypothesis").input(HYPOTHESIS).run()
    assert not app.exception and "zebra" not in said(app)
    after = app.dataframe[0].value.set_index("run")["entailment %"]
    assert (before != after[before.index]).all()
    app.selectbox(key="at").select("step 20").run()
    assert app.dataframe[0].value["run"].tolist() == ["demo_1"]


def test_without_weights_the_page_names_the_command(open_page, monkeypatch, demo_store):
    assert "python -m pipeline train" in said(open_ask(open_page, monkeypatch, [demo_store]))


def test_runs_without_weights_leave_a_way_out(open_page, monkeypatch, voting):
    app = open_ask(open_page, monkeypatch, [voting], run="demo_4")
    assert "no weights are kept" in said(app).replace("\\", "")
    app.button(key="clear empty").click().run()
    assert "of 3 runs say" in said(app)


def test_without_torch_the_page_names_the_command(open_page, monkeypatch, voting):
    asking._checkpoint.clear()
    for name in [n for n in sys.modules if n == "pipeline.evaluation"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("pipeline.evaluation", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "pip install -r requirements.txt" in said(open_ask(open_page, monkeypatch, [voting]))


def test_damaged_weights_are_named(open_page, monkeypatch, tmp_path):
    folder = demo.write(tmp_path)
    weights.write(folder, demo.RUNS[:1])
    path = store.weights_folder(folder, demo.COLLECTION, demo.RUNS[0])
    (path / "config.json").write_text("{")
    app = open_ask(open_page, monkeypatch, [folder])
    assert "cannot be read" in said(app) and str(path) in said(app)
    with pytest.raises(FlockError):
        asking.ask({demo.RUNS[0]: path}, PREMISE, HYPOTHESIS)
