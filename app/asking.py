"""What the Ask page computes: every kept checkpoint of a collection answers a pair of sentences.

torch and transformers are imported in `_load` and below only, so that the app starts and browses without them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from pipeline import store
from pipeline.errors import FlockError

LABELS = ("entailment", "neutral", "contradiction", "non-entailment")
MOST_LOADED = 32
"""Checkpoints that stay in memory between edits."""


class NotInstalled(FlockError):
    """torch or transformers is missing."""


@dataclass(frozen=True)
class Answers:
    """`votes`: a row a run, with run, predicted and the probability (a fraction) of each of the model's labels.

    `unknown`: words of the pair that are in no model's vocabulary, in their order.
    """

    votes: pd.DataFrame
    unknown: list[str]


def steps(collection: str) -> list[int | None]:
    """The steps whose weights are kept; None stands for the end of training, and comes first."""
    kept = {step for _, step in store.kept_weights(store.default_stores(), collection)}
    return sorted(kept, key=lambda step: (step is not None, step or 0))


def checkpoints(collection: str, runs: Sequence[str], step: int | None) -> dict[str, Path]:
    """Run -> folder of its weights at a step, of `runs` or all, numbers in names in their natural order."""
    kept = store.kept_weights(store.default_stores(), collection)
    return {run: path for (run, at), path in kept.items() if at == step and (not runs or run in runs)}


def ask(folders: dict[str, Path], premise: str, hypothesis: str) -> Answers:
    """Every run's answer. Raises NotInstalled, and FlockError for weights that cannot be read."""
    rows, unknown = [], {}
    for run, folder in folders.items():
        checkpoint = _checkpoint(str(folder), folder.stat().st_mtime_ns)
        probabilities = _probabilities(checkpoint, premise, hypothesis)
        likeliest = max(probabilities, key=probabilities.get)
        rows.append({"run": run, "predicted": likeliest, **probabilities})
        unknown |= dict.fromkeys(_unknown(checkpoint.tokenizer, premise, hypothesis))
    votes = pd.DataFrame(rows)
    return Answers(votes[["run", "predicted", *(label for label in LABELS if label in votes)]], list(unknown))


@st.cache_resource(max_entries=MOST_LOADED, show_spinner="Loading the runs' weights …")
def _checkpoint(folder: str, changed: int):
    try:
        from pipeline import evaluation
    except ImportError as error:
        raise NotInstalled(f"{error.name} is not installed") from None
    return evaluation.load(folder, device="cpu")


def _probabilities(checkpoint, premise: str, hypothesis: str) -> dict[str, float]:
    from pipeline import evaluation

    pair = pa.table({"premise": [premise], "hypothesis": [hypothesis]})
    (logits,) = evaluation.predict(checkpoint, pair).astype(np.float64)
    shares = np.exp(logits - logits.max())
    return dict(zip(checkpoint.labels, (shares / shares.sum()).tolist(), strict=True))


def _unknown(tokenizer, *texts: str) -> list[str]:
    """Words that the tokenizer has no token for. Subword vocabularies spell any word, so they know all."""
    if tokenizer.unk_token_id is None or not tokenizer.is_fast:
        return []
    words = []
    for text in texts:
        found = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        pairs = zip(found["input_ids"], found["offset_mapping"], strict=True)
        words += [text[start:end] for token, (start, end) in pairs if token == tokenizer.unk_token_id]
    return words


def tally(votes: pd.DataFrame) -> str:
    """ "4 of 5 runs say entailment, 1 says neutral"."""
    counts = votes["predicted"].value_counts()
    (first, most), *others = counts.items()
    parts = [f"{most} of {len(votes)} run{'s' * (len(votes) != 1)} say{'s' * (most == 1)} {first}"]
    return ", ".join(parts + [f"{n} say{'s' * (n == 1)} {label}" for label, n in others])


def with_accuracy(votes: pd.DataFrame, accuracies: pd.DataFrame | None) -> pd.DataFrame:
    """The votes with each run's accuracy (NaN where it has none), the most accurate first.

    `accuracies` has columns run and accuracy, one row a run; None where there are none at all.
    """
    if accuracies is None:
        return votes.assign(accuracy=float("nan"))
    known = accuracies[["run", "accuracy"]]
    rows = votes.merge(known, on="run", how="left")
    return rows.sort_values("accuracy", ascending=False, kind="stable", na_position="last").reset_index(drop=True)


def table(rows: pd.DataFrame, measure: str) -> pd.DataFrame:
    """`with_accuracy` as the page shows it, in percent."""
    shown = pd.DataFrame({"run": rows["run"], "says": rows["predicted"]})
    for label in LABELS:
        if label in rows:
            shown[f"{label} %"] = 100 * rows[label]
    if rows["accuracy"].notna().any():
        shown[f"accuracy on {measure} %"] = 100 * rows["accuracy"]
    return shown
