"""One run: trains, evaluates its checkpoints, saves its state, goes on where it was stopped.

Everything that is random in a step follows from the seeds and the number of the step, so that a run which was stopped
and resumed, at whatever moment, ends like one that was not.
"""

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import torch
from torch.nn import functional

from pipeline import schema
from pipeline.errors import FlockError
from pipeline.store import RunResults
from pipeline.training import batches, data, folder, forward, models, optimisation, results
from pipeline.training.clock import Clock
from pipeline.training.recipe import Recipe
from pipeline.training.seeds import Seeds


class RunFailed(Exception):
    """Training cannot go on: the reason, in a line."""


class Interrupted(Exception):
    """The run was asked to stop, and has saved its state."""


@dataclass(frozen=True)
class Job:
    """One run to train. `model_source`, `data_source`: a folder or file in place of what the recipe names.

    `save_every`: seconds between saved states. `device`: auto, cpu, cuda or cuda:1.
    """

    recipe: Recipe
    seeds: Seeds
    store: Path
    device: str = "auto"
    model_source: str | None = None
    data_source: str | None = None
    save_every: float = 120.0

    @property
    def run(self) -> str:
        return self.seeds.name(self.recipe.collection)

    @property
    def folder(self) -> folder.RunFolder:
        return folder.RunFolder(self.recipe.collection, self.run)


@dataclass
class _State:
    """What is saved beside weights and optimiser. `loss_sum` is over the steps since the last checkpoint."""

    step: int = 0
    loss_sum: torch.Tensor = field(default_factory=lambda: torch.zeros((), dtype=torch.float64))
    loss_steps: int = 0
    seconds: float = 0.0


def train(job: Job, should_stop: Callable[[], bool] = lambda: False) -> RunResults:
    """Train one run to its end, from its newest saved state, in this process. Writes nothing into the store.

    Raises RunFailed (loss not finite, out of memory), Interrupted, or FlockError for bad input.
    """
    try:
        return _Training(job, should_stop).run()
    except torch.OutOfMemoryError as error:
        raise RunFailed(f"out of memory: {models.first_line(error)}; lower micro_batch_tokens or batch") from None


def fingerprint(recipe: Recipe, encoded: data.Data) -> str:
    """Changes with whatever changes a run's results, seeds aside."""
    return f"{recipe.fingerprint()}-{encoded.fingerprint}"


def all_devices() -> list[str]:
    return [f"cuda:{i}" for i in range(torch.cuda.device_count())]


def resolve_device(name: str) -> torch.device:
    """The device that a user names; auto is the first GPU where there is one. Raises FlockError where there is none."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
    except RuntimeError:
        raise FlockError(f"--device {name}: give auto, cpu, cuda or cuda:0") from None
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise FlockError(f"--device {name}: this machine has {torch.cuda.device_count()} CUDA devices; give cpu")
    return device


class _Training:
    def __init__(self, job: Job, should_stop: Callable[[], bool]):
        self.job, self.recipe, self.should_stop = job, job.recipe, should_stop
        self.folder = job.folder
        self.device = resolve_device(job.device)
        self.bf16 = self.recipe.precision == "bf16" or (self.recipe.precision == "auto" and self.device.type == "cuda")
        if self.device.type == "cpu":
            torch.set_num_threads(self.recipe.cpus_per_run)

        pairs = data.training_pairs(self.recipe, job.data_source)
        self.tokenizer = models.load_tokenizer(self.recipe, pairs, job.model_source)
        self.data = data.encode(self.recipe, pairs, data.test_sets(self.recipe, job.store), self.tokenizer)
        self.fingerprint = fingerprint(self.recipe, self.data)
        self.folder.guard(self.fingerprint)

        r, seeds = self.recipe, job.seeds
        self.order = batches.order(len(pairs), r.batch, r.epochs, seeds.order, r.shuffle_buffer)
        self.steps = self.order.steps
        self.checkpoints = sorted({self.order.step_at(e) for e in r.checkpoints} | {self.steps})
        self.model = models.load_model(r, self.tokenizer, seeds.init, job.model_source).to(self.device)
        self.overhead = forward.overhead(self.model)
        self.trained = [p for p in self.model.parameters() if p.requires_grad]
        self.optimiser = optimisation.optimiser(self.model, r)
        self.state = _State(loss_sum=torch.zeros((), dtype=torch.float64, device=self.device))
        self.load()
        self.clock = Clock(self)

    def run(self) -> RunResults:
        self.clock.report(state=folder.RUNNING, note=None)
        models.set_training(self.model, self.recipe)
        while True:
            if self.state.step in self.checkpoints:
                self.evaluate()
            if self.state.step == self.steps:
                return self.finished()
            self.step()
            self.state.step += 1
            if self.should_stop():
                self.save()
                self.clock.report(state=folder.STOPPED, left=None)
                raise Interrupted
            if self.clock.save_is_due():
                self.save()

    def step(self) -> None:
        """One update from one batch, its gradients added up over micro-batches."""
        r, number = self.recipe, self.state.step
        torch.manual_seed(_mixed(self.job.seeds.dropout, number))
        rows = self.order[number]
        loss = batch_loss(
            self.model, self.data.training, self.data.labels, rows, r.micro_batch_tokens, self.overhead, self.bf16
        )
        if r.clip_norm:
            torch.nn.utils.clip_grad_norm_(self.trained, r.clip_norm)
        rate = optimisation.learning_rate(r, number, self.steps)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.step()
        self.optimiser.zero_grad()
        self.state.loss_sum += loss
        self.state.loss_steps += 1
        self.clock.trained(rows)

    def evaluate(self) -> None:
        """Predictions on every test set at this step; those that are there already stay."""
        step = self.state.step
        self.check_loss()
        missing = [name for name in self.data.tests if not self.folder.has_predictions(step, name)]
        if missing:
            self.save()
        row = {"step": step, "epoch": self.order.epoch_at(step), "train_loss": self.mean_loss()}
        for name in missing:
            self.clock.report(state=folder.EVALUATING, note=name)
            encoded = self.data.tests[name]
            values = forward.predict(
                self.model, encoded, self.recipe.evaluation_tokens, bf16=self.bf16, advanced=self.clock.evaluated
            )
            if not np.isfinite(values).all():
                raise RunFailed(f"the model's output on {name} is not finite at step {step}")
            self.folder.write_predictions(step, name, self.predictions(name, values))
            if self.should_stop():
                self.clock.report(state=folder.STOPPED, left=None)
                raise Interrupted
        keeps = results.keeps_weights(self.recipe, self.job.seeds, step, self.steps)
        if keeps and not self.folder.weights(step).exists():
            results.write_weights(self.folder.weights(step), self.model, self.tokenizer)
        self.folder.write_checkpoint(step, row | {"is_final": step == self.steps})
        models.set_training(self.model, self.recipe)
        self.state.loss_sum.zero_()
        self.state.loss_steps = 0
        self.clock.report(state=folder.RUNNING, note=None)

    def predictions(self, dataset: str, values: np.ndarray) -> pa.Table:
        """Logits (n, classes) in the recipe's order of labels as rows of `schema.PREDICTIONS`."""
        labels = self.recipe.labels
        columns = {
            "collection": [self.recipe.collection] * len(values),
            "run": [self.job.run] * len(values),
            "step": [self.state.step] * len(values),
            "dataset": [dataset] * len(values),
            "position": self.data.test_pairs[dataset]["position"],
            "predicted": [labels[i] for i in values.argmax(1)],
        }
        if set(labels) == set(schema.LABELS):
            columns |= {f"logit_{label}": values[:, i] for i, label in enumerate(labels)}
        return schema.PREDICTIONS.conform(pa.table(columns))

    def finished(self) -> RunResults:
        return results.collect(
            self.job,
            self.folder,
            fingerprint=self.fingerprint,
            tests=self.data.test_pairs,
            device=self.device,
            seconds=self.state.seconds + self.clock.elapsed(),
        )

    def mean_loss(self) -> float | None:
        return self.state.loss_sum.item() / self.state.loss_steps if self.state.loss_steps else None

    def check_loss(self) -> None:
        if not torch.isfinite(self.state.loss_sum).item():
            raise RunFailed(
                f"the training loss is not finite (NaN or infinite) before step {self.state.step}; lower learning_rate"
            )

    def save(self) -> None:
        self.check_loss()
        names = {id(p): name for name, p in self.model.named_parameters()}
        saved = {
            "weights": {names[id(p)]: p.detach() for p in self.trained},
            "optimiser": self.optimiser.state_dict(),
            "step": self.state.step,
            "loss_sum": self.state.loss_sum,
            "loss_steps": self.state.loss_steps,
            "seconds": self.state.seconds + self.clock.elapsed(),
        }
        folder.write(self.folder.state, lambda aside: torch.save(saved, aside))
        self.clock.saved()

    def load(self) -> None:
        if not self.folder.state.exists():
            return
        try:
            saved = torch.load(self.folder.state, map_location=self.device, weights_only=True)
        except (RuntimeError, OSError, EOFError, pickle.UnpicklingError):
            raise FlockError(f"{self.folder.state} is damaged; begin the run anew with --restart") from None
        with torch.no_grad():
            for name, parameter in self.model.named_parameters():
                if parameter.requires_grad:
                    parameter.copy_(saved["weights"][name])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.state = _State(saved["step"], saved["loss_sum"], saved["loss_steps"], saved["seconds"])


def batch_loss(model, encoded, labels: np.ndarray, rows: np.ndarray, max_tokens: int, overhead: float, bf16: bool):
    """Mean cross-entropy of a batch, a 0-dimensional tensor on the model's device; adds its gradients to the model's.

    The same as over one padded batch, up to rounding. Without synchronisation between host and GPU.
    """
    total = torch.zeros((), dtype=torch.float64, device=model.device)
    for group in batches.micro_batches(encoded.lengths[rows], overhead, max_tokens):
        part = rows[group]
        gold = torch.from_numpy(labels[part])
        if model.device.type != "cpu":
            gold = gold.pin_memory().to(model.device, non_blocking=True)
        with forward.autocast(model.device, bf16):
            values = forward.logits(model, encoded, part)
        loss = functional.cross_entropy(values, gold, reduction="sum") / len(rows)
        loss.backward()
        total += loss.detach()
    return total


def _mixed(seed: int, step: int) -> int:
    """A seed for one step, unrelated to that of the next."""
    return int(np.random.SeedSequence([seed, step]).generate_state(1, np.uint64)[0] >> np.uint64(1))
