"""What the Compare page computes, against published values, `app.stats` and small made-up stores."""

import math

import numpy as np
import pytest

from app import comparing, navigation, spreading, stats
from app.figures import compare as figures
from app.filters import Filter
from app.measures import Measure
from app.queries import accuracies as queries
from app.queries import catalogue, disagreement
from app.queries import compare as reading
from app.text import compare as text
from pipeline import store
from tests.app import demo
from tests.app.conftest import said

FEATHER = "berts-of-a-feather"
MNLI = Measure("mnli", "3-way")
HANS = Measure("hans", "2-way")
LEXICAL = Measure("hans", "2-way", "lexical_overlap", "non-entailment")
SWAP, PREPOSITION, PASSIVE = (
    Measure("hans", "2-way", "lexical_overlap", "non-entailment", f"ln_{name}")
    for name in ("subject/object_swap", "preposition", "passive")
)
CONSTANT = Measure("hans", "2-way", "constituent", "entailment", "ce_conjunction")


def group(connection, view, measures):
    sets = dict.fromkeys(m.dataset for m in measures)
    return comparing.Group(
        view,
        queries.by_run(connection, view, measures),
        {d: disagreement.answers(connection, comparing.whole(view, d)) for d in sets},
        {d: reading.counts(connection, view.collection, d) for d in sets},
    )


def examples(connection, measures):
    return {m.dataset: reading.examples(connection, m.dataset) for m in measures}


def seeds(*numbers):
    return Filter(collection="instability", runs=tuple(f"seed_{i:02}" for i in numbers))


def compare(connection, a, b, measures, **more):
    pair = group(connection, a, measures), group(connection, b, measures)
    return comparing.compare(*pair, measures, examples(connection, measures), **more).set_index("measure")


# --- differences ------------------------------------------------------------------------------------------------------


def test_means_and_differences_are_of_the_published_runs(published):
    table = compare(published, Filter(collection=FEATHER), Filter(collection="instability"), [MNLI, LEXICAL, SWAP])
    row = table.loc[SWAP.label]
    assert [round(100 * row[c], 3) for c in ("mean_a", "min_a", "max_a")] == [19.021, 0.0, 66.2]
    assert [round(100 * row[c], 1) for c in ("mean_b", "min_b", "max_b")] == [85.2, 69.8, 94.4]
    assert row["difference"] == pytest.approx(row["mean_a"] - row["mean_b"])
    assert (row["runs_a"], row["runs_b"], row["n"]) == (100, 10, 1000)


def test_accuracies_alone_resample_runs_alone(published):
    a, b = Filter(collection=FEATHER), Filter(collection="instability")
    row = compare(published, a, b, [LEXICAL]).iloc[0]
    assert row["drawn"] == "runs" and "no predictions of every run" in row["note"]
    values = [group(published, view, [LEXICAL]).of(LEXICAL)["accuracy"].to_numpy()[:, None] for view in (a, b)]
    expected = stats.multi_bootstrap(*values, resample_examples=False)
    assert (row["low"], row["high"], row["p"]) == (expected.low, expected.high, expected.p)
    # Ten times as many runs: the smaller group makes the noise, so one group's coverage at its ten runs.
    assert row["coverage"] == stats.simulated_coverage(10, 1)


def test_runs_alone_never_make_a_small_difference_clear(published):
    """MNLI: adjusted p is small over runs, yet 0.4 points lie within what a test set of this size can explain."""
    table = compare(published, Filter(collection=FEATHER), Filter(collection="instability"), [MNLI, LEXICAL])
    mnli = table.loc[MNLI.label]
    assert mnli["q"] < 0.05 and abs(mnli["difference"]) < mnli["yardstick"] and not mnli["clear"]
    assert mnli["yardstick"] == pytest.approx(1.96 * math.sqrt(2) * 0.00365, abs=5e-5)
    assert table.loc[LEXICAL.label, "clear"]
    fixed = compare(published, Filter(collection="instability"), seeds(1, 2, 3), [MNLI], draw_examples=comparing.FIXED)
    assert not fixed["clear"].any()


def test_predictions_resample_templates_where_there_are_five(published):
    a, b = seeds(1, 2, 3, 4, 5), seeds(6, 7, 8, 9, 10)
    table = compare(published, a, b, [PREPOSITION, SWAP, MNLI])
    assert list(table["drawn"]) == ["runs and templates", "runs and examples", "runs and examples"]
    assert list(table["templates"]) == [6, 1, 0]
    assert table.loc[SWAP.label, "note"] == "1 of at least 5 templates needed: single examples drawn"
    rows = comparing.rows_of(reading.examples(published, "hans"), PREPOSITION)
    correct = [group(published, v, [PREPOSITION]).correct(PREPOSITION, rows) for v in (a, b)]
    assert correct[0].shape == (5, 1000)
    expected = stats.multi_bootstrap(*correct, clusters=rows["template"].to_numpy(str))
    row = table.loc[PREPOSITION.label]
    assert (row["low"], row["high"], row["p"]) == (expected.low, expected.high, expected.p)
    assert list(table["coverage"]) == [stats.simulated_coverage(5, 2)] * 3
    assert list(table["q"]) == pytest.approx(list(stats.fdr(table["p"])))


def test_eighteen_subcases_have_one_template(published):
    rows = reading.examples(published, "hans")
    counts = rows.groupby("subcase")["template"].nunique()
    assert (counts == 1).sum() == 18 and (counts >= comparing.FEWEST_TEMPLATES).sum() == 2
    assert comparing.templates(reading.examples(published, "mnli")) == 0


def test_each_switch_holds_its_side_fixed(published):
    a, b = seeds(1, 2, 3, 4, 5), seeds(6, 7, 8, 9, 10)
    both = compare(published, a, b, [PREPOSITION]).iloc[0]
    runs = compare(published, a, b, [PREPOSITION], draw_examples=comparing.FIXED).iloc[0]
    templates = compare(published, a, b, [PREPOSITION], draw_runs=False).iloc[0]
    single = compare(published, a, b, [PREPOSITION], draw_runs=False, draw_examples=comparing.SINGLE).iloc[0]
    nothing = compare(published, a, b, [PREPOSITION], draw_runs=False, draw_examples=comparing.FIXED).iloc[0]
    assert [r["drawn"] for r in (both, runs, templates, single, nothing)] == [
        "runs and templates",
        "runs",
        "templates",
        "examples",
        "nothing",
    ]
    widths = [r["high"] - r["low"] for r in (both, runs, templates, single)]
    assert widths[0] > widths[1] > widths[3] > 0 and widths[0] > widths[2] > widths[3]
    assert math.isnan(nothing["low"]) and math.isnan(nothing["p"]) and not nothing["clear"]
    assert templates["coverage"] == stats.simulated_coverage(6) and math.isnan(single["coverage"])


def test_the_same_runs_at_two_checkpoints_are_drawn_in_pairs(demonstration):
    measures = [m for m in queries.measures(demonstration, [demo.COLLECTION]) if not m.part]
    a, b = Filter(collection=demo.COLLECTION), Filter(collection=demo.COLLECTION, step=10)
    row = compare(demonstration, a, b, measures).iloc[0]
    assert row["paired"] and row["coverage"] == stats.simulated_coverage(4, 1)
    whole = reading.examples(demonstration, demo.DATASET)
    correct = [group(demonstration, view, measures).correct(measures[0], whole) for view in (a, b)]
    clusters = whole["template"].to_numpy(str)
    assert len(set(clusters)) == 12
    paired, apart = (stats.multi_bootstrap(*correct, paired_runs=p, clusters=clusters) for p in (True, False))
    assert (row["low"], row["high"]) == (paired.low, paired.high) != (apart.low, apart.high)


def test_one_run_says_nothing_of_other_seeds(published):
    row = compare(published, seeds(1), seeds(2, 3, 4), [SWAP]).iloc[0]
    assert math.isnan(row["coverage"]) and "one run" in row["note"] and row["drawn"] == "runs and examples"
    row = compare(published, seeds(1), seeds(2), [SWAP]).iloc[0]
    assert row["drawn"] == "examples" and row["runs_a"] == row["runs_b"] == 1


def test_a_slice_that_one_group_lacks_is_left_out(published):
    measures = [MNLI, Measure("snli-dev", "3-way")]
    table = compare(published, Filter(collection=FEATHER), Filter(collection="instability"), measures)
    assert list(table.index) == [MNLI.label]


def test_every_run_is_beside_the_interval(published):
    measures = [LEXICAL, SWAP]
    a, b = (group(published, Filter(collection=c), measures) for c in (FEATHER, "instability"))
    runs = comparing.runs_shown(a, b, measures)
    assert runs.groupby(["group", "measure"]).size().tolist() == [100, 100, 10, 10]
    table = comparing.compare(a, b, measures, examples(published, measures))
    fig = figures.forest(table, runs)
    drawn = {t.name: len(t.x) for t in fig.data if t.name and t.name.startswith("runs of")}
    assert drawn == {"runs of A": 200, "runs of B": 20}
    intervals = next(t for t in fig.data if t.name and t.name.startswith("A − B"))
    assert list(intervals.x) == pytest.approx(list(100 * table["difference"]))
    assert list(intervals.error_x.array) == pytest.approx(list(100 * (table["high"] - table["difference"])))


# --- the second group -------------------------------------------------------------------------------------------------


def test_the_second_group_follows_from_the_first():
    runs = ["r1", "r2", "r3"]
    some = Filter(collection="c", runs=("r1",), step=None)
    assert comparing.second(some, "c", None, [], runs).runs == ("r2", "r3")
    assert comparing.second(some, "c", 10, [], runs) == some.changed(step=10)
    assert comparing.second(some, "d", None, [], ["x"]) == some.changed(collection="d", runs=())
    assert comparing.second(some, "c", None, ["r3"], runs).runs == ("r3",)
    everyone = Filter(collection="c")
    assert comparing.second(everyone, "c", None, [], runs) == everyone


def test_the_default_collection_has_the_same_test_set(published):
    collections = catalogue.collections(published)
    assert comparing.default_collection(collections, FEATHER, "hans") == "instability"
    assert comparing.default_collection(collections, "instability", "stress-spell") == "instability"


def test_slices_follow_the_sidebar(published):
    measures = queries.measures(published, [FEATHER])
    found = comparing.levels(measures, Filter(dataset="hans", gold="non-entailment"))
    assert {name: len(chosen) for name, chosen in found.items()} == {
        "heuristics": 3,
        "subcases": 15,
        "all test sets": 2,
    }
    one = comparing.levels(measures, Filter(dataset="hans", subcases=("ln_passive",)))
    assert one["subcases"] == [PASSIVE]
    mnli = comparing.applicable(Filter(dataset="mnli", gold="neutral", heuristic="x", subcases=("y",)), measures)
    assert mnli == Filter(dataset="mnli")


# --- variance ---------------------------------------------------------------------------------------------------------


def parts(connection, collection, measures):
    view = Filter(collection=collection)
    groups = {"A": group(connection, view, measures)}
    table = spreading.variances(groups, measures, examples(connection, measures)).set_index("measure")
    return table.assign(**{c: 100 * table[c] for c in ("sd", "independent", "covariance", "binomial")})


def test_published_variance_of_mnli(published):
    row = parts(published, FEATHER, [MNLI]).iloc[0]
    assert [round(row[c], 4) for c in ("sd", "independent", "covariance")] == [0.2420, 0.1788, 0.1630]
    assert round(row["binomial"], 3) == 0.367


def test_published_variance_of_the_ten_seeds(published):
    table = parts(published, "instability", [MNLI, HANS, SWAP, PASSIVE])
    assert [round(table.loc[MNLI.label, c], 4) for c in ("sd", "independent", "covariance")] == [0.2394, 0.1755, 0.1628]
    hans = table.loc[HANS.label]
    assert (round(hans["sd"], 3), round(hans["independent"], 4), round(hans["covariance"], 3)) == (1.514, 0.1025, 1.511)
    for measure, expected in ((SWAP, [7.32, 0.85, 7.27]), (PASSIVE, [20.09, 1.21, 20.05])):
        assert [round(table.loc[measure.label, c], 2) for c in ("sd", "independent", "covariance")] == expected


def test_accuracies_alone_have_a_spread_but_no_parts(published):
    row = parts(published, FEATHER, [LEXICAL]).iloc[0]
    assert (round(row["sd"], 2), round(row["binomial"], 2)) == (12.36, 0.60)
    assert math.isnan(row["independent"]) and math.isnan(row["covariance"])
    few = group(published, Filter(collection=FEATHER, runs=("bert_00", "bert_01")), [MNLI])
    table = spreading.variances({"A": few}, [MNLI], examples(published, [MNLI]))
    assert table["independent"].isna().all() and table["sd"].notna().all()  # counts are of all hundred runs


def test_a_constant_slice_has_no_parts_left(published):
    row = parts(published, "instability", [CONSTANT]).iloc[0]
    assert (row["sd"], row["independent"], row["covariance"]) == (0, 0, 0)
    assert text.variance_table(parts(published, "instability", [CONSTANT]).reset_index())["note"][0] == (
        "all runs score alike"
    )


# --- how many seeds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measure", "digits", "expected"),
    [
        (MNLI, 5, [0.84339, 0.84587, 0.84648, 0.84738, 0.84759]),
        (SWAP, 3, [0.190, 0.411, 0.490, 0.617, 0.643]),
        (LEXICAL, 3, [0.277, 0.422, 0.465, 0.526, 0.537]),
        (HANS, 3, [0.567, 0.596, 0.605, 0.619, 0.623]),
    ],
)
def test_expected_best_of_n(published, measure, digits, expected):
    curve = spreading.best_of({"A": group(published, Filter(collection=FEATHER), [measure])}, measure).set_index("n")
    assert [round(curve.loc[n, "best"], digits) for n in (1, 5, 10, 50, 100)] == expected
    assert curve.index.max() == 100 and curve.loc[1, "range"] == pytest.approx(0, abs=1e-12)
    assert np.allclose(curve["best"] - curve["worst"], curve["range"])


@pytest.mark.parametrize(
    ("measure", "digits", "expected"),
    [(MNLI, 2, [0.30, 0.17, 0.05]), (LEXICAL, 1, [15.4, 8.8, 2.5]), (SWAP, 1, [21.5, 12.4, 3.4])],
)
def test_half_widths_and_runs_needed(published, measure, digits, expected):
    groups = {"A": group(published, Filter(collection=FEATHER), [measure])}
    row = spreading.needed(groups, [measure], 0.01).iloc[0]
    assert [round(100 * row[f"half_{n}"], digits) for n in (5, 10, 100)] == expected
    values = groups["A"].of(measure)["accuracy"]
    assert row["needed"] == stats.runs_needed(values, 0.01).per_group
    assert spreading.needed(groups, [measure], 0.02)["needed"].iloc[0] <= row["needed"]


def test_one_run_cannot_say_how_many_seeds(published):
    groups = {"A": group(published, Filter(collection="training-steps"), [HANS])}
    assert spreading.needed(groups, [HANS], 0.01).empty
    curve = spreading.best_of(groups, HANS)
    assert "it has no spread" in text.best_of(curve, "A", "HANS")


# --- what the page says -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "sentences"),
    [
        ({}, ["different collections", "Which single examples", "fetch feather", "95.2 % of the time"]),
        ({"b": FEATHER}, ["same runs at the same checkpoint"]),
        (
            {"b": FEATHER, "run": "bert_08"},
            [
                "single run",
                "chosen for their results",
                "Group A is one run: it has no spread",
            ],
        ),
        ({"b": FEATHER, "bgroup": "cluster: smaller cluster"}, ["12 runs are in both groups"]),
        ({"rule": "sum"}, ["Group A has nothing to compare", "which needs logits"]),
        ({"dataset": "mnli", "gold": "neutral"}, ["are not split so"]),
        (
            {"slices": "all test sets"},
            ["Left out, as only one of the groups has a score there", "Two-way", "Three-way"],
        ),
        ({"collection": "hans-2019", "dataset": "hans", "b": "training-steps"}, ["single run"]),
        ({"collection": "training-steps", "b": "training-steps", "bstep": "1"}, ["no variance over runs", "in pairs"]),
        (
            {"collection": "instability", "dataset": "stress-spell", "b": "instability", "run": ["seed_01", "seed_02"]},
            ["only runs are drawn there", "The smaller group has 2 runs"],
        ),
        (
            {
                "collection": "instability",
                "b": "instability",
                "run": "seed_01",
                "slices": "subcases",
                "heuristic": "lexical_overlap",
            },
            ["8 of 10 slices have fewer than 5 templates"],
        ),
    ],
)
def test_states_of_the_published_collections(open_page, query, sentences):
    words = said(open_page("compare", [store.PUBLISHED], **query)).replace("\\", "")
    for sentence in sentences:
        assert sentence in words, words


def test_states_of_a_small_store(open_page, tmp_path, demo_store):
    assert "no results yet" in said(open_page("compare", [tmp_path]))
    words = said(open_page("compare", [demo_store])).replace("\\", "")
    assert "same runs at the same checkpoint" in words and "demo is synthetic" in words
    words = said(open_page("compare", [demo_store], bgroup="optimiser: sgd")).replace("\\", "")
    assert "2 runs are in both groups" in words
    words = said(open_page("compare", [demo_store], bstep="10", difference="2.5")).replace("\\", "")
    assert "drawn in pairs" in words and "a difference of 2.5 points" in words


def test_the_page_holds_neither_sql_nor_computation():
    source = (navigation.FOLDER / "compare.py").read_text()
    assert len(source.splitlines()) <= 125
    for word in ("SELECT ", "execute(", "import numpy", "import pandas", ".mean(", ".std("):
        assert word not in source, word
