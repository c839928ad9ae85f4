"""Optimiser and learning-rate schedule."""

import math

import torch
from torch import nn

from pipeline.training.recipe import Recipe


class BertAdam(torch.optim.Optimizer):
    """Adam with decoupled weight decay and without bias correction, as BERT's original code has it.

    m and v start at zero and are used as they are, so that the first steps are several times larger than Adam's.
    """

    def __init__(self, params, lr: float, betas: tuple[float, float], eps: float, weight_decay: float):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self) -> None:
        for group in self.param_groups:
            params = [p for p in group["params"] if p.grad is not None]
            if not params:
                continue
            for p in params:
                if not self.state[p]:
                    self.state[p] = {"m": torch.zeros_like(p), "v": torch.zeros_like(p)}
            grads = [p.grad for p in params]
            m, v = ([self.state[p][k] for p in params] for k in ("m", "v"))
            beta1, beta2 = group["betas"]
            torch._foreach_lerp_(m, grads, 1 - beta1)
            torch._foreach_mul_(v, beta2)
            torch._foreach_addcmul_(v, grads, grads, 1 - beta2)
            scale = torch._foreach_sqrt(v)
            torch._foreach_add_(scale, group["eps"])
            torch._foreach_mul_(params, 1 - group["lr"] * group["weight_decay"])
            torch._foreach_addcdiv_(params, m, scale, -group["lr"])


def optimiser(model: nn.Module, recipe: Recipe) -> torch.optim.Optimizer:
    """The recipe's optimiser over what is trained. Biases and normalisation weights, all one-dimensional, do not
    decay."""
    trained = [p for p in model.parameters() if p.requires_grad]
    groups = [
        {"params": [p for p in trained if p.ndim >= 2], "weight_decay": recipe.weight_decay},
        {"params": [p for p in trained if p.ndim < 2], "weight_decay": 0.0},
    ]
    settings = {"lr": recipe.learning_rate, "betas": (recipe.beta1, recipe.beta2), "eps": recipe.epsilon}
    if recipe.optimiser == "bert-adam":
        return BertAdam(groups, **settings, weight_decay=recipe.weight_decay)
    return torch.optim.AdamW(groups, **settings, fused=True)


def learning_rate(recipe: Recipe, step: int, steps: int) -> float:
    """The learning rate of a step, from 0, of `steps`. It rises linearly from zero in the first int(warmup × steps)."""
    warmup = int(recipe.warmup * steps)
    if step < warmup:
        return recipe.learning_rate * step / warmup
    if recipe.schedule == "constant":
        return recipe.learning_rate
    if recipe.schedule == "bert-linear":
        return recipe.learning_rate * (1 - step / steps)
    done = (step - warmup) / (steps - warmup)
    return recipe.learning_rate * ((1 - done) if recipe.schedule == "linear" else (1 + math.cos(math.pi * done)) / 2)
