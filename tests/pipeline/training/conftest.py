"""A toy experiment: sentences of a dozen words, a model of a few thousand weights."""

import csv
import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")

from pipeline import schema, store
from pipeline.training import recipe as recipes
from pipeline.training import seeds as seed_lists
from pipeline.training.loop import Job

NOUNS = ("baker", "pilot", "singer", "judge", "clerk", "nurse")
VERBS = ("greeted", "ignored", "thanked")

RECIPE = """
model = "toy"
training_data = "toy"
max_length = 24
batch = 8
epochs = 2
learning_rate = 3e-3
dropout = 0.1
checkpoints = [0.5, 1]
test_sets = ["toy-three", "toy-hans"]

[scratch]
model_type = "bert"
hidden_size = 32
num_hidden_layers = 1
num_attention_heads = 2
intermediate_size = 32
max_position_embeddings = 32
initializer_range = 0.2
position_scale = 0.2
"""


def pairs() -> list[tuple[str, str, str]]:
    """(label, premise, hypothesis) of different lengths; a label can be told from the hypothesis."""
    rows = []
    for (a, b), verb in itertools.product(itertools.permutations(NOUNS, 2), VERBS):
        place = " near the old mill" * (len(a) % 2) + " in the evening" * (len(verb) % 2)
        premise = f"The {a} {verb} the {b}{place}."
        rows += [
            ("entailment", premise, f"The {a} {verb} the {b}."),
            ("neutral", premise, f"The {a} {verb} the tall {b}."),
            ("contradiction", premise, f"Nobody {verb} the {b}."),
        ]
    return rows


def examples(name: str) -> list[dict]:
    """Every fifth pair as a three-way set, or as a two-way one with heuristics."""
    rows = []
    for i, (label, premise, hypothesis) in enumerate(pairs()[::5]):
        row = {"dataset": name, "example": f"ex{i}", "position": i, "premise": premise, "hypothesis": hypothesis}
        if name == "toy-hans":
            gold = label if label == "entailment" else schema.NON_ENTAILMENT
            row |= {"gold": gold, "heuristic": "lexical_overlap", "subcase": f"toy_{gold}"}
        rows.append({"gold": label} | row)
    return rows


class Toy:
    """The files of the toy experiment in one folder."""

    def __init__(self, folder: Path):
        self.folder, self.store = folder, folder / "store"
        self.data = folder / "toy.tsv"
        with self.data.open("w", newline="") as file:
            csv.writer(file, delimiter="\t").writerows([("label", "premise", "hypothesis"), *pairs()])
        for name in ("toy-three", "toy-hans"):
            store.write_examples(self.store, schema.EXAMPLES.rows(examples(name)))

    def recipe(self, name: str = "toy", **changes) -> recipes.Recipe:
        path = self.folder / f"{name}.toml"
        path.write_text(RECIPE)
        return recipes.load(path, **changes)

    def job(self, seed: int = 0, *, seeds: seed_lists.Seeds | None = None, save_every: float = 1e9, **changes) -> Job:
        changes.setdefault("collection", self.folder.name)
        return Job(
            self.recipe(**changes),
            seeds or seed_lists.Seeds(seed, seed, seed),
            self.store,
            device="cpu",
            data_source=str(self.data),
            save_every=save_every,
        )

    def command(self, *arguments: str, **options) -> subprocess.Popen:
        """`python -m pipeline ARGUMENTS`, its own process group, its local files in this folder."""
        environment = os.environ | {"FLOCK_LOCAL": str(self.folder / "local"), "OMP_NUM_THREADS": "1"}
        return subprocess.Popen(
            [sys.executable, "-m", "pipeline", *arguments],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            **options,
        )


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return Toy(tmp_path)
