"""One forward pass over encoded pairs, without needless padding, and predictions made of many."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np
import torch
from torch import nn

from pipeline.training import batches
from pipeline.training.encoding import Encoded
from pipeline.training.models import is_decoder

_FOUR_DIMENSIONAL = {"bert", "roberta", "xlm-roberta", "electra", "camembert"}
"""Models that take a ready attention mask. Others make theirs from a two-dimensional one, for which some look at its
values and so make the host wait for the GPU."""

_CPU_TOKENS = 1024
"""Tokens of one pass of evaluation on a CPU, at most: larger ones fall out of its caches. Measured on one core with
MiniLM's size: 16,384 take 2.6 times as long (`benchmarks/evaluation_speed.py`)."""


def logits(model: nn.Module, encoded: Encoded, rows: np.ndarray) -> torch.Tensor:
    """float32 (len(rows), classes) of these pairs, in one pass on the model's device."""
    config, device = model.config, model.device
    tokens, mask, types = batches.padded(encoded, rows, config.pad_token_id)
    inputs = {"input_ids": _to(tokens, device)}
    # Without padding no mask is needed; a decoder's pairs end before their padding, which they therefore never see.
    if not mask.all() and not is_decoder(config):
        attention = mask[:, None, None, :] if config.model_type in _FOUR_DIMENSIONAL else mask.astype(np.int64)
        inputs["attention_mask"] = _to(attention, device)
    if types is not None and getattr(config, "type_vocab_size", 0) > 1:
        inputs["token_type_ids"] = _to(types, device)
    return model(**inputs).logits.float()


@torch.inference_mode()
def predict(
    model: nn.Module,
    encoded: Encoded,
    batch_tokens: int,
    *,
    bf16: bool = False,
    advanced: Callable[[int], None] = lambda tokens: None,
) -> np.ndarray:
    """float32 logits (n, classes) of all pairs in their order; `advanced` hears how many tokens were done.

    Computed by length, in passes of at most `batch_tokens` tokens, fewer on a CPU. Leaves the model in evaluation mode.
    """
    if model.device.type == "cpu":
        batch_tokens = min(batch_tokens, _CPU_TOKENS)
    model.eval()
    out = np.empty((len(encoded), model.config.num_labels), np.float32)
    done = []
    lengths = encoded.lengths
    for rows in batches.chunks_by_length(lengths, batch_tokens):
        with autocast(model.device, bf16):
            done.append((rows, logits(model, encoded, rows)))
        if model.device.type == "cpu" or len(done) == 32:
            _collect(done, out)
        advanced(int(lengths[rows].sum()))
    _collect(done, out)
    return out


def autocast(device: torch.device, bf16: bool) -> AbstractContextManager:
    return torch.autocast(device.type, torch.bfloat16, enabled=bf16)


def overhead(model: nn.Module) -> float:
    """What a forward and backward pass costs whatever its size, in tokens: for `batches.micro_batches`.

    Rough measurements: 8 ms a layer on a CPU core that computes 50 GFLOP/s (small matrices are slow, and each pass
    touches all gradients of the word embeddings); 0.8 ms to start a layer's operations on a GPU at 200 TFLOP/s. Fixed
    numbers, because the split decides how sums are rounded: the same machine kind must split alike.
    """
    seconds, speed = (8e-3, 5e10) if model.device.type == "cpu" else (8e-4, 2e14)
    embeddings = {id(m.weight) for m in model.modules() if isinstance(m, nn.Embedding)}
    weights = sum(p.numel() for p in model.parameters() if id(p) not in embeddings)
    layers = getattr(model.config, "num_hidden_layers", 12)
    return layers * seconds * speed / (6 * weights)


def _to(array: np.ndarray, device: torch.device) -> torch.Tensor:
    tensor = torch.from_numpy(np.ascontiguousarray(array))
    return tensor if device.type == "cpu" else tensor.pin_memory().to(device, non_blocking=True)


def _collect(done: list, out: np.ndarray) -> None:
    for rows, values in done:
        out[rows] = values.cpu().numpy()
    done.clear()
