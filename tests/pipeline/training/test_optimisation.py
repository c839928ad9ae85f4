"""Optimiser and schedule against their formulas."""

import numpy as np
import pytest
import torch

from pipeline.training import recipe as recipes
from pipeline.training.optimisation import BertAdam, learning_rate, optimiser


def recipe(**changes):
    return recipes.load("feather", **changes)


def test_bert_adam_is_adam_without_bias_correction():
    """w ← w − lr (m / (√v + ε) + decay · w), with m and v from zero."""
    rng = np.random.default_rng(0)
    w = rng.normal(size=(3, 2))
    p = torch.nn.Parameter(torch.tensor(w))
    adam = BertAdam([p], lr=0.01, betas=(0.9, 0.99), eps=1e-6, weight_decay=0.1)
    m, v = np.zeros_like(w), np.zeros_like(w)
    for _ in range(5):
        gradient = rng.normal(size=w.shape)
        p.grad = torch.tensor(gradient)
        adam.step()
        m = 0.9 * m + 0.1 * gradient
        v = 0.99 * v + 0.01 * gradient**2
        w = w - 0.01 * (m / (np.sqrt(v) + 1e-6) + 0.1 * w)
        np.testing.assert_allclose(p.detach().numpy(), w, rtol=1e-12)


def test_first_step_is_larger_than_adams():
    steps = {}
    for name in ("bert-adam", "adamw"):
        model = torch.nn.Linear(1, 1, bias=False)
        torch.nn.init.zeros_(model.weight)
        chosen = optimiser(model, recipe(optimiser=name))
        model.weight.grad = torch.ones(1, 1)
        chosen.step()
        steps[name] = -model.weight.item()
    assert steps["adamw"] == pytest.approx(2e-5, rel=1e-4)
    assert steps["bert-adam"] == pytest.approx(2e-5 * 0.1 / np.sqrt(0.001), rel=1e-3)


@pytest.mark.parametrize("name", ["bert-adam", "adamw"])
def test_biases_and_norms_do_not_decay(name):
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.LayerNorm(3))
    with torch.no_grad():
        for p in model.parameters():
            p.fill_(1.0)
            p.grad = torch.zeros_like(p)
    chosen = optimiser(model, recipe(optimiser=name, weight_decay=0.5, learning_rate=0.1))
    chosen.step()
    assert model[0].weight.unique().item() == pytest.approx(0.95)
    for p in (model[0].bias, model[1].weight, model[1].bias):
        assert p.unique().item() == 1.0


@pytest.mark.parametrize(
    "schedule, expected",
    [
        ("linear", [0.0, 0.5, 1.0, 0.5, 0.125]),
        ("cosine", [0.0, 0.5, 1.0, 0.5, 0.5 * (1 + np.cos(np.pi * 7 / 8))]),
        ("constant", [0.0, 0.5, 1.0, 1.0, 1.0]),
        ("bert-linear", [0.0, 0.5, 0.8, 0.4, 0.1]),
    ],
)
def test_learning_rate(schedule, expected):
    r = recipe(schedule=schedule, warmup=0.2, learning_rate=1.0)
    rates = [learning_rate(r, step, 100) for step in (0, 10, 20, 60, 90)]
    assert rates == pytest.approx(expected)
