# SPDX-License-Identifier: Apache-2.0
"""Synthetic patients of an invented country: a table that looks like a hospital's and is about nobody.

Every patient is one stay. What depends on what, as in real life: age shapes marital status and insurance; age and
sex shape the diagnosis; the diagnosis shapes cost, and cost the length of the note; postcodes are crowded in
some districts, and regions differ in where their people come from. Some cells are missing, e-mail addresses
more often among the old. E-mail domains and telephone numbers are those reserved for examples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.ground.arrays import Ints
from shoal.ground.errors import PlanError
from shoal.hierarchies.hierarchy import ROOT, Hierarchy
from shoal.studies.samples import _words as words
from shoal.studies.samples._dice import Dice
from shoal.tables.table import Frame, Table, gather

FIRST_ADMISSION = np.datetime64("2023-01-01", "D")
ADMISSION_DAYS = 730
SEXES = ("female", "male", "diverse")


def synthetic_patients(rows: int = 1000, seed: int = 0) -> Frame:
    """A Polars frame of invented patients; the same seed and number of rows give the same table everywhere.

    >>> synthetic_patients(3).columns[:5]
    ['name', 'email', 'phone', 'birth_date', 'age']
    """
    return patients_table(rows, seed).frame


def patients_table(rows: int = 1000, seed: int = 0) -> Table:
    """The same patients as a :class:`Table`."""
    _check_whole("rows", rows)
    _check_whole("seed", seed)
    dice = Dice(seed, rows)
    sex = dice.choose("sex", (516, 480, 4))
    admitted = FIRST_ADMISSION + dice.below("admission", ADMISSION_DAYS)
    born = _birth_dates(dice, admitted)
    age = _age_at(born, admitted)
    band = np.searchsorted(words.BANDS, age, side="right").astype(np.int64)
    place = _places(dice)
    diagnosis = _diagnoses(dice, sex, band)
    cents = _costs(dice, diagnosis, age)
    first, last = _names(dice, sex)
    return Table.from_columns(
        {
            "name": [f"{given} {family}" for given, family in zip(first, last, strict=True)],
            "email": _emails(dice, first, last, age),
            "phone": _phones(dice, place),
            "birth_date": born,
            "age": age,
            "sex": gather(SEXES, sex),
            "postcode": _gappy(dice, "postcode", 3, [row[0] for row in _postcode_rows()], place),
            "marital_status": _by_band(dice, "marital", 15, words.MARITAL, band),
            "nationality": _gappy(dice, "nationality", 5, [words.HOME, *words.COUNTRIES], _nationalities(dice, place)),
            "insurance": _by_band(dice, "insurance", 5, words.INSURANCE, band),
            "admission_date": admitted,
            "diagnosis": gather(list(words.DIAGNOSES), diagnosis),
            "cost": np.where(dice.happens("no cost", 10), np.nan, cents / 100),
            "note": _notes(dice, diagnosis, cents, last),
        }
    )


def patient_roles() -> dict[str, list[str]]:
    """Which columns point to a person, which could be known to a neighbour, and which are the private facts."""
    return {
        "quasi_identifiers": ["age", "sex", "postcode", "marital_status", "nationality", "insurance", "admission_date"],
        "sensitive": ["diagnosis", "cost"],
        "identifiers": ["name", "email", "phone", "birth_date", "note"],
    }


def patient_hierarchies() -> dict[str, Hierarchy]:
    """The tree of every categorical column; that of the diagnosis serves models that compare diagnoses."""
    rows: dict[str, list[list[str]]] = {
        "sex": [[sex, ROOT] for sex in SEXES],
        "postcode": _postcode_rows(),
        "marital_status": [
            ["married", "with a partner", ROOT],
            ["civil partnership", "with a partner", ROOT],
            ["never married", "without a partner", ROOT],
            ["separated", "no longer married", "without a partner", ROOT],
            ["divorced", "no longer married", "without a partner", ROOT],
            ["widowed", "no longer married", "without a partner", ROOT],
        ],
        "nationality": [
            [words.HOME, "Europe", ROOT],
            *([land, part, continent, ROOT] for land, (part, continent, _) in words.COUNTRIES.items()),
        ],
        "insurance": [
            ["national fund", "public", ROOT],
            ["pensioners fund", "public", ROOT],
            ["family cover", "public", ROOT],
            ["employer plan", "not public", ROOT],
            ["student plan", "not public", ROOT],
            ["private full", "not public", ROOT],
            ["self-payer", "not public", ROOT],
        ],
        "diagnosis": [[name, chapter, ROOT] for name, (chapter, *_) in words.DIAGNOSES.items()],
    }
    return {column: Hierarchy.from_rows(levels, where=f"hierarchy of {column}") for column, levels in rows.items()}


def patient_plan(k: int = 10) -> dict[str, Any]:
    """Keywords for :func:`shoal.anonymize` and ``Plan.of`` that fit this table."""
    return {"k": k, **patient_roles(), "hierarchies": patient_hierarchies()}


# -- dates and places ----------------------------------------------------------------------------------------


def _birth_dates(dice: Dice, admitted: NDArray[np.datetime64]) -> NDArray[np.datetime64]:
    years = 5 * dice.choose("age", words.AGES) + dice.below("year of five", 5)
    days = years * 365 + years // 4 + dice.below("day of birth", 365)
    born: NDArray[np.datetime64] = admitted - days
    return born


def _age_at(born: NDArray[np.datetime64], day: NDArray[np.datetime64]) -> Ints:
    """Full years between two dates."""
    months = day.astype("datetime64[M]").astype(np.int64) - born.astype("datetime64[M]").astype(np.int64)
    later_in_month = _day_of_month(born) > _day_of_month(day)
    return np.asarray((months - later_in_month) // 12, dtype=np.int64)


def _day_of_month(day: NDArray[np.datetime64]) -> Ints:
    days: Ints = (day - day.astype("datetime64[M]")).astype(np.int64)
    return days


def _places(dice: Dice) -> Ints:
    """Postcode number of each row; within a district the n-th postcode is n times rarer than the first."""
    region = dice.choose("region", [share for _, share, _ in words.REGIONS.values()])
    district = dice.choose("district", words.DISTRICT_WEIGHTS)
    street = dice.choose("postcode", [1000 // (1 + rank) for rank in range(words.POSTCODES_PER_DISTRICT)])
    return (region * len(words.DISTRICTS) + district) * words.POSTCODES_PER_DISTRICT + street


def _region(place: Ints) -> Ints:
    return place // (len(words.DISTRICTS) * words.POSTCODES_PER_DISTRICT)


def _postcode_rows() -> list[list[str]]:
    return [
        [f"{10 * region + number:02d}{7 * street + 4 * region + 1:03d}", letters + ending, name, ROOT]
        for region, (name, (letters, _, _)) in enumerate(words.REGIONS.items())
        for number, ending in enumerate(words.DISTRICTS)
        for street in range(words.POSTCODES_PER_DISTRICT)
    ]


# -- what depends on what ------------------------------------------------------------------------------------


def _by_band(dice: Dice, column: str, per_mille: int, weights: Mapping[str, Sequence[int]], band: Ints) -> Any:
    """One label per row, with weights by age band; some are missing."""
    chosen = dice.choose_given(column, band, list(zip(*weights.values(), strict=True)))
    return _gappy(dice, column, per_mille, list(weights), chosen)


def _nationalities(dice: Dice, place: Ints) -> Ints:
    home = np.array([share for _, _, share in words.REGIONS.values()], dtype=np.int64)
    abroad = 1 + dice.choose("country", [weight for _, _, weight in words.COUNTRIES.values()])
    return np.where(dice.happens("home", home[_region(place)]), 0, abroad)


def _diagnoses(dice: Dice, sex: Ints, band: Ints) -> Ints:
    """Weights by sex and age band; the third sex has those of both."""
    shares = [(women, 100 - women, 50) for _, _, _, women in words.DIAGNOSES.values()]
    ages = [by_band for _, _, by_band, _ in words.DIAGNOSES.values()]
    n_bands = len(words.BANDS) + 1
    weights = [
        [share[each_sex] * by_band[at] for share, by_band in zip(shares, ages, strict=True)]
        for each_sex in range(len(SEXES))
        for at in range(n_bands)
    ]
    return dice.choose_given("diagnosis", sex * n_bands + band, weights)


def _costs(dice: Dice, diagnosis: Ints, age: Ints) -> Ints:
    """Cents: about the typical cost, a little more for the old, with a long tail."""
    typical = np.array([cost for _, cost, _, _ in words.DIAGNOSES.values()], dtype=np.int64)[diagnosis]
    per_mille = 500 + dice.below("cost", 500) + 4 * dice.skewed("cost tail") + 2 * age
    return typical * per_mille // 10 + dice.below("cents", 100)


# -- text ----------------------------------------------------------------------------------------------------


def _names(dice: Dice, sex: Ints) -> tuple[list[str], list[str]]:
    female = np.where(sex == SEXES.index("diverse"), dice.below("name of either sex", 2) == 0, sex == 0)
    given = dice.below("first name", len(words.WOMEN)) + np.where(female, 0, len(words.WOMEN))
    family = dice.choose("last name", [300 // (3 + rank) for rank in range(len(words.SURNAMES))])
    return _picked([*words.WOMEN, *words.MEN], given), _picked(words.SURNAMES, family)


def _emails(dice: Dice, first: list[str], last: list[str], age: Ints) -> list[str | None]:
    """Names and a number; one in fourteen is missing among the young, far more among the old."""
    number = dice.below("e-mail number", 10_000).tolist()
    host = _picked(("example.org", "example.com", "example.net"), dice.choose("host", (5, 4, 2)))
    absent = dice.happens("no e-mail", 70 + 6 * np.maximum(age - 50, 0)).tolist()
    cells = zip(first, last, number, host, absent, strict=True)
    return [None if gone else f"{given}.{family}{n}@{at}".lower() for given, family, n, at, gone in cells]


def _phones(dice: Dice, place: Ints) -> list[str | None]:
    """Numbers from 555-0100 to 555-0199, which are reserved for fiction, with an area code per region."""
    area = 210 + 90 * _region(place) + dice.below("area code", 10)
    cells = zip(area.tolist(), dice.below("phone", 100).tolist(), dice.happens("no phone", 40).tolist(), strict=True)
    return [None if gone else f"+1-{code}-555-01{n:02d}" for code, n, gone in cells]


def _notes(dice: Dice, diagnosis: Ints, cents: Ints, last: list[str]) -> list[str | None]:
    """Costly stays have longer notes; a few notes name the family, which is why free text is never published."""
    opening = [f"Admitted with {name.partition(' ')[2]}." for name in words.DIAGNOSES]
    trouble = np.where(dice.happens("complication", np.minimum(cents // 2000, 900)), 1, 0)
    trouble *= 1 + dice.below("which complication", len(words.COMPLICATIONS))
    visit = np.where(dice.happens("visit", 30), 1 + dice.below("relative", len(words.RELATIVES)), 0)
    called = ["", *(f" {who} ({{name}}) called." for who in words.RELATIVES)]
    parts = (
        _picked(opening, diagnosis),
        _picked([" " + text for text in words.COURSES], dice.below("course", len(words.COURSES))),
        _picked(["", *(" " + text for text in words.COMPLICATIONS)], trouble),
        _picked(called, visit),
        _picked([" " + text for text in words.ENDINGS], dice.below("ending", len(words.ENDINGS))),
    )
    texts = zip(*parts, last, dice.happens("no note", 50).tolist(), strict=True)
    return [
        None if gone else f"{start}{course}{worse}{call.replace('{name}', name) if call else ''}{end}"
        for start, course, worse, call, end, name, gone in texts
    ]


def _picked(labels: Any, index: Ints) -> list[str]:
    """One label per row."""
    chosen: list[str] = np.array(labels, dtype=object)[index].tolist()
    return chosen


def _gappy(dice: Dice, column: str, per_mille: int, labels: list[str], index: Ints) -> Any:
    """One label per row, some of them missing."""
    gone = dice.happens(f"no {column}", per_mille)
    return gather([*labels, None], np.where(gone, len(labels), index))


def _check_whole(what: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise PlanError(
            f"{what} must be a whole number of at least 0.",
            where=f"{what} of the synthetic patients",
            allowed="0, 1, 2, ...",
            received=repr(value),
            todo="give e.g. rows=1000, seed=0",
        )
