# SPDX-License-Identifier: Apache-2.0
"""What cells look like: telephone numbers, names of persons, free text, diagnoses, bands of income, codes.

Shapes that point to one person are those of :mod:`shoal.ground.personal_shapes`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from shoal.ground.personal_shapes import EMAIL, PERSONS, REPEATING, SHAPES

MOST = 0.8
"""Share of a column's values from which on a shape is no accident."""
LOOKED_AT = 1000
"""Values that are looked at."""
FEW = 20

LONG_TEXT, MANY_WORDS = 25, 4
CHAPTERS = 4
"""Letters with which diagnoses begin; other codes of that form begin with one or two."""
ICD = re.compile(r"^[A-TV-Z]\d[0-9AB](?:\.?[0-9A-Z]{1,4})?(?:\s|$)")
BAND = re.compile(r"(?:[<>≤≥=]|\bto\b|\bbis\b|[-–+.]|\bunder\b|\bover\b|\babove\b|\bbelow\b|K\b)")
THOUSANDS = re.compile(r"\d{4,}|\d+[.,]\d{3}\b|\d+ ?[Kk]\b|[$€£¥]")
PEOPLE = re.compile(r"\b(?:inhab|einw|habit|abit|pers|people|employ|population|mieszk|inwon)", re.IGNORECASE)
YEARS = re.compile(r"\b(?:19|20)\d{2}\b")
CODE = re.compile(r"^(?=.*\d)[0-9A-Z][0-9A-Z .\-/]{1,11}$")
DIGITS = re.compile(r"^\d{3,12}$")
SCHOOL_CLASS = re.compile(r"\s*(?:[1-9]|1[0-3])(?P<parallel>\s?[-./]?\s?[A-Ha-h])?\s*")
ILL = re.compile(
    r"cancer|tumou?r|carcinom|krebs|diabet|infect|infekt|hepatit|asthm|hiv\b|aids\b|depress|schizo|epilep|stroke|"
    r"pneumon|influenza|\bflu\b|fracture|allerg|arthr|itis\b|osis\b|oma\b|emia\b|pathy\b|disease|syndrome|maladie|krankheit",
    re.IGNORECASE,
)
WORK = re.compile(
    r"manag|mgmt|clerical|office|craft|technici|technical|speciali?st|specialty|professional|prof_|operator|operat|cleaner|labou?rer|"
    r"farm|fishing|teacher|nurse|driver|engineer|sales|service|repair|maint|construction|transport|production|protective|"
    r"executive|admin|armed|military|housekeep",
    re.IGNORECASE,
)


def identifying_shape(texts: Sequence[str], repeats: float) -> str:
    """The personal things that most of these values look like, in words; empty if none."""
    looked = texts[:LOOKED_AT]
    if len(looked) < 2:
        return ""
    if sum(EMAIL.search(text) is not None for text in looked if "@" in text) >= MOST / 2 * len(looked):
        return "e-mail addresses"
    for what, fits in SHAPES.items():
        if _most(looked, fits) and (what not in REPEATING or _many_enough(what, texts, repeats)):
            return what
    return ""


def look_like_persons(texts: Sequence[str]) -> bool:
    """Whether most values are written as first and last names are."""
    return _most(texts[:LOOKED_AT], SHAPES[PERSONS])


def _many_enough(what: str, texts: Sequence[str], repeats: float) -> bool:
    """Whether values that may be harmless are too many for that: hardly any repeats, or many were put together."""
    if repeats < 2 and len(texts) >= FEW:
        return True
    if what != PERSONS:
        return len(texts) >= 2 * FEW
    pairs = [text.replace(",", "").split() for text in texts]
    first, last = {pair[0] for pair in pairs}, {pair[-1] for pair in pairs}
    return len(texts) >= 5 * FEW and FEW <= len(first) <= len(texts) / 2 and FEW <= len(last) <= len(texts) / 2


def free_text(texts: Sequence[str]) -> bool:
    """Whether these values are sentences."""
    looked = texts[:LOOKED_AT]
    if len(looked) < FEW:
        return False
    words = sum(len(text.split()) for text in looked) / len(looked)
    letters = sum(map(len, looked)) / len(looked)
    return letters >= LONG_TEXT and words >= MANY_WORDS and len(texts) >= 2 * FEW


def private_values(texts: Sequence[str]) -> str:
    """The private fact that these values seem to be, in words; empty if none."""
    looked = texts[:LOOKED_AT]
    chapters = {text[:1] for text in looked}
    if len(chapters) >= CHAPTERS and _most(looked, lambda text: ICD.match(text) is not None):
        return "codes of diagnoses"
    if len(looked) >= 4 and sum(ILL.search(text) is not None for text in looked) >= len(looked) / 3:
        return "illnesses"
    if 2 <= len(looked) <= 40 and _most(looked, _money_band):
        return "bands of money"
    if 5 <= len(looked) <= 200 and sum(WORK.search(text) is not None for text in looked) >= 0.6 * len(looked):
        return "occupations"
    return ""


def _money_band(text: str) -> bool:
    if PEOPLE.search(text):
        return False
    years = YEARS.findall(text)
    plain = YEARS.sub("", text) if years and len(years) == len(re.findall(r"\d+", text)) else text
    return THOUSANDS.search(plain) is not None and BAND.search(plain) is not None


def school_classes(texts: Sequence[str]) -> bool:
    """Whether values are classes of a school: a year and a letter, as in 5a or 10 B.

    >>> school_classes(["5a", "5b", "10 C", "11"]), school_classes(["1", "2", "3"]), school_classes(["good", "bad"])
    (True, False, False)
    """
    found = [match for text in texts if (match := SCHOOL_CLASS.fullmatch(text))]
    return len(found) >= MOST * len(texts) and 2 * sum(bool(match["parallel"]) for match in found) > len(found)


def code_like(texts: Sequence[str], *, known: bool) -> bool:
    """Whether values are codes that get coarser from the right; ``known`` if the name says so already.

    Digits alone must be of one length, or they are numbers; with letters the length may differ.
    """
    looked = texts[:LOOKED_AT]
    lengths = {len(text) for text in looked}
    if not looked or max(lengths) < 3 or not _most(looked, lambda text: CODE.match(text) is not None):
        return False
    if all(text.isdigit() for text in looked):
        return len(lengths) == 1
    beginnings = {text[:2] for text in looked}
    return known or (len(looked) >= FEW and len(beginnings) <= len(looked) / 2)


def _most(texts: Sequence[str], fits: Callable[[str], bool]) -> bool:
    return sum(map(fits, texts)) >= MOST * len(texts)
