"""The published numbers, read from the source files, and how closely a statistic must reproduce them."""

import csv
import json

import numpy as np
import pytest

FEATHER = "feather/berts_of_a_feather_accuracies_by_run.csv"
COUNTS = "feather/mnli_development_set_number_of_correct_responses.txt"
ORDER = ("contradiction", "entailment", "neutral")


def as_printed(printed: str):
    """Equal to a printed number up to half of its last digit."""
    decimals = len(printed.partition(".")[2])
    return pytest.approx(float(printed), abs=0.5 * 10**-decimals + 1e-9, rel=0)


def nominal(repetitions: int, rate: float = 0.95):
    """Equal to a coverage within three Monte-Carlo standard errors."""
    return pytest.approx(rate, abs=3 * (rate * (1 - rate) / repetitions) ** 0.5, rel=0)


@pytest.fixture(scope="session")
def published(sources):
    """Column -> accuracy of each of the 100 runs."""
    with (sources / FEATHER).open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["Run"].startswith("Run ")]
    assert len(rows) == 100
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0] if name != "Run"}


@pytest.fixture(scope="session")
def mnli(sources):
    """Gold labels of the MNLI dev set and how many of the 100 runs have each example right."""
    lines = (sources / COUNTS).read_text(encoding="utf-8").split("\n")[1:]
    gold, counts = zip(*(line.split("\t")[-2:] for line in lines if line), strict=True)
    return np.array(gold), np.array(counts, dtype=int)


@pytest.fixture(scope="session")
def hans(sources):
    """Gold label, heuristic and subcase of the HANS evaluation set."""
    lines = (sources / "hans/heuristics_evaluation_set.txt").read_text(encoding="utf-8").split("\n")[1:]
    rows = [line.split("\t") for line in lines if line]
    return tuple(np.array([row[column] for row in rows]) for column in (0, 8, 9))


@pytest.fixture(scope="session")
def labels(sources):
    """Test set -> labels of the ten instability seeds, shape (10, examples)."""

    def read(name):
        files = [sources / f"instability/seed_{seed}/-{name}/logits_results.txt" for seed in range(1, 11)]
        return np.array(ORDER)[np.array([np.argmax(json.loads(file.read_text()), axis=1) for file in files])]

    return {name: read(name) for name in ("hans", "mnli")}


@pytest.fixture(scope="session")
def hans_right(labels, hans):
    """Correctness on HANS, argmax then merge."""
    return (labels["hans"] == "entailment") == (hans[0] == "entailment")


@pytest.fixture(scope="session")
def mnli_right(labels, mnli):
    return labels["mnli"] == mnli[0]
