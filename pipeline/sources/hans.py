"""HANS: its evaluation set and the predictions published with it in 2019."""

import csv
import io

import pyarrow as pa

from pipeline import schema

MODELS_2019 = {
    "bert": "BERT-base, fine-tuned on MNLI",
    "decomposable-attention": "decomposable attention, trained on MNLI",
    "esim": "ESIM, trained on MNLI",
    "spinn": "SPINN, trained on MNLI",
}


def examples(content: bytes, *, text: bool) -> pa.Table:
    """HANS as `examples`, 30,000 rows in file order; premises and hypotheses only with `text`."""
    rows = csv.DictReader(io.StringIO(content.decode()), delimiter="\t", quoting=csv.QUOTE_NONE)
    return schema.EXAMPLES.rows(
        [
            {
                "dataset": "hans",
                "example": row["pairID"],
                "position": position,
                "gold": row["gold_label"],
                "heuristic": row["heuristic"],
                "subcase": row["subcase"],
                "template": row["template"],
                "premise": row["sentence1"] if text else None,
                "hypothesis": row["sentence2"] if text else None,
            }
            for position, row in enumerate(rows)
        ]
    )


def labels(content: bytes, examples: pa.Table) -> list[str]:
    """The labels of a `pairID,gold_label` prediction file (the column is the prediction), in HANS order."""
    rows = csv.reader(io.StringIO(content.decode()))
    next(rows)
    by_example = dict(rows)
    return [by_example[example] for example in examples["example"].to_pylist()]
