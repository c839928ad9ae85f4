"""Sentences on the screen show as they are written."""

import pytest

from app.text import common as words


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("a_b has *no* logits.", r"a\_b has \*no\* logits\."),
        ("`fetch my_set` brings a_b.", r"`fetch my_set` brings a\_b\."),
        ("an odd ` tick", r"an odd \` tick"),
    ],
)
def test_only_commands_in_backticks_are_markup(sentence, shown):
    assert words.prose(sentence) == shown
