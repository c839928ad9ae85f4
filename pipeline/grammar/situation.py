"""What a sentence says has happened, and whether another sentence holds there: gold labels without templates.

A sentence is parsed and becomes a set of facts: events (who did what to whom), descriptions of people, and statements
that leave their clauses open (if, or, maybe, said that …). The hypothesis is entailed if all its facts are among the
premise's, contradicted if one of them is excluded by a premise's fact, and otherwise neutral.

Conventions, where English leaves room: a definite noun names the same person in both sentences; opposites exclude each
other; joined nouns act each on their own; what describes a definite noun (`the tall baker`, `the baker who wept`) is
taken to be so even under if, or and maybe, but not inside what somebody said or thought; two conditionals with the same
condition and excluding consequences contradict each other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from typing import TypeAlias

from pipeline.errors import FlockError
from pipeline.grammar import vocabulary as v
from pipeline.grammar.parse import Clause, Complex, Noun, Nouns, ObjectGap, Predicate, Sentence, parse

FACTIVE = {verb for (verb,) in v.FACTIVE}
IF = {word for (word,) in v.IF}
CERTAIN = {word for (word,) in v.CERTAIN}
UNCERTAIN = {word for (word,) in v.UNCERTAIN}


@dataclass(frozen=True)
class Who:
    """Somebody or something. Without article it is some of a kind, with it a certain one."""

    name: str
    definite: bool

    def covers(self, other: "Who | None") -> bool:
        """Whether what is said of the other is said of this one: `the monks slept` says that monks slept."""
        return other is not None and self.name == other.name and other.definite >= self.definite


@dataclass(frozen=True)
class Event:
    """`who` did `verb`, perhaps to `whom`; unknown parts are None."""

    verb: str
    who: Who | None
    whom: Who | None = None
    manner: str | None = None
    place: str | None = None


@dataclass(frozen=True)
class Description:
    """Somebody is such (tall), or somewhere with respect to another (near)."""

    what: str
    who: Who
    other: Who | None = None


@dataclass(frozen=True)
class Statement:
    """Clauses under an operator that leaves them open, or that ties them; `by` is who says or thinks so."""

    operator: str
    parts: tuple[frozenset["Fact"], ...]
    by: Who | None = None


Fact: TypeAlias = Event | Description | Statement
Situation: TypeAlias = frozenset[Fact]


def judge(premise: str, hypothesis: str) -> str:
    """The label of a pair: entailment, neutral or contradiction.

    Raises FlockError where the grammar cannot read a sentence, or where its readings lead to different labels.
    """
    labels = {_compare(situation(said), situation(asked)) for said, asked in product(parse(premise), parse(hypothesis))}
    if len(labels) > 1:
        raise FlockError(f"“{premise}” – “{hypothesis}” is ambiguous: {' or '.join(sorted(labels))}")
    return labels.pop()


def situation(sentence: Sentence) -> Situation:
    """The facts that a sentence asserts."""
    if isinstance(sentence, Clause):
        return _clause(sentence)
    parts = tuple(_clause(clause) for clause in sentence.clauses)
    together = frozenset().union(*parts)
    operator = sentence.operator
    if operator == "and" or operator in CERTAIN:
        return together
    statement = frozenset({Statement(operator, parts)})
    if operator == "or" or operator in IF | UNCERTAIN:
        return statement | _taken_for_granted(sentence)
    return statement | together


def _compare(said: Situation, asked: Situation) -> str:
    if _entails(said, asked):
        return "entailment"
    return "contradiction" if _contradicts(said, asked) else "neutral"


# from parse to facts


def _clause(clause: Clause) -> Situation:
    facts = set()
    for predicate in clause.predicates:
        facts |= _happens(predicate, clause.subjects)
    return frozenset(facts) | _descriptions(clause)


def _happens(predicate: Predicate, subjects: Nouns) -> set[Fact]:
    """What a predicate says of its subjects, without what describes the nouns in it."""
    verb, manner, place = predicate.verb, predicate.manner, predicate.place
    people = [_who(noun) for noun in subjects]
    if predicate.clause:
        content = _clause(predicate.clause)
        known = content if verb in FACTIVE else frozenset()
        return {Statement(verb, (content,), by=who) for who in people} | known
    if predicate.passive:
        agents = [_who(noun) for noun in predicate.agents] or [None]
        return {Event(verb, agent, who, manner, place) for agent, who in product(agents, people)}
    if verb in v.OPPOSITES and any(verb in pair for pair in v.ADJECTIVES):
        return {Description(verb, who) for who in people}
    objects = [_who(noun) for noun in predicate.objects] or [None]
    return {Event(verb, who, whom, manner, place) for who, whom in product(people, objects)}


def _taken_for_granted(sentence: Complex) -> Situation:
    """What describes the definite nouns of a sentence whose clauses are left open."""
    facts = frozenset().union(*(_descriptions(clause) for clause in sentence.clauses))
    return frozenset(fact for fact in facts if all(who.definite for who in _people(fact)))


def _descriptions(clause: Clause) -> Situation:
    facts: set[Fact] = set()
    for noun in _nouns(clause):
        facts |= _description(noun)
    return frozenset(facts)


def _nouns(clause: Clause) -> Iterator[Noun]:
    yield from clause.subjects
    for predicate in clause.predicates:
        yield from predicate.objects
        yield from predicate.agents


def _description(noun: Noun) -> set[Fact]:
    who = _who(noun)
    facts: set[Fact] = {Description(adjective, who) for adjective in noun.adjectives}
    mentioned = [other for _, others in noun.prepositions for other in others]
    facts |= {Description(word, who, _who(other)) for word, others in noun.prepositions for other in others}
    for relative in noun.relatives:
        if isinstance(relative, ObjectGap):
            facts |= {Event(relative.verb, _who(subject), who) for subject in relative.subjects}
            mentioned += relative.subjects
        else:
            facts |= _happens(relative, (noun,))
            mentioned += [*relative.objects, *relative.agents]
    for other in mentioned:
        facts |= _description(other)
    return facts


def _who(noun: Noun) -> Who:
    return Who(noun.name, noun.definite)


# from facts to labels


def _entails(said: Situation, asked: Situation) -> bool:
    return all(any(_covers(fact, known) for known in said) for fact in asked)


def _covers(fact: Fact, known: Fact) -> bool:
    """Whether `fact` is so because `known` is."""
    if type(fact) is not type(known):
        return False
    if isinstance(fact, Event):
        same_object = _some(fact.whom, known.whom) if fact.verb in v.UNDERSTOOD_OBJECT else _same(fact.whom, known.whom)
        details = fact.manner in (None, known.manner) and fact.place in (None, known.place)
        return fact.verb == known.verb and _some(fact.who, known.who) and same_object and details
    if isinstance(fact, Description):
        return fact.what == known.what and fact.who.covers(known.who) and _same(fact.other, known.other)
    if fact.operator != known.operator or not _same(fact.by, known.by):
        return False
    if fact.operator in IF:
        return _entails(fact.parts[0], known.parts[0]) and _entails(known.parts[1], fact.parts[1])
    orders = permutations(known.parts) if fact.operator == "or" else [known.parts]
    return any(all(map(_entails, parts, fact.parts)) for parts in orders)


def _some(who: Who | None, known: Who | None) -> bool:
    return who is None or who.covers(known)


def _same(who: Who | None, known: Who | None) -> bool:
    return known is None if who is None else who.covers(known)


def _contradicts(said: Situation, asked: Situation) -> bool:
    return any(_excludes(known, fact) for known, fact in product(said, asked))


def _excludes(known: Fact, fact: Fact) -> bool:
    if type(fact) is not type(known) or not all(who.definite for who in _people(fact)):
        return False
    if isinstance(fact, Event):
        opposite = v.OPPOSITES.get(known.verb) == fact.verb
        otherwise = fact.verb == known.verb and fact.manner and v.OPPOSITES[fact.manner] == known.manner
        return bool((fact.who, fact.whom) == (known.who, known.whom) and (opposite or otherwise))
    if isinstance(fact, Description):
        return v.OPPOSITES.get(known.what) == fact.what and fact.who == known.who
    if fact.operator != known.operator or fact.operator not in IF:
        return False
    same_condition = _entails(known.parts[0], fact.parts[0]) and _entails(fact.parts[0], known.parts[0])
    return same_condition and _contradicts(known.parts[1], fact.parts[1])


def _people(fact: Fact) -> list[Who]:
    if isinstance(fact, Event):
        found = (fact.who, fact.whom)
    elif isinstance(fact, Description):
        found = (fact.who, fact.other)
    else:
        found = (fact.by,)
    return [who for who in found if who]
