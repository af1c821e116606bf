# SPDX-License-Identifier: Apache-2.0
"""Text as numbers and dates by a notation, whole columns at once: whether it fits every cell, and what they are."""

from __future__ import annotations

import re
from functools import cache

import polars as pl

from shoal.tables import date_formats as dates
from shoal.tables.date_formats import DateFormat, date_format, month_words
from shoal.tables.notation import APOSTROPHES, BLANKS, THOUSANDS, UNITS, Notation

SIGNS = "+\u2212-"
EXPONENT = "(?:[eE][+-]?[0-9]+)?"
FORMER = r"^(?P<sign>[+\x{2212}-]?)[\s\x{a0}\x{202f}]*(?:" + UNITS + r")[\s\x{a0}\x{202f}]*"
LATTER = r"[\s\x{a0}\x{202f}]*(?:" + UNITS + r")$"
WHOLE = r"^[+-]?[0-9]{1,18}$"
_DIRECT = {
    dates.DAY: "%d", dates.MONTH: "%m", dates.YEAR: "%Y", dates.HOUR: "%H", dates.MINUTE: "%M", dates.SECOND: "%S",
}  # fmt: skip
"""Parts that the library reads by itself."""


@cache
def number_pattern(decimal: str, thousands: str, *, codes: bool = False) -> str:
    """What numbers of a notation look like; ``codes`` lets digits begin with a zero, as in ``007``."""
    plain = "[0-9]+" if codes else "0|[1-9][0-9]*"
    mark = f"[{re.escape(THOUSANDS.get(thousands, ''))}]"
    grouped = f"|[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+|[1-9][0-9]?(?:{mark}[0-9]{{2}})+{mark}[0-9]{{3}}"
    point = re.escape(decimal)
    digits = f"(?:(?:{plain}{grouped if thousands else ''})(?:{point}[0-9]*)?|{point}[0-9]+)"
    sign, blank = f"[{SIGNS}]?", f"[{BLANKS}]*"
    number = digits + EXPONENT
    return f"^{sign}(?:{blank}(?:{UNITS}){blank}{sign}{number}|{number}(?:{blank}(?:{UNITS}))?)$"


def fits(distinct: pl.Series, notation: Notation, *, codes: bool = False) -> bool:
    """Whether every cell is a number or a date of the notation."""
    if not len(distinct):
        return False
    if notation.date_format:
        return bool(as_moments(distinct, date_format(notation.date_format)).null_count() == 0)
    pattern = number_pattern(notation.decimal, notation.thousands, codes=codes)
    return bool(distinct.head(100).str.contains(pattern).all()) and bool(distinct.str.contains(pattern).all())


def as_numbers(text: pl.Series, notation: Notation) -> pl.Series:
    """Cells that fit a notation as whole numbers, if all are, else as real ones; null where one does not."""
    plain = text.str.strip_chars()
    if plain.str.contains(f"[^0-9+.,eE{BLANKS}{APOSTROPHES}-]").any():
        plain = plain.str.replace(FORMER, "$sign").str.replace(LATTER, "").str.replace("\u2212", "-", literal=True)
    if notation.thousands:
        plain = plain.str.replace_all(f"[{re.escape(THOUSANDS[notation.thousands])}]", "")
    if notation.decimal != ".":
        plain = plain.str.replace(notation.decimal, ".", literal=True)
    if plain.drop_nulls().str.contains(WHOLE).all():
        return plain.str.strip_prefix("+").cast(pl.Int64, strict=False)
    return plain.cast(pl.Float64, strict=False)


def as_moments(text: pl.Series, form: DateFormat) -> pl.Series:
    """Cells as days, or as moments (in universal time, if they tell their zone); null where one is none."""
    cells = text.str.strip_chars()
    matched = cells.str.contains(form.pattern)
    cells = cells.zip_with(matched.fill_null(False), pl.Series([None], dtype=pl.String))
    kind = pl.Datetime("us") if form.has_clock else pl.Date()
    if not form.two_digits and all(one.what in (*_DIRECT, dates.BETWEEN) for one in form.pieces):
        written = "".join(_DIRECT.get(one.what, one.text) for one in form.pieces)
        read = cells.str.strptime(kind, written, strict=False)
    else:
        read = _moments(cells.str.extract_groups(form.pattern).struct.unnest(), form).cast(kind)
    known = read.dt.year().is_between(1, 9999).fill_null(True)
    return read if known.all() else read.zip_with(known, pl.Series([None], dtype=kind))


def _moments(parts: pl.DataFrame, form: DateFormat) -> pl.Series:
    """Moments from the parts that a format tells."""
    year = pl.col(dates.YEAR).cast(pl.Int32)
    if form.two_digits:
        first = form.first_year or 0
        year = first + (year - first) % 100
    month = _month(parts) if dates.WORD in parts.columns else pl.col(dates.MONTH)
    day = pl.concat_str(
        [year.cast(pl.String).str.zfill(4), month.cast(pl.String), pl.col(dates.DAY)], separator="-"
    ).str.to_date("%Y-%m-%d", strict=False)
    made = parts.select(
        day.cast(pl.Datetime("us")).alias("at"), _clock(parts).alias("clock"), _ahead(parts).alias("ahead")
    )
    return made.select(pl.col("at") + pl.col("clock") - pl.col("ahead")).to_series()


def _month(parts: pl.DataFrame) -> pl.Expr:
    word = pl.col(dates.WORD).str.strip_suffix(".").str.to_lowercase()
    return word.replace_strict(month_words(), default=None, return_dtype=pl.Int32)


def _clock(parts: pl.DataFrame) -> pl.Expr:
    """The time of day; null where no clock shows it."""
    if dates.HOUR not in parts.columns:
        return pl.lit(0).cast(pl.Duration("us"))
    hour = pl.col(dates.HOUR).cast(pl.Int32)
    if dates.HALF in parts.columns:
        late = pl.col(dates.HALF).str.to_lowercase().str.starts_with("p")
        hour = pl.when(hour.is_between(1, 12)).then(hour % 12 + 12 * late.cast(pl.Int32))
    minute = pl.col(dates.MINUTE).cast(pl.Int32)
    second = pl.col(dates.SECOND).cast(pl.Int32) if dates.SECOND in parts.columns else pl.lit(0)
    parted = pl.lit(0)
    if dates.FRACTION in parts.columns:
        parted = pl.col(dates.FRACTION).str.pad_end(6, "0").str.slice(0, 6).cast(pl.Int64)
    sound = (hour < 24) & (minute < 60) & (second < 60)
    return pl.when(sound).then(
        pl.duration(hours=hour, minutes=minute, seconds=second, microseconds=parted, time_unit="us")
    )


def _ahead(parts: pl.DataFrame) -> pl.Expr:
    """How far the zone that a cell tells is ahead of universal time."""
    if dates.ZONE not in parts.columns:
        return pl.lit(0).cast(pl.Duration("us"))
    zone = pl.col(dates.ZONE)
    digits = zone.str.replace_all(r"[^0-9]", "").str.pad_end(4, "0")
    minutes = digits.str.slice(0, 2).cast(pl.Int64) * 60 + digits.str.slice(2, 2).cast(pl.Int64)
    signed = pl.when(zone.str.starts_with("-")).then(-minutes).otherwise(minutes)
    return pl.duration(minutes=signed, time_unit="us")
