# SPDX-License-Identifier: Apache-2.0
"""Notation: how the numbers or dates of one column of text are written, and numbers and dates written so.

What is needed to read a cell (marks, date format) stands in the plan. How cells look beside that (their currency, zeros
behind the decimal mark, the language of their months) is seen in the cells and only matters to whoever writes new ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from shoal.ground.errors import PlanError
from shoal.tables import date_formats as dates
from shoal.tables.date_formats import DateFormat, date_format

BLANKS = " \u00a0\u202f\u2009"
APOSTROPHES = "'\u2019"
DECIMALS = (".", ",")
THOUSANDS = {".": ".", ",": ",", " ": BLANKS, "'": APOSTROPHES}
"""Marks between thousands, and the signs that are taken for each."""
SYMBOLS = "$€£¥¢₹₽₺₩₪₫₴₦₱฿₡₲₵₸₮₼₾₿"
CODES = (
    "EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|TRY|RUB|UAH|INR|BRL|MXN|ARS|CLP|COP|PEN|CAD|AUD|NZD|"
    "ZAR|NGN|KES|EGP|ILS|SAR|AED|SGD|HKD|TWD|KRW|THB|IDR|MYR|PHP|VND|DM|DEM|FRF|ITL|ESP|ATS"
)
WORDS = r"kr\.?|zł|Kč|Ft|lei|Fr\.|R\$|US\$|Rs\.?"
UNITS = rf"[{SYMBOLS}]|(?:{CODES})\b|{WORDS}|%|‰"
"""Signs of money and shares that stand beside a number."""


@dataclass(frozen=True)
class Look:
    """How cells look beyond what is needed to read them."""

    mark: str = ""
    """The very sign between thousands."""
    least_grouped: int = 4
    """Digits from which on a number has that sign."""
    lakhs: bool = False
    """Whether only the last three digits are a group, and the others stand in pairs: 12,34,567."""
    lead: str = ""
    tail: str = ""
    """Signs of money and shares before and behind, with their blanks."""
    places: int = 0
    """Digits behind the decimal mark that every cell has."""
    months: tuple[str, ...] = ()
    """The names of the months, from January on."""
    halves: tuple[str, str] = ("AM", "PM")
    zone: str = ""
    """The distance from universal time that every cell tells, as it is written."""


@dataclass(frozen=True)
class Notation:
    """How a column is written: a date format, or the marks of numbers."""

    decimal: str = "."
    thousands: str = ""
    """None, or one of ``.``, ``,``, a blank and ``'``."""
    date_format: str = ""
    """Empty for numbers; and for dates in the form of ISO where nothing else was said."""
    look: Look = field(default=Look(), repr=False, compare=False)

    @property
    def form(self) -> DateFormat | None:
        """The date format, taken apart."""
        return date_format(self.date_format) if self.date_format else None

    @property
    def between(self) -> str:
        """What parts the two ends of a range: a comma, unless numbers or dates hold one."""
        return ";" if "," in (self.decimal, self.thousands) or "," in self.date_format else ","

    @property
    def words(self) -> str:
        """The notation for people."""
        if self.date_format:
            return f"dates {self.date_format}"
        marks = f"decimal mark {self.decimal!r}"
        return f"numbers, {marks}, thousands mark {self.thousands!r}" if self.thousands else f"numbers, {marks}"


PLAIN = Notation()


def check_marks(decimal: str | None, thousands: str | None, where: str) -> None:
    """Refuse marks of numbers that cannot be meant."""

    def refused(key: str, what: str, allowed: str, received: str | None) -> PlanError:
        todo = "give one of these, or leave it out to have it found"
        return PlanError(what, where=f"--{key} / {key} {where}", allowed=allowed, received=repr(received), todo=todo)

    if decimal not in (None, *DECIMALS):
        raise refused("decimal", "The decimal mark must be a point or a comma.", "'.' or ','", decimal)
    if thousands not in (None, "", *THOUSANDS):
        allowed = "'.', ',', ' ', \"'\", or nothing"
        raise refused("thousands", "There is no such mark between thousands.", allowed, thousands)
    if decimal is not None and decimal == thousands:
        allowed = "two different marks"
        raise refused("thousands", "Decimal mark and thousands mark cannot be the same.", allowed, thousands)


# -- writing -------------------------------------------------------------------------------------------------


def written_number(value: float, notation: Notation) -> str:
    """A number as the column writes numbers.

    >>> written_number(1234567.5, Notation(",", ".", look=Look(mark=".", tail=" €", places=2)))
    '1.234.567,50 €'
    """
    text = repr(value).removesuffix(".0")
    sign, text = ("-", text[1:]) if text.startswith("-") else ("", text)
    whole, _, fraction = text.partition(".")
    look = notation.look
    if "e" not in text:
        fraction = fraction.ljust(look.places, "0")
        whole = _grouped(whole, notation)
    shown = f"{whole}{notation.decimal}{fraction}" if fraction else whole
    return f"{sign}{look.lead}{shown}{look.tail}"


def _grouped(digits: str, notation: Notation) -> str:
    look = notation.look
    mark = look.mark or notation.thousands
    if not mark or len(digits) < look.least_grouped:
        return digits
    head, last = digits[:-3], digits[-3:]
    size = 2 if look.lakhs else 3
    first = len(head) % size
    groups = [head[:first]] * bool(first) + [head[at : at + size] for at in range(first, len(head), size)]
    return mark.join([*groups, last])


def written_date(moment: date, notation: Notation) -> str:
    """A day or moment (in universal time, if the format tells a zone) as the column writes them.

    >>> written_date(date(2020, 1, 31), Notation(date_format="d.m.yyyy"))
    '31.1.2020'
    """
    form = notation.form
    assert form is not None
    at = moment if isinstance(moment, datetime) else datetime(moment.year, moment.month, moment.day)
    at += zone_distance(notation.look.zone)
    return "".join(_part(piece, at, form, notation.look) for piece in form.pieces)


def _part(piece: dates.Piece, at: datetime, form: DateFormat, look: Look) -> str:
    what = piece.what
    if what == dates.BETWEEN:
        return piece.text
    if what == dates.YEAR:
        return f"{at.year % 100:02d}" if len(piece.text) == 2 else f"{at.year:04d}"
    if what == dates.WORD:
        return look.months[at.month - 1] if look.months else dates.SHORT_MONTHS["en"].split()[at.month - 1]
    if what == dates.FRACTION:
        return f"{at.microsecond:06d}".ljust(len(piece.text), "0")[: len(piece.text)]
    if what == dates.HALF:
        return look.halves[at.hour >= 12]
    if what == dates.ZONE:
        return look.zone or "Z"
    number: int = getattr(at, what)
    if what == dates.HOUR and dates.HALF in form.whats:
        number = (number - 1) % 12 + 1
    return f"{number:02d}" if form.padded(what) else str(number)


def zone_distance(zone: str) -> timedelta:
    """How far a zone is ahead of universal time, as it is written: ``Z``, ``+01:00``.

    >>> zone_distance("-0530")
    datetime.timedelta(days=-1, seconds=66600)
    """
    digits = re.sub(r"[^0-9]", "", zone)
    if not digits:
        return timedelta()
    ahead = timedelta(hours=int(digits[:2]), minutes=int(digits[2:4] or 0))
    return -ahead if zone.startswith("-") else ahead


def with_look(notation: Notation, look: Look) -> Notation:
    """The same notation, with the look of a column's cells."""
    return replace(notation, look=look)
