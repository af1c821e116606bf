# SPDX-License-Identifier: Apache-2.0
"""How the cells of a column look beyond what is needed to read them, so that new cells can be written alike."""

from __future__ import annotations

import re
from collections import Counter

import polars as pl

from shoal.tables import date_formats as dates
from shoal.tables.date_formats import MONTHS, SHORT_MONTHS, DateFormat, date_format
from shoal.tables.notation import BLANKS, THOUSANDS, UNITS, Look, Notation
from shoal.tables.parsing import SIGNS

LEAD = rf"^[{SIGNS}]?((?:{UNITS})[{BLANKS}]*)"
TAIL = rf"([{BLANKS}]*(?:{UNITS}))$"
MARKED = f"[^0-9.,'\u2019eE{BLANKS}{SIGNS}]"


def units(cells: pl.Series) -> set[str]:
    """The different signs of money and shares; nothing is one of them where some cells have none."""
    if not cells.str.contains(MARKED).any():
        return {""}
    found = pl.DataFrame([cells.str.extract(LEAD).alias("lead"), cells.str.extract(TAIL).alias("tail")])
    both = found.select(pl.concat_str([pl.col("lead").fill_null(""), pl.col("tail").fill_null("")])).to_series()
    return set(both.str.replace_all(f"[{BLANKS}]", "").unique())


def of_numbers(cells: pl.Series, notation: Notation) -> Look:
    """The look of cells that are numbers of a notation."""
    signs = THOUSANDS.get(notation.thousands, "")
    marks = cells.str.extract(f"[0-9]([{re.escape(signs)}])[0-9]{{2,3}}") if signs else None
    marked = bool(cells.str.contains(MARKED).any())
    bare = cells.str.replace_all(f"[^0-9{re.escape(signs + notation.decimal)}]", "") if marked or signs else cells
    return Look(
        mark=notation.thousands if marks is None else _commonest(marks),
        least_grouped=5
        if signs and bool(bare.str.contains(rf"^[0-9]{{4}}(?:{re.escape(notation.decimal)}|$)").any())
        else 4,
        lakhs=bool(signs)
        and bool(cells.str.contains(f"[0-9][{re.escape(signs)}][0-9]{{2}}[{re.escape(signs)}]").any()),
        lead=_commonest(cells.str.extract(LEAD)) if marked else "",
        tail=_commonest(cells.str.extract(TAIL)) if marked else "",
        places=_places(bare, notation.decimal),
    )


def _commonest(found: pl.Series) -> str:
    counts = Counter(found.drop_nulls().to_list())
    return min(counts, key=lambda text: (-counts[text], text), default="")


def _places(bare: pl.Series, decimal: str) -> int:
    """Digits behind the decimal mark, if all cells have the same number of them."""
    bare = bare.str.strip_chars()  # a blank between thousands stands before a sign of money, too
    first = str(bare[0]).partition(decimal)[2]
    if not first.isdigit():
        return 0
    same = f"{re.escape(decimal)}[0-9]{{{len(first)}}}$"
    return len(first) if bare.head(64).str.contains(same).all() and bare.str.contains(same).all() else 0


# -- dates ---------------------------------------------------------------------------------------------------


def unpadded(cells: pl.Series, form: str) -> str:
    """A format without the zeros in front of small numbers, where cells have single digits and no such zeros."""
    made = date_format(form)
    pieces = []
    for piece in made.pieces:
        both = "<" + piece.what + ">[0-9]{1,2}"
        one, zero = (made.pattern.replace(both, both[:-10] + signs) for signs in ("[0-9]", "0[0-9]"))
        short = piece.what in (dates.DAY, dates.MONTH, dates.HOUR) and one != made.pattern
        single = short and bool(cells.str.contains(one).any()) and not cells.str.contains(zero).any()
        pieces.append(dates.Piece(piece.what, piece.text[:1]) if single else piece)
    return DateFormat(tuple(pieces), made.first_year).text


def zones(cells: pl.Series, form: str) -> list[str]:
    """The different distances from universal time that cells tell."""
    made = date_format(form)
    if dates.ZONE not in made.whats:
        return []
    parts = cells.str.strip_chars().str.extract_groups(made.pattern).struct.field(dates.ZONE)
    return sorted(parts.drop_nulls().unique().to_list())


def of_dates(cells: pl.Series, notation: Notation) -> Look:
    """The look of cells that are dates of a notation."""
    made = date_format(notation.date_format)
    if not {dates.WORD, dates.HALF, dates.ZONE} & set(made.whats):
        return Look()
    parts = cells.str.strip_chars().str.extract_groups(made.pattern).struct.unnest()
    shown = {name: sorted(parts[name].drop_nulls().unique().to_list()) for name in parts.columns}
    half = shown.get(dates.HALF, ["AM"])[0]
    late = re.sub("[Aa]", lambda found: "P" if found[0] == "A" else "p", half)
    early = re.sub("[Pp]", lambda found: "A" if found[0] == "P" else "a", half)
    zone = shown.get(dates.ZONE, [""])
    return Look(months=_months(shown.get(dates.WORD, [])), halves=(early, late), zone=zone[0] if zone else "")


def _months(words: list[str]) -> tuple[str, ...]:
    """The twelve names of the language and length that words are of, in their letters and with their dots."""
    plain = {word.removesuffix(".").casefold() for word in words}
    tables = [names.split() for names in (*MONTHS.values(), *SHORT_MONTHS.values())]
    fitting = [names for names in tables if plain <= {name.casefold() for name in names}]
    if not words or not fitting:
        return ()
    small, large = all(word == word.lower() for word in words), all(word == word.upper() for word in words)
    cased = [name.lower() if small else name.upper() if large else name.capitalize() for name in fitting[0]]
    dotted = any(word.endswith(".") for word in words)
    known = {word.removesuffix(".").casefold(): word for word in words}
    return tuple(known.get(name.casefold(), name + "." * dotted) for name in cased)
