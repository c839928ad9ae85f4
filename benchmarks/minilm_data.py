"""Make the training files of the recipes minilm and minilm-snli, and register the test set snli-test.

    python benchmarks/minilm_data.py --from SOURCES --to FOLDER

SOURCES holds the files named below (pairs as gzipped TSV: label, premise, hypothesis). FOLDER gets minilm-pairs.tsv
(the MNLI subset, the counterfactual pairs and 8,000 SNLI pairs) and minilm-snli-pairs.tsv (as many pairs, all from
SNLI). Pairs that occur in a test set are left out. The sentences have their own licences: the files stay yours.
"""

import argparse
import csv
import random
from pathlib import Path

from pipeline import schema, store
from pipeline.importers.reading import Format, read

SNLI_SHARE = 8_000
SEED = 0


def pairs(file: Path) -> list[tuple[str, str, str]]:
    """(label, premise, hypothesis) of a gzipped TSV with literal quotes."""
    sheet = read(file, Format(delimiter="tab", quoting="none", header=True))
    header, *rows = [sheet.names, *sheet.rows] if sheet.names else sheet.rows
    columns = [header.index(name) for name in ("label", "premise", "hypothesis")]
    return [tuple(row[c].strip() for c in columns) for row in rows]


def words(pair: tuple[str, str, str]) -> str:
    """Premise and hypothesis without case, spaces and punctuation, so that a tokenised pair is recognised."""
    return "|".join("".join(c for c in text.lower() if c.isalnum()) for text in pair[1:])


def write(path: Path, rows: list[tuple[str, str, str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n")
        writer.writerows([("label", "premise", "hypothesis"), *rows])
    print(f"{path}: {len(rows):,} pairs")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="sources", type=Path, required=True)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--store", type=Path, default=store.LOCAL)
    arguments = parser.parse_args()

    test = pairs(arguments.sources / "snli_test_tokenised.tsv.gz")
    rows = [
        {"dataset": "snli-test", "example": str(i), "position": i, "gold": label, "premise": p, "hypothesis": h}
        for i, (label, p, h) in enumerate(test)
    ]
    store.write_examples(arguments.store, schema.EXAMPLES.rows(rows))
    print(f"snli-test: {len(rows):,} examples in {arguments.store}")

    with store.connect([*store.default_stores(), arguments.store]) as connection:
        found = connection.execute("SELECT gold, premise, hypothesis FROM examples WHERE dataset = 'mnli'").fetchall()
    held_out = {words(pair) for pair in test} | {words(pair) for pair in found if pair[1] is not None}

    def kept(name: str) -> list[tuple[str, str, str]]:
        read_pairs = [pair for pair in pairs(arguments.sources / name) if all(pair)]
        chosen = [pair for pair in read_pairs if words(pair) not in held_out]
        print(f"{name}: {len(read_pairs):,} pairs, {len(read_pairs) - len(chosen)} of them in a test set")
        return chosen

    mnli = kept("mnli_train10k_llmsknow_nopunct.tsv.gz")
    counterfactual = kept("cad_nli_train.tsv.gz")
    snli = kept("snli_train33k_mit_ccbysa.tsv.gz")
    random.Random(SEED).shuffle(snli)
    mixed = [*mnli, *counterfactual, *snli[:SNLI_SHARE]]
    write(arguments.to / "minilm-pairs.tsv", mixed)
    write(arguments.to / "minilm-snli-pairs.tsv", snli[: len(mixed)])


if __name__ == "__main__":
    main()
