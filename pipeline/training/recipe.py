"""Recipes: one experiment each, a TOML file as a frozen dataclass.

The fields of `Recipe` are the keys of the file; their documentation is here and nowhere else (`train --help` prints
it). A wrong file is refused with one line that names file, key and remedy.
"""

import difflib
import hashlib
import re
import tomllib
import types
import typing
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from pipeline import schema
from pipeline.errors import FlockError

SHIPPED = Path(__file__).resolve().parents[1] / "recipes"

TRAINABLE = ("all", "head", "lora")
OPTIMISERS = ("adamw", "bert-adam")
SCHEDULES = ("linear", "bert-linear", "cosine", "constant")
PRECISIONS = ("auto", "fp32", "bf16")
KEEP = ("none", "final", "all")


def key(meaning: str, default: Any = MISSING) -> Any:
    """A field of `Recipe` with its documentation."""
    return field(default=default, metadata={"meaning": meaning})


@dataclass(frozen=True, kw_only=True)
class Recipe:
    name: str = key("the experiment's name; by default the file's, without .toml", "")
    collection: str = key("collection that its runs form in the store; by default the name", "")
    title: str = key("the collection's name on the screen; by default the name", "")
    description: str = key("a sentence or two about the collection", "")
    synthetic: bool = key("whether training and test pairs are made up", False)

    model: str = key(
        "hub name or folder of what AutoModelForSequenceClassification loads; or, with [scratch], any name"
    )
    scratch: dict = field(
        default_factory=dict,
        metadata={
            "meaning": "table: model_type and configuration of a model trained from scratch, whose vocabulary is the "
            "words of its training data; position_scale multiplies the position embeddings' initial values"
        },
    )
    training_data: str = key("name of a data set, or file of pairs (TSV, JSONL, Parquet: premise, hypothesis, label)")
    data_labels: tuple[str, ...] = key(
        "what class index 0, 1, … means in a file of training data whose labels are not words", ()
    )
    labels: tuple[str, ...] = key(
        "order of the classes in the model's output", ("contradiction", "entailment", "neutral")
    )
    share: float = key("share of the training data to train on, drawn with share_seed", 1.0)
    share_seed: int = key("seed of that draw; the same for all runs", 0)

    max_length: int = key("longest pair in tokens; the longer of its two sentences is cut first", 128)
    batch: int = key("pairs in a batch; a batch may span the end of an epoch", 32)
    epochs: float = key("times that the training data is gone through; need not be whole", 3.0)
    shuffle_buffer: int = key(
        "0 shuffles all pairs anew in each epoch; otherwise pairs pass in the order of their file through a buffer of "
        "that size, as in BERT's original code (100)",
        0,
    )
    learning_rate: float = key("highest learning rate")
    schedule: Literal[SCHEDULES] = key(
        "learning rate after the warm-up: linear or cosine to zero, constant, or bert-linear, which falls as if it had "
        "done so from the first step, as in BERT's original code",
        "linear",
    )
    warmup: float = key("share of all steps in which the learning rate rises from zero", 0.1)
    weight_decay: float = key("decoupled weight decay; never on biases and LayerNorm", 0.01)
    clip_norm: float = key("largest norm of the gradient; 0 does not clip", 1.0)
    dropout: float | None = key("dropout everywhere in the model; by default the model's own", None)
    optimiser: Literal[OPTIMISERS] = key(
        "adamw, or bert-adam: Adam without bias correction, as in BERT's original code", "adamw"
    )
    beta1: float = key("Adam's decay of the gradient's mean", 0.9)
    beta2: float = key("Adam's decay of the gradient's square", 0.999)
    epsilon: float = key("Adam's epsilon", 1e-6)
    precision: Literal[PRECISIONS] = key("auto: bf16 autocast on CUDA, fp32 on CPU", "auto")

    train: Literal[TRAINABLE] = key(
        "what is trained: all weights, the head on frozen features, or lora adapters", "all"
    )
    lora_rank: int = key("rank of the adapters", 8)
    lora_alpha: float = key("scale of the adapters", 16.0)

    checkpoints: tuple[float, ...] = key(
        "where to evaluate, in epochs of training; the end is always evaluated too", ()
    )
    test_sets: tuple[str, ...] = key("test sets to evaluate on, by name")
    keep_weights: Literal[KEEP] = key("whose weights stay beside the results: none, final, or all checkpoints", "final")
    keep_seeds: str = key('runs whose weights are kept, by order seed, such as "0-4"; by default all', "")

    micro_batch_tokens: int = key("most tokens in one forward pass of training; lower it when memory runs out", 16384)
    evaluation_tokens: int = key("most tokens in one forward pass of evaluation", 16384)
    gpus_per_run: float = key("GPUs of a run on a cluster; 0.5 puts two runs on one GPU", 1.0)
    cpus_per_run: int = key("CPU cores of a run; on a CPU also its threads", 1)

    def fingerprint(self) -> str:
        """Changes with whatever changes the results. Keys at their default do not count, so that a key that a later
        version adds leaves runs under way as they are."""
        defaults = {f.name: f.default for f in fields(self)}
        chosen = {k: v for k, v in asdict(self).items() if k not in _WITHOUT_EFFECT and v != defaults[k]}
        return hashlib.sha256(schema.to_json(chosen).encode()).hexdigest()[:16]


_WITHOUT_EFFECT = {"collection", "title", "description", "data_labels", "keep_weights", "keep_seeds", "gpus_per_run"}
"""`data_labels` changes the pairs themselves, whose own fingerprint says so."""


def documentation() -> list[tuple[str, str, str]]:
    """(key, default, meaning) for every key, in the order of the file."""
    rows = []
    for f in fields(Recipe):
        default = {} if f.default is MISSING and f.default_factory is not MISSING else f.default
        shown = "required" if default is MISSING else "" if default in ("", None, (), {}) else _as_toml(default)
        rows.append((f.name, shown, f.metadata["meaning"]))
    return rows


def shipped() -> list[str]:
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def load(recipe: str | Path, **overrides: Any) -> Recipe:
    """The recipe in a file, or the shipped one of that name. `overrides` replace keys; None leaves them.

    Raises FlockError naming file and key.
    """
    path = _find(recipe)
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FlockError(f"{path}: not a TOML file ({error})") from None
    values = {"name": path.stem} | values | {k: v for k, v in overrides.items() if v is not None}
    values = {"collection": values["name"], "title": values["name"]} | values
    return parse(values, path)


def parse(values: dict[str, Any], path: Path) -> Recipe:
    """A recipe from its keys; `path` is for the messages."""
    known = {f.name: f for f in fields(Recipe)}
    types_of = typing.get_type_hints(Recipe)
    for name in values:
        if name not in known:
            nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.0)[0]
            raise FlockError(f"{path}: unknown key {name!r}; the nearest is {nearest!r} (all keys: train --help)")
    for name, f in known.items():
        if name not in values and f.default is MISSING and f.default_factory is MISSING:
            raise FlockError(f"{path}: key {name!r} is missing: {f.metadata['meaning']}")
    converted = {name: _convert(value, types_of[name], f"{path}: {name}") for name, value in values.items()}
    recipe = Recipe(**converted)
    _check(recipe, path)
    return recipe


def _find(recipe: str | Path) -> Path:
    for path in (Path(recipe), SHIPPED / f"{recipe}.toml", SHIPPED / str(recipe)):
        if path.is_file():
            return path
    raise FlockError(f"{recipe}: no such recipe; give a TOML file, or one of {', '.join(shipped())}")


def _convert(value: Any, wanted: Any, where: str) -> Any:
    """`value` as the field's type; integers pass for floats, lists become tuples."""
    origin, arguments = typing.get_origin(wanted), typing.get_args(wanted)
    if origin is types.UnionType:
        return _convert(value, next(a for a in arguments if a is not type(None)), where)
    if origin is Literal:
        if value not in arguments:
            raise FlockError(f"{where} is {value!r}; it is one of {', '.join(arguments)}")
        return value
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise FlockError(f"{where} is {value!r}; it is a list")
        return tuple(_convert(v, arguments[0], where) for v in value)
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        words = {str: "text", int: "a whole number", float: "a number", bool: "true or false", dict: "a table"}
        raise FlockError(f"{where} is {value!r}; it is {words[wanted]}")
    return value


_LIMITS = {
    "share": (lambda x: 0 < x <= 1, "above 0 and at most 1"),
    "max_length": (lambda x: x >= 8, "at least 8"),
    "batch": (lambda x: x >= 1, "at least 1"),
    "epochs": (lambda x: x > 0, "above 0"),
    "shuffle_buffer": (lambda x: x >= 0, "at least 0"),
    "learning_rate": (lambda x: x > 0, "above 0"),
    "warmup": (lambda x: 0 <= x < 1, "at least 0 and below 1"),
    "weight_decay": (lambda x: x >= 0, "at least 0"),
    "clip_norm": (lambda x: x >= 0, "at least 0"),
    "dropout": (lambda x: x is None or 0 <= x < 1, "at least 0 and below 1"),
    "beta1": (lambda x: 0 <= x < 1, "at least 0 and below 1"),
    "beta2": (lambda x: 0 <= x < 1, "at least 0 and below 1"),
    "epsilon": (lambda x: x > 0, "above 0"),
    "lora_rank": (lambda x: x >= 1, "at least 1"),
    "micro_batch_tokens": (lambda x: x >= 1, "at least 1"),
    "evaluation_tokens": (lambda x: x >= 1, "at least 1"),
    "gpus_per_run": (lambda x: x >= 0, "at least 0"),
    "cpus_per_run": (lambda x: x >= 1, "at least 1"),
    "test_sets": (lambda x: len(x) > 0 and len(set(x)) == len(x), "at least one name, each once"),
}


def _check(recipe: Recipe, path: Path) -> None:
    for name, (holds, wanted) in _LIMITS.items():
        if not holds(getattr(recipe, name)):
            raise FlockError(f"{path}: {name} is {getattr(recipe, name)!r}; it must be {wanted}")
    allowed = (set(schema.LABELS), {"entailment", schema.NON_ENTAILMENT})
    if set(recipe.labels) not in allowed or len(set(recipe.labels)) != len(recipe.labels):
        raise FlockError(f"{path}: labels is {list(recipe.labels)}; give {', '.join(schema.LABELS)} in any order, once")
    if recipe.data_labels and not set(recipe.data_labels) <= {*schema.LABELS, schema.NON_ENTAILMENT}:
        raise FlockError(f"{path}: data_labels is {list(recipe.data_labels)}; give {', '.join(schema.LABELS)} in order")
    for point in recipe.checkpoints:
        if not 0 <= point <= recipe.epochs:
            raise FlockError(f"{path}: checkpoints holds {point}, yet training has {recipe.epochs:g} epochs")
    if recipe.keep_seeds and not re.fullmatch(r"\d+(-\d+)?(,\d+(-\d+)?)*", recipe.keep_seeds):
        raise FlockError(f'{path}: keep_seeds is {recipe.keep_seeds!r}; write it as "0-4" or "0,3,7"')
    if recipe.scratch and "model_type" not in recipe.scratch:
        raise FlockError(f'{path}: [scratch] needs model_type, such as "bert"')
    if recipe.scratch and recipe.train != "all":
        raise FlockError(f"{path}: train is {recipe.train!r}, yet a model from scratch has no features to freeze")


def _as_toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    return f"[{', '.join(map(_as_toml, value))}]" if isinstance(value, tuple) else f"{value:g}"
