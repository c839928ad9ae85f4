"""`add-dataset`: a test set of one's own, and predictions on it."""

import pandas as pd
import pytest

from pipeline import checking, store
from tests.pipeline.importers.conftest import GOLD, PAIRS, flock, state


@pytest.fixture
def table():
    return pd.DataFrame(
        {
            "premise": [p for p, _, _ in PAIRS],
            "hypothesis": [h for _, h, _ in PAIRS],
            "gold": GOLD,
            "heuristic": ["overlap"] * 5 + [None] * 5,
            "subcase": ["a", "b"] * 5,
        }
    )


def add(file, target, *more):
    return flock("add-dataset", file, "--name", "mine", "--store", target, *more)


@pytest.mark.parametrize("kind", ["csv", "tsv", "semicolon", "jsonl", "parquet", "csv.gz"])
def test_every_format(tmp_path, target, table, kind):
    file = tmp_path / f"set.{kind}"
    if kind == "jsonl":
        table.to_json(file, orient="records", lines=True)
    elif kind == "parquet":
        table.to_parquet(file)
    else:
        table.to_csv(file, index=False, sep={"tsv": "\t", "semicolon": ";"}.get(kind, ","))
    status, output, error = add(file, target)
    assert (status, error) == (0, "")
    assert "10 examples, 4 contradiction, 3 entailment, 3 neutral, 1 heuristics, 2 subcases" in output
    with store.connect([target]) as connection:
        rows = connection.execute(
            "SELECT example, premise, hypothesis, gold, heuristic, subcase FROM examples "
            "WHERE dataset = 'mine' ORDER BY position"
        ).fetchall()
    expected = [(str(i), p, h, g, "overlap" if i < 5 else None, "ab"[i % 2]) for i, (p, h, g) in enumerate(PAIRS)]
    assert rows == expected
    assert not checking.check([target]).problems


def test_predictions_on_it_are_scored_by_slice(tmp_path, target, table, load):
    file = tmp_path / "set.csv"
    table.to_csv(file, index=False)
    assert add(file, target)[0] == 0
    labels = tmp_path / "seed_1.txt"
    labels.write_text("\n".join(GOLD))
    assert load(labels, dataset="mine")[0] == 0
    with store.connect([target]) as connection:
        rows = connection.execute(
            "SELECT heuristic, subcase, gold, n, correct, scoring FROM accuracies ORDER BY ALL"
        ).fetchall()
    assert rows == [
        ("overlap", "a", None, 3, 3, "3-way"),
        ("overlap", "b", None, 2, 2, "3-way"),
        (None, "a", None, 2, 2, "3-way"),
        (None, "b", None, 3, 3, "3-way"),
    ]


def test_ids_and_integer_labels(tmp_path, target, table):
    file = tmp_path / "set.csv"
    order = ["contradiction", "entailment", "neutral"]
    table.assign(id=[f"x{i}" for i in range(10)], gold=[order.index(g) for g in GOLD]).to_csv(file, index=False)
    assert "class index" in add(file, target)[2]
    assert add(file, target, "--labels", ",".join(order))[0] == 0
    with store.connect([target]) as connection:
        rows = connection.execute(
            "SELECT example, gold FROM examples WHERE dataset = 'mine' ORDER BY position"
        ).fetchall()
    assert rows == [(f"x{i}", gold) for i, gold in enumerate(GOLD)]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: t.drop(columns="gold"), "no column gold among premise, hypothesis, heuristic, subcase"),
        (lambda t: t.assign(gold=["perhaps", *GOLD[1:]]), "row 2: unknown label 'perhaps'"),
        (lambda t: t.assign(gold=[None, *GOLD[1:]]), "row 2: no label"),
        (lambda t: t.assign(gold=["non-entailment", *GOLD[1:]]), "beside non-entailment"),
        (lambda t: t.assign(hypothesis=[" ", *t.hypothesis[1:]]), "row 2: no hypothesis"),
        (lambda t: t.assign(id=["a", "b", "a", *"cdefghi"]), "row 4: id a again, first in row 2"),
    ],
)
def test_refusals(tmp_path, target, table, change, said):
    file = tmp_path / "set.csv"
    change(table).to_csv(file, index=False)
    before = state(target)
    status, _, error = add(file, target)
    assert status == 1
    assert said in error
    assert state(target) == before


def test_a_name_is_taken_once(tmp_path, target, table):
    file = tmp_path / "set.csv"
    table.to_csv(file, index=False)
    assert add(file, target)[0] == 0
    assert "a test set mine with 10 examples is there already" in add(file, target)[2]
    assert add(file, target, "--replace")[0] == 0
