"""The app's queries over accuracies, runs and collections: pooled counts are those of the store."""

import pytest

from app.filters import Filter
from app.measures import Measure
from app.queries import accuracies, catalogue, runs
from tests.app import demo

LEXICAL = Measure("hans", "2-way", "lexical_overlap", "non-entailment")


def test_measures_come_in_the_papers_order(published):
    labels = [m.label for m in accuracies.measures(published, ["berts-of-a-feather"])]
    assert len(labels) == len(set(labels)) == 38
    assert labels[:4] == [
        "MNLI matched dev",
        "HANS",
        "HANS: lexical overlap, entailed",
        "HANS: lexical overlap, non-entailed",
    ]
    assert labels[-1] == "HANS: adverb (constituent, non-entailed)"


def test_measures_of_no_collection_are_none(published):
    assert accuracies.measures(published, []) == []


def test_a_cell_pools_its_subcases(published):
    rows = accuracies.by_run(published, Filter(collection="berts-of-a-feather", runs=("bert_08",)), [LEXICAL])
    (row,) = rows.to_dict("records")
    parts = published.execute(
        "SELECT sum(correct), sum(n) FROM accuracies WHERE run = 'bert_08' AND heuristic = 'lexical_overlap' "
        "AND gold = 'non-entailment'"
    ).fetchone()
    assert (row["correct"], row["n"]) == parts and row["n"] == 5000
    assert row["accuracy"] == pytest.approx(parts[0] / parts[1])
    assert row["scoring"] == "2-way" and row["origin"] == "published"


def test_the_hundred_runs_have_the_published_sums(published):
    mnli = Measure("mnli", "3-way")
    rows = accuracies.by_run(published, Filter(collection="berts-of-a-feather"), [mnli, LEXICAL])
    assert rows[rows["measure"] == mnli.label]["correct"].sum() == 827_790
    lexical = rows[rows["measure"] == LEXICAL.label]["accuracy"]
    assert (round(lexical.mean(), 5), round(lexical.std(), 5)) == (0.27657, 0.12364)


def test_other_collections_join_whole_and_final(demonstration):
    whole = Measure(demo.DATASET, "2-way")
    view = Filter(collection="nothing", runs=("x",), step=10)
    rows = accuracies.by_run(demonstration, view, [whole], also=[demo.COLLECTION])
    assert list(rows["run"]) == list(demo.RUNS)
    final = demonstration.execute(
        "SELECT sum(correct) FROM accuracies WHERE step = 30 GROUP BY run ORDER BY run"
    ).fetchall()
    assert [(c,) for c in rows["correct"]] == final


def test_a_step_and_a_rule_change_the_counts(demonstration):
    whole = Measure(demo.DATASET, "2-way")
    first, last, summed = (
        accuracies.by_run(demonstration, Filter(collection=demo.COLLECTION, **chosen), [whole])["correct"].sum()
        for chosen in ({"step": 10}, {}, {"step": 10, "rule": "sum"})
    )
    expected = demonstration.execute(
        "SELECT sum(correct) FILTER (step = 10), sum(correct) FILTER (step = 30), "
        "sum(correct_summed) FILTER (step = 10) FROM accuracies"
    ).fetchone()
    assert (first, last, summed) == expected
    assert len({first, last, summed}) == 3


def test_without_logits_nothing_is_summed(published):
    view = Filter(collection="berts-of-a-feather", rule="sum")
    assert accuracies.by_run(published, view, [LEXICAL]).empty


def test_the_catalogue_counts_what_is_there(published, demonstration):
    rows = catalogue.collections(published).set_index("collection")
    assert rows.loc["berts-of-a-feather", ["runs", "checkpoints", "predictions"]].tolist() == [100, 100, 0]
    assert rows.loc["training-steps", ["runs", "checkpoints", "predictions"]].tolist() == [1, 16, 480_000]
    assert rows.loc["instability", "with_logits"] and not rows.loc["hans-2019", "with_logits"]
    assert catalogue.collections(demonstration)["synthetic"].tolist() == [True]


def test_runs_are_in_natural_order(published):
    names = catalogue.runs(published, "instability")
    assert [int(name.rpartition("_")[2]) for name in names] == list(range(1, 11))


def test_counts_agree_with_the_sentence(published):
    view = Filter(collection="berts-of-a-feather", dataset="hans", heuristic="lexical_overlap", gold="non-entailment")
    found, examples = catalogue.counts(published, view)
    assert (found, examples) == (100, 5000)
    assert view.describe(runs=found, examples=examples).endswith("non-entailed · 5,000 examples")
    assert catalogue.counts(published, view.changed(runs=("nobody",))) == (0, 0)


def test_groups_are_columns_about_the_runs(published, demonstration):
    clusters = catalogue.groups(published, "berts-of-a-feather")
    assert sorted(map(len, clusters["runs"])) == [12, 88]
    found = {(g.name, g.value): list(g.runs) for g in catalogue.groups(demonstration, demo.COLLECTION).itertuples()}
    assert found["optimiser", "sgd"] == ["demo_3", "demo_4"]


def test_properties_are_what_tells_runs_apart(demonstration):
    assert runs.properties(demonstration, [demo.COLLECTION]) == ["init_seed", "optimiser", "order_seed", "rate"]
    assert runs.values(demonstration, [demo.COLLECTION], "rate").set_index("run")["value"]["demo_2"] == "2e-5"
