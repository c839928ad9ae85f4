"""Our own sentences: a test set for the 30 subcases of HANS, and the data of the miniature.

vocabulary.py   the words
template.py     a premise and a hypothesis with slots, and how words fill them
subcases.py     the templates of the 30 subcases        -> hans_like.py
frames.py       what the training data are made of      -> miniature.py
parse.py, situation.py   labels of pairs from the sentences alone: who did what to whom
"""

from pipeline.grammar.hans_like import hans_like
from pipeline.grammar.miniature import miniature_test, miniature_training
from pipeline.grammar.situation import judge
from pipeline.grammar.vocabulary import all_words

__all__ = ["all_words", "hans_like", "judge", "miniature_test", "miniature_training"]
