"""What the Transfer page computes, against the published hundred and small made-up stores."""

import math

import numpy as np
import pandas as pd
import pytest

from app import navigation, stats, transferring
from app.figures import transfer as figures
from app.filters import Filter
from app.measures import Measure
from app.queries import accuracies as queries
from app.queries import transfer as training
from app.text import transfer as text
from pipeline import schema, store
from tests.app import demo
from tests.app.conftest import said

FEATHER = "berts-of-a-feather"
MNLI = Measure("mnli", "3-way")
CELLS = [Measure("hans", "2-way", h, g) for h in schema.HEURISTICS for g in ("entailment", "non-entailment")]
BY_SHORT = dict(zip(("le", "ln", "se", "sn", "ce", "cn"), CELLS, strict=True))


def table_of(connection, measures, view=None, **more):
    rows = queries.by_run(connection, view or Filter(collection=FEATHER), measures, **more)
    return transferring.wide(rows, measures)


@pytest.fixture(scope="module")
def cells(published):
    return table_of(published, [MNLI, *CELLS])


# --- published values ----------------------------------------------------------------------------------------------

SECTION_5 = [
    ("ln", "sn", 0.7814, 0.7810),
    ("ln", "cn", -0.0812, 0.0962),
    ("sn", "cn", 0.1622, 0.2664),
    ("le", "ln", -0.4134, -0.4720),
    ("le", "sn", -0.5258, -0.5421),
    ("le", "cn", -0.2648, -0.2814),
    ("ce", "ln", 0.2371, 0.0855),
    ("ce", "cn", -0.4633, -0.3949),
    ("le", "se", 0.5904, 0.5904),
]


@pytest.mark.parametrize(("x", "y", "raw", "partial"), SECTION_5)
def test_published_pairs(cells, x, y, raw, partial):
    row = transferring.find(transferring.pairs(cells, MNLI.label, "linear"), BY_SHORT[x].label, BY_SHORT[y].label)
    assert round(row["raw_r"], 4) == raw
    assert round(row["partial_r"], 4) == partial
    assert row["raw_n"] == row["partial_n"] == 100


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("quadratic", (0.774, 0.104, 0.277)),
        ("cubic", (0.773, 0.087, 0.247)),
        ("rank", (0.779, 0.063, 0.196)),
    ],
)
def test_published_pairs_by_regression(cells, method, expected):
    found = transferring.pairs(cells, MNLI.label, method)
    pairs = (("ln", "sn"), ("ln", "cn"), ("sn", "cn"))
    values = [transferring.find(found, BY_SHORT[x].label, BY_SHORT[y].label)["partial_r"] for x, y in pairs]
    assert tuple(round(value, 3) for value in values) == expected


def test_rank_makes_the_raw_map_spearman(cells):
    found = transferring.pairs(cells, MNLI.label, "rank")
    row = transferring.find(found, MNLI.label, BY_SHORT["ln"].label)
    assert round(row["raw_r"], 3) == 0.423
    assert round(transferring.find(found, MNLI.label, BY_SHORT["cn"].label)["raw_r"], 3) == -0.365


def test_the_larger_cluster_alone(published):
    members = published.execute(
        "SELECT run FROM runs WHERE collection = $c AND cluster = 'larger cluster'", {"c": FEATHER}
    ).fetchall()
    view = Filter(collection=FEATHER, runs=tuple(run for (run,) in members))
    found = transferring.pairs(table_of(published, [MNLI, *CELLS], view), MNLI.label, "linear")
    values = [transferring.find(found, MNLI.label, BY_SHORT[y].label)["raw_r"] for y in ("ln", "cn", "sn")]
    assert [round(value, 3) for value in values] == [0.217, -0.187, 0.021]


def test_strongest_subcase_pairs_and_constants(published):
    subcases = [
        Measure("hans", "2-way", h, g, s)
        for h, sides in schema.SUBCASES.items()
        for g, names in sides.items()
        for s in names
    ]
    table = table_of(published, [MNLI, *subcases])
    assert [label.split(": ")[1] for label in transferring.constants(table)] == [
        "conjunction (constituent, entailed)",
        "adverb (constituent, entailed)",
    ]
    found = transferring.pairs(table, MNLI.label, "linear")
    top = found.loc[found["raw_r"].abs().nlargest(2).index, ["x", "y", "raw_r"]].values.tolist()
    assert ["preposition" in top[0][0], "relative clause" in top[0][1], round(top[0][2], 3)] == [True, True, 0.970]
    assert ["object swap" in top[1][0], "relative clause" in top[1][1], round(top[1][2], 3)] == [True, True, 0.932]
    undefined = found[found["raw_r"].isna()]
    assert len(undefined) == 30 + 29
    assert undefined["raw_note"].str.contains("constant over the 100 runs").all()
    assert not undefined["raw_note"].str.contains(r"\b[xy]\b").any()


# --- adjustment, units, residuals ------------------------------------------------------------------------------------


def test_stars_are_of_p_adjusted_over_the_defined_pairs(cells):
    found = transferring.pairs(cells, MNLI.label, "linear")
    for kind, n in (("raw", 21), ("partial", 15)):
        p = found[f"{kind}_p"].dropna()
        assert len(p) == n
        assert list(found.loc[p.index, f"{kind}_q"]) == pytest.approx(list(stats.fdr(p)))
    assert [transferring.stars(q) for q in (0.0009, 0.01, 0.05, 0.051, math.nan)] == ["***", "**", "*", "", ""]


def test_what_is_accounted_for_has_no_partial_correlation(cells):
    found = transferring.pairs(cells, MNLI.label, "linear")
    own = found[(found["x"] == MNLI.label) | (found["y"] == MNLI.label)]
    assert len(own) == 6 and own["partial_r"].isna().all() and own["raw_r"].notna().all()
    assert set(own["partial_note"]) == {"MNLI matched dev is what is accounted for"}


def test_residuals_correlate_as_the_partial_correlation_says(cells):
    x, y = BY_SHORT["ln"].label, BY_SHORT["cn"].label
    for method in transferring.REGRESSIONS:
        points = transferring.points(cells, x, y, MNLI.label, method)
        r = np.corrcoef(points["residual_x"], points["residual_y"])[0, 1]
        row = transferring.find(transferring.pairs(cells[[MNLI.label, x, y]], MNLI.label, method), y, x)
        assert r == pytest.approx(row["partial_r"])
        assert list(points.columns[:3]) == transferring.UNIT and len(points) == 100


def test_checkpoints_as_the_unit(published):
    view = Filter(collection="training-steps")
    assert len(table_of(published, [MNLI, *CELLS], view)) == 1
    table = table_of(published, [MNLI, *CELLS], view, every_step=True)
    assert len(table) == 16 and table.index.get_level_values("step").is_unique
    found = transferring.pairs(table, MNLI.label, "linear")
    assert set(found["raw_n"]) == {16}
    assert "16 checkpoints" in text.in_view(view, table, "checkpoints", "cells")


def test_least_correlation_that_differs_from_zero():
    assert transferring.least_r(10) == pytest.approx(0.632, abs=5e-4)  # tabulated
    assert transferring.least_r(100) == pytest.approx(0.197, abs=5e-4)
    assert math.isnan(transferring.least_r(2))


def test_presets_need_two_columns_and_default_to_mnli(published):
    measures = queries.measures(published, ["instability"])
    presets = transferring.presets(measures)
    assert next(iter(presets)) == "The six cells of HANS"
    assert len(presets["Whole test sets"]) == 12 and len(presets["All 30 subcases"]) == 30
    assert measures[0].label == "MNLI matched dev"


def test_a_click_chooses_the_pair_once():
    state = {}
    transferring.follow(state, "raw", [("a", "b")])
    assert (state["x"], state["y"]) == ("a", "b")
    state["x"] = "c"  # the reader chooses another column: the old click, still selected, does not win
    transferring.follow(state, "raw", [("a", "b")])
    assert state["x"] == "c"
    transferring.follow(state, "partial", [("d", "e")])
    transferring.follow(state, "raw", [])
    assert (state["x"], state["y"]) == ("d", "e")


def test_every_cell_of_the_map_can_be_clicked(cells):
    found = transferring.pairs(cells, MNLI.label, "linear")
    names = text.names([MNLI, *CELLS])
    fig = figures.heat_map(found, list(cells), names, "partial")
    heat, crosses, squares = fig.data
    assert len(squares.customdata) == 42 and len(crosses.x) == 12
    for (x, y), i, j in zip(squares.customdata, squares.x, squares.y, strict=True):
        assert (list(cells)[i], list(cells)[j]) == (x, y)
        value = transferring.find(found, x, y)["partial_r"]
        assert heat.z[j][i] == (None if math.isnan(value) else pytest.approx(value))
    assert heat.text[1][2] == "−.47<br>***" or heat.text[2][1] == "−.47<br>***"


# --- train sets × test sets -------------------------------------------------------------------------------------------


def write(folder, collection, model, training_data, accuracies):
    """Runs of a collection: `accuracies` maps (dataset, scoring) to right answers of 100, one a run."""
    for i in range(len(next(iter(accuracies.values())))):
        about = {"collection": collection, "run": f"run_{i}"}
        rows = [
            {**about, "step": 0, "dataset": d, "scoring": s, "n": 100, "correct": right[i], "origin": "own"}
            for (d, s), right in accuracies.items()
        ]
        results = store.RunResults(
            schema.RUNS.rows([{**about, "model": model, "training_data": training_data}]),
            schema.CHECKPOINTS.rows([{**about, "step": 0, "is_final": True}]),
            schema.ACCURACIES.rows(rows),
        )
        store.write_run(folder, results)


@pytest.fixture
def trained(tmp_path):
    write(tmp_path, "one", "m", "SNLI pairs", {("snli-test", "3-way"): [90, 80], ("mnli", "3-way"): [60, 70]})
    two = {("snli-test", "3-way"): [75, 65], ("mnli", "3-way"): [85, 81], ("hans", "2-way"): [50, 60]}
    write(tmp_path, "two", "m", "mnli", two)
    write(tmp_path, "three", "other", "SNLI pairs", {("mnli", "3-way"): [40]})
    return tmp_path


def test_train_by_test(trained):
    with store.connect([trained]) as connection:
        sets = training.training_sets(connection)
        assert sets.values.tolist() == [["one", "m", "SNLI pairs"], ["two", "m", "mnli"]]
        accuracies = training.whole_sets(connection, ["one", "two"])
    homes = {"one": "snli-test", "two": "mnli"}
    table = transferring.train_by_test(accuracies, sets, homes).set_index(["collection", "dataset"])
    assert table.loc[("one", "snli-test"), "mean"] == pytest.approx(0.85)
    assert table.loc[("one", "snli-test"), "home"] and table.loc[("one", "snli-test"), "drop"] == 0
    assert table.loc[("one", "mnli"), "drop"] == pytest.approx(0.20)
    assert table.loc[("two", "snli-test"), "drop"] == pytest.approx(0.13)
    assert math.isnan(table.loc[("two", "hans"), "drop"])  # two-way against three-way
    assert table.loc[("two", "mnli"), ["runs", "min", "max"]].tolist() == [2, 0.81, 0.85]
    assert ("three", "mnli") not in table.index


def test_home_follows_the_corpus_name():
    sets = ["hans", "mnli", "snli-test"]
    assert transferring.default_home("minilm-snli-pairs", sets, "mnli") == "snli-test"
    assert transferring.default_home("my pairs", sets, "mnli") == "mnli"
    assert transferring.default_home("my pairs", ["hans"], "mnli") == "hans"


def test_the_page_draws_the_matrix(open_page, trained):
    app = open_page("transfer", [trained], collection="two")
    words = said(app)
    assert "Collections of one architecture (m) that differ in training data" in words
    assert app.selectbox(key="home-one").value == "snli-test" and app.selectbox(key="home-two").value == "mnli"
    assert "no drop" in words


# --- what the page says -----------------------------------------------------------------------------------------------


def test_states(open_page, tmp_path, demo_store):
    assert "no results yet" in said(open_page("transfer", [tmp_path]))
    words = said(open_page("transfer", [demo_store]))
    assert "With 4 observations" in words and "none are here" in words
    app = open_page("transfer", [demo_store], run="demo_1", unit="runs")
    assert "1 run in view: a correlation needs three. Choose more runs, or checkpoints" in said(app).replace("\\", "")
    words = said(open_page("transfer", [demo_store], run="demo_1", unit="checkpoints"))
    assert "neighbours along a run resemble each other" in words and "With 3 observations" in words


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"collection": "instability"}, "With 10 observations only correlations beyond ±0.63"),
        ({"collection": FEATHER, "show": "All 30 subcases"}, "are constant over the 100 runs"),
        ({"collection": FEATHER, "rule": "sum"}, "which needs logits"),
        ({"collection": FEATHER, "run": "bert_08"}, "1 run in view: a correlation needs three. Choose more runs."),
        ({"collection": "hans-2019"}, "different models, not seeds of one"),
        ({"collection": FEATHER}, "clusters of their"),
    ],
)
def test_states_of_the_published_collections(open_page, query, sentence):
    assert sentence in said(open_page("transfer", [store.PUBLISHED], **query)).replace("\\", "")


def test_one_accuracy_alone(open_page, tmp_path):
    write(tmp_path, "one", "m", None, {("mnli", "3-way"): [60, 70]})
    assert "one accuracy alone" in said(open_page("transfer", [tmp_path])).replace("\\", "")


def test_names_and_labels_are_shown_as_written(open_page, tmp_path):
    sets = {("a<b>*x*", "3-way"): [60, 70, 50], (":red[b]", "3-way"): [10, 30, 20], ("c", "3-way"): [1, 2, 3]}
    write(tmp_path, "one", "m", None, sets)
    words = said(open_page("transfer", [tmp_path], given="c"))
    assert r"a\<b\>\*x\*" in words and r"\:red\[b\]" in words


def test_the_page_holds_neither_sql_nor_computation():
    source = (navigation.FOLDER / "transfer.py").read_text()
    assert len(source.splitlines()) <= 125
    for word in ("SELECT ", "execute(", "import numpy", "import pandas", ".mean(", ".std("):
        assert word not in source, word


def test_pair_sentence_names_columns():
    table = pd.DataFrame({"a": [1.0, 2, 3, 5], "b": [1.0, 1, 1, 1], "g": [0.1, 0.4, 0.2, 0.3]})
    found = transferring.pairs(table, "g", "linear")
    sentence = text.pair(transferring.find(found, "a", "b"), "a", "b", "g", "linear")
    assert "undefined: b is constant over the 4 runs" in sentence


def test_demo_has_measures(demonstration):
    assert len(transferring.presets(queries.measures(demonstration, [demo.COLLECTION]))) >= 2
