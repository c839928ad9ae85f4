"""`train` and `status`."""

import os
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from pipeline import store as stores
from pipeline.commands import options
from pipeline.errors import FlockError
from pipeline.training import recipe as recipes
from pipeline.training import seeds as seed_lists


class Launcher(StrEnum):
    local = "local"
    ray = "ray"


TRAIN_HELP = "\n\n".join(
    [
        "Fine-tune a flock: train RECIPE once for each seed, evaluate every checkpoint, write the store.",
        "Started again, it goes on where it stopped; what is complete stays. A run that fails is marked with its "
        "reason, the others go on, and the exit status is 1. `status` shows all runs from another terminal.",
        f"Shipped recipes: {', '.join(recipes.shipped())}. Keys of a recipe:",
        "\b\n"
        + "\n".join(
            f"{name}{f' (default {default})' if default not in ('', 'required') else ''}"
            f"{' (required)' if default == 'required' else ''}: {escape(meaning)}"
            for name, default, meaning in recipes.documentation()
        ),
    ]
)


def train(
    recipe: Annotated[str, typer.Argument(help="A TOML file, or the name of a shipped recipe.")],
    seeds: Annotated[str | None, typer.Option(help='All three seeds of each run: "0-99" or "0,3,7-9".')] = None,
    init_seeds: Annotated[str | None, typer.Option(help="Seeds of the new weights; crossed with the others.")] = None,
    order_seeds: Annotated[str | None, typer.Option(help="Seeds of the order of training pairs; crossed.")] = None,
    dropout_seeds: Annotated[
        str | None, typer.Option(help="Seeds of dropout; crossed (default: as the order seed).", show_default=False)
    ] = None,
    training_data: Annotated[
        str | None, typer.Option(help="File of pairs (or name of a data set) instead of the recipe's.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Folder to load the recipe's model from, such as where there is no hub.")
    ] = None,
    collection: Annotated[str | None, typer.Option(help="Name of the collection instead of the recipe's.")] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:0.")] = "auto",
    jobs: Annotated[
        int | None, typer.Option(help="Runs at a time on the CPU (default: as many as there are cores).", min=1)
    ] = None,
    runs_per_device: Annotated[int, typer.Option(help="Runs at a time on each GPU.", min=1)] = 1,
    launcher: Annotated[
        Launcher, typer.Option(help="local: processes on this machine; ray: tasks on this machine or a cluster.")
    ] = Launcher.local,
    address: Annotated[
        str | None, typer.Option(help="Address of a Ray cluster, such as auto (default: a Ray of this machine).")
    ] = None,
    save_every: Annotated[float, typer.Option(help="Seconds between saved states of a run.", min=0)] = 120.0,
    restart: Annotated[bool, typer.Option("--restart", help="Forget saved states of incomplete runs.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Train again what the store has already.")] = False,
    store: options.Store = None,
) -> None:
    from pipeline.training import launch, progress, ray_launcher
    from pipeline.training.loop import Job

    if address is not None and launcher is not Launcher.ray:
        raise typer.BadParameter("only with --launcher ray", param_hint="--address")
    loaded = recipes.load(recipe, collection=collection)
    runs = seed_lists.crossed(
        *(
            None if text is None else seed_lists.parse(text, option)
            for text, option in (
                (seeds, "--seeds"),
                (init_seeds, "--init-seeds"),
                (order_seeds, "--order-seeds"),
                (dropout_seeds, "--dropout-seeds"),
            )
        )
    )
    all_jobs = [Job(loaded, run, store or stores.LOCAL, device, model, training_data, save_every) for run in runs]
    todo = launch.prepare(
        all_jobs, restart=restart, replace_existing=replace, say=lambda line: typer.echo(line, err=True)
    )
    at_once = jobs or max(1, (os.cpu_count() or 1) // loaded.cpus_per_run)
    try:
        with progress.bars(Console(), len(todo)) as watch:
            if launcher is Launcher.ray:
                outcome = ray_launcher.launch_on_ray(todo, address=address, at_once=at_once, watch=watch)
            else:
                outcome = launch.launch(todo, at_once=at_once, runs_per_device=runs_per_device, watch=watch)
    except KeyboardInterrupt:
        typer.echo("stopped, everything saved; the same command goes on from here", err=True)
        raise typer.Exit(130) from None
    _summarise(outcome, already=len(all_jobs) - len(todo))


def _summarise(outcome, already: int) -> None:
    typer.echo(f"{len(outcome.done)} runs complete" + (f", {already} were before" if already else ""))
    for run, note in outcome.at_chance.items():
        typer.echo(f"{run}: {note}", err=True)
    for run in outcome.busy:
        typer.echo(f"{run}: another process trains it", err=True)
    if outcome.failed:
        reasons = "; ".join(f"{run} ({reason})" for run, reason in outcome.failed.items())
        raise FlockError(f"{len(outcome.failed)} runs failed: {reasons}")


def status(
    collection: Annotated[list[str] | None, typer.Option(help="Only this collection; may be repeated.")] = None,
) -> None:
    """Every run that was begun here: waiting, running, done, failed and why; time left."""
    from pipeline.training import folder, progress

    folders = [f for f in folder.all_folders() if not collection or f.collection in collection]
    if not folders:
        typer.echo("no runs yet: python -m pipeline train RECIPE")
        return
    table, sentence = progress.status(folders)
    console = Console()
    console.print(table)
    console.print(sentence, markup=False)
