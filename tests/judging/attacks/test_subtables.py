# SPDX-License-Identifier: Apache-2.0
"""Sub-tables: the worked example of the paper falls apart when joined, on a key, by order, or in the maker's hands."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from tests.judging.attacks.people import people, released

# Table I of Bharath et al. (2017).
P6 = pl.DataFrame(
    {
        "age": [31, 35, 37, 26, 29, 23],
        "sex": ["male", "male", "female", "female", "female", "male"],
        "zip": [55441, 55440, 55442, 55440, 55440, 55443],
        "disease": ["Typhoid", "Cholera", "Arthritis", "Cancer", "Cancer", "Flu"],
    }
)
ON = ["age", "sex", "zip"]
ROLES = {"quasi_identifiers": ON, "sensitive": ["disease"]}


@pytest.fixture
def release() -> shoal.Release:
    """The paper's sub-tables, k = 3."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return shoal.anonymize(P6, k=3, method="equal_combination", accept_weaker=True, **ROLES)


def with_key(release: shoal.Release) -> list[pl.DataFrame]:
    """The sub-tables with the surrogate key that the paper keeps."""
    return [
        part.released.frame.with_columns(pl.Series("id", [f"p{row}" for row in part.rows])) for part in release.parts
    ]


def test_joined_on_the_key_four_of_six_are_alone(release: shoal.Release) -> None:
    """The join leaves {0}, {1}, {2}, {3, 4}, {5}: four found for certain, two in half of the cases."""
    report = shoal.attack(with_key(release), known=P6, original=P6, on=ON, k=3, **ROLES)
    found = next(one for one in report.of("linkage") if "'id'" in one.statement)
    assert found.broken is True
    assert found.figures["certain"] == 4
    assert found.rate == pytest.approx(5 / 6)
    assert found.figures["below_k"] == 6
    assert report.broken


def test_in_memory_the_truth_joins_them(release: shoal.Release) -> None:
    """Without a key the lab shows what the key would have done, and what the private values do by themselves."""
    report = shoal.attack(release, known=P6)
    as_they_are, joined = report.of("linkage")
    assert "as they are, linked by disease" in as_they_are.statement
    assert "had a key been kept" in joined.statement
    assert (joined.broken, joined.rate) == (True, pytest.approx(5 / 6))
    # Everybody but the two with cancer has a disease of their own, which no other row of their classes shows twice.
    assert as_they_are.broken is True
    assert as_they_are.figures["fewest_candidates"] == 1


def test_rows_in_the_same_order_join_by_themselves(release: shoal.Release) -> None:
    """Sub-tables that were not shuffled apart need no key."""
    aligned = [part.released.frame[np.argsort(part.rows)] for part in release.parts]
    doubled = [pl.concat([one, one[::-1]]) for one in aligned]
    twice = pl.concat([P6, P6[::-1]])
    report = shoal.attack(doubled, known=twice, original=twice, on=ON, k=3, **ROLES)
    found = report.of("linkage")[1]
    assert "joined by the order of their rows" in found.statement
    assert found.figures["fewest_candidates"] == 2
    assert found.broken is True


def test_sorted_rows_are_not_taken_for_the_same_order(release: shoal.Release) -> None:
    """Two tables sorted by the private column agree in it row by row and are still not joined."""
    apart = [part.released.frame.sort("disease") for part in release.parts]
    report = shoal.attack(apart, known=P6, original=P6, on=ON, k=3, **ROLES)
    assert len(report.of("linkage")) == 1


def test_a_release_folder_tells_the_joint_k(release: shoal.Release, tmp_path: Path) -> None:
    """From the files alone the rows cannot be joined; what the maker measured is held against the release."""
    folder = release.save(tmp_path / "released")
    report = shoal.attack(folder, original=P6)
    assert report.broken
    measured = report.of("linkage")[-1]
    assert measured.figures == {"k_joint": 1}
    assert measured.broken is True


def test_private_values_bound_the_people_who_remain() -> None:
    """For each target: the sum over private values of the smallest number of candidates that show it."""
    table = people(4, rows=40)
    release = released(table, "unequal_combination")
    found = shoal.attack(release, known=table, attacks=["linkage"]).attempts[0]
    joined = shoal.attack(release, known=table, attacks=["linkage"]).attempts[1]
    assert found.rate <= joined.rate + 1e-12, "a key only helps the attacker"
    assert found.figures["fewest_candidates"] >= joined.figures["fewest_candidates"]
