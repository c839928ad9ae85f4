"""Fetches what the publishers keep: sentences, and every single prediction of the 100 runs."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa

from pipeline import schema, scoring, store
from pipeline.errors import FlockError
from pipeline.sources import build, feather, feather_predictions, hans, upstream
from pipeline.sources.upstream import UpstreamFile
from pipeline.store import RunResults

NAMES = ("hans", "mnli", "feather")

Get = Callable[[UpstreamFile], bytes]
"""How a file is had: downloaded, or found in a folder."""


def fetch(names: Sequence[str], target: Path, get: Get) -> list[str]:
    """Fetch `names` into the store `target`; returns a line for each that says what is there now.

    Every file is verified before anything of it is stored. Raises FlockError for an unknown name or a file that is
    not as published.
    """
    for name in names:
        if name not in NAMES:
            raise FlockError(f"nothing called {name!r} to fetch; choose from {', '.join(NAMES)}")
    return [_FETCHERS[name](target, get) for name in dict.fromkeys(names)]


def missing(names: Sequence[str], stores: Sequence[Path]) -> list[str]:
    """Those of `names` whose content no store holds yet."""
    with store.connect(stores) as connection:
        texts = {d for (d,) in connection.execute("SELECT dataset FROM datasets WHERE has_text").fetchall()}
        predicted = connection.execute(
            "SELECT run FROM prediction_sets WHERE collection = ? AND dataset IN ('hans', 'mnli') "
            "GROUP BY run HAVING count(DISTINCT dataset) = 2",
            [feather.COLLECTION],
        ).fetchall()
    have = texts | ({"feather"} if {run for (run,) in predicted} >= set(feather.RUNS) else set())
    return [name for name in names if name not in have]


def _hans(target: Path, get: Get) -> str:
    table = hans.examples(get(upstream.HANS), text=True)
    store.write_examples(target, table)
    return f"hans: {table.num_rows:,} pairs of sentences"


def _mnli(target: Path, get: Get) -> str:
    table, _ = feather.mnli(get(upstream.MNLI_COUNTS), text=True)
    store.write_examples(target, table)
    return f"mnli: {table.num_rows:,} pairs of sentences"


def _feather(target: Path, get: Get) -> str:
    published = feather.accuracies(get(upstream.FEATHER_ACCURACIES))
    hans_set = hans.examples(get(upstream.HANS), text=False)
    mnli_set, _ = feather.mnli(get(upstream.MNLI_COUNTS), text=False)
    # MNLI first: on HANS alone, neutral and contradiction written as integers cannot be told apart.
    read, mnli_file, hans_file = feather_predictions.read, upstream.FEATHER_MNLI, upstream.FEATHER_HANS
    on_mnli, meaning = read(get(mnli_file), mnli_file.name, mnli_set, published)
    on_hans, _ = read(get(hans_file), hans_file.name, hans_set, published, meaning)
    predictions = [pa.concat_tables(tables) for tables in zip(on_hans, on_mnli, strict=True)]
    examples = pa.concat_tables([hans_set, mnli_set])
    for row, table in zip(feather.runs(), predictions, strict=True):
        results = RunResults(
            schema.RUNS.rows([row]),
            build.only_checkpoint(feather.COLLECTION, row["run"]),
            scoring.score(table, examples, "computed"),
            table,
        )
        store.write_run(target, results, replace_existing=True)
    total = sum(table.num_rows for table in predictions)
    return f"feather: {total:,} predictions of {len(predictions)} runs, equal to the published accuracies"


_FETCHERS = {"hans": _hans, "mnli": _mnli, "feather": _feather}
