"""Words to look for in sentences: all words, "a phrase" in quotes, minus to exclude."""

import re
from dataclasses import dataclass

_TERM = re.compile(r'(-?)(?:"([^"]*)"?|(\S+))')


@dataclass(frozen=True)
class Term:
    """Text that must occur in premise or hypothesis, or must not; case does not matter."""

    text: str
    excluded: bool = False


def parse(query: str) -> list[Term]:
    """The terms of a query. An open quote runs to the end; a lone minus is a word."""
    terms = []
    for minus, phrase, word in _TERM.findall(query):
        text = (phrase or word).strip().lower()
        if text:
            terms.append(Term(text, bool(minus)))
        elif minus:
            terms.append(Term("-"))
    return terms
