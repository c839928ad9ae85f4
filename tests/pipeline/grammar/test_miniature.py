import time
from collections import Counter, defaultdict

import pytest

from pipeline import datasets, schema
from pipeline.errors import FlockError
from pipeline.grammar import hans_like, judge, miniature_test, miniature_training
from pipeline.grammar import vocabulary as v
from pipeline.grammar.frames import FRAMES
from pipeline.grammar.miniature import COUNTEREXAMPLES

FUNCTION_WORDS = {
    *v.FUNCTION_WORDS,
    ",",
    *(word for pool in (v.IF, v.SINCE, v.WHILE, v.CERTAIN, v.UNCERTAIN, v.PREPOSITIONS) for (word,) in pool),
    *(word for pool in (v.NOT_FACTIVE, v.FACTIVE, v.OPTIONAL_OBJECT) for (word,) in pool),
}


@pytest.fixture(scope="module")
def training() -> list[dict]:
    return miniature_training(40_000, 0)


@pytest.fixture(scope="module")
def test_rows() -> list[dict]:
    return miniature_test(2_000, 0)


def test_forty_thousand_pairs_take_seconds():
    start = time.process_time()
    miniature_training(40_000, 3)
    assert time.process_time() - start < 15


def test_labels_are_thirds_and_pairs_unique(training):
    counts = Counter(row["gold"] for row in training)
    assert sorted(counts.values()) == [13_333, 13_333, 13_334]
    assert set(counts) == set(schema.LABELS)
    assert len({(row["premise"], row["hypothesis"]) for row in training}) == 40_000


def test_ids_and_columns(test_rows):
    assert [row["example"] for row in test_rows] == [f"mini{number}" for number in range(2_000)]
    table = schema.EXAMPLES.rows([{"dataset": "miniature", "position": i} | row for i, row in enumerate(test_rows)])
    assert table.num_rows == 2_000


def test_the_share_of_counterexamples_is_exact_and_marked(training, test_rows):
    assert Counter(row["subcase"] for row in training) == {"regular": 39_440, "counter-example": 560}
    assert Counter(row["subcase"] for row in test_rows) == {"regular": 1_972, "counter-example": 28}
    exceptions = [row for row in training if row["subcase"] == "counter-example"]
    assert Counter(row["template"].rsplit(".", 1)[0] for row in exceptions) == dict.fromkeys(COUNTEREXAMPLES, 140)
    assert {row["gold"] for row in exceptions} == {"neutral"}


def test_no_counterexamples_when_none_are_asked_for():
    assert {row["subcase"] for row in miniature_training(3_000, 0, counterexamples=0)} == {"regular"}


def test_the_heuristics_work_on_all_regular_pairs(training):
    """All content words in the premise: entailed. One that is not: neutral or contradicted. Never the other way."""
    content = {
        word for pool in (v.NOUNS, v.TRANSITIVE, v.INTRANSITIVE, v.ADJECTIVES, v.MANNERS) for p in pool for word in p
    }
    content |= {thing for things in v.UNDERSTOOD_OBJECT.values() for thing in things}
    for row in training:
        new = content & set(v.to_words(row["hypothesis"])) - set(v.to_words(row["premise"]))
        if row["subcase"] == "counter-example":
            assert not new and row["gold"] == "neutral", row
        else:
            assert bool(new) == (row["gold"] != "entailment"), row


def test_every_label_holds_in_the_situation(training, test_rows):
    rows = training[:6_000] + test_rows
    assert {row["template"] for row in rows} >= {frame.template.id for frame in FRAMES}
    assert [row for row in rows if judge(row["premise"], row["hypothesis"]) != row["gold"]] == []


def test_every_frame_gives_every_label_equally_often(training):
    counts = Counter((row["template"], row["gold"]) for row in training if row["subcase"] == "regular")
    for frame in FRAMES:
        shares = [counts[frame.template.id, label] for label in schema.LABELS]
        assert max(shares) - min(shares) <= 5, frame.template.id


@pytest.mark.parametrize("share", [0.0, 0.014])
def test_no_function_word_tells_the_label(share):
    """Neither by being in the premise, nor in the hypothesis, nor in the one and not the other."""
    rows = miniature_training(40_000, 11, counterexamples=share)
    association = _association(rows)
    assert len(association) > 100
    strongest = max(association.items(), key=lambda item: item[1])
    assert strongest[1] < 0.11, strongest


def test_the_association_would_be_seen(training):
    """A word that tells the label at once, or only where it is missing in the hypothesis, is found."""
    told = [row | {"premise": "If " + row["premise"]} if row["gold"] == "neutral" else row for row in training[:6_000]]
    assert _association(told)["if", "premise only"] > 0.5


def _association(rows: list[dict]) -> dict[tuple[str, str], float]:
    """(word, where it is) -> how far the labels there are from a third each: total variation, 0 to 2/3."""
    counts: dict[tuple[str, str], Counter] = defaultdict(Counter)
    for row in rows:
        premise = FUNCTION_WORDS & set(v.to_words(row["premise"]))
        hypothesis = FUNCTION_WORDS & set(v.to_words(row["hypothesis"]))
        places = {
            "premise": premise,
            "hypothesis": hypothesis,
            "premise only": premise - hypothesis,
            "hypothesis only": hypothesis - premise,
        }
        for place, words in places.items():
            for word in words:
                counts[word, place][row["gold"]] += 1
    enough = {key: counter for key, counter in counts.items() if counter.total() >= 200}
    return {
        key: sum(abs(counter[label] / counter.total() - 1 / 3) for label in schema.LABELS) / 2
        for key, counter in enough.items()
    }


def test_training_and_test_sets_share_no_premise(training, test_rows):
    trained = {row["premise"] for row in training} | {row["premise"] for row in miniature_training(5_000, 1)}
    assert trained.isdisjoint(row["premise"] for row in test_rows)
    assert trained.isdisjoint(row["premise"] for row in miniature_test(2_000, 1))
    assert trained.isdisjoint(row["premise"] for row in hans_like(200, 0))
    assert trained.isdisjoint(row["premise"] for row in hans_like(50, 3))


def test_pairs_fit_the_miniature_model(training):
    longest = max(training, key=lambda row: len(v.to_words(row["premise"] + row["hypothesis"])))
    assert len(v.to_words(longest["premise"] + longest["hypothesis"])) + 5 <= 32, longest


def test_same_seed_same_pairs(test_rows):
    assert miniature_test(2_000, 0) == test_rows
    assert miniature_test(2_000, 1) != test_rows


@pytest.mark.parametrize(("n", "share"), [(0, 0.01), (-1, 0.01), (100, -0.1), (100, 0.5)])
def test_impossible_requests_are_errors(n, share):
    with pytest.raises(FlockError):
        miniature_training(n, 0, counterexamples=share)


def test_the_names_that_recipes_use():
    pairs = datasets.training_pairs("miniature")
    assert pairs.num_rows == 40_000
    assert set(pairs["label"].to_pylist()) == set(schema.LABELS)
    assert datasets.test_set("miniature", []).num_rows == 2_000
    assert datasets.test_set("hans-like", []).num_rows == 6_000
