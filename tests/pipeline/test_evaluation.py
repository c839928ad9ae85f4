"""Checkpoints of several architectures, tiny and random, against the plainest way to compute their predictions."""

import inspect
import itertools
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from pipeline import __main__ as cli
from pipeline import checking, evaluation, schema, store
from pipeline.errors import FlockError
from pipeline.training import models

NOUNS = ("tailor", "sailor", "poet", "monk")
ARCHITECTURES = {
    "bert": {"intermediate_size": 32},
    "roberta": {"intermediate_size": 32},
    "opt": {"ffn_dim": 32, "word_embed_proj_dim": 16},
    "olmo2": {"intermediate_size": 32},
    "t5": {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 1, "num_heads": 2, "decoder_start_token_id": 0},
}


def pairs(n: int = 40) -> list[dict]:
    """Pairs of very different lengths with three-way gold labels."""
    rows = []
    for i, (a, b) in zip(range(n), itertools.cycle(itertools.permutations(NOUNS, 2)), strict=False):
        premise = f"the {a} called the {b}" + " and the poet" * (i * 7 % 11)
        gold = schema.LABELS[i % 3]
        rows.append(
            {"example": f"p{i}", "position": i, "gold": gold, "premise": premise, "hypothesis": f"the {b} slept"}
        )
    return rows


def examples(name: str = "own"):
    return schema.EXAMPLES.rows([{"dataset": name} | row for row in pairs()])


def hans_like(name: str = "own-hans"):
    gold = {"entailment": "entailment", "neutral": schema.NON_ENTAILMENT, "contradiction": schema.NON_ENTAILMENT}
    slice_ = {"dataset": name, "heuristic": "lexical_overlap", "subcase": "own"}
    return schema.EXAMPLES.rows([row | slice_ | {"gold": gold[row["gold"]]} for row in pairs()])


def save(folder: Path, kind: str = "bert", labels=("neutral", "entailment", "contradiction"), **more) -> Path:
    """A tiny random classifier with its tokenizer, in a folder that transformers loads."""
    torch.manual_seed(0)
    tokenizer = models.word_tokenizer([row[c] for row in pairs() for c in ("premise", "hypothesis")])
    settings = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "max_position_embeddings": 64}
    config = transformers.AutoConfig.for_model(
        kind,
        **({} if kind == "t5" else settings),
        **ARCHITECTURES[kind],
        vocab_size=len(tokenizer),
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
        eos_token_id=tokenizer.sep_token_id,
        id2label=dict(enumerate(labels)),
        label2id={label: i for i, label in enumerate(labels)},
        **more,
    )
    model = transformers.AutoModelForSequenceClassification.from_config(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
        if kind == "bert":  # so that each class is the likeliest for some pairs
            inputs = tokenizer(*zip(*((r["premise"], r["hypothesis"]) for r in pairs()), strict=True), padding=True)
            model.classifier.bias -= model.eval()(**{k: torch.tensor(v) for k, v in inputs.items()}).logits.mean(0)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@torch.inference_mode()
def one_by_one(folder: Path, rows: list[dict]) -> np.ndarray:
    """Logits computed for each pair alone, in order: nothing sorted, padded or batched."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32).eval()
    accepted = inspect.signature(model.forward).parameters
    values = []
    for row in rows:
        inputs = tokenizer(row["premise"], row["hypothesis"], return_tensors="pt")
        values.append(model(**{k: v for k, v in inputs.items() if k in accepted}).logits[0])
    return torch.stack(values).numpy()


@pytest.mark.parametrize("kind", ARCHITECTURES)
def test_predictions_equal_those_of_each_pair_alone(tmp_path, kind):
    checkpoint = evaluation.load(str(save(tmp_path, kind)), device="cpu")
    expected = one_by_one(tmp_path, pairs())
    assert expected.std(0).min() > 1e-2  # the pairs do differ
    for batch_tokens in (1, 64, 16384):
        found = evaluation.predict(checkpoint, examples(), batch_tokens)
        assert found.dtype == np.float32 and found.shape == (40, 3)
        np.testing.assert_allclose(found, expected, atol=2e-5)


def test_labels_are_read_from_the_configuration(tmp_path):
    assert evaluation.load(str(save(tmp_path)), device="cpu").labels == ("neutral", "entailment", "contradiction")


@pytest.mark.parametrize(
    ("named", "order", "expected"),
    [
        (("CONTRADICTION", "ENTAILMENT", "NEUTRAL"), None, ("contradiction", "entailment", "neutral")),
        (("entailment", "not_entailment"), None, ("entailment", "non-entailment")),
        (("LABEL_0", "LABEL_1"), "non-entailment,entailment", ("non-entailment", "entailment")),
        (("LABEL_0", "LABEL_1", "LABEL_2"), "entailment,neutral,contradiction", schema.LABELS),
    ],
)
def test_label_order(named, order, expected):
    assert evaluation.label_order(dict(enumerate(named)), order, "model") == expected


@pytest.mark.parametrize(
    ("named", "order", "said"),
    [
        (
            ("LABEL_0", "LABEL_1", "LABEL_2"),
            None,
            "its classes LABEL_0, LABEL_1, LABEL_2.*say it with --labels",
        ),
        (("positive", "negative"), None, "positive, negative.*--labels"),
        (("entailment", "neutral"), None, "entailment, neutral.*--labels"),
        (("LABEL_0", "LABEL_1"), "entailment,neutral,contradiction", "3 classes, but model has 2"),
    ],
)
def test_an_ambiguous_order_is_refused(named, order, said):
    with pytest.raises(FlockError, match=said):
        evaluation.label_order(dict(enumerate(named)), order, "model")


def test_what_is_no_classifier_is_refused(tmp_path):
    with pytest.raises(FlockError, match=r"this folder holds no such model.*config\.json"):
        evaluation.load(str(tmp_path), device="cpu")
    folder = save(tmp_path / "encoder")
    transformers.AutoModel.from_pretrained(folder).save_pretrained(folder)  # without its head
    with pytest.raises(FlockError, match=r"lacks the weights classifier\.bias.*not a trained classifier"):
        evaluation.load(str(folder), device="cpu")


def test_long_pairs_are_cut_to_what_the_model_takes(tmp_path):
    checkpoint = evaluation.load(str(save(tmp_path, "roberta")), device="cpu")
    assert checkpoint.max_length == 62
    long = schema.EXAMPLES.rows([pairs(1)[0] | {"dataset": "long", "premise": "the poet " * 100}])
    assert np.isfinite(evaluation.predict(checkpoint, long)).all()


def run(checkpoint, target: Path, names, **options):
    return evaluation.evaluate(checkpoint, names, target, evaluation.Options(run="r", force=True, **options))


def test_results_are_stored_and_agree_with_the_logits(tmp_path):
    target = tmp_path / "store"
    for table in (examples(), hans_like()):
        store.write_examples(target, table)
    checkpoint = evaluation.load(str(save(tmp_path / "model")), device="cpu")
    found = run(checkpoint, target, ["own", "own-hans"], collection="c", step=7)
    logits = one_by_one(tmp_path / "model", pairs())
    predicted = [checkpoint.labels[i] for i in logits.argmax(1)]
    right = np.mean([p == row["gold"] for p, row in zip(predicted, pairs(), strict=True)])
    right_two_way = np.mean(
        [(p == "entailment") == (r["gold"] == "entailment") for p, r in zip(predicted, pairs(), strict=True)]
    )
    assert [(r.dataset, r.examples, r.scoring) for r in found] == [("own", 40, "3-way"), ("own-hans", 40, "2-way")]
    assert [r.accuracy for r in found] == pytest.approx([right, right_two_way])
    with store.connect([target]) as connection:
        stored = connection.sql(
            "SELECT predicted, logit_neutral, logit_entailment, logit_contradiction FROM predictions "
            "WHERE collection = 'c' AND run = 'r' AND step = 7 AND dataset = 'own' ORDER BY position"
        ).fetchall()
    assert [row[0] for row in stored] == predicted
    np.testing.assert_allclose(np.array([row[1:] for row in stored]), logits, atol=2e-5)
    assert checking.check([target]).problems == []


def test_a_two_way_head_is_scored_two_way_and_has_no_three_logits(tmp_path):
    target = tmp_path / "store"
    store.write_examples(target, examples())
    folder = save(tmp_path / "model", labels=("not_entailment", "entailment"))
    (found,) = run(evaluation.load(str(folder), device="cpu"), target, ["own"])
    assert found.scoring == "2-way"
    stored = store.read_run(target, "evaluated", "r").predictions
    assert set(stored["predicted"].to_pylist()) == {"entailment", "non-entailment"}
    assert stored["logit_entailment"].null_count == 40


def test_other_steps_and_sets_of_the_run_stay_and_nothing_is_overwritten_unasked(tmp_path):
    target = tmp_path / "store"
    for table in (examples(), hans_like()):
        store.write_examples(target, table)
    checkpoint = evaluation.load(str(save(tmp_path / "model")), device="cpu")
    run(checkpoint, target, ["own"], step=5)
    run(checkpoint, target, ["own-hans"], step=5)
    run(checkpoint, target, ["own"], step=9)
    with pytest.raises(FlockError, match="run r of evaluated has own at step 5 already; --replace"):
        run(checkpoint, target, ["own"], step=5)
    run(checkpoint, target, ["own"], step=5, replace=True)
    stored = store.read_run(target, "evaluated", "r")
    sets = {(s, d) for s, d in zip(*(stored.predictions[c].to_pylist() for c in ("step", "dataset")), strict=True)}
    assert sets == {(5, "own"), (5, "own-hans"), (9, "own")}
    assert stored.predictions.num_rows == 120
    finals = dict(zip(*(stored.checkpoints[c].to_pylist() for c in ("step", "is_final")), strict=True))
    assert finals == {5: False, 9: True}


def test_classes_in_another_order_are_refused_before_anything_is_written(tmp_path):
    """Gold labels that the model gets right, were its outputs named in another order."""
    target = tmp_path / "store"
    checkpoint = evaluation.load(str(save(tmp_path / "model")), device="cpu")
    meant = ("contradiction", "neutral", "entailment")
    gold = [meant[i] for i in evaluation.predict(checkpoint, examples()).argmax(1)]
    assert len(set(gold)) > 1
    rows = [row | {"dataset": "own", "gold": label} for row, label in zip(pairs(), gold, strict=True)]
    store.write_examples(target, schema.EXAMPLES.rows(rows))
    with pytest.raises(FlockError, match=r"100\.0 % if its classes are .*; give --labels"):
        evaluation.evaluate(checkpoint, ["own"], target, evaluation.Options())
    assert store.read_run(target, "evaluated", "model") is None


def command(capsys, *arguments) -> tuple[int, str, str]:
    """Exit status, stdout, stderr of `python -m pipeline ARGUMENTS`."""
    with pytest.raises(SystemExit) as ended:
        cli.main([str(a) for a in arguments])
    return ended.value.code, *capsys.readouterr()


def test_the_command_evaluates_a_file_of_pairs_and_keeps_it(tmp_path, capsys):
    folder, target = save(tmp_path / "model"), tmp_path / "store"
    file = tmp_path / "pairs of mine.tsv"
    lines = ["premise\thypothesis\tgold"] + [f"{r['premise']}\t{r['hypothesis']}\t{r['gold']}" for r in pairs()]
    file.write_text("\n".join([*lines, "the monk\tthe poet\t-"]))
    asked = ("evaluate", folder, "--store", target, "--force", "--datasets", file, "--collection")
    status, out, err = command(capsys, *asked, "c")
    assert status == 0, err
    assert "pairs of mine: 40 examples" in out and "% right (3-way)" in out
    assert "1 of 41 pairs have no label" in err
    assert store.read_run(target, "c", "model").predictions.num_rows == 40
    with store.connect([target]) as connection:
        assert connection.execute("SELECT n FROM datasets WHERE dataset = 'pairs of mine'").fetchall() == [(40,)]
    file.write_text("\n".join(lines[:-1]))
    status, _, err = command(capsys, *asked, "other")
    assert status == 1 and "with other examples; rename the file" in err


def test_the_command_names_what_is_missing_in_one_line(tmp_path, capsys):
    folder = save(tmp_path / "model", labels=("LABEL_0", "LABEL_1", "LABEL_2"))
    asked = ("evaluate", folder, "--store", tmp_path / "store", "--datasets", "hans", "mnli")
    status, _, err = command(capsys, *asked)
    assert (status, err.count("\n")) == (1, 1) and "--labels" in err
    status, _, err = command(capsys, *asked, "--labels", "contradiction,entailment,neutral")
    assert (status, err.strip().count("\n")) == (1, 0) and "python -m pipeline fetch hans" in err


def test_without_torch_the_command_names_what_to_install(tmp_path, capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "pipeline.evaluation")
    monkeypatch.delattr("pipeline.evaluation")
    monkeypatch.setitem(sys.modules, "torch", None)
    status, _, err = command(capsys, "evaluate", tmp_path, "--datasets", "hans")
    assert (status, err) == (1, "error: this command needs torch: pip install -r requirements.txt\n")
