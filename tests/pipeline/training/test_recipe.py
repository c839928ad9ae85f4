"""Recipes: what is shipped loads, what is wrong is named."""

import re
import tomllib
from dataclasses import fields

import pytest
from typer.testing import CliRunner

from pipeline import __main__ as command_line
from pipeline.errors import FlockError
from pipeline.training import recipe as recipes

MINIMAL = 'model = "m"\ntraining_data = "t"\nlearning_rate = 1e-5\ntest_sets = ["hans"]\n'


@pytest.fixture
def load(tmp_path):
    def load(text: str, **overrides):
        path = tmp_path / "mine.toml"
        path.write_text(text)
        return recipes.load(path, **overrides)

    return load


def test_shipped_recipes_load():
    assert recipes.shipped() == [
        "feather",
        "feather-adamw",
        "frozen",
        "miniature",
        "minilm",
        "minilm-snli",
        "roberta",
    ]
    for name in recipes.shipped():
        loaded = recipes.load(name)
        assert (loaded.name, loaded.collection) == (name, name)
        assert loaded.title != name


def test_feather_is_the_papers_recipe():
    r = recipes.load("feather")
    assert (r.max_length, r.batch, r.epochs, r.learning_rate) == (128, 32, 3.0, 2e-5)
    assert (r.optimiser, r.schedule, r.warmup, r.weight_decay, r.clip_norm) == (
        "bert-adam",
        "bert-linear",
        0.1,
        0.01,
        1,
    )
    assert (r.dropout, r.epsilon, r.shuffle_buffer, r.train) == (0.1, 1e-6, 100, "all")
    assert r.labels == ("contradiction", "entailment", "neutral")
    assert set(r.test_sets) == {"hans", "mnli"}


def test_feather_shows_every_key_at_its_default():
    text = (recipes.SHIPPED / "feather.toml").read_text()
    named = set(re.findall(r"^#? ?\[?([a-z_0-9]+)(?: =|\])", text, re.MULTILINE))
    assert named - {"model_type"} == {f.name for f in fields(recipes.Recipe)} - {"name"}
    commented = "\n".join(re.findall(r"^# ([a-z_0-9]+ = .*)$", text.split("# [scratch]")[0], re.MULTILINE))
    defaults = {f.name: f.default for f in fields(recipes.Recipe)}
    for key, value in tomllib.loads(commented).items():
        if key not in ("collection", "keep_seeds"):
            assert (tuple(value) if isinstance(value, list) else value) == defaults[key], key


def test_every_key_is_documented():
    rows = recipes.documentation()
    assert [name for name, _, _ in rows] == [f.name for f in fields(recipes.Recipe)]
    assert all(len(meaning) > 10 for _, _, meaning in rows)
    assert {name: default for name, default, _ in rows}["warmup"] == "0.1"


def test_help_says_what_every_key_means(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    shown = " ".join(CliRunner().invoke(command_line.app, ["train", "--help"]).output.split())
    for name, _, meaning in recipes.documentation():
        assert f": {meaning}" in shown, name


def test_defaults_and_names(load):
    r = load(MINIMAL)
    assert (r.name, r.collection, r.title) == ("mine", "mine", "mine")
    assert load(MINIMAL, collection="other").collection == "other"
    assert load(MINIMAL + "epochs = 2\n").epochs == 2.0


@pytest.mark.parametrize(
    "text, message",
    [
        ("lerning_rate = 1", "mine.toml: unknown key 'lerning_rate'; the nearest is 'learning_rate'"),
        ("warm_up = 0.1", "mine.toml: unknown key 'warm_up'; the nearest is 'warmup'"),
        ("batch = 0", "mine.toml: batch is 0; it must be at least 1"),
        ("batch = 8.5", "mine.toml: batch is 8.5; it is a whole number"),
        ('batch = "8"', "mine.toml: batch is '8'; it is a whole number"),
        ("batch = true", "mine.toml: batch is True; it is a whole number"),
        ("share = 0", "mine.toml: share is 0.0; it must be above 0 and at most 1"),
        ('optimiser = "sgd"', "mine.toml: optimiser is 'sgd'; it is one of adamw, bert-adam"),
        ('train = "heads"', "mine.toml: train is 'heads'; it is one of all, head, lora"),
        ("checkpoints = 3", "mine.toml: checkpoints is 3; it is a list"),
        ("checkpoints = [4]", "mine.toml: checkpoints holds 4.0, yet training has 3 epochs"),
        ('labels = ["entailment", "neutral"]', "mine.toml: labels is"),
        ('keep_seeds = "a"', "mine.toml: keep_seeds is 'a'"),
        ("[scratch]\nhidden_size = 2", "mine.toml: [scratch] needs model_type"),
        ('train = "lora"\n[scratch]\nmodel_type = "bert"', "mine.toml: train is 'lora', yet a model from scratch"),
    ],
)
def test_wrong_keys_are_named(load, text, message):
    with pytest.raises(FlockError, match=re.escape(message)):
        load(MINIMAL + text)


def test_missing_key_unreadable_file_unknown_name(load):
    with pytest.raises(FlockError, match="key 'model' is missing: hub name or folder"):
        load(MINIMAL.replace("model", "# model"))
    with pytest.raises(FlockError, match=r"mine.toml: not a TOML file \("):
        load("model = ")
    with pytest.raises(FlockError, match="nowhere: no such recipe; give a TOML file, or one of feather,"):
        recipes.load("nowhere")


def test_fingerprint_follows_what_matters(load):
    base = load(MINIMAL).fingerprint()
    for line in ('keep_weights = "none"', 'title = "T"', 'collection = "c"', 'keep_seeds = "1"'):
        assert load(MINIMAL + line).fingerprint() == base
    for line in (
        "batch = 16",
        "dropout = 0.0",
        "share_seed = 1",
        'labels = ["entailment", "neutral", "contradiction"]',
    ):
        assert load(MINIMAL.replace(line.split()[0] + ' = ["hans"]', "") + line).fingerprint() != base
