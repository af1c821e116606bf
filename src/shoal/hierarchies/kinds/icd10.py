# SPDX-License-Identifier: Apache-2.0
"""Diagnoses by the codes of ICD-10: categories, blocks and chapters.

``E11.9`` becomes ``E11``, ``E10-E14 Diabetes mellitus``, ``IV Endocrine, nutritional and metabolic diseases``. Codes
may be written without the point (``E119``), and words may follow (``E11 diabetes``). Other values hang under the root.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds._classified import Groups, Parameters, build_classified, lines
from shoal.hierarchies.values import Values

__all__ = ["Parameters", "build", "groups_of"]

CODE = re.compile(r"([A-Z]\d[0-9A-Z])(\.?[0-9A-Z]{1,4})?[-+*†!]*(?:[ ,;:].*)?$", re.IGNORECASE)
Ranges = list[tuple[str, str, str]]


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """The groups of every code.

    >>> build(Values.of(["E11.9", "E10.1", "I10"]), Parameters()).rows()[0][1:3]
    ['E10', 'E10-E14 Diabetes mellitus']
    """
    return build_classified(values, parameters, groups_of, "codes of ICD-10, such as E11.9 or E119")


def groups_of(said: Sequence[str]) -> list[Groups | None]:
    """Category, block and chapter of each code, as far as they lie above it; None where a text is no code."""
    return [_groups(text.strip()) for text in said]


def _groups(text: str) -> Groups | None:
    found = CODE.match(text)
    if found is None:
        return None
    category = found[1].upper()
    chapter, block = (_within(category, ranges) for ranges in _ranges())
    if not chapter:
        return None
    above = (block, chapter) if block else (chapter,)
    return (category, *above) if found[2] else above


def _within(category: str, ranges: Ranges) -> str:
    """The label of the range that a category lies in; empty if none."""
    at = bisect_right(ranges, category, key=lambda one: one[0]) - 1
    return ranges[at][2] if at >= 0 and category[:3] <= ranges[at][1] else ""


@cache
def _ranges() -> tuple[Ranges, Ranges]:
    """Chapters and blocks, by their first category."""
    chapters, blocks = [], []
    for number, first, last, name in lines("icd10"):
        if number == "-":
            blocks.append((first, last, f"{first}-{last} {name}"))
        else:
            chapters.append((first, last, f"{number} {name}"))
    return sorted(chapters), sorted(blocks)
