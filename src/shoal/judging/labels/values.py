# SPDX-License-Identifier: Apache-2.0
"""Single numbers and dates in labels, read in the notation of their column by code of the judge's own."""

from __future__ import annotations

import math
import re
import unicodedata
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache

from shoal.judging.labels.spelling import READ_BEFORE
from shoal.tables.date_formats import DateFormat, month_words
from shoal.tables.notation import BLANKS, THOUSANDS, UNITS, Notation
from shoal.tables.ordering import NUMBER, number_in

_ISO = re.compile(
    r"^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}(?::\d{2})?)?)?$", re.ASCII
)
_GROUPS = r"[+-]?[1-9][0-9]{{0,2}}(?:[{marks}][0-9]{{3}})+|[+-]?[1-9][0-9]?(?:[{marks}][0-9]{{2}})+[{marks}][0-9]{{3}}"
_BEFORE = re.compile(rf"(?P<sign>[+-]?)[{BLANKS}]*(?:{UNITS})[{BLANKS}]*")
_BEHIND = re.compile(rf"[{BLANKS}]*(?:{UNITS})$")


@lru_cache(maxsize=READ_BEFORE)
def number_of(text: str, notation: Notation) -> float | None:
    """The finite number that a text writes; None if it writes none.

    >>> number_of("-1.234,50 €", Notation(",", ".")), number_of("1.234,50", Notation())
    (-1234.5, None)
    """
    figure = figure_of(text, notation)
    number = None if figure is None else number_in(figure)
    return None if number is None or math.isinf(number) else number


def figure_of(text: str, notation: Notation) -> str | None:
    """The number that a text writes, with plain digits and a point; None if it writes none."""
    if notation.decimal == "." and not notation.thousands and NUMBER.fullmatch(text):
        return text
    figure = _without_unit(text.strip() if text.isascii() else _ours(text).strip())
    whole, mark, fraction = figure.partition(notation.decimal)
    if notation.thousands:
        marks = re.escape(THOUSANDS[notation.thousands])
        if re.fullmatch(_GROUPS.format(marks=marks), whole):
            whole = re.sub(f"[{marks}]", "", whole)
    if notation.decimal != "." and "." in whole + fraction:
        return None
    plain = f"{whole}.{fraction}" if mark else whole
    return plain if NUMBER.fullmatch(plain) else None


def _ours(text: str) -> str:
    """Digits of other scripts, and minus signs, as ours: a reader of the label knows what they mean."""
    return "".join("-" if mark == "\u2212" else str(unicodedata.decimal(mark, mark)) for mark in text)


def _without_unit(text: str) -> str:
    """A number without the sign of money or shares that stands before or behind it."""
    before = _BEFORE.match(text)
    if before is not None:
        return before["sign"] + text[before.end() :]
    behind = _BEHIND.search(text)
    return text if behind is None else text[: behind.start()]


def moment_of(text: str, notation: Notation) -> datetime | None:
    """The moment that a text writes, in universal time where it tells no zone; a day is its midnight.

    >>> moment_of("31.1.2020", Notation(date_format="dd.mm.yyyy")).date().isoformat()
    '2020-01-31'
    """
    form = notation.form
    plain = text.strip() if text.isascii() else _ours(text).strip()
    parts = re.match(form.pattern, plain) if form is not None else None
    try:
        if form is not None and parts is not None:
            return _built(parts, form)
        read = datetime.fromisoformat(text) if _ISO.match(text) else None
    except (ValueError, OverflowError):
        return None
    return read if read is None or read.tzinfo is not None else read.replace(tzinfo=UTC)


def _built(parts: re.Match[str], form: DateFormat) -> datetime:
    said = parts.groupdict()
    year, day = int(said["year"]), int(said["day"])
    month = said.get("month") or month_words().get(said["word"].rstrip(".").casefold(), 0)
    hour = int(said.get("hour") or 0)
    half = said.get("half")
    if half is not None:
        if not 1 <= hour <= 12:
            raise ValueError
        hour = hour % 12 + 12 * (half[0] in "pP")
    fraction = (said.get("fraction") or "0").ljust(6, "0")[:6]
    year = form.full_year(year) if form.two_digits else year
    clock = hour, int(said.get("minute") or 0), int(said.get("second") or 0), int(fraction)
    return datetime(year, int(month), day, *clock, tzinfo=_zone(said.get("zone") or ""))


def _zone(written: str) -> timezone:
    digits = written.lstrip("+-").replace(":", "")
    if not digits.isdigit():
        return UTC
    ahead = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-ahead if written[0] == "-" else ahead)
