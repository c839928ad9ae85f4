"""How well one run uses a GPU: real tokens a second, share of the matrix peak, and losses equal to the CPU's.

    python benchmarks/gpu_training.py          # BERT-base's size on the first GPU, under ten minutes
    python benchmarks/gpu_training.py --device cpu --layers 2 --hidden 64 --steps 4 --compare 2     # without one

Random weights train on random tokens of MNLI's lengths, batch 32, with the training loop's own batches, autocast and
fused AdamW. Three things are reported:

1. losses of the first steps on the device in fp32 and in bf16 beside those on the CPU in fp32,
2. real tokens (without padding) a second over a few hundred steps, against batches padded to 128,
3. the share of the GPU's dense bf16 peak that the necessary arithmetic is (6 × weights outside the embeddings +
   12 × layers × hidden × length, for each token, forward and backward), and how often the host waited for the GPU.
"""

import argparse
import copy
import time
import warnings

import numpy as np
import torch
from evaluation_speed import LONGEST, pairs
from torch import nn
from torch.nn import functional
from training_speed import BATCH, model_of, padded_to

from pipeline.errors import FlockError
from pipeline.training import batches, forward, loop
from pipeline.training.encoding import Encoded

PEAKS = {"H200": 989e12, "H100": 989e12, "A100": 312e12, "L40S": 362e12, "L4": 121e12, "4090": 165e12, "V100": 125e12}
"""Dense bf16 (V100: fp16) peak in FLOP/s, from the makers' data sheets."""

LEARNING_RATE, WARM_UP_STEPS, WATCHED_STEPS = 2e-5, 10, 20


class Run:
    """Updates one by one; `padded` pads every batch to the longest pair allowed."""

    def __init__(self, model: nn.Module, encoded: Encoded, labels: np.ndarray, *, bf16: bool, padded: bool = False):
        self.model, self.encoded, self.labels, self.bf16, self.padded = model, encoded, labels, bf16, padded
        self.order = batches.order(len(encoded), BATCH, 1, 0)
        self.overhead = forward.overhead(model)
        self.optimiser = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, fused=True)

    def step(self, number: int) -> torch.Tensor:
        rows = self.order[number % self.order.steps]
        loss = self.padded_loss(rows) if self.padded else self.sorted_loss(rows)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad()
        return loss

    def sorted_loss(self, rows: np.ndarray) -> torch.Tensor:
        return loop.batch_loss(self.model, self.encoded, self.labels, rows, 16_384, self.overhead, self.bf16)

    def padded_loss(self, rows: np.ndarray) -> torch.Tensor:
        device = self.model.device
        inputs = {name: value.to(device) for name, value in padded_to(self.encoded, rows, LONGEST).items()}
        with forward.autocast(device, self.bf16):
            values = self.model(**inputs).logits.float()
        loss = functional.cross_entropy(values, torch.from_numpy(self.labels[rows]).to(device))
        loss.backward()
        return loss.detach()


def synchronise(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def seconds_of(run: Run, steps: int) -> float:
    for number in range(min(WARM_UP_STEPS, steps)):
        run.step(number)
    synchronise(run.model.device)
    started = time.perf_counter()
    for number in range(steps):
        run.step(number)
    synchronise(run.model.device)
    return time.perf_counter() - started


def times_that_the_host_waits(run: Run, steps: int) -> float:
    """Synchronisations a step, as PyTorch notices them."""
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        for number in range(steps):
            run.step(number)
        torch.cuda.set_sync_debug_mode("default")
    return sum("synchroniz" in str(w.message) for w in noticed) / steps


def arithmetic(model: nn.Module, lengths: np.ndarray) -> float:
    """FLOP of one forward and backward pass over pairs of these lengths, without padding."""
    embeddings = {id(m.weight) for m in model.modules() if isinstance(m, nn.Embedding)}
    weights = sum(p.numel() for p in model.parameters() if id(p) not in embeddings)
    attention = 12 * model.config.num_hidden_layers * model.config.hidden_size * lengths.astype(float) ** 2
    return float((6 * weights * lengths + attention).sum())


def peak_of(device: torch.device, given: float | None) -> float | None:
    if given is not None:
        return given * 1e12
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else ""
    return next((peak for part, peak in PEAKS.items() if part in name), None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--hidden", type=int, default=768)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--compare", type=int, default=5, help="steps to repeat on the CPU")
    parser.add_argument("--peak", type=float, help="the device's dense bf16 peak in TFLOP/s, where it is not known")
    arguments = parser.parse_args()
    try:
        device = loop.resolve_device(arguments.device)
    except FlockError as error:
        parser.error(str(error))
    encoded = pairs(max(arguments.steps, arguments.compare) * BATCH)
    labels = np.random.default_rng(1).integers(0, 3, len(encoded))
    fresh = model_of(arguments.layers, arguments.hidden)

    def run(on: torch.device, *, bf16: bool, padded: bool = False) -> Run:
        return Run(copy.deepcopy(fresh).to(on), encoded, labels, bf16=bf16, padded=padded)

    print(f"{torch.cuda.get_device_name(device) if device.type == 'cuda' else 'CPU'}, PyTorch {torch.__version__}")
    ways = {
        "CPU fp32": run(torch.device("cpu"), bf16=False),
        "device fp32": run(device, bf16=False),
        "device bf16": run(device, bf16=True),
    }
    losses = {way: [r.step(i).item() for i in range(arguments.compare)] for way, r in ways.items()}
    for way, values in losses.items():
        furthest = max(abs(a - b) for a, b in zip(values, losses["CPU fp32"], strict=True))
        print(f"{way:12} losses {' '.join(f'{v:.5f}' for v in values)}  largest difference {furthest:.1e}")

    rows = batches.order(len(encoded), BATCH, 1, 0).sequence[: arguments.steps * BATCH]
    tokens = int(encoded.lengths[rows].sum())
    peak = peak_of(device, arguments.peak)
    times = {}
    for way in ("sorted micro-batches", f"padded to {LONGEST}"):
        bf16 = device.type == "cuda"
        times[way] = seconds = seconds_of(run(device, bf16=bf16, padded=way.startswith("padded")), arguments.steps)
        share = f"{100 * arithmetic(fresh, encoded.lengths[rows]) / seconds / peak:.1f} % of the peak" if peak else ""
        print(f"{way:22} {tokens / seconds:12,.0f} real tokens/s {arguments.steps / seconds:8.1f} steps/s  {share}")
    print(f"ratio {times[f'padded to {LONGEST}'] / times['sorted micro-batches']:.2f}")
    if device.type == "cuda":
        waits = times_that_the_host_waits(run(device, bf16=True), WATCHED_STEPS)
        memory = torch.cuda.max_memory_allocated(device) / 2**30
        print(f"the host waits {waits:.1f} times a step; {memory:.1f} GiB at most")


if __name__ == "__main__":
    main()
