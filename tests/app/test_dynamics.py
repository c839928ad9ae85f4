"""Movement along training: the shipped BERT's steps, and definitions on small numbers."""

import numpy as np
import pandas as pd
import pytest

from app import dynamics
from app.filters import Filter
from app.measures import Measure
from app.queries import accuracies, examples, votes
from app.queries import dynamics as queries
from pipeline import schema, scoring, store
from pipeline.store import PUBLISHED
from tests.app import demo

STEPS = Filter(collection="training-steps", dataset="hans")


@pytest.fixture(scope="module")
def published():
    with store.connect([PUBLISHED]) as connection:
        yield connection


def test_every_step_of_the_shipped_run(published):
    measures = accuracies.measures(published, ["training-steps"])
    rows = accuracies.by_run(published, STEPS, measures, every_step=True)
    mnli = rows[rows["measure"] == "MNLI matched dev"]
    assert len(mnli) == 16
    assert mnli["accuracy"].iloc[0] == pytest.approx(0.3193071828833418)
    assert mnli["accuracy"].iloc[-1] == pytest.approx(0.8406520631686195)
    final = accuracies.by_run(published, STEPS, measures)
    assert set(final["step"]) == {147264}
    late = mnli[mnli["step"] >= 50000]["accuracy"]
    cell = next(m for m in measures if m.is_cell and (m.heuristic, m.gold) == ("lexical_overlap", "non-entailment"))
    moving = rows[(rows["measure"] == cell.label) & (rows["step"] >= 50000)]["accuracy"]
    assert late.max() - late.min() < 0.03 < 0.2 < moving.max() - moving.min()


def test_changes_add_up_to_the_change_in_accuracy(published):
    """Right before + learnt + learnt again − forgotten = right after, at each of the 15 changes."""
    moved = queries.changes(published, STEPS)
    assert len(moved) == 15
    right = {
        step: int(votes.votes(published, STEPS.changed(step=step))["correct"].sum())
        for step in accuracies.by_run(published, STEPS, [Measure("hans", "2-way")], every_step=True)["step"]
    }
    before = right[1]
    for row in moved.to_dict("records"):
        before += row["learnt"] + row["learnt again"] - row["forgotten"]
        assert before == right[row["step"]], row["step"]


@pytest.fixture
def moving(tmp_path):
    """One run, four examples, four steps: known histories of right and wrong."""
    histories = {0: "1111", 1: "0101", 2: "0011", 3: "1000"}
    rows = [{"dataset": "own", "example": f"e{i}", "position": i, "gold": "neutral"} for i in histories]
    pairs = schema.EXAMPLES.rows(rows)
    owner = {"collection": "c", "run": "r"}
    labels = {"1": "neutral", "0": "entailment"}
    predictions = schema.PREDICTIONS.rows(
        [
            {**owner, "step": 10 * s, "dataset": "own", "position": i, "predicted": labels[right]}
            for i, history in histories.items()
            for s, right in enumerate(history)
        ]
    )
    checkpoints = [{**owner, "step": 10 * s, "is_final": s == 3} for s in range(4)]
    store.write_examples(tmp_path, pairs)
    store.write_run(
        tmp_path,
        store.RunResults(
            schema.RUNS.rows([owner]),
            schema.CHECKPOINTS.rows(checkpoints),
            scoring.score(predictions, pairs, "own"),
            predictions,
        ),
    )
    with store.connect([tmp_path]) as connection:
        yield connection


def test_learnt_forgotten_learnt_again(moving):
    view = Filter(collection="c", dataset="own")
    moved = queries.changes(moving, view).set_index("step")
    assert moved[["learnt", "forgotten", "learnt again"]].to_dict("index") == {
        10: {"learnt": 1, "forgotten": 1, "learnt again": 0},
        20: {"learnt": 1, "forgotten": 1, "learnt again": 0},
        30: {"learnt": 0, "forgotten": 0, "learnt again": 1},
    }
    assert queries.changed_positions(moving, view, "r", 10, "learnt") == [1]
    assert queries.changed_positions(moving, view, "r", 10, "forgotten") == [3]
    assert queries.changed_positions(moving, view, "r", 30, "learnt again") == [1]
    assert queries.restless(moving, view).to_dict("list") == {"position": [1, 3], "forgotten": [1, 1], "runs": [1, 1]}


def test_changes_follow_slice_and_rule(tmp_path):
    with store.connect([demo.write(tmp_path)]) as connection:
        view = Filter(collection=demo.COLLECTION, dataset=demo.DATASET, gold="entailment")
        for rule in ("argmax", "sum"):
            chosen = view.changed(rule=rule)
            moved = queries.changes(connection, chosen)
            assert len(moved) == len(demo.RUNS) * 2
            assert moved["examples"].eq(24).all()
            run = chosen.changed(runs=("demo_2",))
            first, last = (
                examples.page(connection, votes.votes(connection, run.changed(step=s)), run, examples.Selection(), None)
                for s in (10, 30)
            )
            own = moved[moved["run"] == "demo_2"]
            change = (own["learnt"] + own["learnt again"] - own["forgotten"]).sum()
            assert last["correct"].sum() - first["correct"].sum() == change


def test_spread_between_neighbours_and_between_seeds():
    rows = pd.DataFrame(
        [
            {"run": run, "step": step, "measure": "m", "accuracy": accuracy}
            for run, values in {"a": [0.1, 0.5, 0.5, 0.6], "b": [0.2, 0.4, 0.6, 0.8]}.items()
            for step, accuracy in enumerate(values)
        ]
    )
    (found,) = dynamics.spreads(rows).to_dict("records")
    differences = [0.0, 0.1, 0.2, 0.2]  # of the second half
    assert found["neighbours"] == pytest.approx(np.sqrt(np.mean(np.square(differences)) / 2))
    assert found["seeds"] == pytest.approx(np.std([0.6, 0.8], ddof=1))
    assert (found["runs"], found["checkpoints"]) == (2, 4)
    one = dynamics.spreads(rows[rows["run"] == "a"]).to_dict("records")[0]
    assert np.isnan(one["seeds"])
    assert list(dynamics.spread_table(dynamics.spreads(rows)).iloc[0, 3:]) == pytest.approx(
        [100 * found["neighbours"], 100 * found["seeds"]]
    )


def test_scorings_never_share_an_axis(published):
    measures = accuracies.measures(published, ["training-steps"])
    panels = dynamics.by_scoring(measures)
    assert list(panels) == ["3-way", "2-way"]
    assert {m.dataset for m in panels["3-way"]} == {"mnli"}
    assert dynamics.default_measures(measures)[0] == "MNLI matched dev"
    assert len(dynamics.default_measures(measures)) == 4


def test_independent_checkpoints_give_equal_spreads():
    """If each checkpoint is an independent draw, both columns estimate the same SD."""
    random = np.random.default_rng(0)
    rows = pd.DataFrame(
        [
            {"run": r, "step": s, "measure": "m", "accuracy": a}
            for r in range(300)
            for s, a in enumerate(random.normal(0.5, 0.02, 20))
        ]
    )
    (found,) = dynamics.spreads(rows).to_dict("records")
    assert found["neighbours"] == pytest.approx(0.02, rel=0.1)
    assert found["seeds"] == pytest.approx(0.02, rel=0.1)
