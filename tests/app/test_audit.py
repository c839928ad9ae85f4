"""The paper's claims, judged on the shipped numbers and on made-up ones."""

import pytest

from app import audit
from app.text import audit as words
from pipeline import schema, scoring, store
from pipeline.store import PUBLISHED


@pytest.mark.parametrize(
    ("value", "claimed", "decimals", "said"),
    [
        (66.2, 66.2, 1, audit.EXACT),
        (3.9, 4, 0, audit.RIGHT),
        (76.3, 76, 0, audit.RIGHT),
        (83.668, 83.6, 1, audit.TRUNCATED),
        (83.668, 83.7, 1, audit.RIGHT),
        (83.8, 83.6, 1, audit.DIFFERENT),
        (4.4, 5, 0, audit.DIFFERENT),
    ],
)
def test_verdicts(value, claimed, decimals, said):
    assert audit.verdict(value, claimed, decimals) == said


def test_the_shipped_numbers():
    with store.connect([PUBLISHED]) as connection:
        found = {f.claim: (f.now, f.verdict) for f in audit.audit(connection)}
    assert found == {
        "mnli_range": ("83.67 – 84.77 %", audit.TRUNCATED),
        "swap_range": ("0.0 – 66.2 %", audit.EXACT),
        "preposition_range": ("3.9 – 76.3 %", audit.RIGHT),
        "lexical_range": ("5.24 – 54.52 %", audit.RIGHT),
        "all_wrong": ("526", audit.EXACT),
        "unanimous": ("71.85 %", audit.RIGHT),
        "one_cell_of_six": (
            "SD 12.36 points against at most 4.06; yet constituent, non-entailed spans 20.6 points "
            "and cn_embedded_under_if 55.9",
            audit.CONTRAST,
        ),
    }


def test_every_claim_and_verdict_has_its_words():
    with store.connect([PUBLISHED]) as connection:
        findings = audit.audit(connection)
    assert [f.claim for f in findings] == list(words.CLAIMS)
    assert {f.verdict for f in findings} <= set(words.VERDICT_COLOURS)


def test_without_the_collection_there_is_no_verdict(tmp_path):
    with store.connect([tmp_path]) as connection:
        assert {f.verdict for f in audit.audit(connection)} == {audit.NO_DATA}


def test_single_predictions_give_the_same_as_the_accuracies_that_summarise_them(tmp_path):
    """Two made-up runs on one example a subcase: the six numbers that can be counted by hand."""
    subcases = [
        (heuristic, gold, subcase)
        for heuristic, by_gold in schema.SUBCASES.items()
        for gold, names in by_gold.items()
        for subcase in names
    ]
    hans = [
        {"dataset": "hans", "example": f"ex{i}", "position": i, "gold": g, "heuristic": h, "subcase": s}
        for i, (h, g, s) in enumerate(subcases)
    ]
    mnli = [{"dataset": "mnli", "example": str(i), "position": i, "gold": "neutral"} for i in range(4)]
    store.write_examples(tmp_path, schema.EXAMPLES.rows(hans))
    store.write_examples(tmp_path, schema.EXAMPLES.rows(mnli))
    for run, hans_label, mnli_labels in (
        ("bert_00", "entailment", ["neutral", "neutral", "entailment", "neutral"]),
        ("bert_01", "contradiction", ["neutral", "entailment", "entailment", "neutral"]),
    ):
        owner = {"collection": "berts-of-a-feather", "run": run}
        key = {**owner, "step": 0}
        rows = [{**key, "dataset": "hans", "position": i, "predicted": hans_label} for i in range(30)]
        rows += [{**key, "dataset": "mnli", "position": i, "predicted": p} for i, p in enumerate(mnli_labels)]
        predictions = schema.PREDICTIONS.rows(rows)
        examples = schema.EXAMPLES.rows(hans + mnli)
        store.write_run(
            tmp_path,
            store.RunResults(
                schema.RUNS.rows([owner]),
                schema.CHECKPOINTS.rows([{**key, "is_final": True}]),
                scoring.score(predictions, examples, "computed"),
                predictions,
            ),
        )
    with store.connect([tmp_path]) as connection:
        by_accuracies, by_predictions = (
            {f.claim: f.now for f in audit.audit(connection, source)} for source in ("accuracies", "predictions")
        )
    assert by_accuracies == by_predictions
    assert by_predictions["mnli_range"] == "50.00 – 75.00 %"
    assert by_predictions["swap_range"] == "0.0 – 100.0 %"
    assert by_predictions["lexical_range"] == "0.00 – 100.00 %"
    assert by_predictions["all_wrong"] == "1"
    assert by_predictions["unanimous"] == "75.00 %"
