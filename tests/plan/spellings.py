# SPDX-License-Identifier: Apache-2.0
"""Columns of numbers and dates as people write them, and what each has to be taken for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

Value = float | datetime


@dataclass(frozen=True)
class Spelling:
    """A column as somebody wrote it: what its cells mean, or what has to be asked first."""

    cells: Sequence[str]
    means: Sequence[Value] = ()
    """The values, once everything is clear; none where the column is refused or stays text."""
    asked: str = ""
    """A part of the question that has to be answered before anything is read."""
    answer: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Keywords that answer it."""
    refused: str = ""
    """A part of what is said of a column that is neither read nor asked about."""


def numbers(cells: Sequence[str], means: Sequence[float]) -> Spelling:
    """Cells that are read as numbers."""
    return Spelling(cells, [float(one) for one in means])


def dates(cells: Sequence[str], means: Sequence[str]) -> Spelling:
    """Cells that are read as days or moments."""
    return Spelling(cells, [datetime.fromisoformat(one) for one in means])


def asked(told: Spelling, question: str, **answer: str) -> Spelling:
    """Cells that are asked about, and what they mean after the answer."""
    return Spelling(told.cells, told.means, question, {name: {"x": said} for name, said in answer.items()})


def refused(*cells: str, because: str) -> Spelling:
    """Cells that are refused."""
    return Spelling(cells, refused=because)


def text(*cells: str) -> Spelling:
    """Cells that stay the text they are."""
    return Spelling(cells)


WHOLE = {
    "whole": numbers(["17", "203", "4", "0"], [17, 203, 4, 0]),
    "signed": numbers(["-17", "+203", "4"], [-17, 203, 4]),
}
"""Files that know types hold such cells as numbers; where they are text there, they are taken for names."""

NUMBERS = {
    "points": numbers(["1.5", "20.25", "3"], [1.5, 20.25, 3]),
    "no zero before the point": numbers([".5", "1.25", "-.75"], [0.5, 1.25, -0.75]),
    "nothing behind the point": numbers(["5.", "12.5", "7."], [5, 12.5, 7]),
    "exponents": numbers(["1.5e3", "2E-2", "3e0"], [1500, 0.02, 3]),
    "commas": numbers(["1,5", "20,25", "3,0"], [1.5, 20.25, 3]),
    "commas, signed": numbers(["-1,5", "+20,25", "0,75"], [-1.5, 20.25, 0.75]),
    "points between thousands": numbers(["1.234.567", "12.500", "999"], [1234567, 12500, 999]),
    "points between thousands, commas": numbers(["1.234,56", "12,5", "100.000,00"], [1234.56, 12.5, 100000]),
    "commas between thousands": numbers(["1,234,567", "12,500", "999"], [1234567, 12500, 999]),
    "commas between thousands, points": numbers(["1,234.56", "12.5", "100,000.00"], [1234.56, 12.5, 100000]),
    "blanks between thousands": numbers(["1 234 567", "12 500", "999"], [1234567, 12500, 999]),
    "blanks between thousands, commas": numbers(["1 234,56", "12,5", "100 000,00"], [1234.56, 12.5, 100000]),
    "hard blanks between thousands": numbers(["1\u00a0234,5", "12\u00a0500,5"], [1234.5, 12500.5]),
    "narrow blanks between thousands": numbers(["1\u202f234,5", "12\u202f500,5"], [1234.5, 12500.5]),
    "apostrophes between thousands": numbers(["1'234.50", "12'500.00", "7.25"], [1234.5, 12500, 7.25]),
    "curled apostrophes": numbers(["1’234.50", "12’500.00", "7.25"], [1234.5, 12500, 7.25]),
    "lakhs": numbers(["12,34,567", "1,00,000", "999"], [1234567, 100000, 999]),
    "euros behind": numbers(["1.234,50 €", "99,00 €", "5,25 €"], [1234.5, 99, 5.25]),
    "dollars before": numbers(["$1,234.50", "$99.00", "$5.25"], [1234.5, 99, 5.25]),
    "minus before dollars": numbers(["-$1,234.50", "$99.00", "$5.25"], [-1234.5, 99, 5.25]),
    "codes of money before": numbers(["CHF 1'234.50", "CHF 99.00"], [1234.5, 99]),
    "codes of money behind": numbers(["1 234,50 EUR", "99,00 EUR"], [1234.5, 99]),
    "crowns": numbers(["1 234,50 kr", "99,00 kr"], [1234.5, 99]),
    "percent": numbers(["12 %", "7.5 %", "100 %"], [12, 7.5, 100]),
    "percent, no blank": numbers(["12%", "7%", "100%"], [12, 7, 100]),
    "a true minus": numbers(["\u22121.5", "2.5", "\u22120.25"], [-1.5, 2.5, -0.25]),
    "blanks around": numbers([" 1.5", "2.5 ", " 3.25 "], [1.5, 2.5, 3.25]),
    "points, all of three digits": asked(
        numbers(["1.234", "12.500", "100.000"], [1234, 12500, 100000]), "--thousands x=.", thousands="."
    ),
    "points, all of three digits, decimals": asked(
        numbers(["1.234", "12.500", "100.000"], [1.234, 12.5, 100]), "--decimal x=.", decimal="."
    ),
    "commas, all of three digits": asked(
        numbers(["1,234", "12,500", "100,000"], [1234, 12500, 100000]), "--thousands x=,", thousands=","
    ),
    "commas, all of three digits, decimals": asked(
        numbers(["1,234", "12,500", "100,000"], [1.234, 12.5, 100]), "--decimal x=,", decimal=","
    ),
    "money, all of three digits": asked(
        numbers(["1.234 €", "12.500 €"], [1234, 12500]), "--thousands x=.", thousands="."
    ),
    "two currencies": refused("5,00 €", "$6.00", "7,00 €", because="several"),
    "one cell without currency": refused("5,00 €", "6,00", "7,00 €", because="several"),
    "both notations": refused("1.234,56", "1,234.56", "12,5", because="written in several ways"),
    "minus behind": refused("5.00-", "7.50", "1.25", because="written in several ways"),
    "brackets for minus": refused("(5.00)", "7.50", "1.25", because="written in several ways"),
    "points and commas for decimals": refused("1,5", "2.5", "3,25", because="written in several ways"),
    "more digits than can be told apart": refused("12345678901234567.5", "1.5", "2.5", because="larger ones"),
}

DATES = {
    "iso": dates(["2024-01-31", "1999-12-01"], ["2024-01-31", "1999-12-01"]),
    "year first, slashes": dates(["2024/01/31", "1999/12/01"], ["2024-01-31", "1999-12-01"]),
    "year first, points": dates(["2024.01.31", "1999.12.01"], ["2024-01-31", "1999-12-01"]),
    "year first, no zeros": dates(["2024-1-31", "1999-12-1"], ["2024-01-31", "1999-12-01"]),
    "day first, points": dates(["31.01.2024", "01.12.1999"], ["2024-01-31", "1999-12-01"]),
    "points, no zeros": dates(["31.1.2024", "1.12.1999"], ["2024-01-31", "1999-12-01"]),
    "points, both fit": dates(["01.02.2024", "03.04.1999"], ["2024-02-01", "1999-04-03"]),
    "points and blanks": dates(["31. 1. 2024", "1. 12. 1999"], ["2024-01-31", "1999-12-01"]),
    "slashes, day first": dates(["31/01/2024", "01/12/1999"], ["2024-01-31", "1999-12-01"]),
    "slashes, month first": dates(["01/31/2024", "12/01/1999"], ["2024-01-31", "1999-12-01"]),
    "dashes, day first": dates(["31-01-2024", "01-12-1999"], ["2024-01-31", "1999-12-01"]),
    "slashes, both fit, day first": asked(
        dates(["01/02/2024", "03/04/1999"], ["2024-02-01", "1999-04-03"]), "dd/mm/yyyy", date_format="dd/mm/yyyy"
    ),
    "slashes, both fit, month first": asked(
        dates(["01/02/2024", "03/04/1999"], ["2024-01-02", "1999-03-04"]), "mm/dd/yyyy", date_format="mm/dd/yyyy"
    ),
    "dashes, both fit": asked(
        dates(["01-02-2024", "03-04-1999"], ["2024-02-01", "1999-04-03"]), "dd-mm-yyyy", date_format="dd-mm-yyyy"
    ),
    "one number": dates(
        ["20240131", "19991201", "20000229", "20240131"], ["2024-01-31", "1999-12-01", "2000-02-29", "2024-01-31"]
    ),
    "one number, few": asked(
        dates(["20240131", "19991201"], ["2024-01-31", "1999-12-01"]), "yyyymmdd", date_format="yyyymmdd"
    ),
    "two digits, points": asked(
        dates(["31.01.24", "01.12.99"], ["2024-01-31", "1999-12-01"]), "from 1930", date_format="dd.mm.yy from 1930"
    ),
    "two digits, another hundred years": asked(
        dates(["31.01.24", "01.12.99"], ["1924-01-31", "1899-12-01"]), "from 1930", date_format="dd.mm.yy from 1850"
    ),
    "two digits, slashes": asked(
        dates(["01/31/24", "12/01/99"], ["2024-01-31", "1999-12-01"]), "from 1930", date_format="mm/dd/yy from 1930"
    ),
    "two digits, words": asked(
        dates(["31-JAN-24", "01-DEC-99"], ["2024-01-31", "1999-12-01"]), "from 1930", date_format="dd-mmm-yy from 1930"
    ),
    "words": dates(["31 January 2024", "1 December 1999"], ["2024-01-31", "1999-12-01"]),
    "words, short": dates(["31 Jan 2024", "01 Dec 1999"], ["2024-01-31", "1999-12-01"]),
    "words, american": dates(["January 31, 2024", "December 1, 1999"], ["2024-01-31", "1999-12-01"]),
    "words, short, american": dates(["Jan 31, 2024", "Dec. 1, 1999"], ["2024-01-31", "1999-12-01"]),
    "words, german": dates(["31. Januar 2024", "1. März 1999"], ["2024-01-31", "1999-03-01"]),
    "words, french": dates(["31 janvier 2024", "1 août 1999"], ["2024-01-31", "1999-08-01"]),
    "words, spanish": dates(["31 de enero de 2024", "1 de agosto de 1999"], ["2024-01-31", "1999-08-01"]),
    "words, as statistics packages write": dates(["31JAN2024", "01DEC1999"], ["2024-01-31", "1999-12-01"]),
    "words, dashes": dates(["31-Jan-2024", "01-Dec-1999"], ["2024-01-31", "1999-12-01"]),
    "moments": dates(["2024-01-31 14:30:05", "1999-12-01 00:00:00"], ["2024-01-31T14:30:05", "1999-12-01"]),
    "moments, T": dates(["2024-01-31T14:30:05", "1999-12-01T00:00:00"], ["2024-01-31T14:30:05", "1999-12-01"]),
    "moments, no seconds": dates(["2024-01-31 14:30", "1999-12-01 00:00"], ["2024-01-31T14:30", "1999-12-01"]),
    "moments, fractions": dates(
        ["2024-01-31 14:30:05.250", "1999-12-01 00:00:00.000"], ["2024-01-31T14:30:05.250", "1999-12-01"]
    ),
    "moments, universal": dates(["2024-01-31T14:30:00Z", "1999-12-01T00:00:00Z"], ["2024-01-31T14:30", "1999-12-01"]),
    "moments, a zone": dates(
        ["2024-01-31T14:30:00+02:00", "1999-12-01T00:00:00+02:00"], ["2024-01-31T12:30", "1999-11-30T22:00"]
    ),
    "moments, points": dates(["31.01.2024 14:30", "01.12.1999 07:05"], ["2024-01-31T14:30", "1999-12-01T07:05"]),
    "moments, halves of days": dates(
        ["1/31/2024 2:30 PM", "12/1/1999 12:05 AM"], ["2024-01-31T14:30", "1999-12-01T00:05"]
    ),
    "moments, one number": dates(
        ["20240131143005", "19991201000000", "20000229120000"],
        ["2024-01-31T14:30:05", "1999-12-01", "2000-02-29T12:00"],
    ),
    "moments, halves of days, both fit": asked(
        dates(["1/2/2024 2:30 PM", "3/4/1999 12:05 AM"], ["2024-01-02T14:30", "1999-03-04T00:05"]),
        "mm/dd/yyyy hh:mm am",
        date_format="m/d/yyyy h:mm am",
    ),
    "day behind the year": asked(
        dates(["2024-31-01", "1999-01-12"], ["2024-01-31", "1999-12-01"]), "yyyy-dd-mm", date_format="yyyy-dd-mm"
    ),
    "two digits, year first": asked(
        dates(["24-01-31", "99-12-13"], ["2024-01-31", "1999-12-13"]), "from 1930", date_format="yy-mm-dd from 1930"
    ),
    "several zones": refused("2024-01-31T14:30:00+02:00", "1999-12-01T00:00:00+01:00", because="several distances"),
    "two orders": refused("2024-01-31", "31.12.2024", "2023-05-05", because="dates written in several ways"),
    "no such day": refused("30.02.2024", "31.12.2024", "01.05.2023", "07.08.2022", "09.10.2021", because="no calendar"),
    "zeros for no date": refused(
        "0000-00-00", "2024-01-31", "1999-12-01", "2001-01-01", "2002-02-02", because="no calendar"
    ),
    "two and four digits": refused("01.02.24", "01.02.2024", "07.08.1999", because="dates written in several"),
    "days and moments": refused("2024-01-31", "2024-02-01 10:00", "2023-05-05", because="dates written in several"),
}

TEXT = {
    "codes with zeros in front": text("00123", "00456", "01000"),
    "years and quarters": text("2024-Q1", "2023-Q4", "2022-Q2"),
    "versions": text("1.2.3", "10.0.1", "2.45.6"),
    "telephones": text("030 123456", "0170 9876543", "089 5551234"),
    "bands": text("10-19", "20-29", "30+"),
    "times of day": text("14:30", "07:05", "23:59"),
    "groups that nobody writes": text("1,2345.5", "12,34.5", "1,234.5"),
    "weeks": text("2024-W05", "2023-W51", "1999-W26"),
    "fractions": text("1/2", "3/4", "5/8"),
    "thousands as letters": text("1.5k", "20k", "3M"),
    "digits of other scripts": text("١٢٣", "٤٥٦", "٧٨٩"),
    "months": text("2024-01", "2023-12", "1999-07"),
}

ALL = NUMBERS | DATES | TEXT
