# SPDX-License-Identifier: Apache-2.0
"""How the numbers or dates of a column of text are written, found out from all of its cells.

A reading counts if it fits every cell. Where two do and give other values, nobody but the user can say which is meant
(``01/02/2024``, ``1.234``); where every cell looks like a number or a date and none does, the cells are mixed. Years of
two digits are asked about whatever fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import polars as pl

from shoal.tables import looks
from shoal.tables.date_formats import DAY, YEAR, date_format, full_months, month_words
from shoal.tables.notation import APOSTROPHES, BLANKS, DECIMALS, THOUSANDS, UNITS, Notation, with_look
from shoal.tables.parsing import SIGNS, as_moments, as_numbers, fits, number_pattern

PROBE = 64
"""Cells that are looked at before all are."""
NEARLY = 0.8
"""Share of cells from which on a column that looks like dates, and is none, is a mixture and no list of codes."""
SURE = 3
"""Different numbers such as 20240131 from which on nobody takes them for anything else than days."""
YEARS = (1800, 2199)
"""Years that numbers of eight digits are taken for."""
CENTURY = 1930
FEWEST, MOSTLY = 10, 0.9
"""Different cells from which on a column may hold numbers or dates but for a few of them, and the share of these."""

_ORDERS = (("yyyy", "mm", "dd"), ("dd", "mm", "yyyy"), ("mm", "dd", "yyyy"))
_TIME = (
    r"(?P<gap>[Tt]|,? )(?P<hour>[0-9]{1,2}):[0-9]{2}(?P<seconds>:[0-9]{2}(?P<fraction>[.,][0-9]{1,9})?)?"
    r"(?P<half> ?[AaPp]\.?[Mm]\.?)?(?P<zone> ?(?:[Zz]|[+-][0-9]{2}:?[0-9]{2}))?"
)
_FIGURES = re.compile(
    rf"(?P<a>[0-9]{{1,4}})(?P<sep>[-/.]|\. | )(?P<b>[0-9]{{1,2}})(?P=sep)(?P<c>[0-9]{{1,4}})(?:{_TIME})?"
)
_WORDED = re.compile(
    rf"(?:(?P<day>[0-9]{{1,2}})(?P<s1>\. | de |[-. /]|)(?P<word>[^\W\d_]+)(?P<s2>\.? de |\.?,? |[-./]|)"
    rf"(?P<year>[0-9]{{4}}|[0-9]{{2}})|(?P<word2>[^\W\d_]+)(?P<s3>\. |[-. ])(?P<day2>[0-9]{{1,2}})(?P<s4>, | |-|,)"
    rf"(?P<year2>[0-9]{{4}}))(?:{_TIME})?"
)
_COMPACT = {
    "yyyymmdd": "^[12][0-9]{7}$",
    "yyyymmddhhmmss": "^[12][0-9]{13}$",
    "yyyymmddThhmmss": "^[12][0-9]{7}[Tt][0-9]{6}$",
}
_LIKE_DATES = (
    r"^(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}(?:[-/.]|\. )[0-9]{1,2}(?:[-/.]|\. )(?:[0-9]{4}|[0-9]{2})|"
    r"[0-9]{1,2}\.?[ -][^\W\d_]{3,}\.?[ -][0-9]{2,4}|[^\W\d_]{3,}\.? [0-9]{1,2},? [0-9]{4})(?:[Tt ,]+[0-9]{1,2}:.*)?$"
)
_USUAL = [mark.join(order) for mark in "-./" for order in _ORDERS]
_USUAL += [f"{form.replace('yyyy', 'yy')} from {CENTURY}" for form in _USUAL]
_PLAIN = r"^[+-]?(?:0|[1-9][0-9]*)$"
_LIKE_NUMBERS = (
    rf"^[{SIGNS}]?[{BLANKS}]*(?:(?:{UNITS})[{BLANKS}]*)?[{SIGNS}]?(?:[1-9][0-9]{{0,2}}(?:[,.{APOSTROPHES}{BLANKS}][0-9]{{2,3}})+|"
    rf"[0-9]+|[0-9]*[.,][0-9]+)(?:[.,][0-9]+)?[{BLANKS}]*(?:{UNITS})?-?$|^\([0-9][0-9.,{APOSTROPHES}{BLANKS}]*\)$"
)


@dataclass(frozen=True)
class Told:
    """What somebody said about a column, or about all."""

    decimal: str | None = None
    thousands: str | None = None
    date_format: str | None = None
    kind: str | None = None

    @property
    def marks(self) -> bool:
        """Whether marks of numbers were given."""
        return self.decimal is not None or self.thousands is not None


@dataclass(frozen=True)
class Found:
    """What the cells of a column say about their notation; nothing at all if they are neither numbers nor dates."""

    notation: Notation | None = None
    choices: tuple[Notation | str, ...] = ()
    """Notations that fit all cells, of which somebody has to choose one; date formats of two-digit years as text."""
    mixed: str = ""
    """What all cells look like though no notation fits all, and why."""


NOTHING = Found()
UNTOLD = Told()


def found_in(distinct: pl.Series, told: Told = UNTOLD) -> Found:
    """The notation of a column, from its distinct cells and from what is told of it."""
    cells = distinct.str.strip_chars()
    probe = cells.head(PROBE)
    if not len(cells) or not probe.str.contains("[0-9]").all():
        return NOTHING
    if told.date_format is not None:
        given = Notation(date_format=date_format(told.date_format).text)
        if fits(cells, given):
            return Found(with_look(given, looks.of_dates(cells, given)))
    if not told.marks:
        dated = _dates(cells, told.kind)
        if dated != NOTHING:
            return dated
    return _numbers(cells, told)


# -- dates ---------------------------------------------------------------------------------------------------


def _dates(cells: pl.Series, kind: str | None) -> Found:
    compact = _compact(cells, kind) if kind != "numeric" else NOTHING
    if compact != NOTHING:
        return compact
    formats = list(_formats(str(cells[0])))
    fitting = [form for form in formats if fits(cells, Notation(date_format=form))]
    if fitting and "." in fitting[0]:  # with points the day comes first, unless it cannot
        fitting = [form for form in fitting if not form.startswith("mm")] or fitting
    if fitting and fitting[0].startswith("yyyy"):  # behind the year the month comes first, unless it cannot
        fitting = fitting[:1]
    if not fitting:
        return _mixed_dates(cells)
    if date_format(fitting[0]).two_digits:
        return Found(choices=tuple(fitting))
    if date_format(fitting[0]).whats[:2] == [YEAR, DAY]:  # so odd that nobody's word is taken for it unasked
        return Found(choices=(Notation(date_format=fitting[0]),))
    read = [as_moments(cells, date_format(form)) for form in fitting]
    if len(fitting) > 1 and not read[0].equals(read[1]):
        return Found(choices=tuple(Notation(date_format=form) for form in fitting))
    form = looks.unpadded(cells, fitting[0])
    zones = looks.zones(cells, form)
    if len(zones) > 1:
        return Found(mixed="dates of several distances from universal time")
    notation = Notation(date_format=form)
    return Found(with_look(notation, looks.of_dates(cells, notation)))


def _compact(cells: pl.Series, kind: str | None) -> Found:
    """Days written as one number."""
    for form, pattern in _COMPACT.items():
        if not cells.head(PROBE).str.contains(pattern).all() or not cells.str.contains(pattern).all():
            continue
        moments = as_moments(cells, date_format(form))
        if moments.null_count() or not moments.dt.year().is_between(*YEARS).all():
            return NOTHING
        notation = Notation(date_format=form)
        if len(cells) >= SURE or kind == "date" or "T" in form:
            return Found(notation)
        return Found(choices=(notation, Notation()))
    return NOTHING


def _formats(cell: str) -> Iterator[str]:
    """The formats in which one cell may be a date."""
    figures, worded = _FIGURES.fullmatch(cell), _WORDED.fullmatch(cell)
    if figures:
        yield from _of_figures(figures)
    elif worded and (worded["word"] or worded["word2"]).casefold() in month_words():
        yield _of_words(worded)


def _of_figures(found: re.Match[str]) -> Iterator[str]:
    sep, clock = found["sep"], _clock(found)
    ends = len(found["a"]), len(found["c"])
    if ends[0] == 4 and ends[1] <= 2:
        yield f"yyyy{sep}mm{sep}dd{clock}"
        yield f"yyyy{sep}dd{sep}mm{clock}"
    elif ends[0] <= 2 and ends[1] == 4:
        yield f"dd{sep}mm{sep}yyyy{clock}"
        yield f"mm{sep}dd{sep}yyyy{clock}"
    elif ends[0] <= 2 and ends[1] == 2:
        window = f"{clock} from {CENTURY}"
        yield f"dd{sep}mm{sep}yy{window}"
        yield f"mm{sep}dd{sep}yy{window}"
        yield f"yy{sep}mm{sep}dd{window}"


def _of_words(found: re.Match[str]) -> str:
    word = (found["word"] or found["word2"]).casefold()
    month = "mmmm" if len(word) > 3 and word in full_months() else "mmm"
    if found["word"]:
        year = "yyyy" if len(found["year"]) == 4 else "yy"
        behind = found["s2"].removeprefix(".") if found["s2"] != "." else "."
        form = f"dd{found['s1']}{month}{behind}{year}{_clock(found)}"
        return form if year == "yyyy" else f"{form} from {CENTURY}"
    return f"{month}{found['s3'].removeprefix('.') or '.'}dd{found['s4']}yyyy{_clock(found)}"


def _clock(found: re.Match[str]) -> str:
    if not found["hour"]:
        return ""
    fraction = found["fraction"] or ""
    seconds = ":ss" * bool(found["seconds"]) + (fraction[:1] + "f" * (len(fraction) - 1))
    half = found["half"] or ""
    zone = found["zone"] or ""
    tail = (" am" if half.startswith(" ") else "am") * bool(half) + (" z" if zone.startswith(" ") else "z") * bool(zone)
    return f"{found['gap'].upper()}hh:mm{seconds}{tail}"


def _mixed_dates(cells: pl.Series) -> Found:
    if not cells.head(PROBE).str.contains(_LIKE_DATES).any() or not cells.str.contains(_LIKE_DATES).all():
        return NOTHING
    days = cells.str.replace(r"[Tt ,]+[0-9]{1,2}:.*$", "")
    read = pl.DataFrame([as_moments(days, date_format(form)).alias(form) for form in _USUAL])
    share = float(read.select(pl.any_horizontal(pl.all().is_not_null()).mean()).item())
    worded = bool(cells.str.contains(r"[^\W\d_]{3,}").any())
    if share < NEARLY and not worded:
        return NOTHING
    return Found(mixed="dates written in several ways, or days that no calendar has")


# -- numbers -------------------------------------------------------------------------------------------------


def _numbers(cells: pl.Series, told: Told) -> Found:
    codes = told.kind == "numeric"
    if cells.head(PROBE).str.contains(_PLAIN).all() and cells.str.contains(_PLAIN).all():
        return Found(Notation(told.decimal or "."))
    fitting = [one for one in _readings(cells, told) if fits(cells, one, codes=codes)]
    if not fitting:
        like = cells.head(PROBE).str.contains(_LIKE_NUMBERS).all() and cells.str.contains(_LIKE_NUMBERS).all()
        return Found(mixed="numbers written in several ways") if like and _each_is_one(cells) else NOTHING
    if len(fitting) > 1 and not as_numbers(cells, fitting[0]).equals(as_numbers(cells, fitting[1])):
        return Found(choices=tuple(fitting))
    units = looks.units(cells)
    if len(units) > 1:
        return Found(mixed="numbers with several signs of money or shares, or with one in some cells only")
    return Found(with_look(fitting[0], looks.of_numbers(cells, fitting[0])))


def _readings(cells: pl.Series, told: Told) -> Iterator[Notation]:
    """What the marks in the cells may mean."""
    there = [mark for mark, signs in THOUSANDS.items() if cells.str.contains(f"[0-9][{re.escape(signs)}][0-9]").any()]
    there += [mark for mark in DECIMALS if mark not in there and cells.str.contains(mark, literal=True).any()]
    points = [mark for mark in DECIMALS if mark in there]
    others = [mark for mark in there if mark not in DECIMALS]
    for decimal, thousands in product(DECIMALS, ("", *THOUSANDS)):
        used = not thousands or thousands in there
        usual = decimal in there or decimal == (told.decimal or ("," if thousands == "." else "."))
        explained = set(points + others) <= {decimal, thousands}
        wanted = told.decimal in (None, decimal) and (
            told.thousands in (None, thousands) or (not thousands and told.thousands not in there)
        )
        if decimal != thousands and used and usual and explained and wanted:
            yield Notation(decimal, thousands)


def strays(distinct: pl.Series) -> list[str]:
    """The distinct cells that keep a column from being one of numbers or dates; none if they are many."""
    number = "|".join(number_pattern(one, other) for one, other in ((".", ","), (",", ".")))
    others = distinct.filter(~distinct.str.contains(f"{number}|{_LIKE_DATES}"))
    few = len(distinct) >= FEWEST and len(others) <= (1 - MOSTLY) * len(distinct)
    return sorted(others) if few else []


def _each_is_one(cells: pl.Series) -> bool:
    """Whether each cell is a number by itself, in whatever notation, or misses one by its groups or its minus alone."""
    ways = [number_pattern(one, other) for one, other in product(DECIMALS, THOUSANDS) if one != other]
    odd = (rf"^[1-9][0-9]{{0,2}}(?:[,{APOSTROPHES}][0-9]{{2,3}})+(?:\.[0-9]+)?$", r"^\(.*\)$", r"-$")
    return bool(cells.str.contains("|".join([*ways, *odd])).all())
