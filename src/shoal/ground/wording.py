# SPDX-License-Identifier: Apache-2.0
"""Numbers and names as people read them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

NEARLY_ONE = 1.00005
"""Ratios below this are 1, to within 0.005 %."""


def number(value: float) -> str:
    """Whole numbers with thousands, others to four digits; undefined ones say so.

    >>> number(12345.0), number(0.04217), number(math.nan)
    ('12,345', '0.04217', 'undefined')
    """
    if not math.isfinite(value):
        return "undefined"
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"


def times_at_most(ratio: float) -> str:
    """How many times a bound something is at most: rounded up, so that it stays true, but for what is nearly 1.

    >>> times_at_most(1.0), times_at_most(1.0801), times_at_most(1.08), times_at_most(1.00001)
    ('1.00', '1.09', '1.08', '1.00')
    """
    if ratio < NEARLY_ONE:
        return "1.00"
    return f"{math.ceil(100 * ratio - 1e-9) / 100:.2f}"


def whole(count: int) -> str:
    """A count with thousands marked."""
    return f"{count:,}"


def counted(many: int, one: str, others: str = "") -> str:
    """A number of things, in words that agree.

    >>> counted(1, "sheet"), counted(2000, "sheet"), counted(2, "row shows", "rows show")
    ('1 sheet', '2,000 sheets', '2 rows show')
    """
    return f"{many:,} {one if many == 1 else others or one + 's'}"


def compact(count: int) -> str:
    """A count that fits under a narrow column.

    >>> compact(999), compact(1200), compact(3_000_000)
    ('999', '1.2k', '3M')
    """
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            return f"{count / size:.1f}".removesuffix(".0") + letter
    return str(count)


def percent(share: float) -> str:
    """A share as a percentage.

    >>> percent(0.0423), percent(0.00004), percent(0.0)
    ('4.23 %', '< 0.01 %', '0 %')
    """
    if not math.isfinite(share):
        return "undefined"
    if 0 < share < 0.0001:
        return "< 0.01 %"
    return f"{100 * share:.2f}".rstrip("0").rstrip(".") + " %"


def share(part: float) -> str:
    """A share as a percentage to one digit, for figures that stand in columns.

    >>> share(0.4231), share(0.0004), share(0.0), share(1.0)
    ('42.3 %', '< 0.1 %', '0 %', '100 %')
    """
    if not math.isfinite(part):
        return "undefined"
    if 0 < part < 0.0005:
        return "< 0.1 %"
    return f"{100 * part:.1f}".removesuffix(".0") + " %"


def rough(part: float) -> str:
    """A share as a percentage of two digits.

    >>> rough(0.0123), rough(0.376)
    ('1.2 %', '38 %')
    """
    return f"{100 * part:.2g} %" if abs(part) < 1 else f"{100 * part:.0f} %"


def one_in(chance: float) -> str:
    """A chance in words.

    >>> one_in(0.1), one_in(0.0823)
    ('1 in 10', '1 in 12.2')
    """
    return f"1 in {number(round(1 / chance, 1))}"


def seconds(value: float) -> str:
    """A time.

    >>> seconds(0.0123), seconds(4.2), seconds(130)
    ('0.012 s', '4.2 s', '130 s')
    """
    return f"{value:.2g} s" if value < 10 else f"{value:,.0f} s"


def phrase(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> phrase([]), phrase(["age", "sex", "zip"])
    ('no column', 'age, sex and zip')
    """
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part) or "no column"


def some(names: Sequence[str], most: int = 20) -> str:
    """The same of many: the first ones, and how many more there are.

    >>> some(["age", "sex", "zip"], 1)
    'age and 2 more'
    """
    return phrase([*names[:most], f"{len(names) - most:,} more"] if len(names) > most else names)


def columns_in_words(names: Sequence[str], most: int = 12) -> str:
    """Columns in a sentence.

    >>> columns_in_words(["age"]), columns_in_words(["age", "sex", "zip"], 1)
    ("column 'age'", "columns 'age' and 2 more")
    """
    return f"{'column' if len(names) == 1 else 'columns'} {some([repr(name) for name in names], most)}"


def columns_are(names: Sequence[str]) -> str:
    """The same as what a sentence is about.

    >>> columns_are(["age"]), columns_are(["age", "sex"])
    ("column 'age' is", "columns 'age' and 'sex' are")
    """
    return f"{columns_in_words(names)} {'is' if len(names) == 1 else 'are'}"


def sentence(text: str) -> str:
    """Words as a sentence: a capital first, a stop last; letters that stand for numbers stay small.

    >>> sentence("a row"), sentence("k = 10 holds.")
    ('A row.', 'k = 10 holds.')
    """
    first = text[:1] if re.match(r"[klt][ -]", text) else text[:1].upper()
    return f"{first}{text[1:].rstrip('.')}." if text else ""


def visible(label: str) -> str:
    """A label, or what it is where nothing of it can be seen.

    >>> visible("flu"), visible(""), visible("  ")
    ('flu', '(empty text)', '(only blanks)')
    """
    return label if label.strip() else "(only blanks)" if label else "(empty text)"


def shortened(name: str, limit: int) -> str:
    """A name that fits; the whole one stands somewhere near.

    >>> shortened("postcode", 8), shortened("postcodes", 8)
    ('postcode', 'postcod…')
    """
    return name if len(name) <= limit else name[: limit - 1] + "…"
