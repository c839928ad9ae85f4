"""Weights for the runs of `tests/app/demo.py`: tiny random BERTs that know the words of a few sentences."""

from pathlib import Path

import torch
import transformers

from pipeline import schema, store
from pipeline.training import models, results
from tests.app import demo

SENTENCES = ("The baker praised the farmer.", "The pilot thanked the tall baker.")


def write(folder: Path, runs=demo.RUNS, step: int | None = None, labels=schema.LABELS) -> None:
    """Weights of `runs` in the store `folder`, as training keeps them; each run answers differently."""
    tokenizer = models.word_tokenizer(SENTENCES)
    for seed, run in enumerate(runs):
        torch.manual_seed(seed)
        config = transformers.BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=32,
            initializer_range=0.5,
            pad_token_id=tokenizer.pad_token_id,
            id2label=dict(enumerate(labels)),
            label2id={label: i for i, label in enumerate(labels)},
        )
        path = store.weights_folder(folder, demo.COLLECTION, run, step)
        results.write_weights(path, transformers.BertForSequenceClassification(config), tokenizer)
