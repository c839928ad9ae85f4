"""What the Subcases page computes and says, and its LaTeX."""

import pandas as pd
import pytest

from app import latex, subcases
from app.figures import subcases as figures
from app.figures import theme
from app.filters import Filter
from app.queries import accuracies
from app.text import subcases as text
from pipeline import schema
from tests.app import demo

FEATHER = "berts-of-a-feather"


@pytest.fixture(scope="module")
def presets(published):
    return subcases.presets(accuracies.measures(published, [FEATHER, "instability", "hans-2019", "training-steps"]))


def test_the_presets_are_the_papers_exhibits_and_the_rest(presets):
    assert {name: len(chosen) for name, chosen in list(presets.items())[:4]} == {
        "MNLI": 1,
        "The six cells of HANS": 6,
        "Lexical overlap, non-entailed": 5,
        "All 30 subcases": 30,
    }
    assert len(presets["Whole test sets, three-way"]) == 10


def test_scorings_never_share_a_preset(presets):
    assert all(len({m.scoring for m in chosen}) == 1 for chosen in presets.values())


def test_every_slice_of_an_unknown_test_set_is_in_a_preset(demonstration):
    presets = subcases.presets(accuracies.measures(demonstration, [demo.COLLECTION]))
    assert {name: len(chosen) for name, chosen in presets.items()} == {
        "Whole test sets, two-way": 1,
        "demo-pairs: its cells": 6,
        "demo-pairs: its subcases": 6,
    }


def test_the_table_has_the_published_statistics(published, presets):
    measures = presets["All 30 subcases"]
    rows = subcases.summaries(accuracies.by_run(published, Filter(collection=FEATHER), measures), measures)
    rows = rows.set_index("subcase")
    percent = (100 * rows[["mean", "sd", "min", "max"]]).round(3)
    assert percent.loc["ln_subject/object_swap"].tolist() == [19.021, 17.303, 0.0, 66.2]
    assert percent.loc["cn_embedded_under_if"].tolist() == [41.091, 12.102, 13.8, 69.7]
    assert percent.loc["ce_adverb"].tolist() == [100.0, 0.0, 100.0, 100.0]
    assert rows.loc["ln_passive", "above_chance"] == 0 and rows.loc["ce_adverb", "above_chance"] == 100
    assert 0 < rows.loc["ln_preposition", "above_chance"] < 50
    assert (rows["runs"] == 100).all() and (rows["n"] == 1000).all()


def test_a_panel_counts_every_run_once(published, presets):
    measures = presets["All 30 subcases"]
    rows = accuracies.by_run(published, Filter(collection=FEATHER), measures)
    for panel in subcases.by_cell(measures).values():
        fig = figures.histograms(rows, panel)
        assert [sum(trace.y) for trace in fig.data] == [100] * 5
        assert {trace.marker.line.color for trace in fig.data} == {theme.colour(panel[0].heuristic)}


def test_overlaid_collections_keep_their_colours(published, presets):
    measures = presets["The six cells of HANS"]
    rows = accuracies.by_run(published, Filter(collection=FEATHER), measures, also=["instability"])
    colours = theme.group_colours([FEATHER, "instability"])
    fig = figures.histograms(rows, measures, colours)
    assert len(fig.data) == 12 and sum(trace.showlegend for trace in fig.data) == 2
    assert {t.name: t.marker.line.color for t in fig.data} == colours


def test_non_entailed_panels_are_hatched(published, presets):
    measures = presets["The six cells of HANS"]
    fig = figures.histograms(accuracies.by_run(published, Filter(collection=FEATHER), measures), measures)
    assert [bool(t.marker.pattern.shape) for t in fig.data] == [m.gold == "non-entailment" for m in measures]


def test_every_subcase_is_explained_with_a_pair_of_our_own():
    names = [s for sides in schema.SUBCASES.values() for subcases_ in sides.values() for s in subcases_]
    assert set(text.SUBCASES) == set(names)
    assert len({(s.premise, s.hypothesis) for s in text.SUBCASES.values()}) == 30


def test_the_example_pairs_show_the_shortcut():
    """The premise holds the hypothesis's words; in order for subsequence and constituent."""
    for name, subcase in text.SUBCASES.items():
        premise, hypothesis = (s.lower().rstrip(" .").split() for s in (subcase.premise, subcase.hypothesis))
        assert set(hypothesis) <= set(premise), name
        if name[0] in "sc":
            assert f" {' '.join(hypothesis)} " in f" {' '.join(premise)} ", name


def test_the_example_pairs_are_not_from_hans(sources):
    theirs = (sources / "hans" / "heuristics_evaluation_set.txt").read_text()
    for subcase in text.SUBCASES.values():
        assert f"\t{subcase.premise}\t" not in theirs


def test_latex_escapes_what_it_must_and_aligns_numbers():
    data = pd.DataFrame({"a_b & c": ["50 %", None, "x^2 ~ {y} \\ $"], "n": [1, 2, 3], "sd": ["0.50", "−1.00", "2.25"]})
    assert latex.table(data, caption="100 % of #1", label="tab:x") == (
        "% needs \\usepackage{booktabs}\n"
        "\\begin{table}\n"
        "  \\centering\n"
        "  \\caption{100 \\% of \\#1}\n"
        "  \\label{tab:x}\n"
        "  \\begin{tabular}{lrr}\n"
        "    \\toprule\n"
        "    a\\_b \\& c & n & sd \\\\\n"
        "    \\midrule\n"
        "    50 \\% & 1 & 0.50 \\\\\n"
        "    --- & 2 & $-$1.00 \\\\\n"
        "    x\\textasciicircum{}2 \\textasciitilde{} \\{y\\} \\textbackslash{} \\$ & 3 & 2.25 \\\\\n"
        "    \\bottomrule\n"
        "  \\end{tabular}\n"
        "\\end{table}\n"
    )
