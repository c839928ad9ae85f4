"""`sql` and `check` on the command line."""

import json
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from pipeline import checking, query, store
from pipeline.errors import FlockError
from tests.pipeline.test_store import GOLD, examples, results


@pytest.fixture
def small(tmp_path):
    folder = tmp_path / "small"
    store.write_examples(folder, examples(premise=["A [b] c."] * 4))
    for seed in range(2):
        store.write_run(folder, results(run=f"seed_{seed}", predicted=GOLD if seed else GOLD[::-1]))
    return folder


def flock(*arguments, cwd=store.ROOT):
    command = [sys.executable, "-m", "pipeline", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


def test_select_in_every_format(small, tmp_path):
    statement = "SELECT run, sum(correct)::INT AS correct FROM accuracies GROUP BY run ORDER BY run"
    expected = [{"run": "seed_0", "correct": 0}, {"run": "seed_1", "correct": 4}]
    printed = flock("sql", statement, "--store", small)
    assert printed.stdout == "run     correct\nseed_0        0\nseed_1        4\n"
    as_json = flock("sql", statement, "--store", small, "--format", "json").stdout
    assert [json.loads(line) for line in as_json.splitlines()] == expected
    assert flock("sql", statement, "--store", small, "--format", "csv").stdout == "run,correct\nseed_0,0\nseed_1,4\n"
    file = tmp_path / "rows.parquet"
    assert flock("sql", statement, "--store", small, "--format", "parquet", "-o", file).returncode == 0
    assert pq.read_table(file).to_pylist() == expected
    refused = flock("sql", statement, "--store", small, "--format", "parquet")
    assert (refused.returncode, refused.stderr) == (1, "error: Parquet is not text: add --output FILE.parquet\n")


def test_text_is_printed_as_it_is(small):
    assert "A [b] c." in flock("sql", "SELECT premise FROM examples LIMIT 1", "--store", small).stdout


@pytest.mark.parametrize(
    "statement",
    [
        "COPY (SELECT 1) TO '{store}/x.csv'",
        "ATTACH '{store}/x.db'",
        "CREATE TABLE x AS SELECT 1",
        "DELETE FROM runs",
        "SELECT 1; SELECT 2",
        "SET enable_external_access = true",
        "PRAGMA database_list",
        "INSTALL httpfs",
        "EXPORT DATABASE '{store}/x'",
        "SELECT * FROM read_csv('{outside}')",
        "SELECT * FROM read_text('{outside}')",
        "SELECT * FROM '{outside}'",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM query('COPY (SELECT 1) TO ''{store}/x.csv''')",
        "SELECT nonsense FROM runs",
        "",
    ],
)
def test_nothing_but_a_select_inside_the_stores(small, tmp_path, statement):
    outside = tmp_path / "outside.csv"
    outside.write_text("secret\n1\n")
    before = sorted(small.rglob("*"))
    with pytest.raises(FlockError) as refused:
        query.select(statement.format(store=small, outside=outside), [small])
    assert "\n" not in str(refused.value)
    assert sorted(small.rglob("*")) == before


def test_usage_mistakes_exit_with_two(small):
    assert flock("sql").returncode == 2
    assert flock("nonsense").returncode == 2
    assert flock("check", "--nonsense").returncode == 2


def test_every_command_explains_itself():
    listed = flock("--help").stdout
    for command in ("sql", "check"):
        assert command in listed
        assert flock(command, "--help").returncode == 0


def test_check_finds_what_is_wrong(small):
    assert flock("check", "--store", small).returncode == 0
    file = small / "collections" / "ours" / "runs" / "seed_0" / "accuracies.parquet"
    table = pq.read_table(file)
    damages = {
        "accuracies say 1 right, predictions 0": table.set_column(8, table.schema.field(8), [[1, 0]]),
        "is not between 0 and n": table.set_column(8, table.schema.field(8), [[99, 0]]),
        "repeat a key": table.take([0, 0]),
        "columns are not those": table.drop_columns(["n"]),
    }
    for said, damaged in damages.items():
        pq.write_table(damaged.replace_schema_metadata(table.schema.metadata), file)
        assert [problem for problem in checking.check([small]).problems if said in problem], said
        printed = flock("check", "--store", small)
        assert printed.returncode == 1
        assert said in printed.stderr
    file.unlink()
    assert "accuracies.parquet is missing" in flock("check", "--store", small).stderr


def test_check_finds_predictions_that_do_not_fit_their_set(small):
    store.write_examples(small, examples(gold=GOLD * 2))
    assert "has 8 examples" in checking.check([small]).problems[0]


def test_check_of_no_store_says_so(tmp_path):
    refused = flock("check", "--store", tmp_path / "nothing")
    assert refused.returncode == 1
    assert "no such store" in refused.stderr
