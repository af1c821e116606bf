# SPDX-License-Identifier: Apache-2.0
"""What a word tells only in some tables is for somebody to check; and an age is a number, whatever it is the age of."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.suggesting.suggestion import Suggested

ROWS = 300


def suggested(name: str, cells: Any) -> Suggested:
    """What is suggested for a column beside an age, a sex and a region."""
    random = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "age": random.integers(18, 90, ROWS),
            "sex": random.choice(["f", "m"], ROWS),
            "region": random.choice(["North", "South", "East"], ROWS),
            name: cells,
        }
    )
    return shoal.suggest(frame).columns[name]


def drawn(*words: str) -> list[str]:
    """Words in any order."""
    return [words[place] for place in np.random.default_rng(1).integers(0, len(words), ROWS)]


@pytest.mark.parametrize("name", ["brand", "favourite_brand", "Marke", "marque", "model"])
def test_a_brand_may_be_that_of_anything(name: str) -> None:
    """Only of a vehicle anybody sees it; so somebody should look."""
    found = suggested(name, drawn("Acme", "Initech", "Globex"))
    assert not found.sure
    assert "vehicle:" not in found.why


@pytest.mark.parametrize("name", ["car_brand", "VehBrand", "brand of car"])
def test_the_brand_of_a_vehicle_is_seen(name: str) -> None:
    """Where the name says so, it is sure."""
    found = suggested(name, drawn("Acme", "Initech", "Globex"))
    assert (found.role, found.sure) == ("quasi-identifier", True)


@pytest.mark.parametrize("name", ["hobby", "pet", "Haustier", "newspaper", "Zeitung", "sport", "holidays", "Verein"])
def test_what_neighbours_may_see_is_for_somebody_to_check(name: str) -> None:
    """A dog, a club and a newspaper are no secrets of a survey."""
    found = suggested(name, drawn("a", "b", "c", "d"))
    assert (found.role, found.sure) == ("sensitive", False)
    assert "only the survey" not in found.why


@pytest.mark.parametrize("name", ["vehicle_age", "VehAge", "car_age", "Fahrzeugalter", "vehicle power (kW)", "vehage"])
@pytest.mark.parametrize("most", [9, 25])
def test_the_age_of_a_vehicle_is_a_number(name: str, most: int) -> None:
    """4 and 5 are close to each other, so they become a range and no star."""
    assert suggested(name, np.random.default_rng(2).integers(0, most, ROWS)).kind == "numeric"


@pytest.mark.parametrize("name", ["vehicle_age_group", "vehicle_type", "state"])
def test_codes_of_bands_and_places_are_names(name: str) -> None:
    """Numbers that only stand for something have no distances."""
    assert suggested(name, np.random.default_rng(2).integers(0, 9, ROWS)).kind == "categorical"
