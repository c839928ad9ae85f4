"""The list of examples and one example opened: counts, filters, order, words, literal text."""

import pytest

from app import examples, search
from app.filters import Filter
from app.queries import examples as queries
from app.queries import votes
from pipeline import schema, store
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


DEMO = Filter(collection=demo.COLLECTION, dataset=demo.DATASET)


# --- counts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "all_right", "all_wrong"),
    [
        (HANS, 53.7, 29.2),
        (Filter(collection="berts-of-a-feather", dataset="mnli"), 66.49, 5.36),
    ],
)
def test_published_shares(published, view, all_right, all_wrong):
    counted = votes.votes(published, view)
    digits = 1 if view is HANS else 2
    assert round(100 * counted["correct"].eq(counted["runs"]).mean(), digits) == all_right
    assert round(100 * counted["correct"].eq(0).mean(), digits) == all_wrong


def test_the_rule_changes_the_counts(published):
    """Summing first raises seed 1 on HANS from 60.55 to 61.72 %."""
    one = HANS.changed(runs=("seed_01",))
    assert votes.votes(published, one)["correct"].mean() == pytest.approx(0.6055, abs=5e-5)
    assert votes.votes(published, one.changed(rule="sum"))["correct"].mean() == pytest.approx(0.6172, abs=5e-5)
    mnli = one.changed(dataset="mnli")
    three_way = votes.votes(published, mnli)["correct"].mean()
    assert three_way == votes.votes(published, mnli.changed(rule="sum"))["correct"].mean()


def test_without_logits_the_summing_rule_gives_nothing(published):
    counted = votes.votes(published, Filter(collection="hans-2019", dataset="hans", rule="sum"))
    assert counted["correct"].isna().all()
    assert counted["p_mean"].isna().all()


def test_counts_equal_the_accuracies(published, small):
    """Over every collection, test set and rule: the examples' counts add up to the stored accuracies."""
    for connection in (published, small):
        sets = connection.execute(
            "SELECT collection, dataset, sum(correct)::BIGINT, sum(correct_summed)::BIGINT FROM accuracies a "
            "WHERE (collection, dataset) IN (SELECT (collection, dataset) FROM prediction_sets) "
            "AND dataset IN (SELECT dataset FROM datasets WHERE has_gold) "
            "AND (collection, run, step) IN (SELECT (collection, run, step) FROM checkpoints WHERE is_final) "
            "AND origin != 'published' GROUP BY ALL"
        ).fetchall()
        assert sets
        for collection, dataset, correct, summed in sets:
            view = Filter(collection=collection, dataset=dataset)
            assert votes.votes(connection, view)["correct"].sum() == correct
            if summed is not None:
                assert votes.votes(connection, view.changed(rule="sum"))["correct"].sum() == summed


def test_published_counts_cannot_be_asked_about_a_choice_of_runs(published):
    view = Filter(collection="berts-of-a-feather", dataset="mnli", runs=("bert_00",))
    assert votes.votes(published, view).empty
    assert not votes.has_predictions(published, view)
    assert len(votes.votes(published, view.changed(runs=()))) == 9815


def test_without_gold_there_are_votes_and_no_counts(published):
    counted = votes.votes(published, Filter(collection="instability", dataset="stress-spell"))
    assert len(counted) > 8000
    assert counted["correct"].isna().all()
    assert counted.filter(like="n_").sum(axis=1).eq(10).all()


# --- the list ------------------------------------------------------------------------------------------------------


def listed(connection, view, **selection):
    counted = votes.votes(connection, view)
    chosen = queries.Selection(**selection)
    rows = queries.page(connection, counted, view, chosen, None)
    assert len(rows) == queries.count(connection, counted, view, chosen)
    return rows


def test_filters_narrow_the_list(published):
    swap = HANS.changed(subcases=("ln_subject/object_swap",))
    assert len(listed(published, swap)) == 1000
    assert len(listed(published, HANS.changed(heuristic="constituent", gold="entailment"))) == 5000
    parts = [listed(published, swap, split=split) for split in queries.SPLITS]
    assert sum(map(len, parts)) == 1000
    right, wrong, split = parts
    assert right["correct"].eq(10).all()
    assert wrong["correct"].eq(0).all()
    assert split["correct"].between(1, 9).all()
    half = listed(published, swap, low=50, high=60)
    assert sorted(half["correct"].unique()) == [5, 6]
    template = listed(published, swap, template="temp1")
    assert template["template"].eq("temp1").all()
    neutral = listed(published, HANS, predicted="neutral")
    assert (neutral["n_neutral"] >= neutral[["n_entailment", "n_contradiction"]].max(axis=1)).all()


@pytest.mark.parametrize("sort", queries.SORTS)
@pytest.mark.parametrize("descending", [True, False])
def test_every_order_is_total_and_pages_join_up(small, sort, descending):
    counted = votes.votes(small, DEMO)
    chosen = queries.Selection(sort=sort, descending=descending)
    whole = queries.page(small, counted, DEMO, chosen, None)
    pages = [list(queries.page(small, counted, DEMO, chosen, 10, start)["example"]) for start in range(0, 50, 10)]
    assert [example for page in pages for example in page] == list(whole["example"])
    assert sorted(whole["position"]) == list(range(48))


def test_sorting_by_the_share_of_runs_right(small):
    rows = listed(small, DEMO, sort="runs right", descending=True)
    assert list(rows["correct"]) == sorted(rows["correct"], reverse=True)


def test_neighbours_follow_the_list(small):
    counted = votes.votes(small, DEMO)
    chosen = queries.Selection(sort="spread of P(entailment)", descending=True)
    order = list(queries.page(small, counted, DEMO, chosen, None)["example"])
    for i in (0, 20, 47):
        previous = order[i - 1] if i else None
        following = order[i + 1] if i < 47 else None
        assert queries.neighbours(small, counted, DEMO, chosen, order[i]) == (i + 1, previous, following)
    assert queries.neighbours(small, counted, DEMO.changed(gold="entailment"), chosen, "d8") == (None, None, None)


def test_templates(small):
    assert queries.templates(small, DEMO.changed(subcases=("ln_passive",))) == ["ln_passive_0", "ln_passive_1"]


# --- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("", []),
        ("  ", []),
        ("two birds", [("two", False), ("birds", False)]),
        ('"two birds" -sang', [("two birds", False), ("sang", True)]),
        ('-"in the park" A', [("in the park", True), ("a", False)]),
        ('"never closed', [("never closed", False)]),
        ("-", [("-", False)]),
        ('""', []),
        ("50%_", [("50%_", False)]),
    ],
)
def test_queries_are_parsed(query, terms):
    assert [(t.text, t.excluded) for t in search.parse(query)] == terms


def test_words_are_found_literally(tmp_path):
    pairs = [
        ("A cook sang.", "It rained 50%."),
        ("A COOK slept.", "Nobody sang."),
        ("Two birds sang.", "It's $5."),
        (None, None),
    ]
    rows = [
        {"dataset": "own", "example": str(i), "position": i, "gold": "neutral", "premise": p, "hypothesis": h}
        for i, (p, h) in enumerate(pairs)
    ]
    store.write_examples(tmp_path, schema.EXAMPLES.rows(rows))
    cases = {
        "cook": [0, 1],
        "cook sang": [0, 1],
        '"cook sang"': [0],
        "sang -cook": [2],
        "50%": [0],
        "%": [0],
        "$5": [2],
    }
    with store.connect([tmp_path]) as connection:
        for query, expected in cases.items():
            where, values = Filter(dataset="own", q=query).to_where("examples")
            found = connection.execute(f"SELECT position FROM examples WHERE {where} ORDER BY 1", values).fetchall()
            assert [i for (i,) in found] == expected, query


# --- one example ---------------------------------------------------------------------------------------------------


def test_every_runs_answer(published):
    answers = queries.labels(published, HANS, 397)
    assert len(answers) == 10
    assert answers["entailment"].is_monotonic_decreasing
    assert (answers[["entailment", "neutral", "contradiction"]].sum(axis=1) - 1).abs().max() < 1e-9
    assert answers["correct"].all()
    assert queries.one(published, "hans", "ex397")["subcase"] == "ln_subject/object_swap"
    assert queries.one(published, "hans", "nothing") is None


def test_an_example_along_training(published):
    steps = queries.by_step(published, Filter(collection="training-steps", dataset="hans"), 397)
    assert len(steps) == 16
    assert list(steps["step"]) == sorted(steps["step"])
    assert steps["runs"].eq(1).all()


@pytest.mark.parametrize("rule", ["argmax", "sum"])
def test_an_examples_history_follows_the_rule_and_ends_at_the_votes(small, rule):
    view = Filter(collection=demo.COLLECTION, dataset=demo.DATASET, rule=rule)
    final = votes.votes(small, view).set_index("position")["correct"]
    for position in (0, 9, 20):
        steps = queries.by_step(small, view, position)
        assert list(steps["step"]) == list(demo.STEPS)
        assert steps["correct"].iloc[-1] == final[position]
        for row in steps.itertuples():
            at = votes.votes(small, view.changed(step=row.step)).set_index("position")["correct"]
            assert row.correct == at[position]


def test_shared_words_are_marked_and_text_is_literal():
    html = examples.pair('The <b>cook</b> & "I" sang.', "the cook sang :smile: $x$")
    assert "<b>" not in html
    assert "&lt;b&gt;cook&lt;/b&gt;" in html
    assert html.count(">The</mark>") == 1
    assert html.count(">the</mark>") == 1
    assert ">sang.</mark>" in html
    assert ">sang</mark>" in html
    assert ":smile: $x$" in html
    assert examples.shared_words("No one.", "Some body") == set()


def test_the_list_shows_percent_and_leaves_empty_columns_out(published, small):
    rows = queries.page(published, votes.votes(published, HANS), HANS, queries.Selection(), 5)
    shown = examples.listed(rows)
    assert "premise" not in shown
    assert "genre" not in shown
    assert shown["P(entailment) %"].iloc[0] == pytest.approx(100 * rows["p_mean"].iloc[0])
    rows = queries.page(small, votes.votes(small, DEMO), DEMO, queries.Selection(), 5)
    assert list(examples.listed(rows)["premise"]) == list(demo.AWKWARD[:5])
