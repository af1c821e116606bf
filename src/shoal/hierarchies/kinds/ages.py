# SPDX-License-Identifier: Apache-2.0
"""Ages in the bands that statistics are published in: five years, ten years, generations.

``37`` becomes ``[35, 39]``, ``[35, 44]``, ``[25, 44]``, ``[15, 64]``; everybody of 85 and more is one band, ``85+``.
Values that are bands themselves (``35-39``, ``25 to 34``, ``80+``, ``[30, 40)``) are put below those that hold them
whole; what fits into none hangs under the root. Without a tree ages are published as ranges, which lose less.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds._classified import Groups, Parameters, build_classified
from shoal.hierarchies.kinds._ranges import written_range
from shoal.hierarchies.values import Values

__all__ = ["Parameters", "build", "groups_of", "span_of"]

OLDEST = 130
STARTS = (
    tuple(range(0, 86, 5)),
    (0, 5, 15, 25, 35, 45, 55, 65, 75, 85),
    (0, 15, 25, 45, 65),
    (0, 15, 65),
)
"""First ages of the bands, per level."""
YEARS = r"(?: ?(?:years?|yrs?|jahre|ans|años|anos|anni|jaar|lat)\.?)?(?: old| of age| alt)?"
MORE = (
    r"(?: ?\+| ?plus|(?: and| or) (?:over|older|more|above)| und (?:älter|mehr)| et plus| y más| e più| of ouder"
    r"| i więcej)"
)
UNDER = r"(?:< ?|under |below |less than |younger than |unter |moins de |menos de |meno di |onder |poniżej )"
ABOVE = r"(?:> ?|over |older than |more than |above |über |plus de |más de |più di |ouder dan |powyżej )"
SINGLE = re.compile(rf"(?:age )?(\d{{1,3}})(?:\.0)?{YEARS}")
BAND = re.compile(rf"[\[(]?(?:ages? )?(\d{{1,3}})(?: ?[-–_] ?| to | bis | a | à |, ?)(\d{{1,3}})([\])]?){YEARS}")
UP_TO = re.compile(rf"(?:<= ?|≤ ?|up to |bis (?:zu )?|jusqu'à |hasta |fino a |tot )(\d{{1,3}}){YEARS}")
YOUNGER = re.compile(rf"{UNDER}(\d{{1,3}}){YEARS}")
OLDER = re.compile(rf"{ABOVE}(\d{{1,3}}){YEARS}")
FROM = re.compile(rf"(?:(?:>= ?|≥ ?|from |ab )(\d{{1,3}}){YEARS}|(?:age )?(\d{{1,3}}){YEARS}{MORE}{YEARS})")


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """The bands of every age.

    >>> build(Values.of(["37", "52"]), Parameters()).rows()[0]
    ['37', '[35, 39]', '[35, 44]', '[25, 44]', '[15, 64]', '*']
    """
    return build_classified(values, parameters, groups_of, "ages in whole years, or bands of them")


def groups_of(said: Sequence[str]) -> list[Groups | None]:
    """The bands that hold each age or band whole; None where a text is neither."""
    spans = [span_of(text) for text in said]
    return [None if span is None else _bands(*span) for span in spans]


def span_of(text: str) -> tuple[int, int] | None:
    """First and last age that a text tells; None if it tells none.

    >>> span_of("37"), span_of("25 to 34"), span_of("[30-40)"), span_of("80+"), span_of("under 5"), span_of("red")
    ((37, 37), (25, 34), (30, 39), (80, 130), (0, 4), None)
    """
    lower = text.strip().casefold()
    span = None
    if found := SINGLE.fullmatch(lower):
        span = int(found[1]), int(found[1])
    elif found := BAND.fullmatch(lower):
        span = int(found[1]), int(found[2]) - (found[3] == ")")
    elif found := UP_TO.fullmatch(lower):
        span = 0, int(found[1])
    elif found := YOUNGER.fullmatch(lower):
        span = 0, int(found[1]) - 1
    elif found := OLDER.fullmatch(lower):
        span = int(found[1]) + 1, OLDEST
    elif found := FROM.fullmatch(lower):
        span = int(found[1] or found[2]), OLDEST
    return span if span is not None and span[0] <= span[1] <= OLDEST else None


def _bands(first: int, last: int) -> Groups:
    """Labels of the bands that hold a span whole, from narrow to wide; equal ones once, and none that is the span."""
    labels: dict[str, None] = {}
    for starts in STARTS:
        at = bisect_right(starts, first) - 1
        end = starts[at + 1] - 1 if at + 1 < len(starts) else OLDEST
        if last <= end and (starts[at], end) != (first, last):
            labels[f"{starts[at]}+" if end == OLDEST else written_range(starts[at], end)] = None
    return tuple(labels)
