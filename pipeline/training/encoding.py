"""Pairs of sentences as flat arrays of token ids: tokenised once, cached on disk, shared by all runs."""

import hashlib
import json
import os
import uuid
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline import store

CACHE = store.LOCAL / "cache"
_CHUNK = 4096


@dataclass(frozen=True)
class Encoded:
    """n tokenised pairs, one after the other.

    tokens: int32 (total,), token ids without padding; types: uint8 (total,), which sentence a token belongs to, or
    None where the model does not ask; offsets: int64 (n + 1,), pair i is tokens[offsets[i]:offsets[i + 1]].
    """

    tokens: np.ndarray
    types: np.ndarray | None
    offsets: np.ndarray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> np.ndarray:
        """Tokens of each pair, int64 (n,)."""
        return np.diff(self.offsets)


def encode(pairs: pa.Table, tokenizer, max_length: int, *, cache: Path | None = None) -> Encoded:
    """`pairs` (premise, hypothesis) in their order, cut to `max_length` tokens.

    Kept in `cache` (default: in the local store) under a key of sentences, tokenizer and length.
    """
    path = (cache or CACHE) / f"{_key(pairs, tokenizer, max_length)}.npz"
    cached = _read(path)
    if cached is None:
        cached = tokenise(pairs, tokenizer, max_length)
        _write(path, cached)
    return cached


def tokenise(pairs: pa.Table, tokenizer, max_length: int) -> Encoded:
    """`pairs` (premise, hypothesis) in their order, cut to `max_length` tokens; `encode` without a cache."""
    premises, hypotheses = (pairs[c].to_pylist() for c in ("premise", "hypothesis"))
    tokens, types, lengths = [], [], []
    for start in range(0, len(premises), _CHUNK):
        rows = slice(start, start + _CHUNK)
        batch = tokenizer(
            premises[rows],
            hypotheses[rows],
            truncation="longest_first",
            max_length=max_length,
            padding=False,
            return_attention_mask=False,
        )
        lengths += map(len, batch["input_ids"])
        tokens += [np.concatenate([np.asarray(ids, np.int32) for ids in batch["input_ids"]])]
        if "token_type_ids" in batch:
            types += [np.concatenate([np.asarray(ids, np.uint8) for ids in batch["token_type_ids"]])]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Encoded(
        np.concatenate(tokens) if tokens else np.empty(0, np.int32), np.concatenate(types) if types else None, offsets
    )


def _key(pairs: pa.Table, tokenizer, max_length: int) -> str:
    digest = hashlib.sha256(f"{type(tokenizer).__name__} {max_length} ".encode())
    digest.update(_tokenizer_text(tokenizer).encode())
    digest.update(text_fingerprint(pairs).encode())
    return digest.hexdigest()[:32]


def _tokenizer_text(tokenizer) -> str:
    """All that decides how a tokenizer cuts; not the truncation and padding that its last call left behind."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        return str(sorted(tokenizer.get_vocab().items()))
    return json.dumps(json.loads(backend.to_str()) | {"truncation": None, "padding": None}, sort_keys=True)


def text_fingerprint(pairs: pa.Table) -> str:
    """Changes with any sentence or label, and with their order."""
    digest = hashlib.sha256()
    for column in [c for c in ("premise", "hypothesis", "label") if c in pairs.column_names]:
        for value in pairs[column].to_pylist():
            encoded = b"\0" if value is None else value.encode()
            digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()


def _read(path: Path) -> Encoded | None:
    """None where there is no readable file: then it is made again."""
    try:
        with np.load(path) as arrays:
            return Encoded(arrays["tokens"], arrays.get("types"), arrays["offsets"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def _write(path: Path, encoded: Encoded) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".new-{uuid.uuid4().hex}")
    arrays = {"tokens": encoded.tokens, "offsets": encoded.offsets}
    try:
        with aside.open("wb") as file:
            np.savez(file, **arrays, **({} if encoded.types is None else {"types": encoded.types}))
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
