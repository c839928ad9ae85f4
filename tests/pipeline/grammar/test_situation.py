"""The labels, by hand: sentences written here, not by a template."""

import pytest

from pipeline.errors import FlockError
from pipeline.grammar import judge
from pipeline.grammar.parse import clauses, parse

PAIRS = [
    # who did what to whom
    ("The baker praised the monk.", "The baker praised the monk.", "entailment"),
    ("The baker praised the monk.", "The monk praised the baker.", "neutral"),
    ("The baker praised the monk.", "The baker scolded the monk.", "contradiction"),
    ("The baker praised the monk.", "The monk scolded the baker.", "neutral"),
    ("The baker praised the monk.", "The baker praised the monks.", "neutral"),
    ("The monk was praised by the baker.", "The baker praised the monk.", "entailment"),
    ("The monk was praised by the baker.", "The monk praised the baker.", "neutral"),
    ("The monk was praised by the baker.", "The monk was praised.", "entailment"),
    ("The monk was praised.", "The baker praised the monk.", "neutral"),
    ("The baker praised the monk.", "The monk was scolded by the baker.", "contradiction"),
    # what describes somebody
    ("The tall baker wept.", "The baker was tall.", "entailment"),
    ("The tall baker wept.", "The baker was short.", "contradiction"),
    ("The tall baker wept.", "The short baker wept.", "contradiction"),
    ("The baker wept.", "The tall baker wept.", "neutral"),
    ("The baker wept loudly.", "The baker wept.", "entailment"),
    ("The baker wept loudly.", "The baker wept quietly.", "contradiction"),
    ("The baker wept.", "The baker wept quietly.", "neutral"),
    ("The baker wept in the garden.", "The baker wept.", "entailment"),
    ("The baker wept.", "The baker wept in the garden.", "neutral"),
    ("The baker near the monk wept.", "The monk wept.", "neutral"),
    ("The baker near the monk wept.", "The monk near the baker wept.", "neutral"),
    ("The baker near the tall monk wept.", "The monk was tall.", "entailment"),
    # relative clauses
    ("The baker who the monk praised wept.", "The monk praised the baker.", "entailment"),
    ("The baker who the monk praised wept.", "The baker praised the monk.", "neutral"),
    ("The baker who the monk praised wept.", "The monk wept.", "neutral"),
    ("The baker who praised the monk wept.", "The monk wept.", "neutral"),
    ("The baker who praised the monk wept.", "The baker wept.", "entailment"),
    ("The baker hired the monk who praised the nurse.", "The monk praised the nurse.", "entailment"),
    ("The baker hired the monk who praised the nurse.", "The baker praised the nurse.", "neutral"),
    ("The baker taught in the garden wept.", "The baker taught in the garden.", "neutral"),
    ("The baker taught in the garden.", "The baker taught.", "entailment"),
    ("The baker taught in the garden wept.", "The baker wept.", "entailment"),
    # articles
    ("Happy monks wept.", "Monks wept.", "entailment"),
    ("The monks wept.", "Monks wept.", "entailment"),
    ("Monks wept.", "The monks wept.", "neutral"),
    ("Monks wept.", "Monks laughed.", "neutral"),
    # objects that go unsaid, and those that may not
    ("The baker ate the cake.", "The baker ate.", "entailment"),
    ("The baker ate.", "The baker ate the cake.", "neutral"),
    ("The cake was eaten by the baker.", "The baker ate the cake.", "entailment"),
    ("The baker moved the monk.", "The baker moved.", "neutral"),
    ("The baker moved.", "The baker moved the monk.", "neutral"),
    # and, or
    ("The baker and the monk wept.", "The monk wept.", "entailment"),
    ("The baker praised the monk and the nurse.", "The baker praised the nurse.", "entailment"),
    ("The baker praised the monk and the nurse.", "The monk praised the nurse.", "neutral"),
    ("The baker wept and praised the monk.", "The baker praised the monk.", "entailment"),
    ("The baker wept and the monk fled.", "The baker fled.", "neutral"),
    ("The baker wept or the monk fled.", "The baker wept.", "neutral"),
    ("The baker wept or the monk fled.", "The baker laughed.", "neutral"),
    ("The baker wept or the monk fled.", "The monk fled or the baker wept.", "entailment"),
    ("The baker wept or the monk fled.", "The monk fled and the baker wept.", "neutral"),
    ("The baker wept and the monk fled.", "The baker fled and the monk wept.", "neutral"),
    ("The tall baker wept or the monk fled.", "The baker was short.", "contradiction"),
    ("The baker who praised the monk wept or the nurse fled.", "The baker praised the monk.", "entailment"),
    ("Tall monks wept or the nurse fled.", "Monks were tall.", "neutral"),
    # subordinate clauses
    ("Since the baker wept, the monk fled.", "The baker wept.", "entailment"),
    ("Since the baker wept, the monk fled.", "The monk fled.", "entailment"),
    ("Since the baker wept, the monk fled.", "Since the monk fled, the baker wept.", "neutral"),
    ("Since the baker wept, the monk fled.", "The monk fled since the baker wept.", "entailment"),
    ("The baker wept although the monk fled.", "The monk stayed.", "contradiction"),
    ("While the baker hunted the monk fled.", "The baker hunted the monk.", "neutral"),
    ("While the baker hunted the monk fled.", "The baker hunted.", "entailment"),
    ("If the baker wept, the monk fled.", "The baker wept.", "neutral"),
    ("If the baker wept, the monk fled.", "The monk fled.", "neutral"),
    ("If the baker wept, the monk fled.", "The monk stayed.", "neutral"),
    ("If the baker wept, the monk fled.", "The monk fled if the baker wept.", "entailment"),
    ("If the baker wept, the monk fled.", "If the monk fled, the baker wept.", "neutral"),
    ("If the baker wept, the monk fled.", "Unless the baker wept, the monk fled.", "neutral"),
    ("If the baker wept, the monk fled.", "If the baker wept, the monk stayed.", "contradiction"),
    ("If the baker wept, the monk fled.", "If the baker laughed, the monk stayed.", "neutral"),
    ("If the baker wept loudly, the monk fled.", "If the baker wept, the monk fled.", "neutral"),
    ("If the baker wept, the monk fled.", "If the baker wept loudly, the monk fled.", "entailment"),
    ("If the baker wept, the monk fled quickly.", "If the baker wept, the monk fled.", "entailment"),
    ("If the baker wept, the tall monk fled.", "The monk was tall.", "entailment"),
    ("Unless the baker wept, the monk fled.", "The monk fled.", "neutral"),
    # what is said and thought
    ("The baker knew that the monk fled.", "The monk fled.", "entailment"),
    ("The baker knew that the monk fled.", "The monk stayed.", "contradiction"),
    ("The baker claimed that the monk fled.", "The monk fled.", "neutral"),
    ("The baker claimed that the monk fled.", "The monk stayed.", "neutral"),
    ("The baker claimed that the tall monk fled.", "The monk was tall.", "neutral"),
    ("The tall baker claimed that the monk fled.", "The baker was tall.", "entailment"),
    ("The baker feared the monk fled.", "The baker feared the monk.", "neutral"),
    ("The baker feared the monk.", "The baker feared the monk.", "entailment"),
    ("The baker feared the monk fled.", "The baker feared that the monk fled.", "entailment"),
    ("The baker feared the monk fled.", "The nurse feared that the monk fled.", "neutral"),
    # adverbs
    ("Certainly the baker wept.", "The baker wept.", "entailment"),
    ("Perhaps the baker wept.", "The baker wept.", "neutral"),
    ("Perhaps the baker wept.", "The baker laughed.", "neutral"),
    ("Perhaps the tall baker wept.", "Perhaps the baker wept.", "entailment"),
    ("Perhaps the baker wept.", "Probably the baker wept.", "neutral"),
]


@pytest.mark.parametrize(("premise", "hypothesis", "label"), PAIRS)
def test_judge(premise, hypothesis, label):
    assert judge(premise, hypothesis) == label


@pytest.mark.parametrize(
    "sentence",
    [
        "The baker praised.",
        "The baker wept the monk.",
        "The bakers was praised by the monk.",
        "The baker and the monk was praised by the nurse.",
        "Baker wept.",
        "The baker ate the monk.",
        "The baker paints the monk.",
        "If the baker wept.",
        "",
    ],
)
def test_what_is_no_sentence_of_the_grammar_is_refused(sentence):
    with pytest.raises(FlockError, match="the grammar cannot read"):
        parse(sentence)


def test_ambiguity_is_an_error_where_it_changes_the_label():
    premise = "The baker hired the monk near the nurse who wept."
    assert len(parse(premise)) == 2
    assert judge(premise, "The baker hired the monk.") == "entailment"
    with pytest.raises(FlockError, match="is ambiguous: entailment or neutral"):
        judge(premise, "The monk wept.")


def test_clauses_are_those_that_could_stand_alone():
    (reading,) = parse("The baker near the nurse knew that the monk who wept fled.")
    assert [(clause.start, clause.end) for clause in clauses(reading)] == [(0, 12), (7, 12)]
