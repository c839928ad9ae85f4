"""A filter is a condition with bound values, a sentence and an address, all saying the same."""

from urllib.parse import parse_qs, urlencode

import pytest

from app import filters
from app.filters import Filter
from pipeline import schema, store

FINAL = "(collection, run, step) IN (SELECT (collection, run, step) FROM checkpoints WHERE is_final)"
HANS = {"collection": "berts-of-a-feather", "dataset": "hans"}

TABLE = [
    # filter, table, condition, values, sentence
    (Filter(), "examples", "TRUE", {}, "all runs"),
    (Filter(), "accuracies", FINAL, {}, "all runs"),
    (
        Filter(**HANS, heuristic="lexical_overlap", gold="non-entailment"),
        "accuracies",
        "collection = $filter_collection AND dataset = $filter_dataset AND heuristic = $filter_heuristic "
        f"AND gold = $filter_gold AND {FINAL}",
        {
            "filter_collection": "berts-of-a-feather",
            "filter_dataset": "hans",
            "filter_heuristic": "lexical_overlap",
            "filter_gold": "non-entailment",
        },
        "all runs of berts-of-a-feather · HANS · lexical overlap, non-entailed",
    ),
    (
        Filter(collection="a", runs=("x", "y")),
        "runs",
        "collection = $filter_collection AND list_contains($filter_runs, run)",
        {"filter_collection": "a", "filter_runs": ["x", "y"]},
        "runs x, y of a",
    ),
    # agreement counts runs in a column `runs`; a choice of runs does not apply to it
    (
        Filter(collection="a", runs=("x",)),
        "agreement",
        "collection = $filter_collection",
        {"filter_collection": "a"},
        "run x of a",
    ),
    (
        Filter(collection="a", step=500, dataset="hans", subcases=("ln_passive", "se_adjective")),
        "accuracies",
        "collection = $filter_collection AND dataset = $filter_dataset AND step = $filter_step "
        "AND list_contains($filter_subcases, subcase)",
        {
            "filter_collection": "a",
            "filter_dataset": "hans",
            "filter_step": 500,
            "filter_subcases": ["ln_passive", "se_adjective"],
        },
        "all runs of a · step 500 · HANS · passive, adjective",
    ),
    (
        Filter(dataset="mnli", q=" Doctor  $5 ", example="17"),
        "examples",
        "dataset = $filter_dataset AND example = $filter_example "
        "AND contains(lower(premise || chr(10) || hypothesis), $filter_word_0) "
        "AND contains(lower(premise || chr(10) || hypothesis), $filter_word_1)",
        {"filter_dataset": "mnli", "filter_example": "17", "filter_word_0": "doctor", "filter_word_1": "$5"},
        "all runs · MNLI matched dev · example 17 · with the words “Doctor $5”",
    ),
    (
        Filter(runs=("a", "b", "c", "d"), rule="sum"),
        "checkpoints",
        f"list_contains($filter_runs, run) AND {FINAL}",
        {"filter_runs": ["a", "b", "c", "d"]},
        "4 runs · sum, then merge",
    ),
]


@pytest.mark.parametrize(("view", "table", "condition", "values", "sentence"), TABLE)
def test_a_filter_yields_condition_values_and_sentence(view, table, condition, values, sentence):
    assert view.to_where(table) == (condition, values)
    assert view.describe() == sentence


def test_the_sentence_counts_what_is_in_view():
    view = Filter(**HANS, heuristic="lexical_overlap", gold="non-entailment")
    assert (
        view.describe(runs=100, examples=5000)
        == "100 runs of berts-of-a-feather · HANS · lexical overlap, non-entailed · 5,000 examples"
    )
    assert Filter(collection="a", runs=("x",)).describe(runs=1, examples=1) == "1 run of a · 1 example"


@pytest.mark.parametrize("view", [row[0] for row in TABLE])
def test_every_condition_runs_on_every_table(view, tmp_path):
    with store.connect([tmp_path]) as connection:
        for table in schema.TABLES:
            where, values = view.to_where(table)
            assert connection.execute(f"SELECT count(*) FROM {table} WHERE {where}", values).fetchone() == (0,)


@pytest.mark.parametrize("view", [row[0] for row in TABLE])
def test_an_address_gives_the_filter_back(view):
    query = parse_qs(urlencode(view.to_query(), doseq=True), keep_blank_values=True)
    choices = {name: [v for v in values if v != filters.RESET] for name, values in query.items()}
    assert filters.from_choices(choices) == view.changed(q=view.q)


def test_values_are_bound_not_pasted(tmp_path):
    view = Filter(collection="'; DROP TABLE runs; --", q="' OR 1=1 --")
    where, values = view.to_where("examples")
    assert "DROP" not in where and "1=1" not in where
    assert "DROP" not in view.to_where("runs")[0]
    with store.connect([tmp_path]) as connection:
        connection.execute(f"SELECT * FROM examples WHERE {where}", values)
        assert connection.execute("SELECT count(*) FROM runs").fetchone() == (0,)
