# SPDX-License-Identifier: Apache-2.0
"""Ordered values stand in one order, whoever asks: engine or judge."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.tables.ordering import in_order, number_in

NAMES = [
    "nan",
    "-nan",
    "NaN",
    "inf",
    "-Infinity",
    "1_000",
    " 5",
    "5\n",
    "１２",
    "٣",
    "0x1F",
    "1e",
    "e5",
    ".",
    "",
    "1,5",
]


@pytest.mark.parametrize(
    ("text", "number"), [("7", 7), ("-0.5", -0.5), ("+3.", 3), (".5", 0.5), ("1e5", 1e5), ("007", 7)]
)
def test_numbers_are_written_with_digits(text: str, number: float) -> None:
    """Plain and scientific notation count."""
    assert number_in(text) == number


@pytest.mark.parametrize("text", NAMES)
def test_all_else_is_a_name(text: str) -> None:
    """Not all that Python reads as a number is one: ``nan`` has no place among them, and blanks are no digits."""
    assert number_in(text) is None


@given(st.sets(st.integers(0, 99), min_size=2, max_size=8), st.randoms())
def test_the_order_does_not_depend_on_how_the_values_come(starts: set[int], random: object) -> None:
    """Bands by size, whatever the order of rows and however many digits they have."""
    edges = sorted(starts)
    bands = [f"{low}-{high - 1}" if high - low > 1 else str(low) for low, high in pairwise(edges)] + [f"{edges[-1]}+"]
    shuffled = list(bands)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert in_order(shuffled) == bands


TOLD = [
    ["9", "9.0", "10", "100"],
    ["<10", "10-19", "20-29", "90+"],
    ["1", "2", "3", "7 or more"],
    ["<=50K", ">50K"],
    ["$5,000-$9,999", "$10,000-$19,999", "$20,000+"],
    ["0-17 years", "18-64 years", "65 years and over"],
    ["1 year", "2 years", "10 years or more"],
    ["unter 18", "18 bis 24", "25 und älter"],
    ["moins de 18", "18 à 24", "25 et plus"],
    ["grade 1", "grade 2", "grade 10"],
    ["1: never", "2: rarely", "10: always"],
    ["2019-11", "2019-12", "2020-01"],
    ["2019-Q4", "2020-Q1"],
    ["08:30", "17:05"],
    ["false", "true"],
    ["0.5-1", "1.5-2", "> 2"],
    ["alone"],
    [],
]
UNTOLD = [
    ["low", "high"],
    ["none", "primary", "secondary", "phd"],
    ["A", "B", "C"],
    ["1", "2", "many"],
    ["6 months", "1 year", "2 years"],
    ["1", "2", "6 months"],
    ["500 g", "1 kg"],
    ["500-999", "1.000-1.999"],
    ["0-10", "5-20"],
    ["3 rooms", "3 rooms and bath"],
    ["1. class", "1. rank"],
    ["nan", "1", "2"],
    ["I", "II", "IV"],
    ["1.2.3", "1.2.10"],
    ["Monday", "Tuesday"],
]


@pytest.mark.parametrize("values", TOLD, ids=" | ".join)
def test_values_that_tell_their_order(values: list[str]) -> None:
    """Numbers and bands stand by size, numbered names by their numbers, months and times as the calendar has them."""
    assert in_order(list(reversed(values))) == values


@pytest.mark.parametrize("values", UNTOLD, ids=" | ".join)
def test_letters_are_no_order(values: list[str]) -> None:
    """Whatever does not tell its order is refused, with the number of values and none of them."""
    with pytest.raises(shoal.ShoalError) as refused:
        in_order(values, None, "grade")
    said = str(refused.value)
    assert "--order grade=" in said
    assert f"{len(values)} values" in said
    assert not any(value in refused.value.received for value in values if len(value) > 2)


def test_a_declared_order_wins() -> None:
    """What the type of a column says is not guessed again; values that are not there are left out."""
    assert in_order(["S", "L"], ["S", "M", "L"]) == ["S", "L"]


def test_values_outside_a_declared_order_are_counted_and_not_shown() -> None:
    """Nobody knows where they belong, so nothing is released; a message holds no cell."""
    with pytest.raises(shoal.ShoalError, match="not in the order") as refused:
        in_order(["S", "L", "Gulliver", "Lemuel"], ["S", "M", "L"], "size")
    assert "2 other values" in str(refused.value)
    assert "Gulliver" not in str(refused.value)
