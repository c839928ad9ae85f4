"""The model and tokenizer of a recipe."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import tokenizers
import torch
import transformers
from torch import nn
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING, MODEL_FOR_MASKED_LM_MAPPING

from pipeline.errors import FlockError
from pipeline.training.recipe import Recipe

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def load_tokenizer(recipe: Recipe, pairs: pa.Table, source: str | None = None):
    """The model's tokenizer; for a model from scratch, one with a token for each word of the training `pairs`."""
    if recipe.scratch:
        return word_tokenizer(pairs["premise"].to_pylist() + pairs["hypothesis"].to_pylist())
    tokenizer = _from_hub(AutoTokenizer.from_pretrained, source or recipe.model)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def word_tokenizer(sentences: Sequence[str]):
    """A BERT-like tokenizer whose tokens are the lower-cased words and punctuation marks of `sentences`."""
    normalizer = tokenizers.normalizers.Lowercase()
    splitter = tokenizers.pre_tokenizers.BertPreTokenizer()
    words = {w for s in set(sentences) for w, _ in splitter.pre_tokenize_str(normalizer.normalize_str(s))}
    vocabulary = {word: i for i, word in enumerate((*_SPECIAL, *sorted(words)))}
    backend = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    backend.normalizer, backend.pre_tokenizer = normalizer, splitter
    backend.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(token, vocabulary[token]) for token in ("[CLS]", "[SEP]")],
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=backend,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        **{f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep")},
    )


def load_model(recipe: Recipe, tokenizer, init_seed: int, source: str | None = None) -> nn.Module:
    """The recipe's model on the CPU in fp32, new weights drawn with `init_seed`; only what is trained has gradients.

    `source` is a folder or hub name to load from instead of the recipe's.
    """
    torch.manual_seed(init_seed)
    labels = dict(enumerate(recipe.labels))
    settings = {"id2label": labels, "label2id": {word: i for i, word in labels.items()}}
    if recipe.scratch:
        model = _from_scratch(recipe, tokenizer, settings)
    else:
        config = _from_hub(AutoConfig.from_pretrained, source or recipe.model, **settings)
        _set_dropout(config, recipe.dropout)
        config.pad_token_id = tokenizer.pad_token_id
        model = _from_hub(
            AutoModelForSequenceClassification.from_pretrained,
            source or recipe.model,
            config=config,
            dtype=torch.float32,
        )
    if recipe.train == "head":
        model.base_model.requires_grad_(False)
    elif recipe.train == "lora":
        model = _with_adapters(recipe, model)
    return model


def set_training(model: nn.Module, recipe: Recipe) -> None:
    """Training mode; frozen features are computed without dropout."""
    model.train()
    if recipe.train == "head":
        model.base_model.eval()


def plain(model: nn.Module) -> nn.Module:
    """The model without adapters, these merged into its weights."""
    return model.merge_and_unload() if hasattr(model, "merge_and_unload") else model


def is_decoder(config) -> bool:
    """Whether a token sees only those before it."""
    if getattr(config, "is_encoder_decoder", False) or type(config) in MODEL_FOR_MASKED_LM_MAPPING:
        return False
    return type(config) in MODEL_FOR_CAUSAL_LM_MAPPING


def _from_scratch(recipe: Recipe, tokenizer, settings: dict) -> nn.Module:
    given = {k: v for k, v in recipe.scratch.items() if k not in ("model_type", "position_scale")}
    try:
        config = AutoConfig.for_model(
            recipe.scratch["model_type"],
            vocab_size=len(tokenizer),
            pad_token_id=tokenizer.pad_token_id,
            **given,
            **settings,
        )
        _set_dropout(config, recipe.dropout)
        model = AutoModelForSequenceClassification.from_config(config)
    except (ValueError, TypeError) as error:
        raise FlockError(f"recipe {recipe.name}: [scratch] gives no model: {first_line(error)}") from None
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "position_embeddings" in name:
                parameter.mul_(recipe.scratch.get("position_scale", 1.0))
    return model


def _with_adapters(recipe: Recipe, model: nn.Module) -> nn.Module:
    import peft

    known = peft.utils.constants.TRANSFORMERS_MODELS_TO_LORA_TARGET_MODULES_MAPPING
    return peft.get_peft_model(
        model,
        peft.LoraConfig(
            task_type=peft.TaskType.SEQ_CLS,
            r=recipe.lora_rank,
            lora_alpha=recipe.lora_alpha,
            lora_dropout=recipe.dropout or 0.0,
            target_modules=None if model.config.model_type in known else "all-linear",
        ),
    )


def _set_dropout(config, dropout: float | None) -> None:
    if dropout is None:
        return
    for name, value in vars(config).items():
        if "dropout" in name and isinstance(value, int | float) and not isinstance(value, bool):
            setattr(config, name, dropout)


def _from_hub(load, source: str, **settings):
    """`load(source)`, with what to do when it is neither a folder nor can be downloaded."""
    try:
        return load(source, **settings)
    except (OSError, ValueError) as error:
        where = "this folder holds no such model" if Path(source).is_dir() else "not a folder, and the hub did not help"
        raise FlockError(
            f"model {source}: {where} ({first_line(error)}); give a folder that holds config.json, weights and "
            "tokenizer with --model, or connect to the hub"
        ) from None


def first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
