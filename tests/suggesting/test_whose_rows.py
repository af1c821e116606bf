# SPDX-License-Identifier: Apache-2.0
"""Where people have several rows, runs and suggestions say that k counts rows, and what makes it count persons."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.plan.plan import Plan
from shoal.releases.reports.text import summary

ROWS, PERSONS = 300, 100
RANDOM = np.random.default_rng(3)
WHOSE = np.concatenate([np.arange(PERSONS), RANDOM.integers(0, PERSONS, ROWS - PERSONS)])
MOST = int(np.bincount(WHOSE).max())
KEYS: dict[str, list[Any]] = {
    "patient_no": [100_000 + 7919 * int(one) % 99_991 for one in WHOSE],
    "Kunde": [f"K{7919 * int(one) % 99_991:05d}" for one in WHOSE],
    "member_id": [f"m-{int(one)}" for one in WHOSE],
    "email": [f"{one}@mail.example" for one in WHOSE],
    "key": [f"{int(one) * 7919 % 99_991:05d}x" for one in WHOSE],
}


def visits(**more: Any) -> pl.DataFrame:
    """Rows of people who come several times."""
    random = np.random.default_rng(0)
    return pl.DataFrame({"age": random.integers(20, 60, ROWS), "sex": random.choice(["f", "m"], ROWS), **more})


def released(frame: pl.DataFrame, identifiers: list[str], **more: Any) -> shoal.Release:
    """A quick release without these columns."""
    asked: dict[str, Any] = {"k": 5, "method": "mondrian", "quasi_identifiers": ["age", "sex"], **more}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return shoal.anonymize(frame, identifiers=identifiers, **asked)


@pytest.mark.parametrize("name", KEYS)
def test_a_run_says_that_rows_are_counted(name: str) -> None:
    """Rows per value, that k counts rows, and what to do; in the summary, and as a warning of Python."""
    frame = visits(**{name: KEYS[name]})
    release = released(frame, [name])
    (said,) = release.warnings
    assert said.startswith(f"identifier {name!r} has up to {MOST} rows per value, 3.0 on average, and k counts rows")
    assert f"--person {name} (person={name!r}) makes k count persons" in said
    assert f"WARNING       {said}" in summary(release)
    with pytest.warns(shoal.PrivacyWarning, match="k counts rows"):
        shoal.anonymize(frame, k=5, method="mondrian", quasi_identifiers=["age", "sex"], identifiers=[name])
    assert not [cell for cell in set(KEYS[name]) if str(cell) in said]


@pytest.mark.parametrize("name", KEYS)
def test_a_suggestion_says_so_of_every_key_that_it_recognises(name: str) -> None:
    """Whatever the key is called, if it is suggested as an identifier, the note is there."""
    suggestion = shoal.suggest(visits(**{name: KEYS[name]}))
    if suggestion.columns[name].role == "identifier":
        assert [note for note in suggestion.notes if f"person = {name!r} in [privacy] makes k count persons" in note]
    else:
        assert name == "key"


def test_once_persons_are_counted_nothing_is_said() -> None:
    """The advice works, and is not given again; a plan that replays says what the run said."""
    frame = visits(patient_no=KEYS["patient_no"])
    assert released(frame, ["patient_no"], person="patient_no").warnings == ()
    release = released(frame, ["patient_no"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = shoal.anonymize(frame, Plan.from_dict(release.plan.to_dict()))
    assert again.warnings == release.warnings


def test_somebodys_number_counts_when_one_stands_twice() -> None:
    """One patient of two rows makes ten look-alikes nine; among other keys one repeat is a chance."""
    numbers = [1000 + row for row in range(ROWS - 1)] + [1000]
    assert "up to 2 rows per value, 1.0 on average" in released(visits(patient_no=numbers), ["patient_no"]).warnings[0]
    assert released(visits(key=[f"x{one}" for one in numbers]), ["key"]).warnings == ()


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("patient_no", [1000 + row for row in range(ROWS)]),
        ("surname", [f"Name{'abcdefghij'[row % 10]}{'klmnop'[row % 6]}" for row in range(ROWS)]),
        ("who", [f"{'ABCDEFGHIJ'[row % 10]}lex {'KLMNOPQRST'[row // 10 % 10]}ranz" for row in range(ROWS)]),
        ("address", [f"Gasse {row % 40}" for row in range(ROWS)]),
        ("postcode", [f"{10_000 + row % 40}" for row in range(ROWS)]),
        ("ward", ["a", "b", "c"] * (ROWS // 3)),
        ("nothing", [None] * ROWS),
    ],
)
def test_what_several_people_share_says_nothing(name: str, cells: list[Any]) -> None:
    """Names, addresses, places and few values repeat in any table, and keys that do not repeat need no word."""
    assert released(visits(**{name: cells}), [name]).warnings == ()


def test_of_several_keys_somebodys_number_is_told() -> None:
    """One warning, on the column that most seems to be the person."""
    frame = visits(visit_key=[f"{row // 2}v" for row in range(ROWS)], patient_no=KEYS["patient_no"])
    (said,) = released(frame, ["visit_key", "patient_no"]).warnings
    assert said.startswith("identifier 'patient_no'")
