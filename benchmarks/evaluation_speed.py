"""How fast a checkpoint is evaluated: sorted by length, against batches in the order of the file.

    python benchmarks/evaluation_speed.py [--pairs 600] [--threads 2] [--device cpu]

A MiniLM-sized model with random weights (6 layers of 384) predicts random tokens whose lengths follow those of MNLI's
dev pairs (log-normal, mean 39 wordpieces, at most 128). All ways give the same logits; the largest difference is
printed. Fastest of three rounds, taken in turn. Measured with 200 pairs and one thread on a busy two-core machine:
padded to 128 11 pairs/s, padded to the batch 17 (1.5x), sorted 40 (3.6x); logits differ by at most 2e-7.
"""

import argparse
import time

import numpy as np
import torch
import transformers

from pipeline.training import forward
from pipeline.training.encoding import Encoded

BATCH, LONGEST, VOCABULARY, BATCH_TOKENS, ROUNDS = 32, 128, 30_522, 16_384, 3
MEAN_LENGTH, SPREAD = 39, 0.45


def pairs(n: int, seed: int = 0) -> Encoded:
    """Random tokens in pairs of MNLI's lengths."""
    random = np.random.default_rng(seed)
    lengths = random.lognormal(np.log(MEAN_LENGTH) - SPREAD**2 / 2, SPREAD, n).round().clip(8, LONGEST).astype(np.int64)
    offsets = np.concatenate([[0], lengths.cumsum()])
    return Encoded(random.integers(1, VOCABULARY, offsets[-1], np.int32), None, offsets)


@torch.inference_mode()
def in_order(model, encoded: Encoded, longest: int | None) -> np.ndarray:
    """Batches of 32 in the order of the file, padded to `longest` or to the batch's longest pair."""
    out = []
    for start in range(0, len(encoded), BATCH):
        rows = [
            encoded.tokens[encoded.offsets[i] : encoded.offsets[i + 1]]
            for i in range(start, min(start + BATCH, len(encoded)))
        ]
        width = longest or max(map(len, rows))
        tokens = torch.tensor(np.stack([np.pad(row, (0, width - len(row))) for row in rows]).astype(np.int64))
        mask = torch.arange(width) < torch.tensor([len(row) for row in rows])[:, None]
        device = model.device
        out.append(model(input_ids=tokens.to(device), attention_mask=mask.long().to(device)).logits.float().cpu())
    return torch.cat(out).numpy()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=600)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=VOCABULARY,
        hidden_size=384,
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=1536,
        num_labels=3,
    )
    model = transformers.BertForSequenceClassification(config).eval().to(arguments.device)
    encoded = pairs(arguments.pairs)
    ways = {
        f"file order, padded to {LONGEST}": lambda: in_order(model, encoded, LONGEST),
        "file order, padded to the batch": lambda: in_order(model, encoded, None),
        "sorted by length (evaluate)": lambda: forward.predict(model, encoded, BATCH_TOKENS),
    }
    best, values = dict.fromkeys(ways, float("inf")), {}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            started = time.perf_counter()
            values[name] = way()
            best[name] = min(best[name], time.perf_counter() - started)
    slowest = max(best.values())
    print(
        f"{arguments.pairs:,} pairs of {encoded.lengths.mean():.1f} tokens, {arguments.threads} threads, {model.device}"
    )
    for name, seconds in best.items():
        print(f"{name:32} {arguments.pairs / seconds:8.1f} pairs/s  {slowest / seconds:5.2f}x")
    reference = values[f"file order, padded to {LONGEST}"]
    print(f"largest difference of a logit: {max(np.abs(v - reference).max() for v in values.values()):.1e}")


if __name__ == "__main__":
    main()
