# SPDX-License-Identifier: Apache-2.0
"""Minimality: ends of hulls and members of sets occur in their class; ends of bins need not."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from tests.judging.attacks.people import QUASI_IDENTIFIERS, RANGES, SIZES, common_start, people, released

CODES = ["8001", "8002", "8100", "9001"]


def claims(table: pl.DataFrame, release: shoal.Release, render: str) -> int:
    """Different values that labels give away, counted from the classes; classes that look alike are one."""
    number = 0
    looks = release.released.frame.select(release.plan.published_quasi_identifiers).rows()
    shown: dict[object, list[int]] = {}
    for row, look in zip(release.rows, looks, strict=True):
        shown.setdefault(look, []).append(int(row))
    for rows in shown.values():
        for name in QUASI_IDENTIFIERS:
            cells = table.get_column(name)[rows].to_list()
            values = set(cells)
            if len(values) == 1:
                continue
            if render == "set":
                number += len(values)
            elif name in RANGES:
                places = [SIZES.index(one) for one in cells] if name == "size" else cells
                number += len({min(places), max(places)})
            elif name == "tree" and values in ({"a", "b"}, {'"e"', "f}"}):
                number += 2
            elif name == "code":
                stem = common_start(cells)
                possible = [code for code in CODES if stem and code.startswith(stem)]
                number += 2 * (len(possible) == 2)
    return number


@pytest.mark.thin(3)
@pytest.mark.parametrize("render", ["generalise", "set", "bounds"])
@pytest.mark.parametrize("seed", range(3))
def test_all_claims_on_a_release_of_hulls_are_true(seed: int, render: str) -> None:
    """Ends of ranges, members of sets, and both leaves of a node with two: all occur, as often as counted by hand."""
    table = people(seed)
    release = released(table, render=render)
    found = shoal.attack(release, known=table, attacks=["minimality"]).attempts[0]
    assert found.rate == 1.0
    assert found.figures["claims"] == claims(table, release, render)
    assert 0 <= found.baseline <= 1
    assert found.figures["cells"] == len(table) * len(QUASI_IDENTIFIERS)
    assert found.figures["pinned"] <= found.figures["blurred"] <= found.figures["cells"]
    assert found.broken is None


def test_bins_are_told_from_hulls() -> None:
    """Labels from fixed bins are claimed wrongly about as often as chance says; hulls never."""
    random = np.random.default_rng(3)
    ages = random.integers(20, 80, 400)
    table = pl.DataFrame({"age": ages})
    bins = pl.DataFrame({"age": [f"[{one // 20 * 20}, {one // 20 * 20 + 19}]" for one in ages]})
    plan = shoal.Plan.of(5, quasi_identifiers=["age"], kinds={"age": "numeric"})
    binned = shoal.attack(bins, plan=plan, original=table, attacks=["minimality"]).attempts[0]
    hulls = shoal.attack(shoal.anonymize(table, k=5, quasi_identifiers=["age"]), known=table).of("minimality")[0]
    assert hulls.rate == 1.0
    small = pl.DataFrame({"age": [21, 22, 23, 24, 25, 26]})
    wide = pl.DataFrame({"age": ["[20, 29]"] * 6})
    wrong = shoal.attack(wide, plan=plan, original=small, attacks=["minimality"]).attempts[0]
    assert (wrong.rate, wrong.baseline, wrong.figures["claims"]) == (0.0, 0.0, 2)
    assert binned.figures["claims"] == 6


def test_the_chance_of_an_end_to_occur_anyway() -> None:
    """Baseline: six draws from the values that the label allows hit an end that has half of them with 1 - 1/2^6."""
    table = pl.DataFrame({"age": [20, 20, 20, 29, 29, 29]})
    wide = pl.DataFrame({"age": ["[20, 29]"] * 6})
    plan = shoal.Plan.of(5, quasi_identifiers=["age"], kinds={"age": "numeric"})
    found = shoal.attack(wide, plan=plan, original=table, attacks=["minimality"]).attempts[0]
    assert found.baseline == pytest.approx(1 - 0.5**6)
    assert found.rate == 1.0


def test_without_the_original_claims_are_counted_and_not_scored() -> None:
    """Then the rate is undefined, which is not 0."""
    table = people(1)
    release = released(table)
    found = shoal.attack(release, known=table[:20], attacks=["minimality"]).attempts[0]
    assert np.isnan(found.rate)
    assert found.to_dict()["rate"] is None
    assert found.figures["pinned"] > 0
