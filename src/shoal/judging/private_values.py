# SPDX-License-Identifier: Apache-2.0
"""Which private cells mean the same to whoever reads them: the judge's own view of sensitive columns.

A class is as diverse as what it says, not as the ways it says it. Numbers count by value (``5``, ``5.0``, ``5e0``,
``05``, digits of any script), days and moments by value (a day is its midnight, a moment is in universal time), other
text by its look (see :mod:`shoal.judging.labels.letters`), without quotes and stops around it. All spellings of missing
are one value. Whole numbers from 2^53 on are compared by all their digits, other numbers as every program reads them,
in double precision.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

import numpy as np

from shoal.ground.arrays import Ints, first_places
from shoal.ground.missing_words import MISSING_SIGNS, MISSING_WORDS
from shoal.judging.labels.letters import skeleton
from shoal.judging.labels.values import figure_of, moment_of
from shoal.tables.notation import PLAIN, Notation
from shoal.tables.quantities import EXACT_INTEGER
from shoal.tables.table import Table

NOTHING = -1
MONTHS = {name: 1 + place for place, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split())}

_FIGURE = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?", re.ASCII)
_SHORT_LINES = re.compile(r"(?:[+-]?\d{1,15}(?:\.\d{0,15})?\n)*+", re.ASCII)
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)? ?(z|utc|gmt|[+-]\d\d:?\d\d)?", re.ASCII)
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})", re.ASCII)
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})", re.ASCII)
_MONTH_NAMED = re.compile(
    r"(\d{1,2})[ .-]{1,2}([a-z]{3})[a-z]*[ .-]{1,2}(\d{4})|([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})"
)

_AROUND = re.compile(r"""(.*[^\s.,;:!_])[\s.,;:!_]+|(["'`*~|])(.+)\2|\(([^()]+)\)|[-*•] (.+)""")
"""What stands around a text without meaning anything: stops behind it, quotes or brackets, a bullet."""

Meaning = tuple[object, ...]


class Day(NamedTuple):
    """A day of the calendar; ``sure`` unless its month may be its day."""

    year: int
    month: int
    day: int
    sure: bool = True


def private_codes(table: Table, name: str) -> Ints:
    """One number per different private value of a column, from 0 without gaps; missing is a value, and the last."""
    places = value_places(table, name)
    beyond = int(places.max(initial=-1)) + 1
    return np.unique(np.where(places < 0, beyond, places), return_inverse=True)[1].astype(np.int64)


def value_places(table: Table, name: str) -> Ints:
    """One number per different private value, the same for cells that mean the same; -1: nothing is known."""
    codes, texts = table.codes(name)
    if table.is_text(name):
        first = grouped_texts(table, name)
    else:  # cells of one type differ where their texts do, but for the two zeros
        zero = texts.index("0.0") if "0.0" in texts else NOTHING
        first = np.array(
            [zero if text == "-0.0" and zero >= 0 else place for place, text in enumerate(texts)], np.int64
        )
    places: Ints = np.append(first, NOTHING)[codes]
    return places


def grouped_texts(table: Table, name: str) -> Ints:
    """:func:`grouped` for the different texts of a column, as ``codes`` has them."""
    first: Ints = table.once(("grouped", name), lambda: grouped(table.codes(name)[1], table.notation(name)))
    return first.copy()


def grouped(texts: Sequence[str], notation: Notation = PLAIN) -> Ints:
    """For each text the place of the first one that means the same; -1: it says that nothing is known.

    >>> grouped(["5", "5.0", "?", "2020-01-01", "2020-01-01T00:00", "flu", " FLU"]).tolist()
    [0, 0, -1, 3, 3, 5, 5]
    """
    if notation == PLAIN and texts and _all_short(texts):
        values = np.array(list(map(float, texts)))
        which = np.unique(values, return_inverse=True)[1]
        return first_places(which)[which]
    said = [meanings(text, notation) for text in texts]
    groups = np.arange(len(texts), dtype=np.int64)
    sharing: dict[Meaning, list[int]] = defaultdict(list)
    for place, ways in enumerate(said):
        if not ways:
            groups[place] = NOTHING
        for way in ways:
            sharing[way].append(place)
    return _joined(groups, [places for places in sharing.values() if len(places) > 1])


def _all_short(texts: Sequence[str]) -> bool:
    """Whether all texts are plain numbers of few digits; asked of all at once, for there may be millions."""
    lines = "\n".join(texts) + "\n"
    return lines.count("\n") == len(texts) and _SHORT_LINES.fullmatch(lines) is not None


def _joined(groups: Ints, sharing: list[list[int]]) -> Ints:
    """The lowest place of everything that hangs together; chains are short, so few rounds are needed."""
    before = None
    while before is None or (groups != before).any():
        before = groups.copy()
        for places in sharing:
            groups[places] = groups[places].min()
    return groups


def meanings(text: str, notation: Notation = PLAIN) -> set[Meaning]:
    """What a text says, in the one or two ways of looking at it; nothing if it means missing in any of them."""
    looks = {skeleton(text)} if text.isascii() else {skeleton(text), skeleton(text, capitals=True)}
    if any(not {look, _bare(look)}.isdisjoint(MISSING_WORDS) or set(look) <= MISSING_SIGNS for look in looks):
        return set()
    told = _as_told(text, notation)
    return {told or _quantity(look, notation.decimal) or _moment(look) or ("text", _bare(look)) for look in looks}


def _bare(look: str) -> str:
    """A text without what stands around it.

    >>> _bare('"flu."'), _bare("(flu)"), _bare("a+")
    ('flu', 'flu', 'a+')
    """
    while found := _AROUND.fullmatch(look):
        inner = (found[1] or found[3] or found[4] or found[5]).strip()
        if not inner:
            break
        look = inner
    return look


def _as_told(text: str, notation: Notation) -> Meaning | None:
    """What a text says in the notation of its column; None if it says nothing in it."""
    if notation.date_format:
        moment = moment_of(text, notation)
        return None if moment is None else _instant(moment.replace(microsecond=0), f"{moment.microsecond:06d}")
    figure = figure_of(text, notation)
    return None if figure is None else _quantity(figure, ".")


def _instant(at: datetime, fraction: str) -> Meaning:
    return "moment", at.astimezone(UTC), fraction.rstrip("0")


def _quantity(look: str, decimal: str) -> Meaning | None:
    """The number that is written, with either decimal mark where only one reading makes sense."""
    if not (look[-1].isdigit() or look[-1] in ".,"):
        return None
    thousands = "," if decimal == "." else "."
    look = look.replace("- ", "-", 1)
    whole, mark, rest = look.partition(decimal)
    if re.fullmatch(rf"[+-]?[1-9]\d{{0,2}}([{thousands} ']\d{{3}})+", whole) and (rest.isdigit() or not rest):
        look = re.sub(rf"[{thousands} ']", "", whole) + "." + rest
    else:
        look = look.replace(decimal, ".") if mark else look.replace(thousands, ".", 1)
    if not _FIGURE.fullmatch(look):
        return None
    if abs(float(look)) < EXACT_INTEGER:
        return "number", abs(float(look)) if float(look) == 0 else float(look)
    try:
        sign, digits, exponent = Decimal(look).as_tuple()
    except InvalidOperation:
        return None
    shown = "".join(map(str, digits)).lstrip("0")
    short = shown.rstrip("0")
    return "number", sign, short, int(exponent) + len(shown) - len(short)


def _moment(look: str) -> Meaning | None:
    """The day or moment that is written."""
    date, _, time = look.partition("t") if re.match(r"\d{4}.\d{1,2}.\d{1,2}t\d", look) else _cut(look)
    day, clock = _day(date), _CLOCK.fullmatch(time)
    if day is None or (time and clock is None):
        return None
    if not day.sure:
        return ("text", look) if time else ("day", *day)
    hours, minutes, seconds, fraction, zone = clock.groups() if clock else (None,) * 5
    try:
        at = datetime(*day[:3], int(hours or 0), int(minutes or 0), int(seconds or 0), tzinfo=_zone(zone))
        return _instant(at, fraction or "")
    except (ValueError, OverflowError):
        return None


def _cut(look: str) -> tuple[str, str, str]:
    """Date and time, at the last blank before a clock."""
    place = re.search(r"[ t]\d{1,2}:\d\d", look)
    return (look, "", "") if place is None else (look[: place.start()], " ", look[place.start() + 1 :])


def _zone(written: str | None) -> timezone:
    if written is None or written[0] not in "+-":
        return UTC
    ahead = timedelta(hours=int(written[1:3]), minutes=int(written[-2:]))
    return timezone(-ahead if written[0] == "-" else ahead)


def _day(date: str) -> Day | None:
    if found := _YEAR_FIRST.fullmatch(date):
        return Day(int(found[1]), int(found[3]), int(found[4]))
    if found := _MONTH_NAMED.fullmatch(date):
        month = MONTHS.get(found[2] or found[4])
        return None if month is None else Day(int(found[3] or found[6]), month, int(found[1] or found[5]))
    if found := _YEAR_LAST.fullmatch(date):
        first, second, year = int(found[1]), int(found[3]), int(found[4])
        if found[2] == "." or first > 12:
            return Day(year, second, first)
        return Day(year, first, second, sure=second > 12 or first == second)
    return None
