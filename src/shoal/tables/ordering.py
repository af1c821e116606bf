# SPDX-License-Identifier: Apache-2.0
"""The order of ordered values, decided once for everybody: as it is declared, else as the values themselves tell.

Values tell their order where each is a number or plainly says which numbers it stands for: ``7``, ``10-19``,
``<= 50K``, ``7 or more``, ``grade 3``, ``2: rarely``, ``2020-Q3``, ``08:30``. Whatever else is written, its letters are
not its order: such values are refused until somebody says how they stand.

A number is what is written with plain digits (``7``, ``-0.5``, ``1e5``). All else is a name and has no size: ``nan``,
``inf``, ``1_000``, numbers with blanks around them, digits of other scripts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from shoal.ground.errors import TableError, column_words, flag_column

NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

_AS_TEXT = (
    re.compile(r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?)?"),
    re.compile(r"[0-9]{4}[- ]?[QqTtWwSs][0-9]{1,2}"),
    re.compile(r"[0-9]{2}:[0-9]{2}(?::[0-9]{2})?"),
    re.compile(r"false|true", re.IGNORECASE),
)
"""Values that stand in the order of their signs if all are of one form and length: months, quarters, times of day."""
_CODE = re.compile(r"[(\[]?([0-9]{1,4})\s*(?:[.:)\]=]+|[-–]\s)\s*[^\W\d].*", re.DOTALL)
"""A number that numbers a name: ``1: never``, ``(2) rarely``."""

_FIGURE = r"[0-9]{1,3}(?:[,'\u2019\u00a0\u202f ][0-9]{3})+|[0-9]+(?:\.(?![0-9]{3}(?![0-9]))[0-9]+)?"
"""A number in a band; ``1.000`` is none, for it may be one or a thousand."""
_BELOW = (
    "<=|≤|<|less than|fewer than|under|below|up to|at most|unter|bis zu|bis|höchstens|weniger als|moins de|jusqu'à|"
    "menos de|hasta|até|meno di|fino a|minder dan|tot|onder|poniżej|mniej niż|do"
)
_ABOVE = (
    ">=|≥|>|more than|over|above|at least|from|über|mehr als|mindestens|ab|plus de|au moins|más de|mas de|desde|"
    "mais de|più di|oltre|almeno|da|meer dan|boven|vanaf|powyżej|więcej niż|od"
)
_AND_MORE = (
    r"\+|(?:or|and|und|oder|et|ou|y|o|e|en|of|i|lub)\s+"
    "(?:more|over|above|older|up|higher|mehr|älter|darüber|höher|plus|más|mas|mayor|mais|più|oltre|meer|ouder|hoger|"
    "więcej|starsi)|plus|et plus"
)
_BAND = re.compile(
    rf"(?P<before>[^\d<>≤≥=+-]*?)\s*(?:(?P<below>{_BELOW})|(?P<above>{_ABOVE}))?\s*(?P<sign>[$€£¥]?)\s*"
    rf"(?P<low>{_FIGURE})\s?(?P<many>[km]\b)?"
    rf"(?:\s*(?:-|–|—|\.\.|\bto\b|\bbis\b|\bà\b|\ba\b|\btot\b|\bdo\b)\s*[$€£¥]?\s*(?P<high>{_FIGURE})\s?(?P<more>[km]\b)?)?"
    rf"\s*(?P<open>{_AND_MORE})?\s*(?P<after>[^\d<>≤≥=+-]*?)\s*(?P<late>{_AND_MORE})?",
)
_NUMBERED = re.compile(
    r"(?P<before>[^\d<>≤≥=+-]*[^\W\d_])[\s._#:]*[0-9]+|[0-9]+(?:[.ºª]|st|nd|rd|th)\s*(?P<after>[^\W\d_].*)"
)
"""One of several things that are numbered: ``ward 3``, ``party12``, ``3. Bezirk``, ``4th floor``."""
_TIMES = {"k": 1e3, "m": 1e6}
Band = tuple[float, float]


def number_in(text: str) -> float | None:
    """The number that a text writes, or None if it is a name.

    >>> number_in("1e5"), number_in("nan"), number_in("1_000")
    (100000.0, None, None)
    """
    return float(text) if NUMBER.fullmatch(text) else None


def in_order(values: Collection[str], declared: Sequence[str] | None = None, name: str = "") -> list[str]:
    """Distinct values in the declared order, or in the one that they tell; refused where nothing says how they stand.

    ``name`` is the column, for messages, which count values and show none.

    >>> in_order(["10", "9", "9.0"]), in_order(["high", "low"], ["low", "mid", "high"])
    (['9', '9.0', '10'], ['low', 'high'])
    """
    present = set(values)
    if declared is not None:
        ordered = [value for value in declared if value in present]
        if len(ordered) < len(present):
            raise _outside(name, len(present) - len(ordered), len(declared))
        return ordered
    told = natural_order(present)
    if told is None:
        raise _without_order(name, len(present))
    return told


def natural_order(values: Collection[str]) -> list[str] | None:
    """The order that distinct values tell by themselves; None if they tell none.

    >>> natural_order(["20-29", "<10", "10-19", "90+"]), natural_order(["low", "high"])
    (['<10', '10-19', '20-29', '90+'], None)
    """
    given = sorted(set(values))
    if len(given) < 2:
        return given
    numbers = [number_in(value) for value in given]
    if None not in numbers:
        return [
            value for _, value in sorted(zip(numbers, given, strict=True), key=lambda pair: (pair[0] or 0.0, pair[1]))
        ]
    alike = len({len(value) for value in given}) == 1 or given[0].casefold() == "false"
    if alike and any(all(form.fullmatch(value) for value in given) for form in _AS_TEXT):
        return given
    return _by_code(given) or _by_band(given)


def numbered_things(values: Collection[str]) -> str:
    """The word beside the number of every value, where that is all they are; empty of numbers, bands and amounts.

    Whether the numbers of such things are an order hangs on what the things are.

    >>> numbered_things(["party3", "party12"]), numbered_things(["3. Ward", "4. ward"]), numbered_things(["3 rooms"])
    ('party', 'ward', '')
    """
    words = set()
    for value in values:
        found = _NUMBERED.fullmatch(value.strip().casefold())
        if found is None:
            return ""
        words.add((found["before"] or found["after"]).strip())
    return words.pop() if len(words) == 1 else ""


def _by_code(values: Sequence[str]) -> list[str] | None:
    """Names that are numbered, each with a number of its own."""
    found = [_CODE.fullmatch(value) for value in values]
    numbers = [int(one[1]) for one in found if one is not None]
    if len(numbers) < len(values) or len(set(numbers)) < len(values):
        return None
    return [value for _, value in sorted(zip(numbers, values, strict=True))]


def _by_band(values: Sequence[str]) -> list[str] | None:
    """Numbers and ranges of one unit that do not overlap."""
    bands: dict[str, Band] = {}
    units: set[tuple[str, ...]] = set()
    for value in values:
        found = _BAND.fullmatch(value.strip().casefold())
        band = _ends(found) if found is not None else None
        if found is None or band is None:
            return None
        bands[value] = band
        units.add((found["before"].strip(), found["sign"], found["after"].strip(" .,;:()")))
    ordered = sorted(values, key=lambda value: bands[value])
    apart = all(bands[one][1] <= bands[other][0] and bands[one] != bands[other] for one, other in pairwise(ordered))
    return ordered if apart and _one_unit(units) else None


def _ends(found: re.Match[str]) -> Band | None:
    """The first and the last number that a value stands for; None if it says two things."""
    low = _size(found["low"], found["many"] or found["more"])
    high = low if found["high"] is None else _size(found["high"], found["more"])
    onwards = found["above"] or found["open"] or found["late"]
    if high < low or (found["below"] and onwards) or (found["high"] and (found["below"] or onwards)):
        return None
    return (-math.inf if found["below"] else low), (math.inf if onwards else high)


def _size(figure: str, times: str | None) -> float:
    return float(re.sub(r"[^0-9.]", "", figure)) * _TIMES.get(times or "", 1.0)


def _one_unit(units: Collection[tuple[str, ...]]) -> bool:
    """Whether the words and signs beside all numbers are the same but for an ending: ``year`` and ``years``."""
    return all(_alike(sorted(set(words))) for words in zip(*units, strict=True))


def _alike(words: Sequence[str]) -> bool:
    shortest, longest = min(map(len, words)), max(map(len, words))
    same_stem = len({word[: max(shortest - 1, 2)] for word in words}) == 1
    plural = shortest > 2 or (shortest == 2 and {word[2:] for word in words} <= {"", "s"})
    return len(words) == 1 or (plural and longest - shortest <= 2 and same_stem)


def _outside(name: str, values: int, known: int) -> TableError:
    return TableError(
        "An ordered column holds values that are not in the order given for it.",
        where=f"{column_words(name)}, --order / [columns] order",
        allowed=f"the {known} values of the order, or missing cells",
        received=f"{values} other values",
        todo="add them to the order in their places, or mark them as missing with --na",
    )


def _without_order(name: str, values: int) -> TableError:
    return TableError(
        "An ordered column holds text, and nothing says in which order its values stand.",
        where=column_words(name),
        allowed="an order given for the column, an ordered type, or values that tell it: 7, 10-19, 90+, 1: never",
        received=f"{values} values whose letters are no order",
        todo=f'give the order, e.g. --order {flag_column(name)}="low<middle<high", or declare the column categorical',
    )
