# SPDX-License-Identifier: Apache-2.0
"""Settings for reading."""

from __future__ import annotations

from typing import Any

import pytest

from shoal.errors import PlanError
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
        ("skip_lines", None),
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
    assert given.as_written() == Reading(separator=";", encoding="utf-8", decimal=",")
    assert Reading().as_written() == Reading(separator=",", encoding="utf-8")
