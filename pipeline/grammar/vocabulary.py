"""The words: every template, every training pair and the parser of `situation` draw on these lists alone.

A pool is a list of tuples; a sentence uses at most one word of each tuple. Nouns pair singular and plural; transitive
and intransitive verbs, adjectives and manner adverbs pair opposites. Two conventions hold in every sentence: a noun has
one referent ("the baker" is always the same baker), and opposites exclude each other.
"""

import re

NOUNS = [
    ("baker", "bakers"),
    ("farmer", "farmers"),
    ("sailor", "sailors"),
    ("pilot", "pilots"),
    ("nurse", "nurses"),
    ("poet", "poets"),
    ("clerk", "clerks"),
    ("guard", "guards"),
    ("chef", "chefs"),
    ("miner", "miners"),
    ("weaver", "weavers"),
    ("gardener", "gardeners"),
    ("barber", "barbers"),
    ("butcher", "butchers"),
    ("plumber", "plumbers"),
    ("knight", "knights"),
    ("monk", "monks"),
    ("queen", "queens"),
    ("thief", "thieves"),
    ("widow", "widows"),
    ("cousin", "cousins"),
    ("uncle", "uncles"),
    ("neighbor", "neighbors"),
    ("guest", "guests"),
    ("witness", "witnesses"),
    ("teacher", "teachers"),
    ("dancer", "dancers"),
    ("drummer", "drummers"),
    ("referee", "referees"),
    ("child", "children"),
    ("tailor", "tailors"),
    ("mayor", "mayors"),
    ("hermit", "hermits"),
    ("spy", "spies"),
]

TRANSITIVE = [
    ("loved", "hated"),
    ("praised", "scolded"),
    ("helped", "hindered"),
    ("trusted", "distrusted"),
    ("hired", "dismissed"),
    ("admired", "despised"),
    ("welcomed", "shunned"),
    ("defended", "attacked"),
    ("obeyed", "defied"),
    ("supported", "opposed"),
    ("calmed", "alarmed"),
    ("rewarded", "punished"),
    ("freed", "captured"),
    ("blessed", "cursed"),
    ("thanked", "insulted"),
    ("comforted", "frightened"),
    ("respected", "mocked"),
    ("pleased", "annoyed"),
]
"""Past tense, the same as the past participle."""

INTRANSITIVE = [
    ("laughed", "wept"),
    ("arrived", "departed"),
    ("shouted", "whispered"),
    ("succeeded", "failed"),
    ("worked", "rested"),
    ("stayed", "fled"),
    ("stood", "knelt"),
    ("agreed", "disagreed"),
    ("hurried", "lingered"),
    ("smiled", "frowned"),
]

ADJECTIVES = [
    ("tall", "short"),
    ("young", "old"),
    ("rich", "poor"),
    ("happy", "sad"),
    ("brave", "timid"),
    ("kind", "cruel"),
    ("clever", "foolish"),
    ("polite", "rude"),
    ("strong", "weak"),
    ("lazy", "busy"),
]

MANNERS = [
    ("quickly", "slowly"),
    ("quietly", "loudly"),
    ("gladly", "grudgingly"),
    ("openly", "secretly"),
    ("early", "late"),
]

UNDERSTOOD_OBJECT = {
    "ate": ("cake", "apple", "soup"),
    "drank": ("cider", "tea", "milk"),
    "read": ("letter", "novel", "poem"),
    "sang": ("ballad", "hymn", "tune"),
    "wrote": ("letter", "novel", "poem"),
    "baked": ("cake", "bread", "pie"),
    "cooked": ("soup", "stew", "meal"),
    "drew": ("map", "castle", "portrait"),
}
"""Verbs whose object may go unsaid ("ate the cake" means that there was eating), each with three things it takes."""

PARTICIPLES = {"ate": "eaten", "drank": "drunk", "sang": "sung", "wrote": "written", "drew": "drawn"}
"""Past participles that differ from the past tense."""

OPTIONAL_OBJECT = [
    ("taught",),
    ("painted",),
    ("trained",),
    ("hunted",),
    ("fought",),
    ("dressed",),
    ("washed",),
    ("moved",),
    ("called",),
    ("served",),
    ("paid",),
    ("studied",),
]
"""Verbs with or without a person as object, the one not implying the other; past tense and participle are the same."""

NOT_FACTIVE = [
    ("said",),
    ("thought",),
    ("claimed",),
    ("hoped",),
    ("believed",),
    ("feared",),
    ("guessed",),
    ("suspected",),
    ("doubted",),
    ("heard",),
    ("expected",),
]
"""Verbs of saying and thinking whose clause may be false."""

FACTIVE = [
    ("knew",),
    ("noticed",),
    ("realized",),
    ("remembered",),
    ("forgot",),
    ("learned",),
    ("discovered",),
    ("regretted",),
]
"""Verbs whose clause is true."""

OBJECT_OR_CLAUSE = [
    ("believed",),
    ("feared",),
    ("suspected",),
    ("doubted",),
    ("heard",),
    ("expected",),
    ("knew",),
    ("forgot",),
]
"""Those of the two lists above that take a person as well as a clause, in different senses."""

PLACES = [
    ("garden",),
    ("kitchen",),
    ("market",),
    ("harbor",),
    ("forest",),
    ("library",),
    ("theater",),
    ("village",),
    ("temple",),
    ("valley",),
    ("stable",),
    ("meadow",),
]

PREPOSITIONS = [("near",), ("beside",), ("behind",), ("opposite",), ("above",), ("below",)]

CERTAIN = [("certainly",), ("clearly",), ("surely",), ("obviously",), ("undoubtedly",), ("definitely",)]
UNCERTAIN = [("maybe",), ("perhaps",), ("possibly",), ("probably",), ("supposedly",), ("hopefully",)]

SINCE = [("since",), ("because",), ("although",), ("after",)]
"""Subordinators whose clause is true, as is the main clause."""
WHILE = [("while",), ("when",), ("as",)]
IF = [("if",), ("unless",)]
"""Subordinators that leave both clauses open."""

FUNCTION_WORDS = ("the", "who", "that", "was", "were", "by", "in", "and", "or")

OPPOSITES = {
    word: other
    for pool in (TRANSITIVE, INTRANSITIVE, ADJECTIVES, MANNERS)
    for pair in pool
    for word, other in (pair, pair[::-1])
}

_POOLS = (
    *(NOUNS, TRANSITIVE, INTRANSITIVE, ADJECTIVES, MANNERS, OPTIONAL_OBJECT, NOT_FACTIVE, FACTIVE),
    *(PLACES, PREPOSITIONS, CERTAIN, UNCERTAIN, SINCE, WHILE, IF),
)


def participle(verb: str) -> str:
    """The past participle of a verb given in the past tense."""
    return PARTICIPLES.get(verb, verb)


def all_words() -> list[str]:
    """Every word and punctuation mark that a sentence may hold, sorted: the vocabulary of a word-level tokenizer."""
    words = {*FUNCTION_WORDS, *PARTICIPLES.values(), *UNDERSTOOD_OBJECT, ",", "."}
    words.update(thing for things in UNDERSTOOD_OBJECT.values() for thing in things)
    words.update(word for pool in _POOLS for words_ in pool for word in words_)
    return sorted(words)


def to_sentence(words: list[str]) -> str:
    """Words as a sentence: capital first letter, commas attached, full stop."""
    text = " ".join(words).replace(" ,", ",")
    return text[0].upper() + text[1:] + "."


def to_words(sentence: str) -> list[str]:
    """A sentence as lower-case words; commas are words of their own, the full stop is dropped."""
    return re.findall(r"[a-z]+|,", sentence.lower())
