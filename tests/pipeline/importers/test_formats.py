"""Every kind of file that people have, written by the tool that writes it."""

import csv
import gzip
import json
import os

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline import checking, schema, store
from pipeline.importers.reading import Format, read
from tests.pipeline.importers.conftest import GOLD, LOGITS, ORDER, PAIRS, PREDICTED

IDS = [f"p{i}" for i in range(len(PAIRS))]
SHUFFLED = np.random.default_rng(3).permutation(len(PAIRS))
CLASSES = ",".join(ORDER)


def frame(**columns) -> pd.DataFrame:
    """The pairs with predictions, as people keep them."""
    data = {
        "premise": [p for p, _, _ in PAIRS],
        "hypothesis": [h for _, h, _ in PAIRS],
        "label": GOLD,
        "prediction": PREDICTED,
    }
    return pd.DataFrame(data | columns)


def logits_of(target, run="seed_1"):
    with store.connect([target]) as connection:
        rows = connection.execute(
            f"SELECT {', '.join(schema.LOGITS)} FROM predictions WHERE run = ? ORDER BY position", [run]
        ).fetchall()
    return np.array(rows, dtype=float)


def in_schema_order(values):
    return np.array(values)[:, [ORDER.index(label) for label in schema.LABELS]]


# --- HANS files and bare labels ------------------------------------------------------------------------------------


def test_hans_prediction_file_in_any_row_order(tmp_path, load, stored, target):
    file = tmp_path / "seed_1.txt"
    file.write_text("pairID,gold_label\n" + "".join(f"{IDS[i]},{PREDICTED[i]}\n" for i in SHUFFLED))
    status, output, error = load(file)
    assert (status, error) == (0, "")
    assert stored("seed_1") == PREDICTED
    assert "id pairID, prediction gold_label" in output
    assert "80.00 % right" in output
    assert not checking.check([target]).problems


@pytest.mark.parametrize("header", ["", "prediction\n"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("style", [str, str.upper, str.title])
def test_one_label_a_line(tmp_path, load, stored, header, ending, style):
    lines = [*header.splitlines(), *(style(label) for label in PREDICTED)]
    file = tmp_path / "seed_1.txt"
    file.write_bytes(b"\xef\xbb\xbf" + ending.join(lines).encode() + ending.encode() * 3)
    assert load(file)[0] == 0
    assert stored("seed_1") == PREDICTED


def test_class_indices_with_an_order(tmp_path, load, stored):
    file = tmp_path / "seed_1.txt"
    file.write_text("\n".join(str(ORDER.index(label)) for label in PREDICTED))
    assert load(file, labels=CLASSES)[0] == 0
    assert stored("seed_1") == PREDICTED


# --- files of the usual tools --------------------------------------------------------------------------------------


def test_tensorflow_bert_test_results(tmp_path, load, stored, target):
    """A probability triple a line, tab separated, no header."""
    probabilities = np.exp(LOGITS) / np.exp(LOGITS).sum(1, keepdims=True)
    file = tmp_path / "test_results.tsv"
    file.write_text("".join("\t".join(map(str, row)) + "\n" for row in probabilities.tolist()))
    status, output, _ = load(file, labels=CLASSES, run="seed_1")
    assert status == 0
    assert "probabilities of contradiction, entailment, neutral" in output
    assert stored("seed_1") == PREDICTED
    assert logits_of(target) == pytest.approx(in_schema_order(np.log(probabilities)), abs=1e-6)


@pytest.fixture(scope="module")
def trainer_predictions(tmp_path_factory):
    """Logits of a tiny random BERT for the pairs, from transformers' own Trainer."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch
    from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    model = BertForSequenceClassification(BertConfig(vocab_size=300, num_labels=3, **sizes))
    rows = [{"input_ids": [i + 5, 7, 2 * i + 30], "labels": i % 3} for i in range(len(PAIRS))]
    folder = tmp_path_factory.mktemp("trainer")
    arguments = TrainingArguments(output_dir=str(folder), use_cpu=True, report_to=[], disable_tqdm=True)
    return Trainer(model=model, args=arguments).predict(rows).predictions


@pytest.mark.parametrize("words", [True, False])
def test_transformers_predict_results(tmp_path, load, stored, trainer_predictions, words):
    """As the example scripts of transformers write it: index, tab, label."""
    best = trainer_predictions.argmax(1)
    file = tmp_path / "predict_results_mnli.txt"
    with file.open("w") as writer:
        writer.write("index\tprediction\n")
        for index, item in enumerate(best):
            writer.write(f"{index}\t{ORDER[item] if words else item}\n")
    status, output, error = load(file, force=True, **({} if words else {"labels": CLASSES}))
    assert (status, error) == (0, "")
    assert stored("predict_results_mnli") == [ORDER[i] for i in best]
    assert "matched by id" in output


def test_json_list_of_logits_from_trainer(tmp_path, load, stored, target, trainer_predictions):
    file = tmp_path / "seed_1.json"
    file.write_text(json.dumps(trainer_predictions.tolist()))
    assert load(file, labels=CLASSES, force=True)[0] == 0
    assert stored("seed_1") == [ORDER[i] for i in trainer_predictions.argmax(1)]
    assert logits_of(target) == pytest.approx(in_schema_order(trainer_predictions.astype(float)), abs=1e-6)


@pytest.mark.parametrize("lines", [True, False])
def test_json_records_from_pandas(tmp_path, load, stored, lines):
    file = tmp_path / "seed_1.jsonl"
    frame(id=IDS).iloc[SHUFFLED].to_json(file, orient="records", lines=lines)
    assert load(file)[0] == 0
    assert stored("seed_1") == PREDICTED


def test_json_lines_with_a_list_of_logits(tmp_path, load, stored):
    file = tmp_path / "seed_1.jsonl"
    rows = [{"idx": f"p{i}", "label": GOLD[i], "logits": LOGITS[i]} for i in SHUFFLED]
    file.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    assert load(file, labels=CLASSES)[0] == 0
    assert stored("seed_1") == PREDICTED


def test_json_columns_from_pandas(tmp_path, load, stored):
    file = tmp_path / "seed_1.json"
    file.write_text(json.dumps({"id": IDS, "prediction": PREDICTED}))
    assert load(file)[0] == 0
    assert stored("seed_1") == PREDICTED


# --- tables --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
@pytest.mark.parametrize("ids", [True, False])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
def test_tables_from_pandas(tmp_path, load, stored, delimiter, ids, quoting):
    """Quotes, semicolons and tabs in the sentences; matched by id or by text."""
    file = tmp_path / "seed_1.csv"
    data = frame(id=IDS) if ids else frame()
    data.iloc[SHUFFLED].to_csv(file, sep=delimiter, index=False, quoting=quoting)
    status, output, error = load(file)
    assert (status, error) == (0, "")
    assert stored("seed_1") == PREDICTED
    assert ("matched by id" if ids else "matched by text") in output


@pytest.mark.parametrize("dialect", ["excel", "excel-tab", "unix"])
def test_spreadsheet_dialects(tmp_path, load, stored, dialect):
    file = tmp_path / "seed_1.csv"
    with file.open("w", newline="", encoding="utf-8-sig") as handle:
        writer = csv.writer(handle, dialect=dialect)
        writer.writerow(["sentence1", "sentence2", "gold_label", "pred"])
        writer.writerows([*PAIRS[i], PREDICTED[i]] for i in SHUFFLED)
    assert load(file)[0] == 0
    assert stored("seed_1") == PREDICTED


def test_spreadsheet_text_in_utf_16(tmp_path, load, stored):
    file = tmp_path / "seed_1.txt"
    frame(id=IDS).to_csv(file, sep="\t", index=False, encoding="utf-16")
    assert load(file)[0] == 0
    assert stored("seed_1") == PREDICTED


def test_literal_quotes_between_tabs(tmp_path, load, stored):
    """As MNLI is published: quotes mean themselves. A tab inside a sentence cannot be written that way."""
    file = tmp_path / "seed_1.tsv"
    rows = [f"{p}\t{h}\t{PREDICTED[i]}" for i, (p, h, _) in enumerate(PAIRS)]
    text = "\n".join(["premise\thypothesis\tprediction", *rows]).replace("Two\tbirds", "Two birds")
    file.write_text(text)
    status, output, error = load(file)
    assert (status, error) == (0, "")
    assert "quotes literal" in output
    assert stored("seed_1") == PREDICTED


@pytest.mark.parametrize("compression", [None, "gzip"])
def test_parquet(tmp_path, load, stored, compression):
    file = tmp_path / "seed_1.parquet"
    frame(example=IDS).iloc[SHUFFLED].to_parquet(file)
    if compression:
        file.write_bytes(gzip.compress(file.read_bytes()))
    assert load(file)[0] == 0
    assert stored("seed_1") == PREDICTED


def test_parquet_with_lists_of_logits(tmp_path, load, target):
    file = tmp_path / "seed_1.parquet"
    pd.DataFrame({"example": IDS, "logits": LOGITS}).to_parquet(file)
    assert load(file, labels=CLASSES)[0] == 0
    assert logits_of(target) == pytest.approx(in_schema_order(LOGITS), abs=1e-6)


def test_columns_named_for_the_classes_need_no_order(tmp_path, load, stored, target):
    file = tmp_path / "seed_1.csv"
    columns = {f"logit_{label}": np.array(LOGITS)[:, ORDER.index(label)] for label in ("neutral", *ORDER[:2])}
    pd.DataFrame({"pairID": IDS} | columns).to_csv(file, index=False)
    assert load(file)[0] == 0
    assert stored("seed_1") == PREDICTED
    assert logits_of(target) == pytest.approx(in_schema_order(LOGITS), abs=1e-6)


def test_gzip(tmp_path, load, stored):
    file = tmp_path / "seed_1.csv.gz"
    frame(id=IDS).to_csv(file, index=False)
    assert file.read_bytes()[:2] == b"\x1f\x8b"
    assert load(file)[0] == 0
    assert stored("seed_1") == PREDICTED


# --- several runs --------------------------------------------------------------------------------------------------


def test_a_wide_file_has_a_column_a_run(tmp_path, load, stored):
    file = tmp_path / "all.csv"
    pd.DataFrame({"pairID": IDS, "bert 1": PREDICTED, "bert 2": GOLD}).to_csv(file, index=False)
    status, output, _ = load(file)
    assert status == 0
    assert "a column a run (bert 1, bert 2)" in output
    assert (stored("bert 1"), stored("bert 2")) == (PREDICTED, GOLD)


def test_a_wide_file_of_indices_with_gold_and_without_ids(tmp_path, load, stored):
    file = tmp_path / "all.tsv"
    index = [ORDER.index(label) for label in PREDICTED]
    pd.DataFrame({"gold_label": GOLD, "a": index, "b": index}).to_csv(file, index=False, sep="\t")
    assert load(file, labels=CLASSES)[0] == 0
    assert stored("a") == stored("b") == PREDICTED


def test_a_run_column_and_a_step_column(tmp_path, load, stored, target):
    rows = [
        {"seed": run, "step": step, "pairID": IDS[i], "prediction": GOLD[i] if step else PREDICTED[i]}
        for run in ("s1", "s2")
        for step in (0, 500)
        for i in SHUFFLED
    ]
    file = tmp_path / "all.csv"
    pd.DataFrame(rows).to_csv(file, index=False)
    assert load(file)[0] == 0
    assert (stored("s2"), stored("s2", step=500)) == (PREDICTED, GOLD)
    with store.connect([target]) as connection:
        final = connection.execute("SELECT run, step FROM checkpoints WHERE is_final ORDER BY ALL").fetchall()
    assert final == [("s1", 500), ("s2", 500)]


def test_one_file_a_run_named_by_file_or_folder(tmp_path, load, stored):
    files = []
    for run in ("seed_1", "seed_2"):
        (tmp_path / run).mkdir()
        files.append(tmp_path / run / "predictions.txt")
        files[-1].write_text("\n".join(PREDICTED if run == "seed_1" else GOLD))
    status, output, _ = load(*files)
    assert status == 0
    assert "imported 2 runs" in output
    assert (stored("seed_1"), stored("seed_2")) == (PREDICTED, GOLD)


def test_a_second_test_set_and_checkpoint_of_a_run_are_added(tmp_path, load, stored, target):
    file = tmp_path / "seed_1.txt"
    file.write_text("\n".join(PREDICTED))
    assert load(file)[0] == 0
    assert load(file, step=100)[0] == 0
    assert load(file, dataset="own-two")[0] == 0
    assert stored("seed_1") == stored("seed_1", step=100) == stored("seed_1", dataset="own-two") == PREDICTED
    assert not checking.check([target]).problems


# --- what is recognised can be overridden --------------------------------------------------------------------------


def test_flags_override_recognition(tmp_path, load, stored):
    file = tmp_path / "odd.txt"
    rows = [f"{i}~{PREDICTED[i]}~{IDS[i]}~{GOLD[i]}~left" for i in SHUFFLED]
    file.write_text("n~guess~key~truth~direction\n" + "\n".join(rows))
    flags = {"delimiter": "~", "id_column": "key", "prediction_column": "guess", "gold_column": "4", "run": "me"}
    assert load(file, **flags)[0] == 0
    assert stored("me") == PREDICTED
    assert load(file, **(flags | {"id_column": "kex"}))[2].endswith("there are n, guess, key, truth, direction")


def test_without_header_columns_are_numbered(tmp_path, load, stored):
    file = tmp_path / "odd.csv"
    file.write_text("".join(f"x,{IDS[i]},{PREDICTED[i]},y\n" for i in SHUFFLED))
    status, _, error = load(file)
    assert status == 1
    assert "--prediction-column" in error
    assert load(file, no_header=True, id_column="2", prediction_column="3")[0] == 0
    assert stored("odd") == PREDICTED


def test_two_way_predictions_on_a_three_way_set_are_scored_two_way(tmp_path, load, target):
    file = tmp_path / "seed_1.txt"
    file.write_text("\n".join("entailment" if p == "entailment" else "not_entailment" for p in PREDICTED))
    assert load(file)[0] == 0
    with store.connect([target]) as connection:
        found = connection.execute("SELECT n, correct, scoring FROM accuracies").fetchall()
    assert found == [(10, 8, "2-way")]


def test_two_way_logits(tmp_path, load, stored):
    file = tmp_path / "seed_1.json"
    file.write_text(json.dumps([[1, -1] if p == "entailment" else [-1, 1] for p in PREDICTED]))
    assert load(file, dataset="own-two", labels="entailment,non-entailment")[0] == 0
    assert stored("seed_1", dataset="own-two")[:3] == ["entailment", "entailment", "non-entailment"]


cell = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=12).filter(lambda t: t == t.strip() != "")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(cell, cell, st.sampled_from(ORDER)), min_size=2, max_size=6),
    st.sampled_from(["excel", "excel-tab", "semicolon", "all"]),
)
def test_quoted_tables_are_read_back_whatever_they_hold(tmp_path, rows, dialect):
    """Sentences of any characters but line breaks, as a spreadsheet quotes them."""
    options = {
        "excel": {"dialect": "excel"},
        "excel-tab": {"dialect": "excel-tab"},
        "semicolon": {"delimiter": ";"},
        "all": {"quoting": csv.QUOTE_ALL},
    }[dialect]
    file = tmp_path / "table.csv"
    with file.open("w", newline="", encoding="utf-8") as handle:
        csv.writer(handle, **options).writerows([("premise", "hypothesis", "prediction"), *rows])
    quoting = "double" if dialect == "excel-tab" else None
    assert read(file, Format(quoting=quoting)).rows[1:] == [list(row) for row in rows]
