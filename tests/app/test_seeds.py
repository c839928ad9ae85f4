"""What the Seeds page computes, against the numbers of the paper's data."""

import math

import pytest

from app import seeds
from app.figures import seeds as figures
from app.filters import Filter
from app.measures import Measure
from app.queries import accuracies, runs
from app.text import seeds as text

FEATHER = "berts-of-a-feather"
MNLI = Measure("mnli", "3-way")
LEXICAL = Measure("hans", "2-way", "lexical_overlap", "non-entailment")
SWAP = Measure("hans", "2-way", "lexical_overlap", "non-entailment", "ln_subject/object_swap")
CONSTANT = Measure("hans", "2-way", "constituent", "entailment", "ce_conjunction")


def points(connection, x, y, colour="collection", also=()):
    rows = accuracies.by_run(connection, Filter(collection=FEATHER), [x, y], also)
    values = seeds.colours(rows, colour, runs.values(connection, [FEATHER, *also], colour))
    return seeds.colour_by(seeds.points(rows, x, y), values)


@pytest.mark.parametrize(
    ("y", "every", "within"),
    [(LEXICAL, 0.487, 0.217), (SWAP, 0.390, 0.200)],
)
def test_correlations_over_all_and_within_the_larger_cluster(published, y, every, within):
    rows = seeds.correlations(points(published, MNLI, y, "cluster")).set_index("group")
    assert rows.loc["", "pearson"] == pytest.approx(every, abs=5e-4) and rows.loc["", "n"] == 100
    assert rows.loc["larger cluster", "pearson"] == pytest.approx(within, abs=5e-4)
    assert rows.loc[["larger cluster", "smaller cluster"], "n"].tolist() == [88, 12]
    assert rows.loc["", "spearman"] == pytest.approx(0.423, abs=5e-4) or y is SWAP


def test_collections_are_never_pooled(published):
    rows = seeds.correlations(points(published, MNLI, LEXICAL, also=["instability"]))
    assert rows[["collection", "n"]].values.tolist() == [[FEATHER, 100], ["instability", 10]]


@pytest.mark.parametrize(
    ("collection", "x", "y"),
    [
        (FEATHER, MNLI.label, LEXICAL.label),
        ("miniature", "miniature", "hans-like: lexical overlap, non-entailed"),
    ],
)
def test_the_first_look_is_at_the_training_domain_against_a_misleading_cell(published, collection, x, y):
    measures = accuracies.measures(published, [collection])
    assert (measures[0].label, text.default_y(measures)) == (x, y)
    assert text.default_y([MNLI]) == MNLI.label and text.default_y([MNLI, CONSTANT]) == CONSTANT.label


def test_a_constant_accuracy_has_no_correlation_but_a_reason(published):
    rows = seeds.correlations(points(published, MNLI, CONSTANT))
    assert math.isnan(rows["pearson"][0]) and "constant" in rows["note"][0]
    assert text.correlation_table(rows)["Pearson r [95 %]"][0].startswith("undefined: ")
    spread = list(seeds.spreads(points(published, MNLI, CONSTANT)).itertuples())[1]
    assert "all 100 runs score 100.00 %" in text.spread(spread, CONSTANT)


def test_the_spread_stands_beside_sampling_error(published):
    mnli, lexical = seeds.spreads(points(published, MNLI, LEXICAL)).itertuples()
    assert (round(100 * mnli.sd, 3), round(100 * mnli.error, 3)) == (0.242, 0.367)
    assert (round(100 * lexical.sd, 2), round(100 * lexical.error, 2)) == (12.36, 0.63)
    assert "no more than one model would" in text.spread(mnli, MNLI)
    assert "19.5 times as much" in text.spread(lexical, LEXICAL)


def test_one_run_has_no_spread(published):
    one = points(published, MNLI, LEXICAL).head(1)
    assert "a spread needs two" in text.spread(next(seeds.spreads(one).itertuples()), MNLI)
    assert "undefined" in text.correlation_table(seeds.correlations(one))["Pearson r [95 %]"][0]


def test_colour_is_a_scale_for_numbers_and_groups_for_text(published):
    assert seeds.is_graded(points(published, MNLI, LEXICAL, MNLI.label))
    clusters = points(published, MNLI, LEXICAL, "cluster", also=["instability"])
    assert set(clusters["colour"]) == {"larger cluster", "smaller cluster", "unknown"}


def test_selected_points_are_found_by_id_not_by_place(published):
    rows = points(published, MNLI, LEXICAL)
    chosen = seeds.chosen(rows, [(FEATHER, "bert_99"), (FEATHER, "bert_08"), ("gone", "bert_00")])
    assert list(chosen["run"]) == ["bert_08", "bert_99"]


def test_every_point_of_the_figure_carries_its_id(published):
    rows = points(published, MNLI, LEXICAL, "cluster")
    fig = figures.scatter(rows, MNLI, LEXICAL, colour="cluster")
    ids = [tuple(i) for trace in fig.data if trace.type == "scatter" for i in trace.customdata]
    assert sorted(ids) == sorted(zip(rows["collection"], rows["run"], strict=True))
    places = {i: x for t in fig.data if t.type == "scatter" for i, x in zip(map(tuple, t.customdata), t.x, strict=True)}
    assert places[FEATHER, "bert_08"] == pytest.approx(100 * rows.set_index("run")["x"]["bert_08"])


def test_axes_are_common_or_zoomed(published):
    rows = points(published, MNLI, LEXICAL)
    whole = figures.scatter(rows, MNLI, LEXICAL, colour="collection", whole=True).layout
    assert whole.xaxis3.range == whole.yaxis3.range == (-2, 102)
    assert figures.scatter(rows, MNLI, LEXICAL, colour="collection").layout.xaxis3.range is None


def test_signs_are_printed_as_in_papers():
    assert [text.signed(r) for r in (0.4871, -0.05, 1.0, -0.9999)] == ["+.487", "−.050", "+1.000", "−1.000"]
