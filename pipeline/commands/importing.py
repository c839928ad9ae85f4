"""`import` and `add-dataset`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from pipeline import store as stores
from pipeline.commands import options
from pipeline.importers import datasets, importing
from pipeline.importers.reading import Format

_Column = Annotated[str | None, typer.Option(help="Name of the column, or its number from 1.")]


def import_predictions(
    files: Annotated[list[Path], typer.Argument(help="Prediction files; one or many runs.", show_default=False)],
    dataset: Annotated[str, typer.Option(help="The test set: hans, mnli, …", show_default=False)],
    collection: Annotated[str, typer.Option(help="The collection that the runs belong to.", show_default=False)],
    run: Annotated[str | None, typer.Option(help="Name of the run (default: from column or file name).")] = None,
    step: Annotated[int | None, typer.Option(help="Training step of the checkpoint.", min=0)] = None,
    labels: Annotated[
        str | None, typer.Option(help="Order of the classes: contradiction,entailment,neutral or another.")
    ] = None,
    values: Annotated[str | None, typer.Option(help="What three numbers a row are: logits or probabilities.")] = None,
    delimiter: Annotated[str | None, typer.Option(help="tab, comma, semicolon, pipe, or the character.")] = None,
    quoting: Annotated[str | None, typer.Option(help="none (quotes are literal) or double (CSV).")] = None,
    header: Annotated[
        bool | None, typer.Option("--header/--no-header", help="Whether the first row names columns.")
    ] = None,
    id_column: _Column = None,
    premise_column: _Column = None,
    hypothesis_column: _Column = None,
    gold_column: _Column = None,
    prediction_column: _Column = None,
    run_column: _Column = None,
    step_column: _Column = None,
    logit_columns: Annotated[str | None, typer.Option(help="The columns of values, one a class: a,b,c.")] = None,
    model: Annotated[str | None, typer.Option(help="The pretrained model, for the record.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace predictions that are there already.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Accept an implausible order of the labels.")] = False,
    store: options.Store = None,
) -> None:
    """Import predictions of your own models, from almost any file.

    Format, delimiter, columns and labels are recognised and printed; a flag overrides each. Every file is checked
    before anything is stored.
    """
    _choice("--quoting", quoting, ("none", "double"))
    _choice("--values", values, ("logits", "probabilities"))
    columns = {
        "id": id_column,
        "premise": premise_column,
        "hypothesis": hypothesis_column,
        "gold": gold_column,
        "prediction": prediction_column,
        "run": run_column,
        "step": step_column,
    }
    found = importing.import_files(
        files,
        importing.Options(
            dataset=dataset,
            collection=collection,
            run=run,
            step=step,
            labels=labels,
            values=values,
            format=Format(delimiter, quoting, header),
            columns={role: name for role, name in columns.items() if name is not None},
            logit_columns=logit_columns.split(",") if logit_columns else None,
            model=model,
            force=force,
            replace=replace,
        ),
        store or stores.LOCAL,
        say=typer.echo,
        track=_track,
    )
    runs = len({item.run for item in found})
    typer.echo(f"imported {runs} run{'s' * (runs != 1)} into collection {collection}")


def _choice(flag: str, value: str | None, choices: tuple[str, ...]) -> None:
    if value is not None and value not in choices:
        raise typer.BadParameter(f"{value!r} is not one of {', '.join(choices)}", param_hint=flag)


def _track(items, description: str):
    """A progress bar for more than a few files."""
    return track(items, description, transient=True, console=Console(stderr=True)) if len(items) > 3 else items


def add_dataset(
    file: Annotated[Path, typer.Argument(help="CSV, TSV, JSON lines or Parquet: premise, hypothesis, gold.")],
    name: Annotated[str, typer.Option(help="What to call the test set.", show_default=False)],
    labels: Annotated[str | None, typer.Option(help="Order of the classes where gold is an index.")] = None,
    delimiter: Annotated[str | None, typer.Option(help="tab, comma, semicolon, pipe, or the character.")] = None,
    quoting: Annotated[str | None, typer.Option(help="none (quotes are literal) or double (CSV).")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a test set of this name.")] = False,
    store: options.Store = None,
) -> None:
    """Register a test set of your own; predictions for it can then be imported, or made with `evaluate`.

    Columns heuristic, subcase, template and genre, where present, become slices.
    """
    _choice("--quoting", quoting, ("none", "double"))
    table = datasets.read_dataset(file, name, labels, Format(delimiter, quoting))
    datasets.register(table, store or stores.LOCAL, replace=replace)
    typer.echo(f"{name}: {datasets.describe(table)}")
