"""Small test sets with sentences of our own, and the command line run in this process."""

import hashlib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline import __main__ as command_line
from pipeline import schema, store
from pipeline.errors import FlockError

PAIRS = [
    ('She said "no"; he left.', "He left.", "entailment"),
    ("The cook, who was tired, slept.", "The cook slept.", "entailment"),
    ("Two\tbirds sang.", "A bird sang.", "entailment"),
    ("The tailor met the pilot.", "The pilot met the tailor.", "neutral"),
    ('"Rain"', "It may rain; or not.", "neutral"),
    ("A garden lies behind the mill.", "The mill is old.", "neutral"),
    ("Nobody came.", "Somebody came.", "contradiction"),
    ("The café closed at noon.", "The café was open all day.", "contradiction"),
    ("It's 5'11\" tall.", "It is short.", "contradiction"),
    ("Nobody came.", "Somebody came.", "contradiction"),
]
GOLD = [gold for _, _, gold in PAIRS]
PREDICTED = ["entailment", "entailment", "neutral", "neutral", "neutral", "entailment", *["contradiction"] * 4]
"""Right on eight of ten."""

ORDER = ("contradiction", "entailment", "neutral")
LOGITS = [[2.5 if label == name else -0.5 - i / 8 for i, name in enumerate(ORDER)] for label in PREDICTED]


def flock(*arguments):
    """Run a command; returns (exit status, output, error message)."""
    result = CliRunner().invoke(command_line.app, [str(a) for a in arguments])
    if isinstance(result.exception, FlockError):
        return 1, result.output, str(result.exception)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output, result.stderr


@pytest.fixture
def target(tmp_path, monkeypatch) -> Path:
    """A store with the three-way set `own` and a two-way copy `own-two`, and no other store beside it."""
    monkeypatch.setattr(store, "default_stores", list)
    folder = tmp_path / "store"
    for name in ("own", "own-two"):
        rows = [
            {
                "dataset": name,
                "example": f"p{i}",
                "position": i,
                "premise": premise,
                "hypothesis": hypothesis,
                "gold": gold if name == "own" or gold == "entailment" else "non-entailment",
            }
            for i, (premise, hypothesis, gold) in enumerate(PAIRS)
        ]
        store.write_examples(folder, schema.EXAMPLES.rows(rows))
    return folder


@pytest.fixture
def load(target):
    """Imports files into `target` as the collection mine; returns (status, output, error)."""

    def run(*files, dataset="own", **flags):
        options = [
            part
            for name, value in flags.items()
            for part in ([f"--{name.replace('_', '-')}"] + ([] if value is True else [value]))
        ]
        return flock("import", *files, "--dataset", dataset, "--collection", "mine", "--store", target, *options)

    return run


@pytest.fixture
def stored(target):
    """What `target` holds of a run of the collection mine: labels in the order of positions."""

    def labels(run, dataset="own", step=0):
        with store.connect([target]) as connection:
            rows = connection.execute(
                "SELECT predicted FROM predictions WHERE run = ? AND dataset = ? AND step = ? ORDER BY position",
                [run, dataset, step],
            ).fetchall()
        return [label for (label,) in rows]

    return labels


def state(folder: Path) -> dict[str, str]:
    """Every file of a store and its content's hash."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }
