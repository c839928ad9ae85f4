"""Seeds: ranges, crossings, names."""

import pytest

from pipeline.errors import FlockError
from pipeline.training.seeds import Seeds, crossed, parse


@pytest.mark.parametrize(
    "text, seeds",
    [("0-3", [0, 1, 2, 3]), ("7", [7]), ("0,3, 7-9", [0, 3, 7, 8, 9]), ("2,1-3", [2, 1, 3])],
)
def test_parse(text, seeds):
    assert parse(text) == seeds


@pytest.mark.parametrize("text", ["", "a", "3-1", "-1", "1-", "1,,2", "1.5"])
def test_parse_refuses(text):
    with pytest.raises(FlockError, match=r"--order-seeds .*: write seeds as"):
        parse(text, "--order-seeds")


def test_crossed():
    assert crossed() == [Seeds(0, 0, 0)]
    assert crossed([4, 5]) == [Seeds(4, 4, 4), Seeds(5, 5, 5)]
    assert crossed(init=[0, 1], order=[2, 3]) == [Seeds(0, 2, 2), Seeds(0, 3, 3), Seeds(1, 2, 2), Seeds(1, 3, 3)]
    assert crossed(init=[1], dropout=[8, 9]) == [Seeds(1, 0, 8), Seeds(1, 0, 9)]
    with pytest.raises(FlockError, match="--seeds sets all three"):
        crossed([1], order=[2])


def test_names_are_unique():
    assert Seeds(7, 7, 7).name("minilm") == "minilm_07"
    assert Seeds(100, 100, 100).name("bert") == "bert_100"
    assert Seeds(0, 3, 3).name("x") == "x_i0_o3_d3"
