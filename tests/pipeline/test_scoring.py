"""Right and wrong, by both merging rules, against the definition written out in Python."""

import math

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import schema, scoring

CONNECTION = duckdb.connect()
CONNECTION.execute(scoring.MACROS)
logit = st.floats(-30, 30, width=32)


def call(expression, *values):
    return CONNECTION.execute(f"SELECT {expression}", values).fetchone()[0]


@pytest.mark.parametrize(
    ("predicted", "gold", "right"),
    [
        ("entailment", "entailment", True),
        ("neutral", "entailment", False),
        ("neutral", "contradiction", False),
        ("neutral", "neutral", True),
        ("neutral", "non-entailment", True),
        ("contradiction", "non-entailment", True),
        ("entailment", "non-entailment", False),
        ("non-entailment", "neutral", True),
        ("non-entailment", "contradiction", True),
        ("non-entailment", "entailment", False),
        ("neutral", None, None),
    ],
)
def test_argmax_then_merge(predicted, gold, right):
    assert call("is_correct(?, ?)", predicted, gold) is right


@given(logit, logit, logit, st.sampled_from(["entailment", "non-entailment"]))
def test_sum_then_merge_adds_probabilities(e, n, c, gold):
    total = math.exp(e) + math.exp(n) + math.exp(c)
    probability = math.exp(e) / total
    assert call("probability_entailment(?, ?, ?)", e, n, c) == pytest.approx(probability, rel=1e-9, abs=1e-15)
    if abs(probability - 0.5) > 1e-9:
        expected = (probability > 0.5) == (gold == "entailment")
        assert call("is_correct_summed('entailment', ?, ?, ?, ?, true)", e, n, c, gold) is expected


def test_the_two_rules_part_where_entailment_leads_without_a_majority():
    values = (1.0, 0.9, 0.8)
    assert call("is_correct('entailment', 'non-entailment')") is False
    assert call("is_correct_summed('entailment', ?, ?, ?, 'non-entailment', true)", *values) is True
    assert call("is_correct_summed('entailment', ?, ?, ?, 'entailment', true)", *values) is False
    assert call("is_correct_summed('entailment', ?, ?, ?, 'entailment', false)", *values) is True


def test_impossible_labels_have_probability_zero():
    assert call("probability_entailment(0, '-inf'::FLOAT, '-inf'::FLOAT)") == 1
    assert call("probability_entailment('-inf'::FLOAT, 0, '-inf'::FLOAT)") == 0


def scored(gold, predicted, logits=None, heuristic=None):
    examples = [
        {"dataset": "d", "example": str(i), "position": i, "gold": g, "heuristic": heuristic}
        for i, g in enumerate(gold)
    ]
    predictions = [
        {"collection": "c", "run": "r", "step": 0, "dataset": "d", "position": i, "predicted": p}
        | (dict(zip(schema.LOGITS, logits[i], strict=True)) if logits else {})
        for i, p in enumerate(predicted)
    ]
    table = scoring.score(schema.PREDICTIONS.rows(predictions), schema.EXAMPLES.rows(examples), "own")
    return [{k: row[k] for k in ("gold", "n", "correct", "correct_summed", "scoring")} for row in table.to_pylist()]


def test_a_three_way_set_is_not_split_by_gold():
    found = scored(["entailment", "neutral", "contradiction"], ["entailment", "neutral", "neutral"])
    assert found == [{"gold": None, "n": 3, "correct": 2, "correct_summed": None, "scoring": "3-way"}]


def test_two_way_predictions_on_a_three_way_set_are_marked():
    found = scored(["entailment", "neutral", "contradiction"], ["entailment", "non-entailment", "non-entailment"])
    assert found == [{"gold": None, "n": 3, "correct": 3, "correct_summed": None, "scoring": "2-way"}]


def test_a_set_with_heuristics_is_split_by_gold():
    found = scored(
        ["entailment", "non-entailment", "non-entailment"],
        ["entailment", "neutral", "entailment"],
        logits=[(2.0, 0.0, 0.0), (0.0, 2.0, 0.0), (1.0, 0.9, 0.8)],
        heuristic="subsequence",
    )
    assert found == [
        {"gold": "entailment", "n": 1, "correct": 1, "correct_summed": 1, "scoring": "2-way"},
        {"gold": "non-entailment", "n": 2, "correct": 1, "correct_summed": 2, "scoring": "2-way"},
    ]


def test_without_gold_there_is_no_accuracy():
    assert scored([None, None], ["entailment", "neutral"]) == []
