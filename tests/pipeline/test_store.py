"""Stores: what is written is read back, later stores win, kills and rivals corrupt nothing."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline import checking, schema, scoring, store
from pipeline.errors import FlockError
from pipeline.store import writing

GOLD = ["entailment", "non-entailment", "entailment", "non-entailment"]


def examples(dataset="hans", gold=GOLD, **columns) -> pa.Table:
    """A small HANS-like test set; `columns` are lists, one value an example."""
    rows = [
        {
            "dataset": dataset,
            "example": f"ex{i}",
            "position": i,
            "gold": label,
            "heuristic": "lexical_overlap",
            "subcase": "le_passive" if label == "entailment" else "ln_passive",
        }
        | {name: values[i] for name, values in columns.items()}
        for i, label in enumerate(gold)
    ]
    return schema.EXAMPLES.rows(rows)


def results(run="seed_0", collection="ours", predicted=GOLD, dataset="hans", step=0, logits=None, **columns):
    """A run's results on `examples(dataset)`."""
    labels = ["neutral" if p == "non-entailment" else p for p in predicted]
    rows = [
        {"collection": collection, "run": run, "step": step, "dataset": dataset, "position": i, "predicted": label}
        | (dict(zip(schema.LOGITS, logits[i], strict=True)) if logits else {})
        for i, label in enumerate(labels)
    ]
    predictions = schema.PREDICTIONS.rows(rows)
    return store.RunResults(
        runs=schema.RUNS.rows([{"collection": collection, "run": run} | columns]),
        checkpoints=schema.CHECKPOINTS.rows([{"collection": collection, "run": run, "step": step, "is_final": True}]),
        accuracies=scoring.score(predictions, examples(dataset), "computed"),
        predictions=predictions,
    )


@pytest.fixture
def small(tmp_path) -> Path:
    """A store with one test set and one run."""
    folder = tmp_path / "small"
    store.write_examples(folder, examples())
    store.write_run(folder, results())
    return folder


def rows(stores, query, *parameters):
    with store.connect(stores) as connection:
        return connection.execute(query, parameters).fetchall()


def test_what_is_written_is_read_back(small):
    assert store.read_run(small, "ours", "seed_0") == results()
    assert store.read_run(small, "ours", "seed_1") is None
    assert rows([small], "SELECT sum(n), sum(correct) FROM accuracies") == [(4, 4)]
    assert rows([small], "SELECT position, predicted FROM predictions WHERE position = 1") == [(1, "neutral")]
    assert rows([small], "SELECT dataset, n, two_way, has_text FROM datasets") == [("hans", 4, True, False)]
    assert rows([small], "SELECT run, dataset, n, has_logits FROM prediction_sets") == [("seed_0", "hans", 4, False)]


def test_every_view_has_the_columns_of_its_table(small, tmp_path):
    for stores in ([small], [tmp_path / "nothing"], [small, tmp_path / "nothing"]):
        with store.connect(stores) as connection:
            for table in schema.TABLES.values():
                described = connection.execute(f"SELECT * FROM {table.name} LIMIT 0").description
                assert [column[0] for column in described] == list(table.names)


def test_a_run_is_not_overwritten_unasked(small):
    with pytest.raises(FlockError, match=r"seed_0.*--replace"):
        store.write_run(small, results(predicted=GOLD[::-1]))
    assert store.read_run(small, "ours", "seed_0") == results()
    store.write_run(small, results(predicted=GOLD[::-1]), replace_existing=True)
    assert rows([small], "SELECT sum(correct) FROM accuracies") == [(0,)]


def test_an_update_keeps_other_checkpoints_and_test_sets(small):
    store.write_examples(small, examples("hans-again"))
    store.update_run(small, results(dataset="hans-again", predicted=["entailment"] * 4))
    store.update_run(small, results(dataset="hans", predicted=["entailment"] * 4))
    found = rows([small], "SELECT dataset, sum(correct) FROM accuracies GROUP BY ALL ORDER BY ALL")
    assert found == [("hans", 2), ("hans-again", 2)]
    assert rows([small], "SELECT dataset, count(*) FROM predictions GROUP BY ALL ORDER BY ALL") == [
        ("hans", 4),
        ("hans-again", 4),
    ]
    assert not checking.check([small]).problems


def test_two_test_sets_of_one_name_are_found_once(small, tmp_path):
    other = tmp_path / "other"
    store.write_examples(other, examples(example=[f"their-{i}" for i in range(4)]))
    problems = checking.check([small, other]).problems
    assert problems == ["two test sets of one name (add yours again under another name): hans"]


def test_later_stores_win_whole_sets_and_nothing_counts_twice(small, tmp_path):
    later = tmp_path / "later"
    store.write_run(later, results(predicted=GOLD[::-1], notes="again"))
    for stores, right in (([small, later], 0), ([later, small], 4), ([small, later, small], 4)):
        assert rows(stores, "SELECT count(*), sum(n), sum(correct) FROM accuracies") == [(2, 4, right)]
        assert rows(stores, "SELECT count(*) FROM predictions") == [(4,)]
        assert rows(stores, "SELECT count(*) FROM runs") == [(1,)]
        assert rows(stores, "SELECT sum(n) FROM prediction_sets") == [(4,)]
        assert rows(stores, "SELECT sum(correct), max(runs) FROM agreement") == [(right, 1)]


def test_a_later_accuracy_table_leaves_earlier_predictions_of_other_sets(small, tmp_path):
    later = tmp_path / "later"
    store.write_examples(later, examples("hans-again"))
    store.write_run(later, results(dataset="hans-again"))
    assert rows([small, later], "SELECT dataset FROM prediction_sets ORDER BY ALL") == [("hans",), ("hans-again",)]
    assert rows([small, later], "SELECT count(*) FROM predictions") == [(8,)]


def test_later_text_fills_what_an_earlier_store_lacks(small, tmp_path):
    text = tmp_path / "text"
    store.write_examples(text, examples(premise=["One.", None, "Three.", "Four."], subcase=[None] * 4))
    for stores in ([small, text], [text, small]):
        found = rows(stores, "SELECT premise, subcase, gold FROM examples ORDER BY position")
        assert [row[0] for row in found] == ["One.", None, "Three.", "Four."]
        assert [row[1] for row in found] == ["le_passive", "ln_passive"] * 2
        assert [row[2] for row in found] == GOLD


def test_agreement_is_computed_where_predictions_exist_and_published_elsewhere(small):
    published = [
        {"collection": c, "dataset": "hans", "position": i, "runs": 100, "correct": 50, "origin": "published"}
        for c in ("ours", "theirs")
        for i in range(4)
    ]
    for collection in ("ours", "theirs"):
        mine = [row for row in published if row["collection"] == collection]
        store.write_collection_table(small, "agreement", schema.AGREEMENT.rows(mine))
    found = rows([small], "SELECT DISTINCT collection, runs, correct, origin FROM agreement ORDER BY ALL")
    assert found == [("ours", 1, 1, "computed"), ("theirs", 100, 50, "published")]


def test_agreement_counts_final_checkpoints_only(small):
    early = results(step=0, predicted=GOLD[::-1])
    late = results(step=10)
    not_final = schema.CHECKPOINTS.rows([{"collection": "ours", "run": "seed_0", "step": 0, "is_final": False}])
    early = store.RunResults(early.runs, not_final, early.accuracies, early.predictions)
    store.write_run(small, late.merged_over(early), replace_existing=True)
    assert rows([small], "SELECT DISTINCT runs, correct FROM agreement") == [(1, 1)]


@pytest.mark.parametrize("name", ["a/b", "..", ".hidden", "c*d?[e]", "ünï", "x'y", "per%cent", "a b", "con.fig"])
def test_any_name_is_a_folder(small, name):
    store.write_run(small, results(run=name, collection=name))
    assert store.read_run(small, name, name) is not None
    assert rows([small], "SELECT count(*) FROM predictions WHERE run = ? AND collection = ?", name, name) == [(4,)]
    assert name in store.collection_names(small)
    assert all(small in folder.resolve().parents for folder in store.run_folders(small))
    store.remove_collection(small, name)
    assert store.collection_names(small) == ["ours"]


def test_a_file_of_another_version_is_refused_by_name(small):
    file = small / "collections" / "ours" / "runs" / "seed_0" / "accuracies.parquet"
    table = pq.read_table(file)
    for metadata, said in (({schema.VERSION_KEY: b"99"}, "version 99"), ({}, "no schema version")):
        pq.write_table(table.replace_schema_metadata(metadata), file)
        with pytest.raises(FlockError, match=f"accuracies.parquet has .*{said}"):
            store.connect([small])


def test_a_damaged_file_is_named(small):
    file = small / "collections" / "ours" / "runs" / "seed_0" / "predictions.parquet"
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(FlockError, match="could not be read"):
        store.connect([small])
    assert [p for p in checking.check([small]).problems if "predictions.parquet is damaged" in p]


def test_a_wrong_column_or_value_is_refused():
    with pytest.raises(FlockError, match="no column nonsense"):
        schema.RUNS.rows([{"collection": "c", "run": "r", "nonsense": 1}])
    with pytest.raises(FlockError, match=r"runs\.run is empty in 1 rows"):
        schema.RUNS.rows([{"collection": "c"}])
    with pytest.raises(FlockError, match="step is not int64"):
        schema.CHECKPOINTS.rows([{"collection": "c", "run": "r", "step": "soon", "is_final": True}])


def test_the_fingerprint_changes_with_each_write(small):
    seen = {store.fingerprint([small])}
    changes = [
        lambda: store.write_run(small, results(run="seed_1")),
        lambda: store.write_run(small, results(run="seed_1"), replace_existing=True),
        lambda: store.write_examples(small, examples()),
        lambda: store.remove_collection(small, "ours"),
    ]
    for count, change in enumerate(changes, start=2):
        change()
        seen.add(store.fingerprint([small]))
        assert len(seen) == count


def test_stores_come_from_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("FLOCK_STORES", os.pathsep.join([str(tmp_path), ""]))
    assert store.default_stores() == [store.PUBLISHED, store.LOCAL, tmp_path]
    monkeypatch.setenv("FLOCK_STORES", str(tmp_path / "missing"))
    with pytest.raises(FlockError, match="missing: no such store"):
        store.default_stores()


WRITER = """
import sys
from pathlib import Path
from tests.pipeline.test_store import GOLD, results
from pipeline import store
while True:
    for predicted in (GOLD, GOLD[::-1]):
        store.write_run(Path(sys.argv[1]), results(predicted=predicted), replace_existing=True)
        print("written", flush=True)
"""


def start_writer(folder):
    command = [sys.executable, "-c", WRITER, str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=store.ROOT, text=True)
    assert process.stdout.readline() == "written\n"
    return process


def assert_whole(folder):
    """The run's accuracies and predictions are both of the old or both of the new state."""
    report = checking.check([folder])
    assert not report.problems
    assert rows([folder], "SELECT sum(correct) IN (0, 4), count(*) FROM accuracies") == [(True, 2)]


def test_a_killed_writer_leaves_the_old_or_the_new_state(small):
    for delay in (0.0, 0.004, 0.011, 0.023, 0.035):
        process = start_writer(small)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert_whole(small)


def test_a_kill_between_the_two_renames_leaves_the_old_state(small):
    folder = store.run_folder(small, "ours", "seed_0")
    folder.rename(folder.with_name(".old-" + folder.name))
    assert_whole(small)
    store.write_run(small, results(predicted=GOLD[::-1]), replace_existing=True)
    assert rows([small], "SELECT sum(correct) FROM accuracies") == [(0,)]
    assert_whole(small)


def test_two_writers_at_once(small):
    writers = [start_writer(small) for _ in range(2)]
    time.sleep(0.5)
    assert all(writer.poll() is None for writer in writers)
    for writer in writers:
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    assert_whole(small)


def test_a_failed_write_leaves_nothing(small, monkeypatch):
    before = sorted(small.rglob("*"))
    monkeypatch.setattr(writing, "_swap", lambda new, folder: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        store.write_run(small, results(run="seed_9"))
    assert sorted(small.rglob("*")) == before


def test_a_copied_store_reads_alone(small, tmp_path):
    shutil.copytree(small, tmp_path / "copy")
    shutil.rmtree(small)
    assert rows([tmp_path / "copy"], "SELECT count(*) FROM predictions") == [(4,)]
