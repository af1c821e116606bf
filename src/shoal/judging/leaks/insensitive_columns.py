# SPDX-License-Identifier: Apache-2.0
"""A forgotten quasi-identifier: a column that somebody could know and that singles out rows beside the others.

Insensitive columns, and those no plan knows, are published as they are and k does not count them. If a neighbour can
know one, whoever looks for a person needs the labels and this column, and often one row is left. A warning, with the
share of rows that no other row of their class equals in the column:

* from one row in twenty on, if the name says that people know it of each other (a birth date, a postcode, a sex, ...);
  sensitive columns too, if it is where somebody lives, or their sex, age or birth;
* else from two rows in five on: in a class of five, a harmless column of four values reaches a third;
* two such columns together, from two in three on.

What nobody knows of others is passed over: amounts and other measurements, which are real numbers or take more values
than a life has years, unless they are called coordinates. Codes of one length, as postcodes are, count as names. Below
these shares it is information what k is to somebody who knows all of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.ground.arrays import Ints
from shoal.judging.leak_search import INFORMATION, WARNING, Leak, LeakScene, quoted
from shoal.judging.leaks.identifying_names import words_of
from shoal.plan.roles import INSENSITIVE, NUMERIC, SENSITIVE
from shoal.tables.equivalence_classes import smallest_class
from shoal.tables.row_marks import code_width

NAMED, ANY, TWO = 0.05, 0.4, 0.66
YEARS_OF_A_LIFE = 120
"""Different whole numbers up to which they may be ages, years or counts that others know."""
CODES = (3, 9)
"""Fewest and most digits of a code such as a postcode."""
FEWEST_ROWS = 20
COMPARED = 100_000
"""Rows, in whole classes, of which it is counted how many are singled out."""
ADVICE = "make it a quasi-identifier too (--qi), leave it out, or name it by --sensitive if nobody else could know it"

PERSONAL = frozenset(
    "age ages yob dob birth born birthday birthdate birthyear birthplace sex gender zip zipcode postcode postal plz "
    "city town village county district municipality residence alter geburtsdatum geburtsjahr geschlecht "
    "postleitzahl ort wohnort naissance sexe codepostal nacimiento edad sexo codigopostal".split()
)
COORDINATES = frozenset(
    "latitude longitude lat lon lng coordinate coordinates geolocation gps easting northing breitengrad langengrad "
    "laengengrad latitud longitud latitudine longitudine".split()
)
"""Words for where a place is: real numbers that others can look up."""
"""Words for what is known of a person even where it is called sensitive."""
KNOWN = (
    PERSONAL
    | COORDINATES
    | frozenset(
        "state province region country marital married race ethnicity ethnic nationality citizenship citizen religion "
        "language education school degree employer company occupation profession job industry children household "
        "height eye hair vehicle car brand model familienstand nationalitat beruf relationship native".split()
    )
)


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns that single out rows, and the look-alikes that are left if insensitive columns are known."""
    if scene.classes is None or not len(scene.released):
        return
    yield from _warnings(scene, scene.classes)
    harmless = scene.having(INSENSITIVE)
    with_them = smallest_class(scene.released, scene.classes, harmless) if harmless else len(scene.released)
    if with_them < min(scene.plan.k, int(np.bincount(scene.classes).min())):
        known = quoted(harmless[:5]) + " and others" * (len(harmless) > 5)
        said = f"to somebody who knows {known} too, k is {with_them}"
        todo = "make those that can be known quasi-identifiers"
        yield Leak("insensitive_columns", INFORMATION, said, todo, tuple(harmless))


def _warnings(scene: LeakScene, alike: Ints) -> Iterator[Leak]:
    names = [name for name in scene.others if _can_be_known(scene, name)]
    rows = _whole_classes(alike)
    if len(rows) < FEWEST_ROWS:
        return
    shares = {name: _singled_out(scene, [name], rows) for name in names}
    told = [name for name in names if shares[name] >= (NAMED if words_of(name) & KNOWN else ANY)]
    for name in told:
        said = f"beside the quasi-identifiers, column {name!r} singles out {_percent(shares[name])} of the rows"
        yield Leak("insensitive_columns", WARNING, said, ADVICE, (name,))
    rest = sorted((name for name in names if name not in told), key=lambda name: -shares[name])
    pairs = {name: _singled_out(scene, [rest[0], name], rows) for name in rest[1:]}
    other = max(pairs, key=lambda name: pairs[name], default="")
    if other and pairs[other] >= TWO:
        both = quoted([rest[0], other])
        said = f"beside the quasi-identifiers, columns {both} together single out {_percent(pairs[other])} of the rows"
        yield Leak("insensitive_columns", WARNING, said, ADVICE, (rest[0], other))


def _can_be_known(scene: LeakScene, name: str) -> bool:
    """Whether others may know what a column says of a person: no measurements, and nothing that is called private."""
    words = words_of(name)
    if scene.role(name) == SENSITIVE and not words & (PERSONAL | COORDINATES):
        return False
    cells = scene.cells(name)
    if len(cells.texts) < 2:
        return False
    if words & COORDINATES or scene.released.natural_kind(name) != NUMERIC:
        return True
    width = code_width(scene.released, name)
    return width is not None and (len(cells.texts) <= YEARS_OF_A_LIFE or CODES[0] <= width <= CODES[1])


def _whole_classes(alike: Ints) -> Ints:
    """Rows of some classes, all of each."""
    step = max(1, len(alike) // COMPARED)
    return np.flatnonzero(alike % step == 0)


def _singled_out(scene: LeakScene, names: list[str], rows: Ints) -> float:
    """Share of some rows that no other row of their class equals in some columns."""
    assert scene.classes is not None
    alike = scene.classes[rows]
    for name in names:
        groups = scene.cells(name).groups[rows]
        alike = np.unique(alike * (int(groups.max()) + 1) + groups, return_inverse=True)[1].ravel()
    return float((np.bincount(alike) == 1).sum() / len(alike))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
