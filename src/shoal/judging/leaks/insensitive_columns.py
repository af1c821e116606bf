# SPDX-License-Identifier: Apache-2.0
"""A forgotten quasi-identifier: a column that somebody could know and that singles out rows beside the others.

Insensitive columns, and those no plan knows, are published as they are and k does not count them. If a neighbour can
know one, whoever looks for a person needs the labels and this column, and often one row is left. A warning, with the
share of rows that no other row of their class equals in the column:

* from one row in twenty on, if the name says that people know it of each other (a birth date, a postcode, a sex, ...);
  sensitive columns too, if it is where somebody lives, or their sex, age or birth;
* else from two rows in five on: in a class of five, a harmless column of four values reaches a third;
* two such columns together, from two in three on.

Measurements, which are real numbers or take more values than a life has years, are told in one line: a weight, a power
or a number of employees stands on a plate or a page, and whether it does no table says. What is called money or a
survey weight is known to few beside the person, but to some: about such columns the owner is asked, in one line that is
no warning. Codes of one length, as postcodes are, count as names. Below these shares it is information what k is to
somebody who knows all of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.ground.arrays import Ints
from shoal.judging.leak_search import INFORMATION, QUESTION, WARNING, Leak, LeakScene, quoted
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
MOST_NAMED = 6
"""Columns that one line names."""
ADVICE = "make it a quasi-identifier too (--qi), leave it out, or name it by --sensitive if nobody else could know it"
ADVICE_ON_SEVERAL = "make those that others could know quasi-identifiers too (--qi), name the others by --sensitive"

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
MONEY = tuple(
    "cost costs price prices income incomes salary salaries wages revenue revenues sales profit profits tax taxes "
    "amount amounts premium premiums payment payments expense expenses expenditure expenditures asset assets debt "
    "debts earnings budget turnover dividend dividends capital treasury depreciation mortgage allowance subsidy "
    "balance salaire revenu prix cout montant loyer kosten preis gehalt lohn einkommen betrag umsatz gewinn "
    "steuer steuern miete pramie praemie vermogen salario sueldo ingreso ingresos coste costo custo precio preco "
    "prezzo importe importo impuesto imposta stipendio reddito prijs inkomen bedrag belasting dochod koszt kwota "
    "podatek".split()
)
"""Words for money, and ends of such words: ``statetax``, ``Stromkosten``."""
MONEY_ALONE = frozenset("wage pay rent fee fees gain gains loan loans money eur euro usd dollars fare agi cena".split())
"""The same, of which the ends mean nothing: ``parent``, ``again``."""
SURVEY_WEIGHTS = frozenset(
    "fnlwgt afnlwgt pweight pwgt instanceweight sampleweight samplingweight surveyweight designweight finalweight "
    "personweight recordweight caseweight weightfactor weightingfactor".split()
)
# The words of people are those that are known even where the column is called sensitive.
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
    names = [name for name in scene.others if name not in scene.pointed and _can_be_known(scene, name)]
    rows = _whole_classes(alike)
    if len(rows) < FEWEST_ROWS:
        return
    shares = {name: _singled_out(scene, [name], rows) for name in names}
    money = [name for name in names if _is_money(scene, name)]
    named = [name for name in names if name not in money and words_of(name) & KNOWN]
    told = [name for name in names if shares[name] >= (NAMED if name in named else ANY)]
    measured = [name for name in told if name not in [*money, *named] and _measured(scene, name)]
    for name in told:
        if name not in [*money, *measured]:
            yield Leak("insensitive_columns", WARNING, _said([name], shares), ADVICE, (name,))
    if measured:
        yield Leak("insensitive_columns", WARNING, _said(measured, shares), _advice(measured), tuple(measured))
    if asked := [name for name in money if name in told]:
        said = f"{_said(asked, shares)}: could others know these figures?"
        yield Leak("insensitive_columns", QUESTION, said, _advice(asked), tuple(asked))
    yield from _two_together(scene, [name for name in names if name not in [*money, *told]], shares, rows)


def _advice(names: list[str]) -> str:
    return ADVICE if len(names) == 1 else ADVICE_ON_SEVERAL


def _two_together(scene: LeakScene, names: list[str], shares: dict[str, float], rows: Ints) -> Iterator[Leak]:
    """The column that singles out most rows, and the one that singles out most beside it."""
    rest = sorted(names, key=lambda name: -shares[name])
    pairs = {name: _singled_out(scene, [rest[0], name], rows) for name in rest[1:]}
    other = max(pairs, key=lambda name: pairs[name], default="")
    if other and pairs[other] >= TWO:
        both = quoted([rest[0], other])
        said = f"beside the quasi-identifiers, columns {both} together single out {_percent(pairs[other])} of the rows"
        yield Leak("insensitive_columns", WARNING, said, ADVICE_ON_SEVERAL, (rest[0], other))


def _said(names: list[str], shares: dict[str, float]) -> str:
    """That each of some columns singles out rows, the worst first."""
    first, *others = sorted(names, key=lambda name: -shares[name])
    if not others:
        return f"beside the quasi-identifiers, column {first!r} singles out {_percent(shares[first])} of the rows"
    each = [f"{name!r} {_percent(shares[name])}" for name in [first, *others][:MOST_NAMED]]
    left = [f"and {len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
    return f"beside the quasi-identifiers, each of {len(names)} columns singles out rows: {', '.join([*each, *left])}"


def _can_be_known(scene: LeakScene, name: str) -> bool:
    """Whether others may know what a column says of a person: it says something, and is not called private.

    What is called private may be known all the same where it is a place, a sex, an age or a birth, and no measurement.
    """
    if len(scene.cells(name).texts) < 2:
        return False
    if scene.role(name) != SENSITIVE:
        return True
    words = words_of(name)
    return bool(words & COORDINATES) or (bool(words & PERSONAL) and not _measured(scene, name))


def _measured(scene: LeakScene, name: str) -> bool:
    """Whether a column is numbers that are neither few, as ages and counts are, nor codes."""
    if scene.released.natural_kind(name) != NUMERIC:
        return False
    width = code_width(scene.released, name)
    few = len(scene.cells(name).texts) <= YEARS_OF_A_LIFE
    return width is None or not (few or CODES[0] <= width <= CODES[1])


def _is_money(scene: LeakScene, name: str) -> bool:
    """Whether numbers are called amounts of money, or weights of a survey."""
    words = words_of(name)
    called = words & (MONEY_ALONE | SURVEY_WEIGHTS) or any(word.endswith(MONEY) for word in words)
    return bool(called) and scene.released.natural_kind(name) == NUMERIC


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
