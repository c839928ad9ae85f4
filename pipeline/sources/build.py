"""Builds the four published collections from the source files, byte for byte the same each time."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from pipeline import schema, scoring, store
from pipeline.sources import feather, hans, instability, training_steps, upstream
from pipeline.store import RunResults

COLLECTIONS = {
    feather.COLLECTION: {
        "title": "BERTs of a feather",
        "description": "100 fine-tunings of bert-base-uncased on MNLI that differ only in random seed: accuracies on "
        "MNLI and the 30 HANS subcases, and how many runs get each MNLI example right.",
        "licence": "MIT",
        "source": f"github.com/{upstream.REPOSITORY} at {upstream.COMMIT[:7]}; McCoy, Min, Linzen (2020)",
    },
    "hans-2019": {
        "title": "HANS 2019",
        "description": "The four models of the HANS paper, each trained once on MNLI: their labels on HANS.",
        "licence": "MIT",
        "source": f"github.com/{upstream.REPOSITORY} at {upstream.COMMIT[:7]}; McCoy, Pavlick, Linzen (2019)",
    },
    instability.COLLECTION: {
        "title": "Instability",
        "description": "Ten BERT-base seeds with logits on twelve test sets. Trained with another toolkit than the "
        "hundred BERTs of a feather, and not one population with them.",
        "licence": "MIT",
        "source": "github.com/owenzx/InstabilityAnalysis at 7b8dae3; Zhou et al. (2020)",
    },
    training_steps.COLLECTION: {
        "title": "Training steps",
        "description": "One BERT-base at 16 steps of its training on MNLI: its labels on HANS, its accuracy on MNLI.",
        "licence": "Apache-2.0",
        "source": "github.com/Aatlantise/transformers at ec9bffb, examples/mnli/mnli_save",
    },
}


def build_published(source: Path, target: Path, progress: Callable[[str], None] = lambda _: None) -> None:
    """Write the four published collections and their test sets (numbers only) into `target`.

    Other collections there are left alone. `progress` is told each step. Raises FlockError for a missing or altered
    source file.
    """
    progress("test sets")
    hans_set = hans.examples(upstream.find(source, upstream.HANS), text=False)
    mnli_set, agreement = feather.mnli(upstream.find(source, upstream.MNLI_COUNTS), text=False)
    breaking = instability.breaking_nli((source / "nli" / "breaking_nli.tsv.gz").read_bytes())
    labelled = {"hans": hans_set, "mnli": mnli_set, "breaking-nli": breaking}
    for table in labelled.values():
        store.write_examples(target, table)
    builders = {
        feather.COLLECTION: lambda: _feather(source),
        "hans-2019": lambda: _hans_2019(source, hans_set),
        instability.COLLECTION: lambda: _instability(source, target, labelled),
        training_steps.COLLECTION: lambda: _training_steps(source, hans_set),
    }
    for collection, build in builders.items():
        written = set()
        for results in build():
            progress(f"{collection}: {results.run}")
            store.write_run(target, results, replace_existing=True)
            written.add(store.run_folder(target, collection, results.run))
        for folder in set(store.run_folders(target, collection)) - written:
            shutil.rmtree(folder)
        about = {"collection": collection, "synthetic": False, **COLLECTIONS[collection]}
        store.write_collection_table(target, "collections", schema.COLLECTIONS.rows([about]))
    store.write_collection_table(target, "agreement", agreement)


def only_checkpoint(collection: str, run: str) -> pa.Table:
    return schema.CHECKPOINTS.rows([{"collection": collection, "run": run, "step": 0, "is_final": True}])


def _feather(source: Path):
    tables = feather.accuracies(upstream.find(source, upstream.FEATHER_ACCURACIES))
    for row, accuracies in zip(feather.runs(), tables, strict=True):
        yield RunResults(schema.RUNS.rows([row]), only_checkpoint(feather.COLLECTION, row["run"]), accuracies)


def _hans_2019(source: Path, hans_set: pa.Table):
    for run, file in upstream.HANS_2019.items():
        row = {
            "collection": "hans-2019",
            "run": run,
            "model": hans.MODELS_2019[run],
            "training_data": "MNLI",
            "source": "McCoy, Pavlick, Linzen (2019), arXiv 1902.01007",
        }
        labels = hans.labels(upstream.find(source, file), hans_set)
        predictions = _label_predictions("hans-2019", run, labels)
        accuracies = scoring.score(predictions, hans_set, "computed")
        yield RunResults(schema.RUNS.rows([row]), only_checkpoint("hans-2019", run), accuracies, predictions)


def _label_predictions(collection: str, run: str, labels: list[str]) -> pa.Table:
    n = len(labels)
    columns = {
        "collection": pa.repeat(collection, n),
        "run": pa.repeat(run, n),
        "step": pa.repeat(0, n),
        "dataset": pa.repeat("hans", n),
        "position": pa.array(range(n)),
        "predicted": pa.array(labels),
    }
    return schema.PREDICTIONS.conform(pa.table(columns))


def _instability(source: Path, target: Path, labelled: dict[str, pa.Table]):
    collection = instability.COLLECTION
    for seed in instability.SEEDS:
        run = f"seed_{seed:02d}"
        predictions, accuracies = [], []
        for folder, dataset in instability.DATASETS.items():
            path = source / "instability" / f"seed_{seed}" / folder
            logits = instability.raw_logits(path)
            if seed == instability.SEEDS[0] and dataset not in labelled:
                store.write_examples(target, instability.unlabelled(dataset, len(logits)))
            predictions.append(instability.predictions(run, dataset, logits))
            accuracy = instability.published_accuracy(path)
            accuracies.append(instability.accuracies(run, dataset, logits, accuracy, labelled.get(dataset)))
        row = {
            "collection": collection,
            "run": run,
            "model": "bert-base",
            "notes": f"published as seed_{seed}",
            "source": "Zhou et al. (2020), arXiv 2004.13606",
        }
        yield RunResults(
            schema.RUNS.rows([row]),
            only_checkpoint(collection, run),
            pa.concat_tables(accuracies),
            pa.concat_tables(predictions),
        )


def _training_steps(source: Path, hans_set: pa.Table):
    folder = source / "checkpoints"
    found = training_steps.steps(folder)
    predictions = training_steps.predictions(folder, found, hans_set)
    row = {
        "collection": training_steps.COLLECTION,
        "run": training_steps.RUN,
        "model": "bert-base",
        "training_data": "MNLI",
        "source": COLLECTIONS[training_steps.COLLECTION]["source"],
    }
    accuracies = training_steps.accuracies(folder, found, predictions, hans_set)
    yield RunResults(schema.RUNS.rows([row]), training_steps.checkpoints(found), accuracies, predictions)
