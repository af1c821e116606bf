# SPDX-License-Identifier: Apache-2.0
"""Orders that are proposed for columns of words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import shoal
from shoal.suggesting.orders import SCALES, propose_order

SCALED = [
    ["none", "primary", "secondary", "degree"],
    ["Preschool", "1st-4th", "9th", "12th", "HS-grad", "Some-college", "Bachelors", "Masters", "Doctorate"],
    ["Less than 9th grade", "High school graduate", "Bachelor's degree", "Master's degree"],
    ["ohne Abschluss", "Hauptschule", "Realschule", "Abitur"],
    ["Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"],
    ["trifft gar nicht zu", "trifft eher nicht zu", "trifft eher zu", "trifft voll zu"],
    ["nunca", "a veces", "siempre"],
    ["jamais", "parfois", "souvent", "toujours"],
    ["poor", "fair", "good", "very good", "excellent"],
    ["XS", "S", "M", "L", "XL", "XXL"],
    ["klein", "mittel", "groß"],
    ["none", "mild", "moderate", "severe"],
    ["Stage I", "Stage II", "Stage III", "Stage IV"],
    ["Jan", "Feb", "Nov", "Dec"],
    ["lundi", "mercredi", "dimanche"],
    ["A", "B", "C", "D"],
]
NAMES = [
    ["red", "green", "blue"],
    ["male", "female", "other"],
    ["Private", "Local-gov", "Self-emp"],
    ["single", "married", "widowed"],
    ["A", "C", "F"],
    ["unknown", "low", "high"],
    ["1", "2", "3"],
    ["low", "high"],
]


@pytest.mark.parametrize("steps", SCALED, ids=" | ".join)
def test_words_on_a_scale(steps: list[str]) -> None:
    """Whatever the order of rows, the steps come from the lowest to the highest."""
    proposed = propose_order(sorted(steps, key=lambda step: step[::-1]))
    assert proposed is not None
    assert list(proposed.order) == steps


@pytest.mark.parametrize("names", NAMES, ids=" | ".join)
def test_names_are_on_no_scale(names: list[str]) -> None:
    """One value that is on no scale is enough, and so are two values: their order does not matter."""
    assert propose_order(names) is None


def test_bands_need_no_order() -> None:
    """They tell it themselves, so the plan does not list them."""
    proposed = propose_order(["1", "2", "7 or more"])
    assert proposed is not None
    assert proposed.order == ()


NUMBERED_STEPS = [
    ["grade 1", "grade 2", "grade 10"],
    ["Level1", "Level2", "Level3"],
    ["Pflegegrad 2", "Pflegegrad 3", "Pflegegrad 5"],
    ["Lohnstufe 1", "Lohnstufe 2", "Lohnstufe 3"],
    ["1. Klasse", "2. Klasse", "3. Klasse"],
    ["CKD 2", "CKD 3", "CKD 4"],
    ["A1", "A2", "A5"],
    ["1 room", "2 rooms", "3 rooms"],
    ["under 18", "18", "over 18"],
    ["Zone 1-2", "Zone 3-4", "Zone 5"],
    ["party 0-9", "party 10-19", "party 20+"],
    ["1: never", "2: rarely", "3: often"],
]
NUMBERED_THINGS = [
    ["party1", "party3", "party12"],
    ["Ward 1", "Ward 2", "ward 3"],
    ["Quartier 1", "Quartier 2", "Quartier 3"],
    ["Police district no. 4", "Police district no. 5", "Police district no. 6"],
    ["3. Bezirk", "4. Bezirk", "5. Bezirk"],
    ["4º distrito", "5º distrito", "6º distrito"],
    ["site_1", "site_2", "site_3"],
]


@pytest.mark.parametrize("values", NUMBERED_STEPS, ids=" | ".join)
def test_steps_and_amounts_tell_their_order(values: list[str]) -> None:
    """Where the word beside a number is one for steps, or the number an amount, a band, or behind a single letter."""
    proposed = propose_order(values)
    assert proposed is not None
    assert proposed.order == ()


@pytest.mark.parametrize("values", NUMBERED_THINGS, ids=" | ".join)
def test_names_with_a_number_are_names(values: list[str]) -> None:
    """A number that tells parties or wards apart ranks none of them; unless the column itself speaks of steps."""
    assert propose_order(values) is None
    assert shoal.suggest(pl.DataFrame({"x": values * 20})).columns["x"].kind != "ordered"
    assert shoal.suggest(pl.DataFrame({"education level": values * 20})).columns["education level"].kind == "ordered"
    assert shoal.suggest(pl.DataFrame({"schooling": values * 20})).columns["schooling"].kind == "ordered"


def test_whoever_says_ordered_gets_the_order_of_the_numbers() -> None:
    """What a suggestion takes for names is ordered all the same where somebody says so."""
    frame = pl.DataFrame({"ward": [f"ward {row % 12 + 1}" for row in range(60)], "age": [row % 9 for row in range(60)]})
    release = shoal.anonymize(frame, k=20, quasi_identifiers=["ward", "age"], kinds={"ward": "ordered"})
    assert release.plan.columns["ward"].kind == "ordered"
    ends = [cell[1:-1].split(", ") for cell in release.table["ward"] if cell.startswith("[")]
    assert ends
    assert all(int(low.split()[1]) < int(high.split()[1]) for low, high in ends)


def test_no_word_stands_twice_on_a_scale() -> None:
    """A word means one step of its scale."""
    for name, steps in SCALES.items():
        words = [word for step in steps for word in set(step.split("|"))]
        assert len(words) == len(set(words)), name


def test_a_suggested_order_runs() -> None:
    """The plan of a suggestion holds the order, and its release shows ranges in it."""
    steps = ["never", "sometimes", "often", "always"]
    frame = pl.DataFrame({"sport": steps * 20, "age": [20 + row % 37 for row in range(80)]})
    plan = shoal.suggest(frame, k=30).plan
    assert plan.columns["sport"].order == tuple(steps)
    roles = {name: replace(plan.columns[name], role="quasi-identifier") for name in ("sport", "age")}
    release = shoal.anonymize(frame, replace(plan, columns=roles))
    ends = [cell[1:-1].split(", ") for cell in release.table["sport"] if cell.startswith("[")]
    assert ends
    assert all(steps.index(low) < steps.index(high) for low, high in ends)


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_labelled_codes_are_in_the_order_of_the_codes(ending: str, tmp_path: Path) -> None:
    """In files of statistical packages a scale is a number with a word: 10 comes after 2, whatever the words."""
    import pyreadstat

    codes = [1, 2, 10, 20]
    frame = pd.DataFrame({"edu": codes * 10, "age": [20 + row % 37 for row in range(40)]})
    write = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}[ending]
    path = tmp_path / f"survey.{ending}"
    write(frame, str(path), variable_value_labels={"edu": {1: "none", 2: "zoo", 10: "arts", 20: "degree"}})
    release = shoal.anonymize(path, k=15, quasi_identifiers=["edu", "age"], kinds={"edu": "ordered"})
    shown = {cell[1:-1] for cell in release.released.texts("edu") if cell.startswith("[")}
    assert shown
    assert all(codes.index(int(low)) < codes.index(int(high)) for low, high in (cell.split(", ") for cell in shown))
