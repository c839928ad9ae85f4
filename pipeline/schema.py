"""The tables of a store: names, columns, types, meaning. The only contract between writer and reader.

Parquet files carry VERSION in their metadata under VERSION_KEY. A change of columns raises VERSION; `pipeline.store`
refuses files of another version by name.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from pipeline.errors import FlockError

VERSION = 1
VERSION_KEY = b"flock_schema"

LABELS = ("entailment", "neutral", "contradiction")
NON_ENTAILMENT = "non-entailment"
LOGITS = tuple(f"logit_{label}" for label in LABELS)
SCORINGS = ("3-way", "2-way")
ORIGINS = ("published", "computed", "own")

HEURISTICS = ("lexical_overlap", "subsequence", "constituent")
SUBCASES = {
    "lexical_overlap": {
        "entailment": (
            "le_relative_clause",
            "le_around_prepositional_phrase",
            "le_around_relative_clause",
            "le_conjunction",
            "le_passive",
        ),
        "non-entailment": (
            "ln_subject/object_swap",
            "ln_preposition",
            "ln_relative_clause",
            "ln_passive",
            "ln_conjunction",
        ),
    },
    "subsequence": {
        "entailment": (
            "se_conjunction",
            "se_adjective",
            "se_understood_object",
            "se_relative_clause_on_obj",
            "se_PP_on_obj",
        ),
        "non-entailment": (
            "sn_NP/S",
            "sn_PP_on_subject",
            "sn_relative_clause_on_subject",
            "sn_past_participle",
            "sn_NP/Z",
        ),
    },
    "constituent": {
        "entailment": (
            "ce_embedded_under_since",
            "ce_after_since_clause",
            "ce_embedded_under_verb",
            "ce_conjunction",
            "ce_adverb",
        ),
        "non-entailment": (
            "cn_embedded_under_if",
            "cn_after_if_clause",
            "cn_embedded_under_verb",
            "cn_disjunction",
            "cn_adverb",
        ),
    },
}
"""HANS: heuristic -> gold label -> its five subcases, in the order of the paper's tables."""


@dataclass(frozen=True)
class Column:
    name: str
    type: pa.DataType
    meaning: str
    required: bool = False


@dataclass(frozen=True)
class Table:
    name: str
    meaning: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]

    @property
    def arrow(self) -> pa.Schema:
        """The Arrow schema that every file of this table has, version included."""
        fields = [pa.field(c.name, c.type, nullable=not c.required) for c in self.columns]
        return pa.schema(fields, metadata={VERSION_KEY: str(VERSION).encode()})

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.columns)

    def rows(self, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
        """A table of this kind from one mapping a row; absent columns are null."""
        return self.conform(pa.Table.from_pylist([{name: row.get(name) for name in self.names} | row for row in rows]))

    def conform(self, data: pa.Table) -> pa.Table:
        """`data` with exactly this table's columns, order and types; absent optional columns become null.

        Raises FlockError for an unknown column, a missing or empty required one, or a value of the wrong type.
        """
        unknown = set(data.column_names) - set(self.names)
        if unknown:
            raise FlockError(f"table {self.name} has no column {', '.join(sorted(unknown))}")
        arrays = []
        for column in self.columns:
            present = column.name in data.column_names
            array = data[column.name] if present else pa.nulls(data.num_rows, column.type)
            try:
                array = array.cast(column.type)
            except pa.ArrowInvalid as error:
                raise FlockError(f"{self.name}.{column.name} is not {column.type}: {error}") from None
            if column.required and array.null_count:
                raise FlockError(f"{self.name}.{column.name} is empty in {array.null_count} rows")
            arrays.append(array)
        return pa.table(arrays, schema=self.arrow)


_text, _int, _float = pa.string(), pa.int64(), pa.float64()
_COLLECTION = Column("collection", _text, "a population of comparable runs", required=True)
_RUN = Column("run", _text, "one seed", required=True)
_STEP = Column("step", _int, "training step of the checkpoint; 0 where a run has one published state", required=True)
_DATASET = Column("dataset", _text, "test set, such as hans or mnli", required=True)
_POSITION = Column("position", pa.int32(), "row of the example in its test set, from 0", required=True)
_ORIGIN = Column("origin", _text, "published, computed from predictions, or own run", required=True)

RUNS = Table(
    "runs",
    "one training run",
    (
        _COLLECTION,
        _RUN,
        Column("model", _text, "hub name or description of the pretrained model"),
        Column("recipe", _text, "name of the recipe that trained it"),
        Column("init_seed", _int, "seed of the new layers' initial weights"),
        Column("order_seed", _int, "seed of the order of training examples"),
        Column("dropout_seed", _int, "seed of dropout"),
        Column("training_data", _text, "what it was trained on"),
        Column("cluster", _text, "cluster of its final weights, where known"),
        Column("device", _text, "what it was trained on"),
        Column("wall_seconds", _float, "training time"),
        Column("hyperparameters", _text, "JSON object"),
        Column("notes", _text, "anything else, such as why it failed"),
        Column("source", _text, "where the run's results come from"),
    ),
    ("collection", "run"),
)

CHECKPOINTS = Table(
    "checkpoints",
    "one saved step of a run",
    (
        _COLLECTION,
        _RUN,
        _STEP,
        Column("epoch", _float, "epochs of training done"),
        Column("train_loss", _float, "mean training loss since the checkpoint before"),
        Column("is_final", pa.bool_(), "whether it is the run's last state", required=True),
    ),
    ("collection", "run", "step"),
)

EXAMPLES = Table(
    "examples",
    "one test example",
    (
        _DATASET,
        Column("example", _text, "its id, such as ex397", required=True),
        _POSITION,
        Column("gold", _text, "entailment, neutral, contradiction or non-entailment; null where unknown"),
        Column("heuristic", _text, "the heuristic that applies to it"),
        Column("subcase", _text, "the construction it tests"),
        Column("template", _text, "the template it was made from"),
        Column("genre", _text, "where its text comes from"),
        Column("premise", _text, "null until fetched"),
        Column("hypothesis", _text, "null until fetched"),
    ),
    ("dataset", "example"),
)

ACCURACIES = Table(
    "accuracies",
    "one run × checkpoint × slice",
    (
        _COLLECTION,
        _RUN,
        _STEP,
        _DATASET,
        Column("heuristic", _text, "null where the test set has none"),
        Column("subcase", _text, "null where the test set has none"),
        Column("gold", _text, "null where the test set is not split by gold label"),
        Column("n", _int, "examples in the slice", required=True),
        Column("correct", _int, "right by argmax, then merge", required=True),
        Column("correct_summed", _int, "right by sum, then merge; null without logits"),
        Column("scoring", _text, "3-way or 2-way", required=True),
        _ORIGIN,
    ),
    ("collection", "run", "step", "dataset", "heuristic", "subcase", "gold"),
)

PREDICTIONS = Table(
    "predictions",
    "one run × checkpoint × example",
    (
        _COLLECTION,
        _RUN,
        _STEP,
        _DATASET,
        _POSITION,
        Column("predicted", _text, "the label that the model gave, from the raw values", required=True),
        Column("logit_entailment", pa.float32(), "null where unknown"),
        Column("logit_neutral", pa.float32(), "null where unknown"),
        Column("logit_contradiction", pa.float32(), "null where unknown"),
    ),
    ("collection", "run", "step", "dataset", "position"),
)

AGREEMENT = Table(
    "agreement",
    "one collection × example: how many of the runs' final checkpoints are right",
    (
        _COLLECTION,
        _DATASET,
        _POSITION,
        Column("runs", pa.int32(), "how many runs were asked", required=True),
        Column("correct", pa.int32(), "how many of them are right", required=True),
        _ORIGIN,
    ),
    ("collection", "dataset", "position"),
)

COLLECTIONS = Table(
    "collections",
    "what a collection is, in its owner's words",
    (
        _COLLECTION,
        Column("title", _text, "a short name for the screen"),
        Column("description", _text, "a sentence or two"),
        Column("licence", _text, "licence of its numbers"),
        Column("source", _text, "where it comes from"),
        Column("synthetic", pa.bool_(), "whether its test pairs are made up", required=True),
    ),
    ("collection",),
)

RUN_COLUMNS = Table(
    "run_columns",
    "what a user says about the runs beyond `runs`: one run × column",
    (
        _COLLECTION,
        _RUN,
        Column("name", _text, "the column's name", required=True),
        Column("value", _text, "its value, numbers as text", required=True),
    ),
    ("collection", "run", "name"),
)

TABLES = {
    t.name: t for t in (RUNS, CHECKPOINTS, EXAMPLES, ACCURACIES, PREDICTIONS, AGREEMENT, COLLECTIONS, RUN_COLUMNS)
}


def to_json(values: Mapping[str, Any]) -> str:
    """A JSON object for a text column, the same text for the same values."""
    return json.dumps(values, sort_keys=True, ensure_ascii=False)
