"""How fast one run trains: length-sorted micro-batches against padded batches and transformers.Trainer.

    python benchmarks/training_speed.py [--steps 8] [--threads 1] [--layers 6] [--hidden 384]

A model with random weights (by default of MiniLM's size) trains on random tokens of MNLI's lengths, batch 32, fp32,
AdamW, no dropout. All ways see the same batches; each starts from the same weights, and the losses of the first step
are compared. The fastest of three rounds, taken in turn. Measured with 4 steps on one thread of a busy two-core
machine: padded to 128 3.9 pairs/s, transformers.Trainer 4.3 (1.1x), padded to the batch 7.5 (2.0x), sorted
micro-batches 12.2 (3.2x), the first loss of all 1.098253.
"""

import argparse
import copy
import tempfile
import time

import numpy as np
import torch
import transformers
from evaluation_speed import LONGEST, VOCABULARY, pairs
from torch.nn import functional

from pipeline.training import batches, forward, loop
from pipeline.training.encoding import Encoded

BATCH, ROUNDS, LEARNING_RATE = 32, 3, 1e-4


def model_of(layers: int, hidden: int) -> torch.nn.Module:
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=VOCABULARY,
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=max(1, hidden // 32),
        intermediate_size=4 * hidden,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        num_labels=3,
    )
    return transformers.BertForSequenceClassification(config).train()


def padded_to(encoded: Encoded, rows: np.ndarray, width: int | None) -> dict[str, torch.Tensor]:
    """A batch as the library wants it, padded to `width` or to its longest pair."""
    tokens, mask, _ = batches.padded(encoded, rows, 0)
    extra = ((0, 0), (0, (width or tokens.shape[1]) - tokens.shape[1]))
    return {
        "input_ids": torch.from_numpy(np.pad(tokens, extra)),
        "attention_mask": torch.from_numpy(np.pad(mask, extra).astype(np.int64)),
    }


def by_hand(model, encoded: Encoded, labels: np.ndarray, order: batches.Order, steps: int, loss_of) -> tuple:
    """(seconds, loss of the first step) of `steps` updates, `loss_of(model, rows)` computing each."""
    optimiser = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, fused=True)
    started, first = time.perf_counter(), None
    for step in range(steps):
        loss = loss_of(model, order[step])
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        first = loss.item() if first is None else first
    return time.perf_counter() - started, first


def by_trainer(model, encoded: Encoded, labels: np.ndarray, order: batches.Order, steps: int) -> tuple:
    """The same updates by transformers.Trainer, its batches padded to the longest pair allowed."""
    rows = order.sequence[: steps * BATCH]

    class InOrder(transformers.Trainer):
        def get_train_dataloader(self):
            return [
                padded_to(encoded, rows[i : i + BATCH], LONGEST)
                | {"labels": torch.from_numpy(labels[rows[i : i + BATCH]])}
                for i in range(0, len(rows), BATCH)
            ]

    with tempfile.TemporaryDirectory() as folder:
        settings = transformers.TrainingArguments(
            folder,
            max_steps=steps,
            learning_rate=LEARNING_RATE,
            lr_scheduler_type="constant",
            weight_decay=0.01,
            use_cpu=True,
            logging_steps=1,
            logging_first_step=True,
            save_strategy="no",
            report_to=[],
            disable_tqdm=True,
        )
        trainer = InOrder(model, settings, train_dataset=list(range(len(rows))))
        trainer.remove_callback(transformers.PrinterCallback)
        started = time.perf_counter()
        trainer.train()
        seconds = time.perf_counter() - started
    return seconds, trainer.state.log_history[0]["loss"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--hidden", type=int, default=384)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    encoded = pairs(arguments.steps * BATCH)
    labels = np.random.default_rng(1).integers(0, 3, len(encoded))
    order = batches.order(len(encoded), BATCH, 1, 0)
    fresh = model_of(arguments.layers, arguments.hidden)
    overhead = forward.overhead(fresh)

    def plainly(width):
        def loss_of(model, rows):
            gold = torch.from_numpy(labels[rows])
            loss = functional.cross_entropy(model(**padded_to(encoded, rows, width)).logits, gold)
            loss.backward()
            return loss

        return lambda model: by_hand(model, encoded, labels, order, arguments.steps, loss_of)

    def sorted_loss(model, rows):
        return loop.batch_loss(model, encoded, labels, rows, 16_384, overhead, False)

    ways = {
        f"padded to {LONGEST}": plainly(LONGEST),
        "transformers.Trainer": lambda model: by_trainer(model, encoded, labels, order, arguments.steps),
        "padded to the batch": plainly(None),
        "sorted micro-batches": lambda model: by_hand(model, encoded, labels, order, arguments.steps, sorted_loss),
    }
    best, losses = dict.fromkeys(ways, float("inf")), {}
    for _ in range(ROUNDS):
        for way, run in ways.items():
            seconds, losses[way] = run(copy.deepcopy(fresh))
            best[way] = min(best[way], seconds)
    slowest = best[f"padded to {LONGEST}"]
    for way, seconds in best.items():
        rate = arguments.steps * BATCH / seconds
        print(f"{way:22} {rate:7.1f} pairs/s  {slowest / seconds:4.1f}x  first loss {losses[way]:.6f}")


if __name__ == "__main__":
    main()
