"""A finished run as the tables of a store, and its weights beside them."""

import copy
import math
import shutil
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import torch
import transformers

from pipeline import schema, scoring, store
from pipeline.store import RunResults
from pipeline.training import folder, models
from pipeline.training import seeds as seed_lists
from pipeline.training.recipe import Recipe
from pipeline.training.seeds import Seeds

_DESCRIPTIVE = {"name", "collection", "title", "description", "synthetic", "keep_weights", "keep_seeds", "gpus_per_run"}


def collect(job, run_folder: folder.RunFolder, *, fingerprint: str, tests: dict, device, seconds: float) -> RunResults:
    """What the run's folder holds, scored, as tables of `schema`."""
    recipe, seeds = job.recipe, job.seeds
    checkpoints = run_folder.checkpoints()
    predictions = pa.concat_tables(
        run_folder.read_predictions(row["step"], name) for row in checkpoints for name in tests
    )
    accuracies = scoring.score(predictions, pa.concat_tables(tests.values()), "own")
    settings = {k: v for k, v in asdict(recipe).items() if k not in _DESCRIPTIVE}
    settings |= {"fingerprint": fingerprint, "torch": torch.__version__, "transformers": transformers.__version__}
    owner = {"collection": recipe.collection, "run": job.run}
    run = owner | {
        "model": recipe.model,
        "recipe": recipe.name,
        "init_seed": seeds.init,
        "order_seed": seeds.order,
        "dropout_seed": seeds.dropout,
        "training_data": recipe.training_data if job.data_source is None else Path(job.data_source).name,
        "device": device_name(device, recipe),
        "wall_seconds": round(seconds, 1),
        "hyperparameters": schema.to_json(settings),
        "notes": chance_note(accuracies, checkpoints[-1]["step"], tests),
        "source": f"trained by Flock, recipe {recipe.name}",
    }
    return RunResults(
        runs=schema.RUNS.rows([run]),
        checkpoints=schema.CHECKPOINTS.rows([owner | row for row in checkpoints]),
        accuracies=accuracies,
        predictions=predictions,
    )


def chance_note(accuracies: pa.Table, step: int, tests: dict[str, pa.Table]) -> str | None:
    """A note when the run ended at chance, a failed fine-tuning; else None.

    At chance: on no test set with pairs that no heuristic applies to is the accuracy more than three standard errors
    above that of always giving the most frequent gold label. Sets built against heuristics do not count: there, chance
    is a usual result.
    """
    lines = []
    for name, examples in tests.items():
        gold = examples["gold"].drop_null()
        if len(gold) == 0 or examples["heuristic"].null_count == 0:
            continue
        rows = accuracies.filter((pc.field("dataset") == name) & (pc.field("step") == step))
        n, correct = (pc.sum(rows[c]).as_py() for c in ("n", "correct"))
        most = max(v["counts"] for v in gold.value_counts().to_pylist()) / len(gold)
        if correct / n > most + 3 * math.sqrt(most * (1 - most) / n):
            return None
        lines.append(f"{name} {100 * correct / n:.1f} %, its most frequent label {100 * most:.1f} %")
    return f"at chance, a failed fine-tuning: {'; '.join(lines)}" if lines else None


def device_name(device: torch.device, recipe: Recipe) -> str:
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return f"CPU, {recipe.cpus_per_run} thread{'s' if recipe.cpus_per_run > 1 else ''}"


def keeps_weights(recipe: Recipe, seeds: Seeds, step: int, steps: int) -> bool:
    if recipe.keep_seeds and seeds.order not in seed_lists.parse(recipe.keep_seeds, "keep_seeds"):
        return False
    return recipe.keep_weights == "all" or (recipe.keep_weights == "final" and step == steps)


def write_weights(path: Path, model, tokenizer) -> None:
    """The model in half precision with its configuration and tokenizer, as a folder that transformers can load."""
    halved = models.plain(copy.deepcopy(model)).half()

    def save(aside: Path) -> None:
        halved.save_pretrained(aside)
        tokenizer.save_pretrained(aside)

    folder.write(path, save)


def publish(job, finished: RunResults) -> None:
    """Put a finished run and its weights into the store, then remove what was kept for resuming."""
    run_folder, final = job.folder, finished.checkpoints["step"][-1].as_py()
    for row in finished.checkpoints.to_pylist():
        source = run_folder.weights(row["step"])
        target = store.weights_folder(
            job.store, job.recipe.collection, job.run, None if row["step"] == final else row["step"]
        )
        if source.exists():
            folder.write(target, lambda aside, source=source: shutil.copytree(source, aside))
    store.write_run(job.store, finished, replace_existing=True)
    run_folder.report(state=folder.DONE, left=0.0, share=1.0, note=finished.runs["notes"][0].as_py())
    run_folder.clear()
