"""The command line: `python -m pipeline COMMAND`. Exit status 0, 1 (bad input: one line) or 2 (usage)."""

import sys

import typer

from pipeline.commands import collections, evaluation, importing, sources, stores, training
from pipeline.errors import FlockError

app = typer.Typer(
    name="python -m pipeline",
    help="Fine-tune many seeds, import predictions, and keep the stores that the app reads.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("build-published")(sources.build_published)
app.command("fetch")(sources.fetch)
app.command("import")(importing.import_predictions)
app.command("add-dataset")(importing.add_dataset)
app.add_typer(collections.app, name="collections")
app.command("export")(collections.export)
app.command("train", help=training.TRAIN_HELP)(training.train)
app.command("evaluate")(evaluation.evaluate)
app.command("status")(training.status)
app.command("check")(stores.check)
app.command("sql")(stores.sql)

_FULL_SET = ("torch", "transformers", "peft", "safetensors", "tokenizers", "huggingface_hub")
"""What browsing needs not, so that requirements-app.txt leaves it out."""


def main(arguments: list[str] | None = None) -> None:
    """Run a command; a user's mistake becomes one line on stderr and exit status 1."""
    try:
        app(arguments, prog_name="python -m pipeline")
    except FlockError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
    except ModuleNotFoundError as error:
        if error.name not in _FULL_SET:
            raise
        print(f"error: this command needs {error.name}: pip install -r requirements.txt", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
