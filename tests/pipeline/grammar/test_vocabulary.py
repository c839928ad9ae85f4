import re

import pytest

from pipeline.grammar import all_words, hans_like, miniature_training
from pipeline.grammar import vocabulary as v

CONTENT_POOLS = {
    "nouns": (v.NOUNS, 30),
    "transitive verbs": (v.TRANSITIVE, 18),
    "intransitive verbs": (v.INTRANSITIVE, 10),
    "adjectives": (v.ADJECTIVES, 10),
    "manner adverbs": (v.MANNERS, 5),
    "verbs with or without object": (v.OPTIONAL_OBJECT, 10),
    "verbs of saying": (v.NOT_FACTIVE, 10),
    "factive verbs": (v.FACTIVE, 8),
    "places": (v.PLACES, 10),
    "prepositions": (v.PREPOSITIONS, 6),
    "adverbs of certainty": (v.CERTAIN + v.UNCERTAIN, 12),
}


def _lemmas() -> set[str]:
    """Content words, a noun's plural not counted as another."""
    words = {noun for noun, _ in v.NOUNS} | set(v.UNDERSTOOD_OBJECT)
    words |= {thing for things in v.UNDERSTOOD_OBJECT.values() for thing in things}
    for name, (pool, _) in CONTENT_POOLS.items():
        if name != "nouns":
            words |= {word for words_ in pool for word in words_}
    return words


def test_at_least_two_hundred_content_words():
    assert len(_lemmas()) >= 200


@pytest.mark.parametrize("name", CONTENT_POOLS)
def test_pools_are_large_enough_and_hold_no_word_twice(name):
    pool, least = CONTENT_POOLS[name]
    words = [word for words_ in pool for word in words_]
    assert len(pool) >= least
    assert len(set(words)) == len(words)


def test_a_word_has_one_kind():
    """Otherwise the parser could read a sentence in a way that its template does not mean."""
    pools = [pool for pool, _ in CONTENT_POOLS.values()] + [v.SINCE, v.WHILE, v.IF]
    pools += [[(verb,) for verb in v.UNDERSTOOD_OBJECT], [(word,) for word in v.FUNCTION_WORDS]]
    pools.append([(thing,) for thing in {t for things in v.UNDERSTOOD_OBJECT.values() for t in things}])
    words = [word for pool in pools for words_ in pool for word in words_]
    assert sorted(words) == sorted(set(words))


def test_all_words_are_exactly_those_that_sentences_use():
    rows = miniature_training(20_000, 5) + hans_like(100, 5)
    used = {word for row in rows for side in ("premise", "hypothesis") for word in v.to_words(row[side])}
    assert used | {"."} == set(all_words())


def test_a_sentence_goes_to_words_and_back():
    words = ["if", "the", "baker", "wept", ",", "the", "monks", "fled"]
    sentence = v.to_sentence(words)
    assert sentence == "If the baker wept, the monks fled."
    assert v.to_words(sentence) == words


def test_participles():
    assert [v.participle(verb) for verb in ("praised", "sang", "baked")] == ["praised", "sung", "baked"]


def test_every_sentence_is_written_as_one():
    rows = miniature_training(3_000, 1) + hans_like(50, 1)
    for row in rows:
        for side in ("premise", "hypothesis"):
            assert re.fullmatch(r"[A-Z][a-z]*(,? [a-z]+)*\.", row[side]), row[side]
