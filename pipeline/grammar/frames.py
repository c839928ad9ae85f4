"""What the miniature's training data are made of: a premise and a hypothesis that follows from it.

A frame gives pairs of all three labels. The hypothesis as it stands is entailed; with the opposite of a word in [ ] it
is contradicted; with any other new word of the same kind it is neutral. So each frame, and with it each function word,
comes with every label equally often, and the labels can be told by the words that both sentences share, as mostly in
MNLI: nothing here ever needs the order of words. Sentences under if, or, maybe or said that appear with hypotheses
about what they take for granted, or under the same operator.

Add new frames at the end of a list: a frame's id is its genre and its place in the list.
"""

import re
from dataclasses import dataclass

from pipeline.grammar.template import Template

_PATTERNS = {
    "modifiers": [
        ("the A1 N1 V1 the N2", "the N1 [V1] the N2"),
        ("the A1 N1 V1 the N2", "the N1 Was1 [A1]"),
        ("the N1 V1 the A1 N2", "the N1 [V1] the N2"),
        ("the N1 V1 the A1 N2", "the N2 Was2 [A1]"),
        ("the A1 N1 I1", "the N1 [I1]"),
        ("the N1 I1 D1", "the N1 [I1]"),
        ("the A1 N1 I1 D1", "the N1 I1 [D1]"),
        ("the N1 V1 the N2 D1", "the N1 [V1] the N2"),
        ("the N1 I1 in the L1", "the N1 [I1]"),
        ("the N1 V1 the N2 in the L1", "the N1 [V1] the N2"),
        ("A1 M1 V1 the A2 N1", "M1 V1 the [A2] N1"),
        ("A1 M1 were V1 by the A2 N1", "M1 were V1 by the [A2] N1"),
    ],
    "prepositional phrases": [
        ("the N1 P1 the N2 V1 the N3", "the N1 [V1] the N3"),
        ("the N1 P1 the N2 I1", "the N1 [I1]"),
        ("the N1 P1 the N2 I1 D1", "the N1 I1 [D1]"),
        ("the N1 P1 the A1 N2 I1", "the N1 [I1]"),
        ("the N1 P1 the A1 N2 I1", "the N2 Was2 [A1]"),
        ("the A1 N1 P1 the N2 U1 the K1", "the [A1] N1 U1 the K1"),
        ("the N1 P1 the N2 Was1 V1 by the N3", "the N1 Was1 [V1] by the N3"),
        ("the N1 P1 the N2 Was1 V1 by the N3", "the N3 [V1] the N1"),
        ("the N1 V1 the N2 P1 the N3", "the N1 [V1] the N2"),
        ("the N1 V1 the N2 P1 the A1 N3", "the N3 Was3 [A1]"),
    ],
    "relative clauses": [
        ("the N1 who the N2 V1 I1", "the N2 [V1] the N1"),
        ("the N1 who the N2 V1 I1", "the N1 [I1]"),
        ("the N1 who V1 the N2 I1", "the N1 [V1] the N2"),
        ("the N1 who V1 the N2 I1", "the N1 [I1]"),
        ("the N1 who the N2 V1 V2 the N3", "the N2 [V1] the N1"),
        ("the N1 who the N2 V1 V2 the N3", "the N1 [V2] the N3"),
        ("the N1 who V1 the N2 V2 the N3", "the N1 [V1] the N2"),
        ("the N1 who V1 the N2 V2 the N3", "the N1 [V2] the N3"),
        ("the N1 V1 the N2 who V2 the N3", "the N1 [V1] the N2"),
        ("the N1 V1 the N2 who V2 the N3", "the N2 [V2] the N3"),
        ("the N1 V1 the N2 who the N3 V2", "the N1 [V1] the N2"),
        ("the N1 V1 the N2 who the N3 V2", "the N3 [V2] the N2"),
        ("the N1 V1 the N2 who I1", "the N2 [I1]"),
        ("the N1 who I1 V1 the N2", "the N1 [V1] the N2"),
        ("the N1 who I1 Was1 V1 by the N2", "the N2 [V1] the N1"),
        ("the N1 who I1 Was1 V1 by the N2", "the N1 Was1 [V1] by the N2"),
    ],
    "conjunction": [
        ("the N1 and the N2 V1 the N3", "the N1 [V1] the N3"),
        ("the N1 and the N2 V1 the N3", "the N2 [V1] the N3"),
        ("the N1 V1 the N2 and the N3", "the N1 [V1] the N2"),
        ("the N1 V1 the N2 and the N3", "the N1 [V1] the N3"),
        ("the N1 and the N2 I1", "the N1 [I1]"),
        ("the N1 I1 and V1 the N2", "the N1 [V1] the N2"),
        ("the N1 V1 the N2 and I1", "the N1 [I1]"),
        ("the N1 I1 and the N2 I2", "the N1 [I1]"),
        ("the N1 I1 and the N2 I2", "the N2 [I2]"),
        ("the N1 V1 the N2 and the N3 I1", "the N1 [V1] the N2"),
        ("the N1 I1 and the N2 V1 the N3", "the N2 [V1] the N3"),
    ],
    "passives": [
        ("the N1 Was1 V1 by the N2", "the N2 [V1] the N1"),
        ("the N1 V1 the N2", "the N2 Was2 [V1] by the N1"),
        ("the A1 N1 Was1 V1 by the N2", "the N1 Was1 [V1] by the N2"),
        ("the A1 N1 Was1 V1 by the N2", "the N2 [V1] the N1"),
        ("the N1 Was1 V1 by the A1 N2", "the N2 [V1] the N1"),
        ("the N1 Was1 V1 by the N2 and the N3", "the N3 [V1] the N1"),
        ("the A1 N1 U1 the K1", "the K1 was Uen1 by the [A1] N1"),
    ],
    "understood objects": [
        ("the A1 N1 U1 the K1", "the [A1] N1 U1"),
        ("the A1 N1 P1 the N2 U1 the K1", "the [A1] N1 U1"),
        ("the A1 N1 and the N2 U1 the K1", "the [A1] N1 U1"),
        ("the N1 who I1 U1 the K1", "the N1 who [I1] U1"),
    ],
    "subordinate clauses": [
        ("Since1 the N1 I1 , the N2 I2", "the N1 [I1]"),
        ("Since1 the N1 I1 , the N2 I2", "the N2 [I2]"),
        ("Since1 the N1 V1 the N2 , the N3 I1", "the N1 [V1] the N2"),
        ("Since1 the N1 V1 the N2 , the N3 I1", "the N3 [I1]"),
        ("Since1 the N1 I1 , the N2 V1 the N3", "the N2 [V1] the N3"),
        ("the N1 I1 Since1 the N2 I2", "the N2 [I2]"),
        ("the N1 I1 Since1 the N2 V1 the N3", "the N2 [V1] the N3"),
        ("the N1 V1 the N2 Since1 the N3 I1", "the N1 [V1] the N2"),
        ("While1 the N1 E1 the N2 I1", "the N2 [I1]"),
        ("While1 the N1 E1 the N2 V1 the N3", "the N2 [V1] the N3"),
        ("While1 the A1 N1 E1 the N2 I1", "the [A1] N1 E1"),
        ("While1 the N1 I1 the N2 V1 the N3", "the N1 [I1]"),
    ],
    "reduced relative clauses": [
        ("the N1 E1 in the L1 I1", "the N1 [I1]"),
        ("the N1 E1 in the L1 V1 the N2", "the N1 [V1] the N2"),
        ("the N1 V1 the N2 E1 in the L1", "the N1 [V1] the N2"),
        ("the N1 V1 the A1 N2 E1 in the L1", "the N2 Was2 [A1]"),
        ("the A1 N1 E1 the N2", "the [A1] N1 E1 the N2"),
        ("the A1 N1 E1 in the L1", "the [A1] N1 E1"),
    ],
    "known facts": [
        ("the N1 F1 that the N2 I1", "the N2 [I1]"),
        ("the N1 F1 that the N2 V1 the N3", "the N2 [V1] the N3"),
        ("the N1 F1 that the N2 Was2 V1 by the N3", "the N2 Was2 [V1] by the N3"),
        ("the N1 F1 that the A1 N2 I1", "the N2 [I1]"),
        ("the A1 N1 F1 that the N2 I1", "the [A1] N1 F1 that the N2 I1"),
        ("the N1 P1 the N2 F1 that the N3 I1", "the N3 [I1]"),
    ],
    "said and thought": [
        ("the A1 N1 B1 that the N2 I1", "the N1 Was1 [A1]"),
        ("the A1 N1 B1 that the N2 V1 the N3", "the N1 Was1 [A1]"),
        ("the A1 N1 P1 the N2 B1 that the N3 I1", "the [A1] N1 B1 that the N3 I1"),
        ("the N1 who V1 the N2 B1 that the N3 I1", "the N1 [V1] the N2"),
        ("the A1 N1 S1 the N2 I1", "the [A1] N1 S1 that the N2 I1"),
        ("the A1 N1 S1 the N2 V1 the N3", "the N1 Was1 [A1]"),
        ("the N1 who V1 the N2 S1 the N3 I1", "the N1 [V1] the N2"),
        ("the A1 N1 P1 the N2 S1 the N3", "the [A1] N1 S1 the N3"),
    ],
    "certain": [
        ("Sure1 the N1 I1", "the N1 [I1]"),
        ("Sure1 the N1 V1 the N2", "the N1 [V1] the N2"),
        ("Sure1 the N1 Was1 V1 by the N2", "the N1 Was1 [V1] by the N2"),
        ("Sure1 the A1 N1 I1", "the N1 [I1]"),
    ],
    "uncertain": [
        ("Maybe1 the A1 N1 I1", "the N1 Was1 [A1]"),
        ("Maybe1 the N1 V1 the A1 N2", "the N2 Was2 [A1]"),
        ("Maybe1 the A1 N1 P1 the N2 I1", "Maybe1 the [A1] N1 I1"),
        ("Maybe1 the N1 who V1 the N2 I1", "the N1 [V1] the N2"),
        ("Maybe1 the N1 who the N2 V1 I1", "the N2 [V1] the N1"),
    ],
    "conditional": [
        ("If1 the A1 N1 I1 , the N2 I2", "the N1 Was1 [A1]"),
        ("If1 the N1 I1 , the A1 N2 V1 the N3", "If1 the N1 I1 , the N2 [V1] the N3"),
        ("If1 the N1 who V1 the N2 I1 , the N3 I2", "the N1 [V1] the N2"),
        ("If1 the N1 I1 , the N2 who V1 the N3 I2", "the N2 [V1] the N3"),
        ("the N1 I1 If1 the N2 V1 the A1 N3", "the N3 Was3 [A1]"),
        ("the N1 I1 If1 the N2 who the N3 V1 I2", "the N3 [V1] the N2"),
    ],
    "disjunction": [
        ("the A1 N1 I1 or the N2 I2", "the N1 Was1 [A1]"),
        ("the N1 V1 the A1 N2 or the N3 I1", "the N2 Was2 [A1]"),
        ("the A1 N1 P1 the N2 I1 or the N3 I2", "the N3 I2 or the [A1] N1 I1"),
        ("the N1 who V1 the N2 I1 or the N3 I2", "the N1 [V1] the N2"),
        ("the N1 I1 or the N2 who V1 the N3 I2", "the N2 [V1] the N3"),
        ("the N1 I1 or the N2 who the N3 V1 I2", "the N3 [V1] the N2"),
    ],
}


@dataclass(frozen=True)
class Frame:
    """A template whose hypothesis is entailed, and the slots whose opposite contradicts the premise."""

    genre: str
    template: Template
    opposable: tuple[str, ...]


def _frame(genre: str, place: int, premise: str, hypothesis: str) -> Frame:
    template = Template(f"{genre}.{place}", premise, re.sub(r"[\[\]]", "", hypothesis))
    return Frame(genre, template, tuple(re.findall(r"\[(\w+)\]", hypothesis)))


FRAMES = [
    _frame(genre, place, *pattern) for genre, patterns in _PATTERNS.items() for place, pattern in enumerate(patterns, 1)
]
