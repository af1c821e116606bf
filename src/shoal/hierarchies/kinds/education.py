# SPDX-License-Identifier: Apache-2.0
"""Education by the levels of ISCED: from no schooling to a doctorate, in three groups.

Knows usual words for degrees and schools in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish,
and ISCED's own numbers 0 to 8: ``HS-grad`` and ``Abitur`` become ``ISCED 3 Upper secondary education``, ``ISCED 3-4
medium``. A word that means different schools in two languages is read in the language of most of the others. Other
values hang under the root.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds._classified import Groups, Parameters, build_classified, lines, plain
from shoal.hierarchies.values import Values

__all__ = ["Parameters", "build", "groups_of", "levels_of"]

BROAD = (*["ISCED 0-2 low"] * 3, *["ISCED 3-4 medium"] * 2, *["ISCED 5-8 high"] * 4)
"""As statistical offices report."""
ISCED = re.compile(r"(?:es )?isced(?: level| 97| 2011)? ?([0-8])\b")
GRADE = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b|\bgrades? (\d{1,2})\b|\b(\d{1,2})(?= grade)")
SIGNS = (
    (r"\bph ?d\b|doctor|doktor|doutor|dottor|promo(?:viert|tion)", 8),
    (r"\bmaster|\bmagist|\bmba\b|postgrad|\bdiplom\b|maitrise|mestrado|graduate (?:degree|school)", 7),
    (r"\bprof(?:essional)? (?:school|degree)", 7),
    (r"some college|no degree|some univers|attended (?:college|univers)|college 1|vocational college", 4),
    (r"bachel|licenci|undergrad|univers|college (?:grad|degree|4)|graduated (?:from )?college", 6),
    (r"hochschulabschluss|\blaurea|higher tertiary", 6),
    (r"associat|\bbts\b|\bdut\b|short cycle|junior college|community college|meister|techniker", 5),
    (r"post ?secondary|policeal", 4),
    (r"(?:lower|some|incomplete|less than|below|lt|no|did not graduate) (?:\w+ )?(?:secondary|high ?school|hs)\b", 2),
    (r"no diploma|middle school|junior high|hauptschul|realschul|mittlere reife|gimnaz|licenza media|brevet", 2),
    (r"high ?school|\bhs\b|\bged\b|upper secondary|secondary|abitur|hochschulreife|baccal|bachiller|secundari", 3),
    (r"srednie|maturi", 3),
    (r"less than primary|no school|never attended|kindergarten|pre ?(?:primary|school)", 0),
    (r"ohne abschluss|sin estudios", 0),
    (r"primary|elementary|grundschul|primari|primaire|podstaw|basisonderwijs|lagere school", 1),
    (r"tertiary|higher education|superior", 6),
)
"""What to look for in words that no list has, in this order."""


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """Level and broad group of every degree.

    >>> build(Values.of(["HS-grad", "Bachelors", "9th", "Masters"]), Parameters()).rows()[2]
    ['Bachelors', "ISCED 6 Bachelor's or equivalent", 'ISCED 5-8 high', '*']
    """
    return build_classified(values, parameters, groups_of, "usual words for schools and degrees, or ISCED's 0 to 8")


def groups_of(said: Sequence[str]) -> list[Groups | None]:
    """Level and broad group of each degree; None where a text is none."""
    names = _names()
    return [None if level is None else (names[level], BROAD[level]) for level in levels_of(said)]


def levels_of(said: Sequence[str]) -> list[int | None]:
    """The level of ISCED of each degree, 0 to 8; None where a text is none.

    >>> levels_of(["Abitur", "Hauptschule", "Promotion", "blue"])
    [3, 2, 8, None]
    """
    texts = [plain(text.replace("<", "less than ")) for text in said]
    if texts and all(re.fullmatch(r"[0-8]", text) for text in texts):
        return [int(text) for text in texts]
    words = _words()
    common = Counter(language for text in texts for language in words.get(text, {})).most_common(1)
    language = common[0][0] if common else "en"
    return [_level(text, words.get(text, {}), language) for text in texts]


def _level(text: str, meanings: dict[str, int], language: str) -> int | None:
    if meanings:
        return meanings.get(language, next(iter(meanings.values())))
    if found := ISCED.match(text):
        return int(found[1])
    for sign, level in SIGNS:
        if re.search(sign, text):
            return level
    grades = [int("".join(found)) for found in GRADE.findall(text)]
    return _of_grade(grades[-1] - text.startswith("less than")) if grades else None


def _of_grade(last: int) -> int | None:
    """The level of one who left school after that grade."""
    return next((level for level, most in ((0, 0), (1, 6), (2, 11), (3, 12)) if last <= most), None)


@cache
def _names() -> list[str]:
    return [f"ISCED {level} {name}" for level, name, _ in lines("education")]


@cache
def _words() -> dict[str, dict[str, int]]:
    """Per word its level in each language that has it."""
    known: dict[str, dict[str, int]] = {}
    for level, _, words in lines("education"):
        language = "en"
        for word in words.split("|"):
            if found := re.match(r"([a-z]{2}): ", word):
                language = found[1]
            text = plain(word[4:] if found else word)
            known.setdefault(text, {}).setdefault(language, int(level))
    return known
