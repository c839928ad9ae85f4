from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from pipeline import schema
from pipeline.errors import FlockError
from pipeline.grammar import hans_like, judge
from pipeline.grammar import vocabulary as v
from pipeline.grammar.hans_like import subcase_pairs
from pipeline.grammar.parse import clauses, parse
from pipeline.grammar.subcases import TEMPLATES
from pipeline.grammar.template import Template, is_held_out

ALL_TEMPLATES = [template for templates in TEMPLATES.values() for template in templates]


@pytest.fixture(scope="module")
def rows() -> list[dict]:
    return hans_like(200, 0)


def _starts(part: list[str], whole: list[str]) -> list[int]:
    return [place for place in range(len(whole)) if whole[place : place + len(part)] == part]


def test_every_subcase_has_five_templates_and_as_many_pairs_as_asked(rows):
    assert all(len(templates) >= 5 for templates in TEMPLATES.values())
    assert len({template.id for template in ALL_TEMPLATES}) == len(ALL_TEMPLATES)
    expected = {
        (heuristic, gold, subcase): 200
        for heuristic, golds in schema.SUBCASES.items()
        for gold, subcases in golds.items()
        for subcase in subcases
    }
    assert Counter((row["heuristic"], row["gold"], row["subcase"]) for row in rows) == expected


def test_templates_have_even_shares(rows):
    counts = Counter(row["template"] for row in rows)
    for subcase, templates in TEMPLATES.items():
        shares = [counts[template.id] for template in templates]
        assert max(shares) - min(shares) <= 1, subcase


def test_ids_and_columns(rows):
    assert [row["example"] for row in rows] == [f"hl{number}" for number in range(6000)]
    table = schema.EXAMPLES.rows([{"dataset": "hans-like", "position": i} | row for i, row in enumerate(rows)])
    assert table.num_rows == 6000
    assert {row["genre"] for row in rows} == {"synthetic"}


def test_pairs_are_unique(rows):
    assert len({(row["premise"], row["hypothesis"]) for row in rows}) == len(rows)


def test_same_seed_same_pairs_other_seed_others(rows):
    assert hans_like(200, 0) == rows
    others = hans_like(200, 1)
    common = {row["premise"] for row in rows} & {row["premise"] for row in others}
    assert len(common) < 0.2 * len(rows)


def test_more_pairs_leave_the_first_of_each_template(rows):
    fewer = Counter((row["premise"], row["hypothesis"]) for row in hans_like(60, 0))
    assert fewer <= Counter((row["premise"], row["hypothesis"]) for row in rows)


@pytest.mark.parametrize("heuristic", schema.HEURISTICS)
def test_the_heuristic_applies_on_the_surface_and_no_stronger_one_does(rows, heuristic):
    """Lexical overlap: all words; subsequence: one stretch; constituent: a clause of the premise's parse."""
    for row in rows:
        if row["heuristic"] != heuristic:
            continue
        premise, hypothesis = v.to_words(row["premise"]), v.to_words(row["hypothesis"])
        starts = _starts(hypothesis, premise)
        spans = {(start, start + len(hypothesis)) for start in starts}
        read = {(clause.start, clause.end) for reading in parse(row["premise"]) for clause in clauses(reading)}
        found = "constituent" if spans & read else "subsequence" if starts else "lexical_overlap"
        assert Counter(hypothesis) <= Counter(premise), row
        assert found == heuristic, row


def test_every_gold_label_holds_in_the_situation(rows):
    more = hans_like(150, 7)
    assert {row["template"] for row in more} == {template.id for template in ALL_TEMPLATES}
    wrong = [row for row in rows + more if _label(row) != row["gold"]]
    assert wrong == []


def test_a_wrong_gold_label_would_be_seen(rows):
    other = {"entailment": "non-entailment", "non-entailment": "entailment"}
    assert all(_label(row) != other[row["gold"]] for row in rows)


def test_swapping_the_people_of_an_entailed_hypothesis_is_seen(rows):
    swapped = 0
    for row in rows:
        words = v.to_words(row["hypothesis"])
        people = [place for place, word in enumerate(words) if any(word in forms for forms in v.NOUNS)]
        transitive = any(word in forms for forms in v.TRANSITIVE for word in words) and not {"was", "were"} & {*words}
        if row["gold"] == "entailment" and transitive and len(people) == 2 and words.count("the") == 2:
            first, second = people
            words[first], words[second] = words[second], words[first]
            swapped += 1
            assert judge(row["premise"], v.to_sentence(words)) != "entailment", row
    assert swapped > 500


@pytest.mark.parametrize(
    ("entailed", "open_"),
    [
        ("ce_conjunction", ("and", "or")),
        ("ce_adverb", (v.CERTAIN, v.UNCERTAIN)),
        ("ce_embedded_under_verb", (v.FACTIVE, v.NOT_FACTIVE)),
        ("ce_embedded_under_since", (v.SINCE, v.IF)),
        ("ce_after_since_clause", (v.SINCE, v.IF)),
    ],
)
def test_one_word_decides_the_constituent_subcases(rows, entailed, open_):
    """The premise of an entailed pair with the word of the non-entailed subcase no longer entails."""
    before, after = [[(words,)] if isinstance(words, str) else words for words in open_]
    changes = {old: after[0][0] for (old,) in before}
    for row in rows:
        if row["subcase"] == entailed:
            changed = [changes.get(word, word) for word in v.to_words(row["premise"])]
            assert judge(v.to_sentence(changed), row["hypothesis"]) == "neutral", row


def _label(row: dict) -> str:
    return "entailment" if judge(row["premise"], row["hypothesis"]) == "entailment" else "non-entailment"


def test_words_of_a_sentence_are_of_different_tuples(rows):
    """No sentence speaks of the same person twice, or of something and its opposite."""
    for row in rows:
        words = Counter(v.to_words(row["premise"]))
        for pool in (v.NOUNS, v.TRANSITIVE, v.INTRANSITIVE, v.ADJECTIVES, v.MANNERS):
            assert all(sum(words[word] for word in forms) <= 1 for forms in pool), row


def test_the_size_of_a_template_is_the_number_of_its_pairs():
    assert Template("small", "Sure1 the N1 and the N2 I1", "the N1 I1").size == 6 * (68 * 66) * 20
    template = Template("small", "the A1 U1 the K1", "the K1")
    assert template.size == 20 * 8 * 3
    seen = set()
    random = Random(0)
    for _ in range(20_000):
        seen.add(template.fill(template.draw(random)))
    assert len(seen) == template.size
    held_out = list(template.pairs(Random(1)))
    assert set(held_out) == {pair for pair in seen if is_held_out(pair[0])}
    assert len(held_out) == len(set(held_out))


def test_small_templates_give_what_they_have_and_the_others_the_rest():
    small, large = Template("small", "the A1 U1 the K1", "U1"), Template("large", "the N1 V1 the N2", "the N1")
    have = len(list(small.pairs(Random(0))))
    pairs = subcase_pairs([small, large], 1000, 0, "both")
    counts = Counter(pair["template"] for pair in pairs)
    assert counts == {"small": have, "large": 1000 - have}
    assert have < 480 / 2


@pytest.mark.parametrize("count", [400, 10**30])
def test_too_few_pairs_is_an_error_that_names_the_subcase(count):
    small = Template("small", "the A1 U1 the K1", "U1")
    with pytest.raises(FlockError, match=r"the templates of tiny give at most \d+ unique pairs, not .*; ask for fewer"):
        subcase_pairs([small], count, 0, "tiny")


def test_too_many_of_a_real_subcase_is_an_error_at_once():
    with pytest.raises(FlockError, match="the templates of le_relative_clause give at most"):
        hans_like(10**15, 0)


def test_no_pairs_is_an_error():
    with pytest.raises(FlockError, match="at least one pair"):
        hans_like(0, 0)


def test_subcases_come_in_the_order_of_the_tables(rows):
    subcases = [row["subcase"] for row in rows]
    changes = [a for a, b in pairwise([*subcases, None]) if a != b]
    assert changes == list(TEMPLATES)
