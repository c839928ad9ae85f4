"""`collections` and `export`."""

import hashlib
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from pipeline import checking, schema, scoring, store
from tests.pipeline.importers.conftest import flock, state
from tests.pipeline.test_store import GOLD, examples, results


@pytest.fixture
def target(tmp_path, monkeypatch):
    """A store with two runs of `ours` on a set without fetched text and on one of our own."""
    monkeypatch.setattr(store, "default_stores", list)
    folder = tmp_path / "store"
    store.write_examples(folder, examples(premise=["A."] * 4, hypothesis=["B."] * 4))
    store.write_examples(folder, examples("own", premise=["C."] * 4, hypothesis=["D."] * 4))
    for seed in range(2):
        store.write_run(folder, results(run=f"seed_{seed}", predicted=GOLD if seed else GOLD[::-1]))
        store.update_run(folder, results(run=f"seed_{seed}", dataset="own"))
    published = [
        {"collection": "ours", "dataset": "mnli", "position": 0, "runs": 2, "correct": 1, "origin": "published"}
    ]
    store.write_collection_table(folder, "agreement", schema.AGREEMENT.rows(published))
    return folder


def rows(target, statement):
    with store.connect([target]) as connection:
        return connection.execute(statement).fetchall()


def collections(*arguments):
    return flock("collections", *arguments)


def test_list(target):
    status, output, _ = collections("list", "--store", target)
    assert status == 0
    assert output.splitlines()[1].split() == ["ours", "2", "2", "2", "16", "store"]


def test_rename_reaches_every_table(target):
    assert collections("rename", "ours", "theirs", "--store", target)[0] == 0
    for table in ("runs", "checkpoints", "accuracies", "predictions", "agreement"):
        assert rows(target, f"SELECT DISTINCT collection FROM {table}") == [("theirs",)], table
    assert store.collection_names(target) == ["theirs"]
    assert not checking.check([target]).problems
    assert [p for p in target.iterdir() if p.name.startswith(".new")] == []


def test_rename_refuses(target):
    before = state(target)
    assert "has no collection 'nothing'; it has ours" in collections("rename", "nothing", "x", "--store", target)[2]
    assert "has a collection ours already" in collections("rename", "ours", "ours", "--store", target)[2]
    assert state(target) == before


def test_remove_asks_first(target):
    before = state(target)
    assert collections("remove", "ours", "--store", target)[0] == 1
    assert state(target) == before
    assert collections("remove", "ours", "--yes", "--store", target)[0] == 0
    assert store.collection_names(target) == []
    assert rows(target, "SELECT count(*) FROM examples") == [(8,)]


def test_describe(target):
    assert collections("describe", "ours", "--title", "Our runs", "--store", target)[0] == 0
    assert collections("describe", "ours", "--licence", "CC0", "--store", target)[0] == 0
    assert rows(target, "SELECT title, licence, synthetic FROM collections") == [("Our runs", "CC0", False)]
    assert collections("describe", "ours", "--store", target)[0] == 2
    assert "no collection 'x'" in collections("describe", "x", "--title", "t", "--store", target)[2]


def test_columns_about_the_runs(target, tmp_path):
    table = tmp_path / "runs.csv"
    table.write_text("run,warm-up,group\nseed_0,0.1,a\nseed_1,,b\n")
    assert collections("describe", "ours", "--runs-table", table, "--store", target)[0] == 0
    table.write_text("run\tgroup\nseed_0\tc\n")
    assert collections("describe", "ours", "--runs-table", table, "--store", target)[0] == 0
    assert rows(target, "SELECT run, name, value FROM run_columns ORDER BY ALL") == [
        ("seed_0", "group", "c"),
        ("seed_0", "warm-up", "0.1"),
        ("seed_1", "group", "b"),
    ]
    before = state(target)
    for text, said in (
        ("run,x\nseed_9,1\n", "row 2: ours has no run 'seed_9'"),
        ("run,x\nseed_0,1\nseed_0,2\n", "row 3: seed_0 again, first in row 2"),
        ("seed,x\nseed_0,1\n", "needs a column run and at least one more"),
    ):
        table.write_text(text)
        assert said in collections("describe", "ours", "--runs-table", table, "--store", target)[2]
    assert state(target) == before


def test_an_export_reads_alone(target, tmp_path):
    file = tmp_path / "ours.zip"
    status, _, error = flock("export", "ours", file, "--store", target)
    assert (status, error) == (0, "")
    zipfile.ZipFile(file).extractall(tmp_path / "unpacked")
    unpacked = tmp_path / "unpacked" / "ours"
    assert not checking.check([unpacked]).problems
    for table in ("runs", "checkpoints", "accuracies", "predictions", "agreement"):
        query = f"SELECT * FROM {table} ORDER BY ALL"
        assert rows(unpacked, query) == rows(target, query), table
    assert rows(unpacked, "SELECT dataset, count(premise) FROM examples GROUP BY ALL ORDER BY 1") == [
        ("hans", 0),
        ("own", 4),
    ]
    assert "Runs: 2. Test sets: hans, mnli, own." in (unpacked / "README.txt").read_text()


def test_an_export_is_the_same_bytes_each_time_and_leaves_nothing_aside(target, tmp_path):
    digests = set()
    for text in (*["all"] * 6, "none"):
        file = tmp_path / "ours.zip"
        assert flock("export", "ours", file, "--text", text, "--store", target)[0] == 0
        digests.add(hashlib.sha256(file.read_bytes()).hexdigest())
    assert len(digests) == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["ours.zip", "store"]


def test_rounded_logits_are_counted_anew(target, tmp_path):
    """The last example is non-entailment by the exact sum of two classes, entailment by the rounded (0.694 > ln 2)."""
    exact = [[0.0, 0.0, -9.0], [1.0, 0.12345, -0.98765], [0.0, 0.5, 0.0], [0.69352, 0.0004, 0.0004]]
    predicted = ["entailment", "entailment", "neutral", "entailment"]
    run = results(run="exact", predicted=predicted, logits=exact)
    store.write_run(target, replace(run, accuracies=scoring.score(run.predictions, examples("hans"), "own")))
    file = tmp_path / "ours.zip"
    assert flock("export", "ours", file, "--decimals", 3, "--store", target)[0] == 0
    zipfile.ZipFile(file).extractall(tmp_path / "unpacked")
    found = store.read_run(tmp_path / "unpacked" / "ours", "ours", "exact")
    assert found.predictions["predicted"].to_pylist() == predicted
    logits = [[row[name] for name in schema.LOGITS] for row in found.predictions.to_pylist()]
    np.testing.assert_array_equal(np.float32(logits), np.float32(np.round(exact, 3)))
    expected = scoring.score(found.predictions, examples("hans"), "own")
    assert found.accuracies.sort_by("gold").equals(expected.sort_by("gold"))
    assert found.accuracies != store.read_run(target, "ours", "exact").accuracies
    assert not checking.check([tmp_path / "unpacked" / "ours"]).problems


def test_export_refuses(target, tmp_path):
    assert "no collection 'x'; there are ours" in flock("export", "x", tmp_path / "x.zip", "--store", target)[2]
    assert "no such folder" in flock("export", "ours", tmp_path / "a" / "x.zip", "--store", target)[2]
    assert flock("export", "ours", tmp_path / "x.zip", "--text", "odd", "--store", target)[0] == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["store"]
