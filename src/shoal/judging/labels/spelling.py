# SPDX-License-Identifier: Apache-2.0
"""Takes apart the text of a published cell: ``[35, 39]``, ``35-39``, ``>=90``, ``554**``, ``{a, b}``.

Purely about text: what the ends mean on a column is for :mod:`shoal.judging.labels.lines` and
:mod:`shoal.judging.labels.trees`. Written for the labels of any tool, not only of this one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

ANYTHING = "*"
READ_BEFORE, SHORT = 1 << 16, 100
"""Labels that are remembered once they were read, for many ask for them; and how long those are at most."""

_BRACKETED = re.compile(r"^([\[(\]])(.*)([\])\[])$", re.DOTALL)
_ONE_SIDED = re.compile(r"^(>=|<=|≥|≤|>|<)\s*(.+)$", re.DOTALL)
_MASKED = re.compile(r"^(\d+)(\*+)$")
_INSIDE = ("; ", ";", ", ", ",", "..", "–", "-")
_BARE = ("..", "–", "-")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_MEMBER = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^,]*?)\s*(,|\Z)', re.DOTALL)


@dataclass(frozen=True)
class RangeEnds:
    """The two ends of a range as text; None is an open end, ``open`` means that the end itself is not included."""

    low: str | None
    high: str | None
    low_open: bool = False
    high_open: bool = False


def readings(label: str, marks: str = ".") -> Iterator[RangeEnds]:
    """Every way to read a label as a range, the likeliest first; the column decides which one makes sense.

    ``marks`` are those inside numbers, at which a label is not cut.

    >>> next(readings("[35, 40["))
    RangeEnds(low='35', high='40', low_open=False, high_open=True)
    """
    return iter(_remembered(label, marks)) if len(label) <= SHORT else _readings(label, marks)


@lru_cache(maxsize=READ_BEFORE)
def _remembered(label: str, marks: str) -> tuple[RangeEnds, ...]:
    return tuple(_readings(label, marks))


def _readings(label: str, marks: str) -> Iterator[RangeEnds]:
    sided = _ONE_SIDED.match(label)
    masked = _MASKED.match(label)
    bracketed = _BRACKETED.match(label)
    if sided:
        yield _one_sided(sided[1], sided[2].strip())
    elif masked:
        yield RangeEnds(masked[1] + "0" * len(masked[2]), masked[1] + "9" * len(masked[2]))
    elif bracketed:
        for low, high in _splits(bracketed[2], _INSIDE, marks):
            yield RangeEnds(low, high, bracketed[1] != "[", bracketed[3] != "]")
    else:
        for low, high in _splits(label, _BARE, marks):
            yield RangeEnds(low, high)


def _one_sided(sign: str, value: str) -> RangeEnds:
    if sign in (">=", "≥", ">"):
        return RangeEnds(value, None, low_open=sign == ">")
    return RangeEnds(None, value, high_open=sign == "<")


def _splits(text: str, separators: tuple[str, ...], marks: str) -> Iterator[tuple[str, str]]:
    """Every cut at a separator, both sides without blanks and quotes."""
    for separator in separators:
        if separator in marks:
            continue  # [1,5] with a decimal comma is no range from 1 to 5
        start = text.find(separator)
        while start >= 0:
            yield _unquoted(text[:start]), _unquoted(text[start + len(separator) :])
            start = text.find(separator, start + 1)


def _unquoted(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and _QUOTED.fullmatch(text):
        try:
            return str(json.loads(text))
        except ValueError:
            return text
    return text


def ends_in(label: str) -> list[str]:
    """The values between which the likeliest range of a label reaches, none if it is no range.

    >>> ends_in("[3, many]"), ends_in(">=90"), ends_in("many")
    (['3', 'many'], ['90'], [])
    """
    first = next(readings(label), None)
    return [] if first is None else [end for end in (first.low, first.high) if end]


def members(label: str) -> list[str] | None:
    r"""The values of a set ``{a, "b, c"}``, or None if the label is no set.

    A value that holds a comma, a brace, a quote or a backslash is written as a JSON string.

    >>> members(r'{a, "b, \"c\""}')
    ['a', 'b, "c"']
    """
    if not (label.startswith("{") and label.endswith("}")):
        return None
    found, place = [], 1
    while place < len(label):
        member = _MEMBER.match(label, place, len(label) - 1)
        if member is None:
            return None
        found.append(_unquoted(member[1]))
        place = member.end() if member[2] else len(label)
    return found
