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
