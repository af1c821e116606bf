# SPDX-License-Identifier: Apache-2.0
"""Numbers and names as people read them."""

from __future__ import annotations

import pytest

from shoal.ground.wording import number, one_in, percent, phrase


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (12345.0, "12,345"), (0.04217, "0.04217"), (1234.56, "1,234.6"), (float("nan"), "undefined")],
)
def test_numbers(value: float, text: str) -> None:
    """Few digits, thousands marked."""
    assert number(value) == text


def test_shares_and_chances() -> None:
    """A tiny share is not nothing, and nothing is not tiny."""
    assert [percent(one) for one in (0.0, 0.00001, 0.5, 1.0)] == ["0 %", "< 0.01 %", "50 %", "100 %"]
    assert one_in(1.0) == "1 in 1"


def test_names_in_words() -> None:
    """A list reads like a phrase."""
    assert [phrase(one) for one in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "no column",
        "a",
        "a and b",
        "a, b and c",
    ]
