"""Encoders and decoders with tiny random weights: without padding the loss is that of plainly padded batches."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
import torch
import transformers
from torch.nn import functional

from pipeline.errors import FlockError
from pipeline.training import batches, forward, loop, models
from pipeline.training import recipe as recipes
from pipeline.training.encoding import encode
from tests.pipeline.training.conftest import pairs

SMALL = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
CONFIGURATIONS = {
    "bert": SMALL | {"max_position_embeddings": 64},
    "roberta": SMALL | {"max_position_embeddings": 64, "type_vocab_size": 1},
    "deberta-v2": SMALL
    | {"max_position_embeddings": 64, "relative_attention": True, "pos_att_type": ["p2c", "c2p"], "type_vocab_size": 0},
    "opt": {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "ffn_dim": 32}
    | {"word_embed_proj_dim": 16, "max_position_embeddings": 64},
    "olmo2": SMALL | {"num_key_value_heads": 2, "max_position_embeddings": 64},
}
ROWS = pairs()
TABLE = pa.table({"premise": [p for _, p, _ in ROWS], "hypothesis": [h for _, _, h in ROWS]})
LABELS = np.arange(len(ROWS)) % 3


@pytest.fixture(scope="module", params=CONFIGURATIONS)
def saved(request, tmp_path_factory) -> str:
    """A folder with random weights and a tokenizer, as one gets from a hub."""
    folder = tmp_path_factory.mktemp(request.param)
    tokenizer = models.word_tokenizer(TABLE["premise"].to_pylist() + TABLE["hypothesis"].to_pylist())
    config = transformers.AutoConfig.for_model(
        request.param, vocab_size=len(tokenizer), initializer_range=0.5, pad_token_id=0, **CONFIGURATIONS[request.param]
    )
    torch.manual_seed(3)
    transformers.AutoModelForSequenceClassification.from_config(config).base_model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def loaded(saved: str, init_seed: int = 0, **changes):
    recipe = replace(recipes.load("feather"), model=saved, **{"dropout": 0.0} | changes)
    tokenizer = models.load_tokenizer(recipe, TABLE)
    return recipe, models.load_model(recipe, tokenizer, init_seed), encode(TABLE, tokenizer, 64)


def gradients(model) -> dict[str, np.ndarray]:
    return {n: p.grad.numpy().copy() for n, p in model.named_parameters() if p.grad is not None}


def padded_loss(model, encoded, rows):
    """All pairs in one batch, padded to the longest of the data set, with the library's own mask."""
    ids, mask, types = batches.padded(encoded, np.concatenate([rows, [encoded.lengths.argmax()]]), 0)
    inputs = {"input_ids": torch.tensor(ids[:-1]), "attention_mask": torch.tensor(mask[:-1].astype(np.int64))}
    if model.config.model_type == "bert":
        inputs["token_type_ids"] = torch.tensor(types[:-1])
    return functional.cross_entropy(model(**inputs).logits, torch.tensor(LABELS[rows]))


def test_loss_and_gradients_equal_those_of_padded_batches(saved):
    recipe, model, encoded = loaded(saved)
    models.set_training(model, recipe)
    order = batches.order(len(ROWS), 16, 1, 0)
    for step in range(3):
        groups = batches.micro_batches(encoded.lengths[order[step]], 4.0, 10_000)
        assert 1 < len(groups) < 16
        assert any(len(set(encoded.lengths[order[step]][g])) > 1 for g in groups)
        expected = padded_loss(model, encoded, order[step])
        expected.backward()
        reference = gradients(model)
        model.zero_grad()
        loss = loop.batch_loss(model, encoded, LABELS, order[step], 10_000, 4.0, False)
        assert loss.item() == pytest.approx(expected.item(), abs=1e-5)
        for name, gradient in gradients(model).items():
            np.testing.assert_allclose(gradient, reference[name], atol=1e-4, err_msg=name)
        model.zero_grad()


def test_predictions_do_not_depend_on_the_batch(saved):
    _, model, encoded = loaded(saved)
    together = forward.predict(model, encoded, 4096)
    alone = forward.predict(model, encoded, 1)
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert together.std(0).min() > 1e-3


def test_new_weights_follow_the_init_seed(saved):
    _, first, _ = loaded(saved, 1)
    _, same, _ = loaded(saved, 1)
    _, other, _ = loaded(saved, 2)
    changed = set()
    for (name, a), b, c in zip(first.named_parameters(), same.parameters(), other.parameters(), strict=True):
        assert torch.equal(a, b), name
        if not torch.equal(a, c):
            changed.add(name.split(".")[0])
    assert changed and changed <= {"classifier", "score", "pooler"}


def test_head_trains_the_head_alone(saved):
    recipe, model, encoded = loaded(saved, train="head", dropout=0.5)
    models.set_training(model, recipe)
    loop.batch_loss(model, encoded, LABELS, np.arange(16), 10_000, 4.0, False)
    names = {n.split(".")[0] for n in gradients(model)}
    assert names and names <= {"classifier", "score", "pooler"}
    assert not model.base_model.training


def test_lora_trains_adapters_and_merges(saved):
    recipe, model, encoded = loaded(saved, train="lora", lora_rank=2)
    models.set_training(model, recipe)
    optimiser = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-1)
    for _ in range(3):
        loop.batch_loss(model, encoded, LABELS, np.arange(16), 10_000, 4.0, False)
        optimiser.step()
        optimiser.zero_grad()
    trained = {n for n, p in model.named_parameters() if p.requires_grad}
    assert any("lora_A" in n for n in trained)
    assert all("lora_" in n or "modules_to_save" in n for n in trained)
    adapted = forward.predict(model, encoded, 4096)
    merged = models.plain(model)
    assert type(merged).__name__.endswith("ForSequenceClassification")
    np.testing.assert_allclose(forward.predict(merged, encoded, 4096), adapted, atol=1e-4)


def test_dropout_of_the_recipe_is_everywhere(saved):
    _, model, _ = loaded(saved, dropout=0.25)
    rates = {m.p for m in model.modules() if isinstance(m, torch.nn.Dropout)}
    assert rates <= {0.25}
    assert all(
        value == 0.25 for name, value in vars(model.config).items() if "dropout" in name and isinstance(value, float)
    )


def test_a_model_that_is_not_there(tmp_path):
    recipe = replace(recipes.load("feather"), model=str(tmp_path))
    with pytest.raises(FlockError, match=r"model .*: this folder holds no such model .* with --model"):
        models.load_tokenizer(recipe, TABLE)


def test_a_configuration_from_scratch_that_is_wrong():
    recipe = replace(recipes.load("miniature"), scratch={"model_type": "bert", "hidden_size": 7})
    tokenizer = models.load_tokenizer(recipe, TABLE)
    with pytest.raises(FlockError, match=r"recipe miniature: \[scratch\] gives no model: "):
        models.load_model(recipe, tokenizer, 0)
