"""Encoding: the tokenizer's own ids, computed once."""

import pyarrow as pa
import pytest

from pipeline.training import encoding
from pipeline.training.models import word_tokenizer
from tests.pipeline.training.conftest import pairs

TABLE = pa.table({"premise": [p for _, p, _ in pairs()], "hypothesis": [h for _, _, h in pairs()]})


@pytest.fixture
def tokenizer():
    return word_tokenizer(TABLE["premise"].to_pylist() + TABLE["hypothesis"].to_pylist())


def test_equal_to_the_tokenizer_one_pair_at_a_time(tokenizer, tmp_path, monkeypatch):
    monkeypatch.setattr(encoding, "_CHUNK", 7)
    encoded = encoding.encode(TABLE, tokenizer, 12, cache=tmp_path)
    assert len(encoded) == len(TABLE)
    for i in range(0, len(TABLE), 11):
        one = tokenizer(
            TABLE["premise"][i].as_py(), TABLE["hypothesis"][i].as_py(), truncation="longest_first", max_length=12
        )
        where = slice(encoded.offsets[i], encoded.offsets[i + 1])
        assert encoded.tokens[where].tolist() == one["input_ids"]
        assert encoded.types[where].tolist() == one["token_type_ids"]
    assert encoded.lengths.max() == 12


def test_second_time_comes_from_the_cache(tokenizer, tmp_path, monkeypatch):
    first = encoding.encode(TABLE, tokenizer, 20, cache=tmp_path)
    monkeypatch.setattr(encoding, "tokenise", None)
    again = encoding.encode(TABLE, tokenizer, 20, cache=tmp_path)
    for name in ("tokens", "types", "offsets"):
        assert (getattr(first, name) == getattr(again, name)).all()
    assert len(list(tmp_path.iterdir())) == 1


def test_another_text_length_or_vocabulary_is_another_key(tokenizer, tmp_path):
    encoding.encode(TABLE, tokenizer, 20, cache=tmp_path)
    encoding.encode(TABLE, tokenizer, 19, cache=tmp_path)
    encoding.encode(TABLE.slice(1), tokenizer, 20, cache=tmp_path)
    encoding.encode(TABLE, word_tokenizer(["the baker"]), 20, cache=tmp_path)
    assert len(list(tmp_path.iterdir())) == 4


def test_damaged_cache_is_made_again(tokenizer, tmp_path):
    first = encoding.encode(TABLE, tokenizer, 20, cache=tmp_path)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"", b"not an archive"):
        file.write_bytes(damaged)
        assert (encoding.encode(TABLE, tokenizer, 20, cache=tmp_path).tokens == first.tokens).all()
        assert file.read_bytes() == whole


def test_fingerprint_of_text():
    base = pa.table({"premise": ["a", "b"], "hypothesis": ["c", "d"], "label": ["neutral", "neutral"]})
    assert encoding.text_fingerprint(base) == encoding.text_fingerprint(pa.concat_tables([base[:1], base[1:]]))
    for other in (
        base.set_column(0, "premise", [["ab", ""]]),
        base.set_column(2, "label", [["neutral", "entailment"]]),
        base.take([1, 0]),
    ):
        assert encoding.text_fingerprint(other) != encoding.text_fingerprint(base)


def test_words_not_in_the_training_data_are_unknown(tokenizer):
    assert "[UNK]" in tokenizer.convert_ids_to_tokens(tokenizer("The zebra slept.", "Nobody.")["input_ids"])
    words = tokenizer.convert_ids_to_tokens(tokenizer("THE baker", "the baker.")["input_ids"])
    assert words == ["[CLS]", "the", "baker", "[SEP]", "the", "baker", ".", "[SEP]"]
