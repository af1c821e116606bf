# SPDX-License-Identifier: Apache-2.0
"""Row order: kept orders are noticed, with and without the truth; shuffled ones are not accused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from tests.judging.attacks.people import people, released


@pytest.mark.parametrize("seed", range(5))
def test_shuffled_rows_withstand(seed: int, tmp_path: Path) -> None:
    """Neither with the truth nor from the files alone does a release look ordered."""
    table = people(seed, rows=200)
    release = released(table)
    assert shoal.attack(release, attacks=["row_order"]).attempts[0].broken is False
    folder = release.save(tmp_path / "released")
    assert shoal.attack(folder, original=table, attacks=["row_order"]).attempts[0].broken is False


def test_a_kept_order_is_broken(tmp_path: Path) -> None:
    """Rows in the order of the input give everybody away, whoever looks."""
    table = people(1, rows=200)
    release = released(table, keep_order=True)
    known = shoal.attack(release, attacks=["row_order"]).attempts[0]
    assert (known.broken, known.rate, known.baseline) == (True, 1.0, 0.5)
    files = shoal.attack(release.save(tmp_path / "released"), original=table, attacks=["row_order"]).attempts[0]
    assert (files.broken, files.rate) == (True, 1.0)
    assert files.baseline < 0.5


def test_the_order_within_classes_is_enough() -> None:
    """Rows sorted by class but in input order inside each are noticed."""
    table = people(2, rows=200)
    release = released(table)
    order = np.lexsort((np.arange(len(table)), release.classes))
    sorted_by_class = replace(release, private=replace(release.private, rows=(order,)))
    assert shoal.attack(sorted_by_class, attacks=["row_order"]).attempts[0].broken is True


def test_a_column_that_says_nothing_accuses_nobody() -> None:
    """If every row allows every person, agreeing row by row means nothing."""
    table = pl.DataFrame({"age": [1, 2, 3, 4] * 10})
    shown = pl.DataFrame({"age": ["*"] * 40})
    plan = shoal.Plan.of(4, quasi_identifiers=["age"], kinds={"age": "numeric"})
    found = shoal.attack(shown, plan=plan, original=table, attacks=["row_order"]).attempts[0]
    assert (found.rate, found.baseline, found.broken) == (1.0, 1.0, False)


def test_the_chance_is_that_of_any_pair() -> None:
    """Baseline: the share of all pairs of an original and a released row that fit."""
    table = pl.DataFrame({"age": [1, 1, 2, 2], "disease": ["a", "b", "a", "b"]})
    plan = shoal.Plan.of(2, quasi_identifiers=["age"], sensitive=["disease"], kinds={"age": "numeric"})
    found = shoal.attack(table[::-1], plan=plan, original=table, attacks=["row_order"]).attempts[0]
    assert (found.rate, found.baseline) == (0.0, 0.25)
