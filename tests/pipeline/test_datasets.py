"""Training pairs and test sets by name: files of every kind, and the hub as its cache on disk holds it."""

import csv
import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from huggingface_hub import constants

from pipeline import datasets, hub, schema, store
from pipeline.errors import FlockError

ROWS = [
    ("The tailor waved to the drummer.", "The tailor waved.", "entailment"),
    ('A clerk said "no", twice.', "A clerk agreed.", "contradiction"),
    ("Two pilots sat down.", "Two pilots were tired.", "neutral"),
]
ORDER = ("entailment", "neutral", "contradiction")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A hub cache without a network: `cache(repo, file)` says where a file of a data set belongs."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)

    def place(repo: str, file: str) -> Path:
        folder = tmp_path / "hub" / f"datasets--{repo.replace('/', '--')}"
        revision = "0" * 40
        (folder / "refs").mkdir(parents=True, exist_ok=True)
        (folder / "refs" / "main").write_text(revision)
        path = folder / "snapshots" / revision / file
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    return place


def write_tsv(path: Path, rows, header=("premise", "hypothesis", "label")) -> Path:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n")
        writer.writerows([header, *rows])
    return path


def as_rows(table: pa.Table) -> list[tuple]:
    return [tuple(row.values()) for row in table.to_pylist()]


def test_training_pairs_come_from_every_kind_of_file(tmp_path):
    columns = dict(zip(("premise", "hypothesis", "label"), map(list, zip(*ROWS, strict=True)), strict=True))
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    lines = [json.dumps({"gold_label": g, "sentence1": p, "sentence2": h}) for p, h, g in ROWS]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    for path in (
        write_tsv(tmp_path / "a.tsv", ROWS),
        write_tsv(tmp_path / "a.tsv.gz", ROWS),
        tmp_path / "a.jsonl",
        tmp_path / "a.parquet",
    ):
        table = datasets.training_pairs(str(path))
        assert table.column_names == ["premise", "hypothesis", "label"]
        assert as_rows(table) == ROWS, path


def test_class_indices_need_their_meaning(tmp_path):
    indices = {"contradiction": 0, "entailment": 1, "neutral": 2}
    file = write_tsv(tmp_path / "a.tsv", [(p, h, indices[g]) for p, h, g in ROWS])
    assert as_rows(datasets.training_pairs(str(file), ("contradiction", "entailment", "neutral"))) == ROWS
    with pytest.raises(FlockError, match=r"a\.tsv, row 2: 1 is a class index.*data_labels"):
        datasets.training_pairs(str(file))


def test_pairs_without_a_label_are_left_out_and_counted(tmp_path):
    said = []
    words = write_tsv(tmp_path / "words.tsv", [*ROWS, ("A guest slept.", "A guest ran.", "-")])
    numbers = tmp_path / "numbers.parquet"
    pq.write_table(
        pa.table({"premise": ["a", "b", "c"], "hypothesis": ["d", "e", "f"], "label": [-1, 2, None]}), numbers
    )
    assert as_rows(datasets.training_pairs(str(words), say=said.append)) == ROWS
    assert as_rows(datasets.training_pairs(str(numbers), ORDER, said.append)) == [("b", "e", "contradiction")]
    assert said == [
        f"{words}: 1 of 4 pairs have no label and are left out",
        f"{numbers}: 2 of 3 pairs have no label and are left out",
    ]


def test_several_files_follow_one_another(tmp_path):
    first, second = write_tsv(tmp_path / "1.tsv", ROWS[:1]), write_tsv(tmp_path / "2.tsv.gz", ROWS[1:])
    assert as_rows(datasets.training_pairs(f"{second}, {first}")) == ROWS[1:] + ROWS[:1]
    with_comma = write_tsv(tmp_path / "a,b.tsv", ROWS)
    assert as_rows(datasets.training_pairs(str(with_comma))) == ROWS


def test_a_row_that_cannot_be_used_is_named(tmp_path):
    file = write_tsv(tmp_path / "a.tsv", [*ROWS, ("A monk sang.", "", "neutral")])
    with pytest.raises(FlockError, match=r"a\.tsv, row 5: no hypothesis"):
        datasets.training_pairs(str(file))
    file = write_tsv(tmp_path / "b.tsv", [*ROWS, ("A monk sang.", "A monk spoke.", "perhaps")])
    with pytest.raises(FlockError, match=r"b\.tsv, row 5: unknown label 'perhaps'"):
        datasets.training_pairs(str(file))
    with pytest.raises(FlockError, match=r"a\.csv.*no such file.*--training-data FILE"):
        datasets.training_pairs(str(tmp_path / "a.csv"))


def parquet(path: Path, labels: list[int], **more) -> None:
    """A file with the columns that MNLI in GLUE, SNLI and ANLI have."""
    texts = {"premise": [f"{path.stem} premise {i}" for i in range(len(labels))], "hypothesis": ["so"] * len(labels)}
    pq.write_table(pa.table(texts | {"label": pa.array(labels, pa.int64())} | more), path)


def test_mnli_comes_from_the_hub_under_either_name(cache):
    parquet(cache("nyu-mll/glue", "mnli/train-00000-of-00001.parquet"), [0, 1, 2], idx=pa.array([0, 1, 2], pa.int32()))
    table = datasets.training_pairs("mnli")
    assert table["label"].to_pylist() == ["entailment", "neutral", "contradiction"]
    assert table.equals(datasets.training_pairs("nyu-mll/glue"))


def test_training_data_without_network_says_both_ways(cache):
    with pytest.raises(FlockError, match=r"connect to the network, or give a file .* with --training-data FILE"):
        datasets.training_pairs("mnli")


def test_snli_counts_only_labelled_pairs(cache, tmp_path):
    parquet(cache("stanfordnlp/snli", "plain_text/validation-00000-of-00001.parquet"), [2, -1, 0])
    said = []
    table = datasets.test_set("snli-dev", [tmp_path], said.append)
    assert table.schema.names == list(schema.EXAMPLES.names)
    assert table["gold"].to_pylist() == ["contradiction", "entailment"]
    assert table["position"].to_pylist() == [0, 1]
    assert table["example"].to_pylist() == ["0", "1"]
    assert table["premise"][1].as_py().endswith("premise 2")
    assert "1 of 3 pairs have no label" in said[0]


def test_anli_joins_three_rounds_and_keeps_them_apart_as_subcases(cache, tmp_path):
    for r in (1, 2, 3):
        path = cache("facebook/anli", f"plain_text/test_r{r}-00000-of-00001.parquet")
        parquet(path, [r - 1], uid=[f"u{r}"], reason=["because"])
    table = datasets.test_set("anli", [tmp_path])
    assert table["subcase"].to_pylist() == ["round 1", "round 2", "round 3"]
    assert table["gold"].to_pylist() == list(ORDER)
    assert table["dataset"].unique().to_pylist() == ["anli"]


def test_wanli_has_words_and_genres(cache, tmp_path):
    row = {"id": 17, "premise": "It rained.", "hypothesis": "It was wet.", "gold": "neutral", "genre": "generated"}
    cache("alisawuffles/WANLI", "test.jsonl").write_text(json.dumps(row | {"pairID": "5n"}) + "\n")
    (found,) = datasets.test_set("wanli", [tmp_path]).to_pylist()
    assert (found["gold"], found["genre"], found["example"]) == ("neutral", "generated", "0")


def test_paws_is_a_two_way_set(cache, tmp_path):
    texts = {
        "id": pa.array([1, 2], pa.int32()),
        "sentence1": ["a b", "c d"],
        "sentence2": ["b a", "c d"],
        "label": [0, 1],
    }
    pq.write_table(pa.table(texts), cache("google-research-datasets/paws", "labeled_final/test-00000-of-00001.parquet"))
    table = datasets.test_set("paws", [tmp_path])
    assert table["gold"].to_pylist() == ["non-entailment", "entailment"]
    assert table["premise"].to_pylist() == ["a b", "c d"]


@pytest.mark.parametrize("name", sorted(hub.TEST_SETS))
def test_a_test_set_without_network_says_what_to_bring(cache, tmp_path, name):
    with pytest.raises(FlockError, match=rf"connect to the network, or .*add-dataset FILE --name {name}"):
        datasets.test_set(name, [tmp_path])


def test_hans_and_mnli_name_the_command_that_brings_their_sentences():
    for name in ("hans", "mnli"):
        with pytest.raises(FlockError, match=f"python -m pipeline fetch {name}"):
            datasets.test_set(name, [store.PUBLISHED])


def test_a_store_with_sentences_comes_first(cache, tmp_path):
    rows = [
        {"dataset": "snli-dev", "example": "x", "position": 0, "gold": "neutral", "premise": "p", "hypothesis": "h"}
    ]
    store.write_examples(tmp_path, schema.EXAMPLES.rows(rows))
    assert datasets.test_set("snli-dev", [tmp_path])["example"].to_pylist() == ["x"]


def test_a_file_is_a_test_set_under_its_own_name(tmp_path):
    file = write_tsv(
        tmp_path / "my pairs.tsv.gz",
        [("a", "b", "not_entailment", "s1"), ("c", "d", "-", "s2"), ("e", "f", "entailment", "s2")],
        ("premise", "hypothesis", "gold", "subcase"),
    )
    said = []
    table = datasets.test_set(str(file), [tmp_path], said.append)
    assert table["dataset"].unique().to_pylist() == ["my pairs"]
    assert table["gold"].to_pylist() == ["non-entailment", "entailment"]
    assert table["subcase"].to_pylist() == ["s1", "s2"]
    assert len(said) == 1


def test_the_grammar_makes_training_and_test_pairs_that_share_no_premise(monkeypatch):
    monkeypatch.setattr(datasets, "MINIATURE_TRAINING", 300)
    training = datasets.training_pairs("miniature")
    assert training.num_rows == 300
    assert set(training["label"].to_pylist()) == set(schema.LABELS)
    premises = set(training["premise"].to_pylist())
    for name, n in (("miniature", 2_000), ("hans-like", 6_000)):
        table = datasets.test_set(name, [])
        assert (table.num_rows, table["dataset"].unique().to_pylist()) == (n, [name])
        assert table["position"].to_pylist() == list(range(n))
        assert not premises & set(table["premise"].to_pylist())


def test_an_unknown_test_set_lists_what_there_is(tmp_path):
    with pytest.raises(FlockError, match=r"no test set nli-of-mine: name one of hans, mnli, mnli-mm.*hans-like"):
        datasets.test_set("nli-of-mine", [tmp_path])
