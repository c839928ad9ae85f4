"""The runs that Flock trained itself and ships: they belong to the shipped recipes, grammar and numbers."""

import numpy as np
import pyarrow.compute as pc
import pytest

from pipeline import datasets, evaluation, schema, store
from pipeline.training import recipe as recipes

SHIPPED = [store.PUBLISHED]
MINIATURE = recipes.load("miniature")
SUBCASES = [name for golds in schema.SUBCASES.values() for subcases in golds.values() for name in subcases]


@pytest.fixture(scope="module")
def shipped():
    with store.connect(SHIPPED) as connection:
        yield connection


def accuracy(shipped, where: str) -> np.ndarray:
    """Final accuracy in percent of each of the miniature's runs."""
    query = f"""
        SELECT 100 * sum(correct) / sum(n) FROM accuracies JOIN checkpoints USING (collection, run, step)
        WHERE collection = 'miniature' AND is_final AND {where} GROUP BY run ORDER BY run"""
    return np.array([value for (value,) in shipped.execute(query).fetchall()])


def test_the_miniature_is_twenty_runs_of_the_shipped_recipe(shipped):
    rows = shipped.execute("SELECT run, hyperparameters FROM runs WHERE collection = 'miniature'").fetchall()
    assert len(rows) == 20
    assert all(MINIATURE.fingerprint() in hyperparameters for _, hyperparameters in rows)
    (synthetic,) = shipped.execute("SELECT synthetic FROM collections WHERE collection = 'miniature'").fetchall()
    assert synthetic == (True,)
    counted = shipped.execute(
        "SELECT dataset, count(DISTINCT step), count(*), count(logit_neutral) FROM predictions "
        "WHERE collection = 'miniature' GROUP BY 1 ORDER BY 1"
    ).fetchall()
    steps = len(MINIATURE.checkpoints)
    assert steps >= 8
    assert counted == [(name, steps, *2 * [20 * steps * n]) for name, n in (("hans-like", 6000), ("miniature", 2000))]


def test_its_sentences_are_those_of_the_grammar():
    for name in datasets.GRAMMAR:
        stored = datasets.stored(name, SHIPPED)
        made = datasets.test_set(name, [])
        assert stored.select(["premise", "hypothesis", "gold", "subcase"]).equals(
            made.select(["premise", "hypothesis", "gold", "subcase"])
        )


def test_kept_weights_answer_as_stored():
    """In half precision, so that a label at the very border may differ."""
    kept = store.kept_weights(SHIPPED, "miniature")
    assert [(run, step) for run, step in sorted(kept)] == [(f"miniature_{seed:02d}", None) for seed in range(5)]
    assert sum(f.stat().st_size for folder in kept.values() for f in folder.rglob("*")) < 10e6
    examples = datasets.stored("hans-like", SHIPPED).slice(0, 600)
    for (run, _), folder in kept.items():
        checkpoint = evaluation.load(str(folder), device="cpu")
        order = [checkpoint.labels.index(label) for label in schema.LABELS]
        logits = evaluation.predict(checkpoint, examples)[:, order]
        final = store.read_run(store.PUBLISHED, "miniature", run).predictions
        last = pc.max(final["step"]).as_py()
        rows = final.filter((pc.field("step") == last) & (pc.field("dataset") == "hans-like")).sort_by("position")
        stored = np.column_stack([rows[name].to_numpy()[:600] for name in schema.LOGITS])
        assert np.abs(logits - stored).max() < 0.25
        assert (logits.argmax(1) == stored.argmax(1)).mean() > 0.99


def test_all_shipped_files_stay_under_sixty_megabytes():
    assert sum(path.stat().st_size for path in store.PUBLISHED.rglob("*") if path.is_file()) < 60e6


def in_percent(values: np.ndarray) -> str:
    return f"{values.mean():.1f} ({values.min():.1f}–{values.max():.1f})"


def test_the_numbers_told_about_the_miniature_are_those_of_its_runs(shipped):
    sources = (store.PUBLISHED / "SOURCES.md").read_text(encoding="utf-8")
    told = sources.partition("## What the miniature shows")[2]
    in_domain = accuracy(shipped, "dataset = 'miniature'")
    converged = in_domain >= 97
    named = shipped.execute(
        "SELECT value FROM run_columns WHERE collection = 'miniature' AND name = 'converged' ORDER BY run"
    ).fetchall()
    assert [value for (value,) in named] == ["yes" if yes else "no" for yes in converged]
    assert f"{converged.sum()} of {len(converged)} have converged" in told
    assert f"SD {in_domain.std(ddof=1):.2f} over all runs, {in_domain[converged].std(ddof=1):.2f} over those" in told
    rows = [row for row in told.splitlines() if row.startswith("| ") and row.count("|") == 5 and "`" in row]
    tested = [row.split("`")[1] for row in rows]
    assert {"miniature", "regular", "counter-example", *SUBCASES} == {*tested}
    for row, name in zip(rows, tested, strict=True):
        values = accuracy(shipped, "dataset = 'miniature'" if name == "miniature" else f"subcase = '{name}'")
        assert row.split(" | ")[2:] == [in_percent(values), in_percent(values[converged]) + " |"]
