# SPDX-License-Identifier: Apache-2.0
"""A weight is one of a body, of a thing or of a survey: units and values tell, and a doubt is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal

ROWS = 300
RANDOM = np.random.default_rng(4)
VEHICLES = RANDOM.integers(800, 2600, ROWS)
BODIES = RANDOM.normal(78, 12, ROWS).round()
EXPANDING = RANDOM.lognormal(8, 0.6, ROWS).round(3)
NORMED = RANDOM.lognormal(0, 0.4, ROWS).round(4)


def guessed(name: str, cells: Any) -> tuple[str, bool]:
    """Role of a column and whether that is sure, beside an age, a sex and a fuel."""
    random = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "driver_age": random.integers(18, 90, ROWS),
            "sex": random.choice(["f", "m"], ROWS),
            "fuel": random.choice(["diesel", "petrol"], ROWS),
            name: cells,
        }
    )
    found = shoal.suggest(frame).columns[name]
    return found.role, found.sure


@pytest.mark.parametrize(
    "name", ["weight_kg", "WeightKg", "weight (lb)", "Gewicht in kg", "wt_kg", "weightkg", "weight"]
)
def test_what_things_weigh_is_no_weight_of_a_survey(name: str) -> None:
    """With a unit of mass, or alike as vehicles are, it is not published as a figure of the survey unasked."""
    assert guessed(name, VEHICLES) == ("sensitive", False)


def test_what_vehicles_weigh_is_known() -> None:
    """Where the name speaks of a vehicle, anybody sees it."""
    assert guessed("vehicle_weight_kg", VEHICLES)[0] == "quasi-identifier"


@pytest.mark.parametrize("name", ["weight", "weight_kg", "Gewicht", "wt_kg", "body_weight"])
def test_what_people_weigh_is_private(name: str) -> None:
    """Values that people could weigh are those of bodies."""
    assert guessed(name, BODIES) == ("sensitive", True)


@pytest.mark.parametrize("cells", [EXPANDING, NORMED], ids=["expanding", "normed"])
def test_weights_of_surveys_stay(cells: Any) -> None:
    """By values alone with a word to check; by a name that says so, surely."""
    assert guessed("weight", cells) == ("insensitive", False)
    assert guessed("sampling_weight", cells) == ("insensitive", True)


def test_large_weights_of_a_survey_in_kilograms_are_none() -> None:
    """A unit says more than values that vary as weights of surveys do."""
    assert guessed("weight_kg", EXPANDING) == ("sensitive", False)
