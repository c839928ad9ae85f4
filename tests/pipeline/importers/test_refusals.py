"""Every refusal names file, row and remedy in one line, and leaves the store as it was."""

import json

import pandas as pd
import pytest

from tests.pipeline.importers.conftest import GOLD, LOGITS, ORDER, PAIRS, PREDICTED, flock, state

IDS = [f"p{i}" for i in range(len(PAIRS))]
HANS = ["pairID,prediction", *(f"{i},{p}" for i, p in zip(IDS, PREDICTED, strict=True))]
BARE = list(PREDICTED)


def replaced(lines, index, line):
    return [*lines[:index], line, *lines[index + 1 :]]


CASES = {
    "a missing id": (HANS[:-1], {}, "no prediction for p9 of own's 10"),
    "several missing ids": (HANS[:-3], {}, "no prediction for p7 and 2 more of own's 10"),
    "a duplicate id": (replaced(HANS, 4, "p2,neutral"), {}, "row 5: p2 again, first in row 4"),
    "an unknown id": (replaced(HANS, 4, "q3,neutral"), {}, "row 5: unknown id 'q3'; ids of own are like p0"),
    "too few rows": (BARE[:-1], {}, "9 rows, own has 10 examples"),
    "too many rows": ([*BARE, "neutral"], {}, "11 rows, own has 10 examples"),
    "an unknown label": (replaced(HANS, 4, "p3,perhaps"), {}, "row 5: unknown label 'perhaps'"),
    "no label": (replaced(HANS, 4, "p3,"), {}, "row 5: no label"),
    "an odd row": (replaced(HANS, 4, "p3,neutral,extra"), {}, "row 5: 3 columns, the first row has 2"),
    "class indices without an order": (
        [str(ORDER.index(p)) for p in PREDICTED],
        {},
        "row 1: 1 is a class index, and toolkits differ",
    ),
    "a class index too high": (
        replaced([str(ORDER.index(p)) for p in PREDICTED], 6, "3"),
        {"labels": ",".join(ORDER)},
        "row 7: class index 3, but --labels names 3 classes",
    ),
    "an order with a label twice": (BARE, {"labels": "neutral,neutral,entailment"}, "give each class once"),
    "an order with an unknown label": (BARE, {"labels": "yes,no"}, "give each class once"),
    "nothing": ([""], {}, "is empty"),
    "a header alone": (HANS[:1], {}, "has a header and no rows"),
    "no prediction column": (["a,b", *("x,y" for _ in IDS)], {}, "--prediction-column"),
}


@pytest.mark.parametrize("case", CASES)
def test_text_files(tmp_path, target, load, case):
    lines, flags, said = CASES[case]
    file = tmp_path / "seed_1.txt"
    file.write_text("\n".join(lines) + "\n")
    before = state(target)
    status, _, error = load(file, **flags)
    assert status == 1
    assert said in error
    assert "\n" not in error
    assert state(target) == before


JSON_CASES = {
    "NaN": (lambda rows: replaced(rows, 3, [float("nan"), 0, 0]), "row 4", "holds NaN or infinity"),
    "infinity": (lambda rows: replaced(rows, 3, [float("inf"), 0, 0]), "row 4", "holds NaN or infinity"),
    "too short": (lambda rows: replaced(rows, 3, [0.5, 0.5]), "row 4", "2 values, expected 3"),
    "too long": (lambda rows: [[*row, 0] for row in rows], "row 1", "4 values, expected 3"),
    "no numbers": (lambda rows: replaced(rows, 3, ["a", 0, 0]), "row 4", "are not numbers"),
    "too few": (lambda rows: rows[:-1], "seed_1.json", "9 rows, own has 10"),
}


@pytest.mark.parametrize("case", JSON_CASES)
def test_logits(tmp_path, target, load, case):
    alter, where, said = JSON_CASES[case]
    file = tmp_path / "seed_1.json"
    file.write_text(json.dumps(alter(LOGITS)))
    before = state(target)
    status, _, error = load(file, labels=",".join(ORDER))
    assert status == 1
    assert where in error
    assert said in error
    assert state(target) == before


def test_logits_without_an_order(tmp_path, target, load):
    file = tmp_path / "seed_1.json"
    file.write_text(json.dumps(LOGITS))
    before = state(target)
    assert "say which with --labels" in load(file)[2]
    assert state(target) == before


def test_a_wrong_order_is_refused_with_the_likely_one(tmp_path, target, load, stored):
    """Only --force overrides this, and overrides only this."""
    file = tmp_path / "seed_1.json"
    file.write_text(json.dumps(LOGITS))
    before = state(target)
    status, _, error = load(file, labels="entailment,neutral,contradiction")
    assert status == 1
    assert "give --labels contradiction,entailment,neutral" in error
    assert state(target) == before
    assert load(file, labels=",".join(ORDER))[0] == 0
    assert stored("seed_1") == PREDICTED
    assert load(file, labels="entailment,neutral,contradiction", run="forced", force=True)[0] == 0
    file.write_text(json.dumps(LOGITS[:-1]))
    assert load(file, labels="entailment,neutral,contradiction", run="short", force=True)[0] == 1


def test_constant_predictions_warn(tmp_path, load, stored):
    """An early checkpoint may answer one label only."""
    file = tmp_path / "step_1.txt"
    file.write_text("neutral\n" * 10)
    status, output, _ = load(file)
    assert status == 0
    assert "warning" in output
    assert "always answers neutral" in output


def test_a_perfect_and_a_weak_model_are_accepted(tmp_path, load):
    file = tmp_path / "perfect.txt"
    file.write_text("\n".join(GOLD))
    assert load(file)[0] == 0
    file = tmp_path / "weak.txt"
    file.write_text("\n".join([*GOLD[:4], "entailment", "entailment", "entailment", "neutral", *GOLD[8:]]))
    assert load(file)[0] == 0


def test_the_same_run_twice(tmp_path, target, load, stored):
    file = tmp_path / "seed_1.txt"
    file.write_text("\n".join(PREDICTED))
    assert load(file)[0] == 0
    before = state(target)
    assert "already: the same predictions; nothing to do" in load(file)[2]
    file.write_text("\n".join(GOLD))
    assert "already: other predictions; --replace replaces them" in load(file)[2]
    assert state(target) == before
    assert load(file, replace=True)[0] == 0
    assert stored("seed_1") == GOLD


def test_one_bad_file_of_many_stores_nothing(tmp_path, target, load):
    files = [tmp_path / f"seed_{i}.txt" for i in range(5)]
    for file in files:
        file.write_text("\n".join(PREDICTED))
    files[3].write_text("\n".join(PREDICTED[:-1]))
    before = state(target)
    status, _, error = load(*files)
    assert status == 1
    assert "seed_3.txt: 9 rows" in error
    assert state(target) == before


def test_the_same_file_or_run_named_twice(tmp_path, target, load):
    file = tmp_path / "seed_1.txt"
    file.write_text("\n".join(PREDICTED))
    assert "named twice" in load(file, file)[2]
    other = tmp_path / "seed_2.txt"
    other.write_text("\n".join(PREDICTED))
    assert "both hold run me" in load(file, other, run="me")[2]


def test_unknown_pairs_fall_back_to_order_only_when_gold_agrees(tmp_path, target, load, stored):
    columns = {"premise": ["Something else."] * 10, "hypothesis": ["Elsewhere."] * 10, "prediction": PREDICTED}
    file = tmp_path / "seed_1.csv"
    pd.DataFrame(columns | {"label": GOLD}).to_csv(file, index=False)
    status, output, _ = load(file)
    assert status == 0
    assert "matched in order (row count and every gold label agree)" in output
    assert stored("seed_1") == PREDICTED
    before = state(target)
    pd.DataFrame(columns | {"label": GOLD[::-1]}).to_csv(file, index=False)
    assert "row 2: the pair of row 2 is not in own" in load(file, run="b")[2]
    pd.DataFrame(columns).to_csv(file, index=False)
    assert "without ids or gold labels the order cannot be trusted; add ids" in load(file, run="b")[2]
    assert state(target) == before


def test_an_unknown_test_set_is_named_with_those_that_exist(tmp_path, load):
    file = tmp_path / "seed_1.txt"
    file.write_text("neutral\n")
    assert "no test set 'hanz'; there are own, own-two" in load(file, dataset="hanz")[2]


@pytest.mark.parametrize(
    "content", [b"\xff\xfa\x00 no text", b"PAR1 broken", b"\x1f\x8b broken", b'[{"a": 1}, {"b": 2}]']
)
def test_damaged_files(tmp_path, target, load, content):
    file = tmp_path / "seed_1.bin"
    file.write_bytes(content)
    before = state(target)
    status, _, error = load(file)
    assert status == 1
    assert "seed_1.bin" in error
    assert "\n" not in error
    assert state(target) == before


def test_usage(tmp_path):
    assert flock("import")[0] == 2
    assert flock("import", tmp_path / "x", "--dataset", "own", "--collection", "c", "--quoting", "odd")[0] == 2
    assert flock("import", tmp_path / "x", "--dataset", "own", "--collection", "c", "--values", "odd")[0] == 2
