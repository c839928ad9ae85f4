"""A parser for the sentences of the grammar. It knows the words alone, no template.

Every function takes words and a place, and yields (node, end) for each way in which a phrase can start there, so that
`parse` finds every reading of a sentence.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from pipeline.errors import FlockError
from pipeline.grammar import vocabulary as v


def _words(*pools: list[tuple[str, ...]]) -> frozenset[str]:
    return frozenset(word for pool in pools for words in pool for word in words)


PEOPLE = _words(v.NOUNS)
PLURALS = frozenset(plural for _, plural in v.NOUNS)
THINGS = frozenset(thing for things in v.UNDERSTOOD_OBJECT.values() for thing in things)
PLACES = _words(v.PLACES)
PREPOSITIONS = _words(v.PREPOSITIONS)
ADJECTIVES = _words(v.ADJECTIVES)
MANNERS = _words(v.MANNERS)
TRANSITIVE = _words(v.TRANSITIVE)
INTRANSITIVE = _words(v.INTRANSITIVE)
OPTIONAL_OBJECT = _words(v.OPTIONAL_OBJECT)
OBJECT_OR_CLAUSE = _words(v.OBJECT_OR_CLAUSE)
THAT_CLAUSE = _words(v.NOT_FACTIVE, v.FACTIVE)
CLAUSE_ADVERBS = _words(v.CERTAIN, v.UNCERTAIN)
SUBORDINATORS = _words(v.SINCE, v.WHILE, v.IF)
PAST_OF = {verb: verb for verb in TRANSITIVE | OPTIONAL_OBJECT} | {v.participle(u): u for u in v.UNDERSTOOD_OBJECT}


@dataclass(frozen=True)
class Noun:
    """A noun with what describes it: adjectives, (preposition, nouns), relative clauses."""

    name: str
    definite: bool
    adjectives: tuple[str, ...] = ()
    prepositions: tuple[tuple[str, tuple["Noun", ...]], ...] = ()
    relatives: tuple["Predicate | ObjectGap", ...] = ()


Nouns: TypeAlias = tuple[Noun, ...]
"""Nouns joined by `and`."""


@dataclass(frozen=True)
class Predicate:
    """What is said of a subject: it did something (to objects, or that a clause), or had it done, or was such."""

    verb: str
    objects: Nouns = ()
    clause: "Clause | None" = None
    passive: bool = False
    agents: Nouns = ()
    manner: str | None = None
    place: str | None = None


@dataclass(frozen=True)
class ObjectGap:
    """A relative clause whose noun is the object: who the baker praised."""

    subjects: Nouns
    verb: str


@dataclass(frozen=True)
class Clause:
    """A subject and its predicates, joined by `and`; words[start:end] of the sentence."""

    subjects: Nouns
    predicates: tuple[Predicate, ...]
    start: int
    end: int


@dataclass(frozen=True)
class Complex:
    """A sentence made of clauses: by `and`, `or`, a subordinator (its clause first, then the main one) or an adverb."""

    operator: str
    clauses: tuple[Clause, ...]


Sentence: TypeAlias = Clause | Complex


def parse(sentence: str) -> list[Sentence]:
    """All readings of a sentence. Raises FlockError where there is none."""
    words = v.to_words(sentence)
    readings = [node for node, end in _sentence(words) if end == len(words)]
    if not readings:
        raise FlockError(f"the grammar cannot read “{sentence}”")
    return readings


def clauses(sentence: Sentence) -> Iterator[Clause]:
    """The clauses of a sentence that could stand alone, embedded ones included."""
    for clause in sentence.clauses if isinstance(sentence, Complex) else (sentence,):
        yield clause
        for predicate in clause.predicates:
            if predicate.clause:
                yield from clauses(predicate.clause)


def _at(words: list[str], place: int) -> str:
    return words[place] if place < len(words) else ""


def _sentence(words: list[str]) -> Iterator[tuple[Sentence, int]]:
    first = _at(words, 0)
    if first in CLAUSE_ADVERBS:
        for clause, end in _clause(words, 1):
            yield Complex(first, (clause,)), end
    elif first in SUBORDINATORS:
        for clause, end in _clause(words, 1):
            for main, main_end in _clause(words, end + (_at(words, end) == ",")):
                yield Complex(first, (clause, main)), main_end
    else:
        for clause, end in _clause(words, 0):
            yield clause, end
            operator = _at(words, end)
            if operator in SUBORDINATORS | {"and", "or"}:
                for other, other_end in _clause(words, end + 1):
                    both = (other, clause) if operator in SUBORDINATORS else (clause, other)
                    yield Complex(operator, both), other_end


def _clause(words: list[str], start: int) -> Iterator[tuple[Clause, int]]:
    for subjects, end in _nouns(words, start):
        plural = len(subjects) > 1 or subjects[0].name in PLURALS
        for predicate, predicate_end in _predicate(words, end, plural):
            yield Clause(subjects, (predicate,), start, predicate_end), predicate_end
            if _at(words, predicate_end) == "and":
                for second, second_end in _predicate(words, predicate_end + 1, plural):
                    yield Clause(subjects, (predicate, second), start, second_end), second_end


def _nouns(words: list[str], start: int) -> Iterator[tuple[Nouns, int]]:
    for noun, end in _noun(words, start):
        yield (noun,), end
        if _at(words, end) == "and":
            for others, others_end in _nouns(words, end + 1):
                yield (noun, *others), others_end


def _noun(words: list[str], start: int) -> Iterator[tuple[Noun, int]]:
    place = start + (definite := _at(words, start) == "the")
    adjectives = []
    while _at(words, place) in ADJECTIVES:
        adjectives.append(words[place])
        place += 1
    name = _at(words, place)
    if name in PEOPLE and (definite or name in PLURALS):
        yield from _described(words, place + 1, Noun(name, definite, tuple(adjectives)))
    elif name in THINGS and definite:
        yield Noun(name, definite, tuple(adjectives)), place + 1


def _described(words: list[str], place: int, noun: Noun) -> Iterator[tuple[Noun, int]]:
    """A person with any prepositional phrases and relative clauses that follow."""
    yield noun, place
    word = _at(words, place)
    if word in PREPOSITIONS:
        for grounds, end in _noun(words, place + 1):
            yield from _described(words, end, replace(noun, prepositions=(*noun.prepositions, (word, (grounds,)))))
    if word == "who":
        for relative, end in _relative(words, place + 1, noun.name in PLURALS):
            yield from _described(words, end, replace(noun, relatives=(*noun.relatives, relative)))
    if word in OPTIONAL_OBJECT:
        for where, end in _place(words, place + 1):
            reduced = Predicate(word, passive=True, place=where)
            yield from _described(words, end, replace(noun, relatives=(*noun.relatives, reduced)))


def _relative(words: list[str], place: int, plural: bool) -> Iterator[tuple[Predicate | ObjectGap, int]]:
    yield from _predicate(words, place, plural)
    for subjects, end in _nouns(words, place):
        if _at(words, end) in TRANSITIVE | OPTIONAL_OBJECT:
            yield ObjectGap(subjects, words[end]), end + 1


def _predicate(words: list[str], place: int, plural: bool) -> Iterator[tuple[Predicate, int]]:
    for predicate, end in _bare_predicate(words, place, plural):
        yield predicate, end
        manner = _at(words, end)
        if manner in MANNERS:
            yield replace(predicate, manner=manner), end + 1
        for where, where_end in _place(words, end):
            yield replace(predicate, place=where), where_end


def _bare_predicate(words: list[str], place: int, plural: bool) -> Iterator[tuple[Predicate, int]]:
    verb = _at(words, place)
    after = place + 1
    if verb in INTRANSITIVE | OPTIONAL_OBJECT | v.UNDERSTOOD_OBJECT.keys():
        yield Predicate(verb), after
    if verb in TRANSITIVE | OPTIONAL_OBJECT | OBJECT_OR_CLAUSE | v.UNDERSTOOD_OBJECT.keys():
        for objects, end in _nouns(words, after):
            if all((noun.name in THINGS) == (verb in v.UNDERSTOOD_OBJECT) for noun in objects):
                yield Predicate(verb, objects), end
    if verb in THAT_CLAUSE and _at(words, after) == "that":
        yield from _with_clause(words, verb, after + 1)
    if verb in OBJECT_OR_CLAUSE:
        yield from _with_clause(words, verb, after)
    if verb == ("were" if plural else "was"):
        yield from _passive_or_adjective(words, after)


def _with_clause(words: list[str], verb: str, place: int) -> Iterator[tuple[Predicate, int]]:
    for clause, end in _clause(words, place):
        yield Predicate(verb, clause=clause), end


def _passive_or_adjective(words: list[str], place: int) -> Iterator[tuple[Predicate, int]]:
    word = _at(words, place)
    if word in ADJECTIVES:
        yield Predicate(word), place + 1
    if word in PAST_OF:
        yield Predicate(PAST_OF[word], passive=True), place + 1
        if _at(words, place + 1) == "by":
            for agents, end in _nouns(words, place + 2):
                yield Predicate(PAST_OF[word], passive=True, agents=agents), end


def _place(words: list[str], place: int) -> Iterator[tuple[str, int]]:
    if words[place : place + 2] == ["in", "the"] and _at(words, place + 2) in PLACES:
        yield words[place + 2], place + 3
