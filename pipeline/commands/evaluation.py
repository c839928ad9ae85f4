"""`evaluate`."""

from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from pipeline import store as stores
from pipeline.commands import options


def evaluate(
    checkpoint: Annotated[str, typer.Argument(help="Folder or hub name of a sequence classifier.", show_default=False)],
    datasets: Annotated[
        list[str],
        typer.Option(
            help="Test sets: hans, mnli, mnli-mm, snli-dev, snli-test, anli, wanli, paws, hans-like, miniature, one "
            "registered with add-dataset, or a file of premise, hypothesis and gold. Several may follow, or repeat it.",
            show_default=False,
        ),
    ],
    more: Annotated[list[str] | None, typer.Argument(metavar="DATASETS", hidden=True)] = None,
    collection: Annotated[str, typer.Option(help="The collection that the run belongs to.")] = "evaluated",
    run: Annotated[str | None, typer.Option(help="Name of the run (default: the checkpoint's).")] = None,
    step: Annotated[int, typer.Option(help="Training step of the checkpoint.", min=0)] = 0,
    labels: Annotated[
        str | None, typer.Option(help="Order of the model's classes: contradiction,entailment,neutral or another.")
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:0.")] = "auto",
    max_length: Annotated[int | None, typer.Option(help="Longest pair in tokens (default: 512 or less).")] = None,
    batch_tokens: Annotated[int, typer.Option(help="Most tokens in one pass.", min=1)] = 16384,
    replace: Annotated[bool, typer.Option("--replace", help="Replace results that are there already.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Accept an implausible order of the labels.")] = False,
    store: options.Store = None,
) -> None:
    """Evaluate any saved sequence classifier: its predictions and accuracies on test sets, written into the store."""
    from pipeline import evaluation

    loaded = evaluation.load(checkpoint, device=device, order=labels, max_length=max_length)
    typer.echo(f"{loaded.name}: classes {', '.join(loaded.labels)}; on {loaded.model.device}")
    with Progress(console=Console(stderr=True), transient=True) as bars:

        def progress(dataset: str, tokens: int):
            bar = bars.add_task(dataset, total=tokens)
            return lambda done: bars.advance(bar, done)

        found = evaluation.evaluate(
            loaded,
            [*datasets, *(more or [])],
            store or stores.LOCAL,
            evaluation.Options(collection, run, step, replace, force, batch_tokens),
            say=lambda line: typer.echo(line, err=True),
            progress=progress,
        )
    for result in found:
        right = (
            "no gold labels" if result.accuracy is None else f"{100 * result.accuracy:.2f} % right ({result.scoring})"
        )
        typer.echo(f"{result.dataset}: {result.examples:,} examples, {right}")
