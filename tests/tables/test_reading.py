# SPDX-License-Identifier: Apache-2.0
"""Settings for reading."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from shoal.ground.errors import PlanError
from shoal.tables.reading import Reading


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("separator", 5),
        ("encoding", True),
        ("decimal", 1.5),
        ("na", "NA"),
        ("na", [1]),
        ("columns", "a,b"),
        ("header", 0),
        ("skip_lines", -1),
        ("skip_lines", True),
        ("skip_lines", 1.0),
        ("skip_lines", "1"),
        ("date_format", 1),
        ("thousands", True),
        ("encoding_out", "latin"),
    ],
)
def test_settings_of_the_wrong_kind(name: str, value: Any) -> None:
    """A plan that gives a number for a text, or one text for a list, is refused by the key."""
    with pytest.raises(PlanError) as caught:
        Reading(**{name: value})
    assert len(caught.value.parts()) == 5
    assert f"[input] {name}" in caught.value.where


def test_as_written() -> None:
    """What we write is read with a header and in UTF-8, whatever the input was."""
    given = Reading(
        separator=";", encoding="cp1252", decimal=",", na=("?",), header=False, columns=("a", "b"), skip_lines=2
    )
    assert given.as_written() == Reading(separator=";", encoding="utf-8", decimal=",", skip_lines=0)
    assert Reading().as_written() == Reading(separator=",", encoding="utf-8", skip_lines=0)
    kept = replace(given, encoding_out="keep")
    assert kept.as_written() == replace(given.as_written(), encoding="cp1252")


@pytest.mark.parametrize(
    ("marks", "words"),
    [
        ({"decimal": "·"}, "point or a comma"),
        ({"thousands": "_"}, "no such mark"),
        ({"decimal": ".", "thousands": "."}, "cannot be the same"),
        ({"date_format": "dd.mm"}, "date format cannot be read"),
        ({"date_format": "dd.mm.yy"}, "hundred years"),
    ],
)
def test_marks_that_cannot_be_meant(marks: dict[str, str], words: str) -> None:
    """How numbers and dates are written is checked before a file is opened."""
    with pytest.raises(PlanError, match=words):
        Reading(**marks)
