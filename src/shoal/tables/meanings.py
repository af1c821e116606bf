# SPDX-License-Identifier: Apache-2.0
"""Which cells of a private column mean the same: ``5`` and ``5.0``, a day and its midnight, ``NA`` and nothing.

A class is only as diverse as the meanings it holds, so the engine makes classes by these. Numbers and dates count by
value, other text by its look, and every spelling of missing is one. The judge decides the same by code of its own
(:mod:`shoal.judging.private_values`); a test keeps the two in step.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation

import numpy as np
import polars as pl

from shoal.ground.arrays import Ints
from shoal.ground.missing_words import MISSING_SIGNS, MISSING_WORDS
from shoal.tables.date_formats import date_format
from shoal.tables.letters import looks
from shoal.tables.notation import PLAIN, Notation
from shoal.tables.parsing import as_moments, as_numbers, number_pattern
from shoal.tables.quantities import EXACT_INTEGER
from shoal.tables.table import Table

MISSING = -1
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?")
_PLAIN = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{0,15})?")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_DAY = re.compile(
    r"(?:(?P<y>\d{4})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})|(?P<a>\d{1,2})(?P<mark>[-/.])(?P<b>\d{1,2})"
    r"(?P=mark)(?P<y2>\d{4})|(?P<d3>\d{1,2})[ .-]{1,2}(?P<m3>[a-z]{3})[a-z]*[ .-]{1,2}(?P<y3>\d{4})"
    r"|(?P<m4>[a-z]{3})[a-z]*\.? (?P<d4>\d{1,2}),? (?P<y4>\d{4}))"
    r"(?:[t ](?P<H>\d{1,2}):(?P<M>\d{2})(?::(?P<S>\d{2})(?:[.,](?P<f>\d+))?)? ?(?P<zone>z|utc|gmt|[+-]\d{2}:?\d{2})?)?"
)


def meaning_codes(table: Table, name: str) -> Ints:
    """One number per different meaning, from 0 without gaps, in the order of the texts; missing is the last."""
    codes, texts = table.codes(name)
    first = same_meanings(texts, table.notation(name)) if table.is_text(name) else _same_numbers(texts)
    merged = np.array([*first, MISSING], dtype=np.int64)[codes]
    return np.unique(np.where(merged < 0, len(texts), merged), return_inverse=True)[1].astype(np.int64)


def _same_numbers(texts: Sequence[str]) -> list[int]:
    """Of typed cells only the two zeros of real numbers mean the same."""
    zeros = [place for place, text in enumerate(texts) if text in ("0.0", "-0.0")]
    return [zeros[0] if place in zeros else place for place in range(len(texts))]


def same_meanings(texts: Sequence[str], notation: Notation = PLAIN) -> list[int]:
    """For each text the place of the first that means the same; -1 if it means missing.

    >>> same_meanings(["5", "5.0", "NA", "2020-01-01", "2020-01-01 00:00:00", "Flu", "flu "])
    [0, 0, -1, 3, 3, 5, 5]
    """
    if notation == PLAIN and all(map(_PLAIN.fullmatch, texts)):  # the usual column of numbers, at once
        _, first, value = np.unique(np.array(list(map(float, texts))), return_index=True, return_inverse=True)
        found: list[int] = first[value].tolist()
        return found
    chief = list(range(len(texts)))
    seen: dict[Hashable, int] = {}
    told = _as_told(texts, notation)
    for place, text in enumerate(texts):
        keys = list(_keys(text, notation.decimal)) if told[place] is None else [told[place]]
        if None in keys:
            chief[place] = MISSING
            continue
        heads = {_head(chief, seen.setdefault(key, place)) for key in keys} | {place}
        lowest = min(heads)
        for head in heads:
            chief[head] = lowest
    return [_head(chief, place) for place in range(len(texts))]


def _as_told(texts: Sequence[str], notation: Notation) -> list[Hashable]:
    """What each text says in the notation of the column; None where it says nothing in it."""
    cells = pl.Series([text if text.isascii() else _our_digits(text) for text in texts], dtype=pl.String)
    if notation.date_format:
        moments = as_moments(cells, date_format(notation.date_format)).cast(pl.Datetime("us")).to_list()
        return [None if one is None else _instant(one) for one in moments]
    sound = cells.str.strip_chars().str.contains(number_pattern(notation.decimal, notation.thousands, codes=True))
    read = as_numbers(cells.zip_with(sound, pl.Series([None], dtype=pl.String)), notation)
    return [None if one is None or abs(one) >= EXACT_INTEGER else float(one) + 0.0 for one in read.to_list()]


def _our_digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(sign, sign)) for sign in text)


def _instant(at: datetime) -> Hashable:
    return "moment", at.replace(microsecond=0), Decimal(at.microsecond) / 1_000_000


def _head(chief: list[int], place: int) -> int:
    while place >= 0 and chief[place] != place:
        place = chief[place]
    return place


def _keys(text: str, decimal: str) -> Iterator[Hashable]:
    """What a text says, in one way or two; None: that nothing is known."""
    for look in dict.fromkeys(looks(text)):
        plain = _unwrapped(look)
        if look in MISSING_WORDS or plain in MISSING_WORDS or set(look) <= MISSING_SIGNS:
            yield None
            continue
        number = _number(look, decimal)
        moment = _moment(look) if number is None and len(look) > 7 else None
        yield number if number is not None else moment or plain


def _unwrapped(look: str) -> str:
    """A text without stops behind it, a pair of quotes or brackets around it, or a bullet before it."""
    shorter = look.rstrip(" .,;:!_")
    if shorter == look and len(look) > 2:
        bracketed = look[0] == "(" and look.find(")") == len(look) - 1 and look.rfind("(") == 0
        if bracketed or (look[0] == look[-1] and look[0] in "\"'`*~|"):
            shorter = look[1:-1].strip()
        elif look[0] in "-*•" and look[1] == " ":
            shorter = look[2:].strip()
    return look if shorter in ("", look) else _unwrapped(shorter)


def _number(look: str, decimal: str) -> Hashable:
    """A number by value; whole ones beyond what reals tell apart by all their digits."""
    if not look[-1:].isdigit() and look[-1:] not in (".", ","):
        return None
    other = "," if decimal == "." else "."
    plain = look.replace("- ", "-", 1)
    if re.fullmatch(rf"[+-]?[1-9]\d{{0,2}}(?:[{other} ']\d{{3}})+(?:[{decimal}]\d*)?", plain):
        plain = re.sub(rf"[{other} ']", "", plain)
    elif decimal not in plain:
        plain = plain.replace(other, ".", 1)
    plain = plain.replace(decimal, ".")
    if not _NUMBER.fullmatch(plain):
        return None
    value = float(plain)
    if abs(value) < EXACT_INTEGER:
        return value + 0.0
    try:
        return Decimal(plain)
    except InvalidOperation:
        return None


def _moment(look: str) -> Hashable:
    """A day or a moment by value, in universal time; a day is its midnight."""
    found = _DAY.fullmatch(look)
    if found is None:
        return None
    day = _day(found)
    if day is None:
        return None
    if len(day) == 4:
        return look if found["H"] else day  # which is the month cannot be told
    fraction = Decimal(f"0.{found['f'] or 0}")
    zone = (found["zone"] or "").replace(":", "")
    try:
        ahead = timedelta(hours=int(zone[1:3]), minutes=int(zone[3:])) if zone[:1] in ("+", "-") else timedelta()
        year, month, number = day
        moment = datetime(year, month, number, int(found["H"] or 0), int(found["M"] or 0), int(found["S"] or 0))
        return "moment", moment + (ahead if zone[:1] == "-" else -ahead), fraction
    except (ValueError, OverflowError):
        return None


def _day(found: re.Match[str]) -> tuple[int, ...] | None:
    """Year, month and day; with a fourth sign if the month may be the day."""
    if found["y"]:
        return int(found["y"]), int(found["m"]), int(found["d"])
    word = found["m3"] or found["m4"]
    if word:
        if word not in _MONTHS:
            return None
        return int(found["y3"] or found["y4"]), _MONTHS.index(word) + 1, int(found["d3"] or found["d4"])
    first, second, year = int(found["a"]), int(found["b"]), int(found["y2"])
    if found["mark"] == "." or first > 12:
        return year, second, first
    return (year, first, second) if second > 12 or first == second else (year, first, second, 0)
