"""Any saved sequence classifier -> its predictions and accuracies on test sets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import torch
import transformers
from torch import nn
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from pipeline import datasets, schema, scoring, store
from pipeline.errors import FlockError
from pipeline.importers import labels as label_words
from pipeline.store import RunResults
from pipeline.training import encoding, forward, loop
from pipeline.training.encoding import Encoded

BATCH_TOKENS = 16384
LONGEST = 512
"""Tokens of a pair where the model would take more: test pairs are shorter, and attention costs grow with length."""

_OFFSET = {"roberta", "xlm-roberta", "camembert", "longformer", "mpnet"}
"""Models that keep two positions for padding, so that they take two tokens less than they have positions."""

_ORDERS = ({*schema.LABELS}, {"entailment", schema.NON_ENTAILMENT})


@dataclass(frozen=True)
class Checkpoint:
    """A classifier ready to predict. `labels`: what its outputs mean, in their order."""

    source: str
    model: nn.Module
    tokenizer: Any
    labels: tuple[str, ...]
    max_length: int

    @property
    def name(self) -> str:
        return Path(self.source).name


def load(source: str, *, device: str = "auto", order: str | None = None, max_length: int | None = None) -> Checkpoint:
    """The classifier in a folder or of a hub name, in fp32 on `device`; `order` overrides what its outputs mean.

    Raises FlockError where there is none, where it has no trained head, or where its labels do not say what they mean.
    """
    target = loop.resolve_device(device)
    try:
        tokenizer = AutoTokenizer.from_pretrained(source)
        model, info = AutoModelForSequenceClassification.from_pretrained(
            source, dtype=torch.float32, output_loading_info=True
        )
    except (OSError, ValueError) as error:
        where = "this folder holds no such model" if Path(source).is_dir() else "not a folder, and the hub did not help"
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise FlockError(
            f"checkpoint {source}: {where} ({reason}); give a folder with config.json, weights and tokenizer, "
            "or connect to the hub"
        ) from None
    missing = sorted(info["missing_keys"])
    if missing:
        raise FlockError(
            f"checkpoint {source} lacks the weights {', '.join(missing[:3])}: it is not a trained classifier; "
            "fine-tune it with python -m pipeline train"
        )
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    if model.config.pad_token_id is None:
        model.config.pad_token_id = tokenizer.pad_token_id
    labels = label_order(model.config.id2label, order, source)
    limit = min(max_length or LONGEST, _limit(model.config, tokenizer))
    return Checkpoint(source, model.eval().to(target), tokenizer, labels, limit)


def label_order(id2label: dict[int, str], order: str | None, source: str) -> tuple[str, ...]:
    """What a model's outputs mean: `order` as a user gives it, or the words in its configuration.

    Raises FlockError for words that mean no label, such as LABEL_0: toolkits differ in the order of the classes.
    """
    named = [id2label[i] for i in sorted(id2label)]
    if order is not None:
        labels = label_words.parse_order(order)
        if len(labels) != len(named):
            raise FlockError(f"--labels {order}: {len(labels)} classes, but {source} has {len(named)}")
    else:
        labels = tuple(label_words.word(name) for name in named)
    if set(labels) not in _ORDERS or len(set(labels)) != len(labels):
        raise FlockError(
            f"{source} calls its classes {', '.join(map(str, named))}, which does not say what they mean, and toolkits "
            "differ in their order; say it with --labels, such as --labels contradiction,entailment,neutral"
        )
    return labels


def _limit(config, tokenizer) -> int:
    """The most tokens that the model can take."""
    positions = getattr(config, "max_position_embeddings", None) or LONGEST
    if config.model_type in _OFFSET:
        positions -= 2
    return min(positions, tokenizer.model_max_length)


def predict(
    checkpoint: Checkpoint,
    examples: pa.Table | Encoded,
    batch_tokens: int = BATCH_TOKENS,
    *,
    advanced: Callable[[int], None] = lambda tokens: None,
) -> np.ndarray:
    """float32 logits (n, labels) of `examples` (premise, hypothesis) in their order and that of `checkpoint.labels`.

    Computed by length, in passes of at most `batch_tokens` tokens, in fp32 on a CPU and with bf16 autocast on CUDA;
    `advanced` hears how many tokens were done.
    """
    if isinstance(examples, pa.Table):
        examples = encoding.tokenise(examples, checkpoint.tokenizer, checkpoint.max_length)
    bf16 = checkpoint.model.device.type == "cuda"
    return forward.predict(checkpoint.model, examples, batch_tokens, bf16=bf16, advanced=advanced)


@dataclass(frozen=True)
class Options:
    """Where results go: step `step` of `run` in `collection` (by default a run named after the checkpoint).

    `replace` overwrites what is there; `force` keeps labels in an order that looks wrong.
    """

    collection: str = "evaluated"
    run: str | None = None
    step: int = 0
    replace: bool = False
    force: bool = False
    batch_tokens: int = BATCH_TOKENS


@dataclass(frozen=True)
class Result:
    """How one test set went. `accuracy`: a fraction, None without gold labels; `scoring`: 3-way or 2-way."""

    dataset: str
    examples: int
    accuracy: float | None
    scoring: str | None


def evaluate(
    checkpoint: Checkpoint,
    names: Sequence[str],
    target: Path,
    options: Options,
    *,
    say: Callable[[str], None] = lambda line: None,
    progress: Callable[[str, int], Callable[[int], None]] = lambda dataset, tokens: lambda done: None,
) -> list[Result]:
    """Predict the test sets `names`, score them, and write all into the store `target`, together or not at all.

    `say` hears what the user should know; `progress(dataset, tokens)` returns what hears of tokens done. Results of
    the run's other steps and test sets stay. Raises FlockError where a test set is missing or its results are there
    already, and for an order of the labels that looks wrong.
    """
    owner = {"collection": options.collection, "run": options.run or checkpoint.name}
    stores = [*store.default_stores(), target]
    tests = [datasets.test_set(name, stores, say) for name in dict.fromkeys(names)]
    known = [datasets.stored(_name(examples), stores) for examples in tests]
    for examples, stored in zip(tests, known, strict=True):
        _refuse_another(examples, stored)
    older = store.read_run(target, owner["collection"], owner["run"])
    if older is not None and not options.replace:
        _refuse_existing(older, [_name(examples) for examples in tests], options.step)

    predictions = []
    for examples in tests:
        encoded = encoding.encode(examples, checkpoint.tokenizer, checkpoint.max_length)
        advanced = progress(_name(examples), len(encoded.tokens))
        logits = predict(checkpoint, encoded, options.batch_tokens, advanced=advanced)
        predictions.append(_predictions(owner | {"step": options.step}, examples, logits, checkpoint.labels))
        _check_order(checkpoint, examples, predictions[-1], options.force, say)
    results = _results(checkpoint, owner, options.step, tests, predictions, older)
    for examples, stored in zip(tests, known, strict=True):
        if examples is not stored and not examples.equals(stored):
            store.write_examples(target, examples)
    store.update_run(target, results)
    return [_result(examples, results.accuracies) for examples in tests]


def _name(examples: pa.Table) -> str:
    return examples["dataset"][0].as_py()


def _refuse_another(examples: pa.Table, stored: pa.Table) -> None:
    """Refuse a file whose name is that of another test set in the stores."""
    if not stored.num_rows:
        return
    same = stored["example"].equals(examples["example"])
    for column in ("gold", "premise", "hypothesis") if same else ():
        unequal = pc.not_equal(stored[column], examples[column])  # null where either is not known
        same = same and not pc.any(unequal).as_py()
    if not same:
        raise FlockError(
            f"the stores have a test set {_name(examples)} with other examples; rename the file, "
            f"or replace the test set: python -m pipeline add-dataset FILE --name {_name(examples)} --replace"
        )


def _refuse_existing(older: RunResults, names: Sequence[str], step: int) -> None:
    there = older.accuracies.filter(pc.field("step") == step)["dataset"].unique().to_pylist()
    if older.predictions is not None:
        there += older.predictions.filter(pc.field("step") == step)["dataset"].unique().to_pylist()
    for name in names:
        if name in there:
            raise FlockError(
                f"run {older.run} of {older.collection} has {name} at step {step} already; --replace replaces it"
            )


def _predictions(owner: dict, examples: pa.Table, logits: np.ndarray, labels: tuple[str, ...]) -> pa.Table:
    n = len(logits)
    table = {name: pa.repeat(value, n) for name, value in owner.items()}
    table |= {
        "dataset": examples["dataset"],
        "position": examples["position"],
        "predicted": pa.array([labels[i] for i in logits.argmax(1)], pa.string()),
    }
    if set(labels) == set(schema.LABELS):
        table |= {f"logit_{label}": pa.array(logits[:, i]) for i, label in enumerate(labels)}
    return schema.PREDICTIONS.conform(pa.table(table))


def _check_order(checkpoint: Checkpoint, examples: pa.Table, predictions: pa.Table, force: bool, say: Callable) -> None:
    """Refuse what looks like classes read in another order; warn of a model that always says the same."""
    predicted = predictions["predicted"].to_pylist()
    if len(set(predicted)) == 1:
        say(f"warning: {checkpoint.name} always answers {predicted[0]} on {_name(examples)}")
        return
    if examples["gold"].null_count or force:
        return
    gold = examples["gold"].to_pylist()
    likelier = label_words.likelier_order(predicted, gold)
    if likelier:
        meaning, then = likelier
        order = ",".join(meaning.get(label, label) for label in checkpoint.labels)
        right = label_words.accuracy(predicted, gold)
        raise FlockError(
            f"{checkpoint.name} is right on {100 * right:.1f} % of {_name(examples)}, but on {100 * then:.1f} % if its "
            f"classes are {order}; give --labels {order}, or --force keeps them as they are"
        )


def _results(
    checkpoint: Checkpoint,
    owner: dict,
    step: int,
    tests: Sequence[pa.Table],
    predictions: Sequence[pa.Table],
    older: RunResults | None,
) -> RunResults:
    settings = {"max_length": checkpoint.max_length, "torch": torch.__version__}
    settings |= {"transformers": transformers.__version__, "labels": checkpoint.labels}
    run = {"model": checkpoint.source, "hyperparameters": schema.to_json(settings), "source": "evaluated by Flock"}
    checkpoints = schema.CHECKPOINTS.rows([owner | {"step": step, "is_final": True}])
    if older is not None:
        same = older.checkpoints.filter(pc.field("step") == step)
        checkpoints = same if same.num_rows else checkpoints
    everything = pa.concat_tables(predictions)
    return RunResults(
        runs=schema.RUNS.rows([owner | run]) if older is None else older.runs,
        checkpoints=checkpoints,
        accuracies=scoring.score(everything, pa.concat_tables(tests), "own"),
        predictions=everything,
    )


def _result(examples: pa.Table, accuracies: pa.Table) -> Result:
    rows = accuracies.filter(pc.field("dataset") == _name(examples))
    n, correct = (pc.sum(rows[column]).as_py() for column in ("n", "correct"))
    return Result(
        dataset=_name(examples),
        examples=examples.num_rows,
        accuracy=correct / n if n else None,
        scoring=rows["scoring"][0].as_py() if n else None,
    )
