"""What splits the runs: published values, and definitions written out on small numbers."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from app import disagreement, stats
from app.filters import Filter
from app.queries import disagreement as queries
from app.queries import examples, votes
from pipeline import schema, scoring, store
from pipeline.store import PUBLISHED
from tests.app import demo

HANS = Filter(collection="instability", dataset="hans")


@pytest.fixture(scope="module")
def published():
    with store.connect([PUBLISHED]) as connection:
        yield connection


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    with store.connect([demo.write(tmp_path_factory.mktemp("demo"))]) as connection:
        yield connection


def in_view(connection, view):
    return examples.page(connection, votes.votes(connection, view), view, examples.Selection(), None)


# --- published values ----------------------------------------------------------------------------------------------


def test_published_counts_on_mnli(published):
    rows = in_view(published, Filter(collection="berts-of-a-feather", dataset="mnli"))
    counts = disagreement.histogram(rows).set_index("right")["examples"]
    assert (counts[0], counts[100]) == (526, 6526)
    bins = [356, 200, 154, 109, 123, 148, 173, 206, 295]
    assert [int(counts.loc[low : low + 9].sum()) for low in range(1, 91, 10)] == bins
    assert int(counts.loc[91:99].sum()) == 999
    found = disagreement.agreement(rows)
    assert (round(found.pairwise, 4), round(found.fleiss_kappa, 3)) == (0.9372, 0.762)
    shares = [round(100 * share, 2) for share in (found.all_right, found.all_wrong, found.split)]
    assert shares == [66.49, 5.36, 28.15]


def test_published_seeds_on_hans(published):
    found = disagreement.agreement(in_view(published, HANS))
    assert (round(found.pairwise, 3), round(found.fleiss_kappa, 3)) == (0.937, 0.866)
    shares = [round(100 * share, 1) for share in (found.all_right, found.all_wrong, found.split)]
    assert shares == [53.7, 29.2, 17.1]


@pytest.mark.parametrize(
    ("heuristic", "agreement", "kappa"),
    [("lexical_overlap", 0.785, 0.531), ("subsequence", 0.945, 0.372), ("constituent", 0.931, 0.547)],
)
def test_published_seeds_by_heuristic(published, heuristic, agreement, kappa):
    found = disagreement.agreement(in_view(published, HANS.changed(heuristic=heuristic, gold="non-entailment")))
    assert (round(found.pairwise, 3), round(found.fleiss_kappa, 3)) == (agreement, kappa)


@pytest.mark.parametrize(("dataset", "correctness", "labels"), [("hans", 0.866, 0.729), ("mnli", 0.766, 0.899)])
def test_kappa_of_labels_and_of_correctness(published, dataset, correctness, labels):
    found = queries.answers(published, HANS.changed(dataset=dataset))
    assert round(stats.agreement(found.correct).fleiss_kappa, 3) == correctness
    assert round(stats.label_agreement(found.labels).fleiss_kappa, 3) == labels


# --- the matrix of answers -----------------------------------------------------------------------------------------

DEMO = Filter(collection=demo.COLLECTION, dataset=demo.DATASET)


@pytest.mark.parametrize("rule", ["argmax", "sum"])
@pytest.mark.parametrize("step", [None, 10])
def test_answers_equal_votes(small, rule, step):
    view = DEMO.changed(rule=rule, step=step)
    found = queries.answers(small, view)
    assert found.runs == list(demo.RUNS)
    assert list(found.positions) == list(range(48))
    counted = votes.votes(small, view)
    assert list(found.correct.sum(0)) == list(counted["correct"])
    assert list((found.labels == 0).sum(0)) == list(counted["n_entailment"])


def test_answers_follow_the_slice_and_the_runs(small):
    view = DEMO.changed(gold="entailment", runs=("demo_3", "demo_1"))
    positions = in_view(small, view)["position"]
    whole = queries.answers(small, view)
    found = whole.at(positions)
    assert found.runs == ["demo_1", "demo_3"]
    assert list(found.positions) == sorted(positions)
    assert found.correct.shape == (2, 24)
    assert (found.correct == whole.correct[:, found.positions]).all()
    assert found.of(["demo_3"]).correct.shape == (1, 24)


def test_no_predictions_no_answers(published):
    assert queries.answers(published, Filter(collection="berts-of-a-feather", dataset="mnli")) is None
    assert queries.answers(published, HANS.changed(collection="hans-2019", rule="sum")) is not None


def test_without_gold_only_labels(published):
    found = queries.answers(published, HANS.changed(dataset="stress-antonymy"))
    assert found.correct is None
    assert found.labels.shape[0] == 10


def test_examples_without_gold_are_left_out_where_others_have_one(tmp_path):
    examples = schema.EXAMPLES.rows(
        [{"dataset": "some", "position": i, "example": str(i), "gold": gold} for i, gold in enumerate(GOLD)]
    )
    store.write_examples(tmp_path, examples)
    for run, says in (("a", "entailment"), ("b", "neutral")):
        about = {"collection": "own", "run": run}
        at = {**about, "step": 0, "dataset": "some", "predicted": says}
        tables = schema.RUNS.rows([about]), schema.CHECKPOINTS.rows([{**about, "step": 0, "is_final": True}])
        predictions = schema.PREDICTIONS.rows([{**at, "position": i} for i in range(len(GOLD))])
        accuracies = scoring.score(predictions, examples, "own")
        store.write_run(tmp_path, store.RunResults(*tables, accuracies, predictions))
    view = Filter(collection="own", dataset="some")
    with store.connect([tmp_path]) as connection:
        found = queries.answers(connection, view)
        rows = in_view(connection, view)
    assert (found.runs, list(found.positions)) == (["a", "b"], [0, 2])
    assert found.correct.tolist() == [[True, False], [False, True]]
    assert list(disagreement.histogram(rows)["examples"]) == [0, 2, 0]
    assert disagreement.agreement(rows).pairwise == 0


GOLD = ("entailment", None, "neutral")


# --- pairs, groups, patterns ---------------------------------------------------------------------------------------


def answers(correct):
    correct = np.array(correct, dtype=bool)
    n = correct.shape[1]
    runs = [f"r{i}" for i in range(len(correct))]
    return queries.Answers(runs, 10 * np.arange(n), correct.astype(np.int8), correct)


def test_pairs_are_ordered_and_symmetric(small):
    found = queries.answers(small, DEMO)
    runs, agreement, kappa = disagreement.pairs(found, "correctness")
    assert sorted(runs) == sorted(found.runs)
    rows = disagreement.matrix_rows(runs, agreement, kappa)
    assert {frozenset(pair) for pair in zip(rows["a"], rows["b"], strict=True)} == {
        frozenset(pair) for pair in combinations(found.runs, 2)
    }
    assert len(rows) == 6
    for row in rows.itertuples():
        a, b = (found.correct[found.runs.index(run)] for run in (row.a, row.b))
        assert row.agreement == pytest.approx((a == b).mean())
        assert row.kappa == pytest.approx(stats.cohen_kappa(a, b), nan_ok=True)


def test_two_runs():
    found = disagreement.compare(answers([[1, 1, 1, 0, 0, 1], [1, 0, 0, 0, 1, 1]]), ["r0"], ["r1"])
    assert found["cells"] == {"both right": 2, "only A right": 2, "only B right": 1, "both wrong": 1}
    assert found["p"] == pytest.approx(1.0)  # 2 against 1 of 3: twice the smaller tail, at most 1
    assert found["overlap"] == pytest.approx(1 / 4)
    assert list(found["positions"]["only A right"]) == [10, 20]
    assert sum(len(p) for p in found["positions"].values()) == 6


def test_groups_vote_by_majority_and_ties_are_wrong():
    found = disagreement.compare(answers([[1, 1, 0], [1, 0, 0], [0, 1, 1]]), ["r0", "r1"], ["r2"])
    assert found["cells"] == {"both right": 0, "only A right": 1, "only B right": 2, "both wrong": 0}


def test_sides():
    runs = ["r0", "r1", "r2"]
    assert disagreement.sides(runs, [], [], None) == (["r0"], ["r1", "r2"])
    assert disagreement.sides(runs, [], [], ("r2", "r1")) == (["r2"], ["r1"])
    assert disagreement.sides(runs, ["r1"], [], ("r2", "r0")) == (["r1"], ["r0", "r2"])
    assert disagreement.sides(runs, [], ["r0"], None) == (["r1"], ["r0"])


def test_patterns_cover_every_example_once():
    found = answers([[1, 1, 0, 0, 1], [1, 0, 0, 1, 1]])
    rows = disagreement.patterns(found)
    assert rows.to_dict("list") == {
        "pattern": ["11", "00", "01", "10"],
        "right": [2, 0, 1, 1],
        "examples": [2, 1, 1, 1],
    }
    assert list(disagreement.positions_of_pattern(found, "11")) == [0, 40]
    assert sum(len(disagreement.positions_of_pattern(found, p)) for p in rows["pattern"]) == 5


def test_agreement_against_accuracy():
    rows = disagreement.by_accuracy(answers([[1, 1, 0, 0], [1, 0, 0, 1], [1, 1, 0, 1]]))
    assert list(rows["accuracy"]) == [0.5, 0.5, 0.75]
    assert list(rows["agreement"]) == pytest.approx([(0.5 + 0.75) / 2, (0.5 + 0.75) / 2, 0.75])


def test_subcases_are_ranked_by_how_much_they_split():
    counted = pd.DataFrame({"position": range(4), "runs": 2, "correct": [0, 2, 1, 2]})
    rows = disagreement.by_subcase(counted, pd.Series(["a", "a", "b", "b"], index=range(4)))
    assert list(rows["subcase"]) == ["b", "a"]
    assert list(rows["split"]) == [0.5, 0.0]
    assert list(rows["all_wrong"]) == [0.0, 0.5]
    table = disagreement.subcase_table(rows, ["B", "A"])
    assert list(table["split %"]) == [50, 0]
