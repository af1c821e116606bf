# SPDX-License-Identifier: Apache-2.0
"""Models and risks against a population, person by person: what a label allows is told by a plain function."""

from __future__ import annotations

from collections import Counter
from typing import Any

Row = tuple[Any, ...]
TREE = {"Local": "Gov", "State": "Gov", "Private": None, "Farm": None}
"""Group of each kind of work, if it has one."""


def allows_number(label: str | None, value: int | None) -> bool:
    """``[20, 29]``, ``{20, 29}``, ``25``, ``*`` or missing."""
    if label == "*":
        return True
    if label is None or value is None:
        return label is None and value is None
    inside = [int(one) for one in label.strip("[]{}").split(",")]
    return value in inside if label[0] == "{" else inside[0] <= value <= inside[-1]


def allows_work(label: str | None, value: str | None) -> bool:
    """A kind of work, ``Gov``, ``{Local, Farm}``, ``*`` or missing."""
    if label == "*":
        return True
    if label is None or value is None:
        return label is None and value is None
    listed = label.strip("{}").split(", ")
    return value in listed or TREE[value] in listed


def matches(released: Row, person: Row, *, wildcard: bool = False) -> bool:
    """Whether a released (age, work) allows a person's; missing matches anything where it is a wildcard."""
    tests = zip((allows_number, allows_work), released, person, strict=True)
    return all(
        (wildcard and (label is None or value is None)) or allows(label, value) for allows, label, value in tests
    )


def people_of(released: list[Row], population: list[Row], *, wildcard: bool = False) -> list[int]:
    """How many people match each row."""
    return [sum(matches(row, person, wildcard=wildcard) for person in population) for row in released]


def chances_of(released: list[Row], population: list[Row]) -> list[float]:
    """For each person the sum over the classes that allow them of rows / people, at most 1."""
    chances = []
    for person in population:
        chance = 0.0
        for look, rows in Counter(released).items():
            if matches(look, person):
                chance += rows / sum(matches(look, other) for other in population)
        chances.append(min(chance, 1.0))
    return chances
