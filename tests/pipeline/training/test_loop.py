"""One run: exact, repeatable, resumable."""

import json
import random

import numpy as np
import pyarrow as pa
import pytest
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from pipeline import checking, store
from pipeline.errors import FlockError
from pipeline.training import clock, forward, launch, loop, models
from pipeline.training.encoding import encode
from pipeline.training.seeds import Seeds

LOGITS = ["step", "dataset", "position", "predicted", "logit_entailment", "logit_neutral", "logit_contradiction"]


def logits(found: store.RunResults) -> pa.Table:
    keys = [(c, "ascending") for c in ("step", "dataset", "position")]
    return found.predictions.select(LOGITS).sort_by(keys).combine_chunks()


def test_learns_and_stores_what_check_accepts(toy):
    job = toy.job()
    assert launch.run_here(job) is None
    stored = store.read_run(toy.store, job.recipe.collection, job.run)
    report = checking.check([toy.store])
    assert report.problems == []

    n = 270
    steps = [0.5 * n / 8, n / 8, 2 * n // 8]
    assert stored.checkpoints["step"].to_pylist() == [round(s) for s in steps]
    assert stored.checkpoints["is_final"].to_pylist() == [False, False, True]
    assert stored.checkpoints["epoch"].to_pylist() == [s * 8 / n for s in (17, 34, 67)]
    losses = stored.checkpoints["train_loss"].to_pylist()
    assert losses[0] > losses[1] > losses[2] > 0
    assert set(stored.accuracies["origin"].to_pylist()) == {"own"}
    final = [r for r in stored.accuracies.to_pylist() if r["step"] == 67 and r["dataset"] == "toy-three"]
    assert [(r["n"], r["scoring"]) for r in final] == [(54, "3-way")]
    assert final[0]["correct"] >= 50
    run = stored.runs.to_pylist()[0]
    assert (run["recipe"], run["training_data"], run["init_seed"]) == ("toy", "toy.tsv", 0)
    assert run["device"] == "CPU, 1 thread"
    assert json.loads(run["hyperparameters"])["learning_rate"] == 3e-3

    left = sorted(p.name for p in job.folder.path.iterdir())
    assert left == ["progress.json", "run.lock"]
    assert job.folder.progress().state == "done"


def test_same_seeds_give_the_same_bits(toy):
    first = logits(loop.train(toy.job(3)))
    toy.job(3).folder.clear()
    assert logits(loop.train(toy.job(3))) == first


def test_each_seed_changes_what_it_should(toy):
    def run(seeds: Seeds, **changes) -> pa.Table:
        return logits(loop.train(toy.job(seeds=seeds, epochs=0.5, checkpoints=[0], **changes)))

    base = run(Seeds(0, 0, 0))
    untrained = base.filter(pa.compute.equal(base["step"], 0))
    for seeds, same_start in ((Seeds(1, 0, 0), False), (Seeds(0, 1, 0), True), (Seeds(0, 0, 1), True)):
        other = run(seeds)
        assert (other.filter(pa.compute.equal(other["step"], 0)) == untrained) == same_start
        assert other.filter(pa.compute.greater(other["step"], 0)) != base.filter(pa.compute.greater(base["step"], 0))


def test_stopped_anywhere_and_resumed_ends_the_same(toy):
    whole = loop.train(toy.job(5))
    toy.job(5).folder.clear()
    chance = random.Random(7)
    stops = 0
    while True:
        try:
            resumed = loop.train(toy.job(5), should_stop=lambda: chance.random() < 0.05)
            break
        except loop.Interrupted:
            stops += 1
            assert toy.job(5).folder.progress().state == "stopped"
    assert stops >= 2
    assert logits(resumed) == logits(whole)
    assert resumed.checkpoints == whole.checkpoints
    assert resumed.accuracies == whole.accuracies


def test_evaluated_checkpoints_are_not_evaluated_again(toy, monkeypatch):
    job = toy.job(2)
    steps = iter(range(1000))
    with pytest.raises(loop.Interrupted):
        loop.train(job, should_stop=lambda: next(steps) == 40)
    evaluated = []
    predict = forward.predict
    monkeypatch.setattr(forward, "predict", lambda *a, **k: evaluated.append(1) or predict(*a, **k))
    loop.train(job)
    assert len(evaluated) == 2  # the last checkpoint's two test sets


def test_refuses_a_saved_state_of_another_recipe(toy):
    with pytest.raises(loop.Interrupted):
        loop.train(toy.job(), should_stop=lambda: True)
    with pytest.raises(FlockError, match=r"toy.*another recipe.*--restart|--restart"):
        loop.train(toy.job(learning_rate=1e-3))


def test_loss_that_is_not_finite_fails_the_run(toy, monkeypatch):
    monkeypatch.setattr(clock, "REPORT_EVERY", 0.0)
    with pytest.raises(loop.RunFailed, match="not finite"):
        loop.train(toy.job(learning_rate=1e30, warmup=0.0, clip_norm=0.0))
    assert not toy.job().folder.state.exists()


def test_run_at_chance_is_flagged(toy):
    note = launch.run_here(toy.job(learning_rate=1e-12))
    assert note.startswith("at chance, a failed fine-tuning: toy-three 3")
    stored = store.read_run(toy.store, toy.folder.name, f"{toy.folder.name}_00")
    assert stored.runs["notes"].to_pylist() == [note]


@pytest.mark.parametrize("keep, found", [("none", []), ("final", [""]), ("all", ["", "@00000017", "@00000034"])])
def test_keeps_the_weights_that_the_recipe_names(toy, keep, found):
    job = toy.job(keep_weights=keep)
    launch.run_here(job)
    folder = store.weights_folder(toy.store, job.recipe.collection, job.run)
    assert sorted(p.name for p in folder.parent.glob("*")) == [job.run + suffix for suffix in found]


def test_keeps_only_named_seeds(toy):
    for seed, kept in ((0, True), (1, False)):
        launch.run_here(toy.job(seed, keep_seeds="0,2-4", epochs=0.1, checkpoints=[]))
        job = toy.job(seed)
        assert store.weights_folder(toy.store, job.recipe.collection, job.run).exists() == kept


def test_kept_weights_give_the_stored_logits(toy):
    job = toy.job()
    launch.run_here(job)
    folder = store.weights_folder(toy.store, job.recipe.collection, job.run)
    assert (folder / "model.safetensors").stat().st_size < 2 * 20_000
    model = AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32)
    assert model.config.id2label == dict(enumerate(job.recipe.labels))
    with store.connect([toy.store]) as connection:
        table = connection.sql("FROM examples WHERE dataset = 'toy-three' ORDER BY position").to_arrow_table()
    values = forward.predict(model, encode(table, AutoTokenizer.from_pretrained(folder), 24), 4096)
    stored = store.read_run(toy.store, job.recipe.collection, job.run).predictions
    stored = stored.filter((pa.compute.field("dataset") == "toy-three") & (pa.compute.field("step") == 67))
    expected = np.stack([stored[f"logit_{label}"].to_numpy() for label in job.recipe.labels], 1)
    np.testing.assert_allclose(values, expected, atol=0.02)


def test_head_leaves_features_as_they_were(toy, tmp_path):
    source = toy.job(1, keep_weights="final", epochs=0.2, checkpoints=[])
    launch.run_here(source)
    folder = str(store.weights_folder(toy.store, source.recipe.collection, source.run))
    recipe = toy.recipe(model=folder, scratch={}, train="head")
    model = models.load_model(recipe, AutoTokenizer.from_pretrained(folder), 0)
    trained = {name for name, p in model.named_parameters() if p.requires_grad}
    assert trained == {"classifier.weight", "classifier.bias"}
    models.set_training(model, recipe)
    assert model.training and not model.base_model.training


def test_two_way_recipe_has_no_logits(toy):
    text = toy.data.read_text().replace("neutral", "non-entailment").replace("contradiction", "non-entailment")
    toy.data.write_text(text)
    found = loop.train(toy.job(labels=["entailment", "non-entailment"], test_sets=["toy-hans"], epochs=1))
    assert found.predictions["logit_entailment"].null_count == len(found.predictions)
    assert set(found.accuracies["scoring"].to_pylist()) == {"2-way"}


def test_unknown_label_in_the_data(toy):
    with pytest.raises(FlockError, match=r"toy\.tsv: label 'contradiction'"):
        loop.train(toy.job(labels=["entailment", "non-entailment"]))
