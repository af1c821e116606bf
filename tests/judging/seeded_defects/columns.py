# SPDX-License-Identifier: Apache-2.0
"""Columns that tell more than they should beside the others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from tests.judging.seeded_defects.good_release import (
    ROWS,
    Defect,
    Released,
    changed,
    first_cell,
    original_cells,
    release,
)


def a_disease_that_one_person_has(whole: Released, _: Path) -> Released:
    """A private value that occurs once."""
    return first_cell("disease", lambda cell: "a rare one", whole)


def a_town_beside_its_region(whole: Released, _: Path) -> Released:
    """Towns, whose region is published as it is."""
    random = np.random.default_rng(3)
    towns = [f"{region}{random.integers(1, 9)}" for region in original_cells("region")]
    return changed(whole, pl.Series("town", towns))


def a_year_of_birth_beside_a_range_of_ages(whole: Released, _: Path) -> Released:
    """The exact age in another form; every range holds it."""
    return changed(whole, pl.Series("born", [2020 - age for age in original_cells("age")]))


def a_class_number(whole: Released, _: Path) -> Released:
    """The number of the cluster of each row."""
    return changed(whole, pl.Series("cluster", release().classes[release().rows]))


def a_column_twice(whole: Released, _: Path) -> Released:
    """A private fact under two names."""
    return changed(whole, pl.col("disease").alias("diagnosis"))


def a_column_nobody_planned(whole: Released, _: Path) -> Released:
    """A score that some program added."""
    return changed(whole, pl.Series("score", np.random.default_rng(1).integers(0, 3, ROWS)), beside=True)


def objects_as_text(whole: Released, _: Path) -> Released:
    """A column of JSON objects, each with the name of a person."""
    cells = [f'{{"name": "anna {number % 60}", "calls": [1, 2, 3]}}' for number in range(len(whole.table))]
    return changed(whole, pl.Series("more", cells))


def elements_as_text(whole: Released, _: Path) -> Released:
    """The same as XML."""
    cells = [f"<person><name>anna {number % 60}</name></person>" for number in range(len(whole.table))]
    return changed(whole, pl.Series("more", cells))


DEFECTS: dict[Defect, tuple[str, str]] = {
    a_disease_that_one_person_has: ("singular_values", "1 value of the sensitive column 'disease'"),
    a_town_beside_its_region: ("determining_columns", "'town' tells 'region' more finely"),
    a_year_of_birth_beside_a_range_of_ages: ("determining_columns", "'born' tells 'age' more finely"),
    a_class_number: ("class_numbers", "'cluster' tells the class of every row"),
    a_column_twice: ("duplicate_columns", "'disease', 'diagnosis' hold the same cells"),
    a_column_nobody_planned: ("unexpected_columns", "'score' is not in the original"),
    objects_as_text: ("nested_text", "'more' holds several values per cell"),
    elements_as_text: ("nested_text", "'more' holds several values per cell"),
}
