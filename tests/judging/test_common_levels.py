# SPDX-License-Identifier: Apache-2.0
"""The judge on levels that all classes share: it reads them off the labels."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import shoal
from shoal.hierarchies.hierarchy import Hierarchy

TREE = Hierarchy.from_rows([["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]])
SIZES = pl.Enum(["S", "M", "L", "[M, L]", "[S, M]", "*"])
CASES: dict[str, tuple[Any, dict[str, Any], int]] = {
    "ranges side by side": (["[1, 4]", "[5, 9]", "12", None], {"kind": "numeric"}, 0),
    "ranges that overlap": (["[1, 5]", "[5, 9]", "12"], {"kind": "numeric"}, 2),
    "a value inside a range": (["[1, 5]", "3", "[6, 9]"], {"kind": "numeric"}, 2),
    "a range inside another": (["[1, 9]", "[3, 4]", "[6, 7]"], {"kind": "numeric"}, 3),
    "anything beside something": (["[1, 5]", "*"], {"kind": "numeric"}, 2),
    "anything alone": (["*", "*"], {"kind": "numeric"}, 0),
    "negative numbers as formulas": (["'-3", "[-2, 4]"], {"kind": "numeric"}, 0),
    "sets side by side": (["{1, 5}", "{6, 9}"], {"kind": "numeric"}, 0),
    "days": (["[2020-01-01, 2020-01-31]", "2020-02-01"], {"kind": "date"}, 0),
    "days that overlap": (["[2020-01-01, 2020-02-01]", "2020-02-01"], {"kind": "date"}, 2),
    "nodes side by side": (["ab", "c", "d", None], {"hierarchy": TREE}, 0),
    "a leaf below a node": (["ab", "b", "cd"], {"hierarchy": TREE}, 2),
    "the root beside a leaf": (["*", "b"], {"hierarchy": TREE}, 2),
    "ranges of which nobody said so": (["[1, 10]", "[5, 20]"], {}, 2),
    "ranges side by side of which nobody said so": (["[1, 4]", "[5, 20]"], {}, 0),
    "names of which nobody said so": (["x", "y"], {}, 0),
    "names": (["x", "y", None], {"kind": "categorical"}, 0),
    "sets of names": (["{x, y}", "y"], {"kind": "categorical"}, 2),
    "masks side by side": (["80**", "81**", "8201"], {"kind": "text-prefix"}, 0),
    "a code below a mask": (["80**", "8011"], {"kind": "text-prefix"}, 2),
    "masks one below the other": (["80**", "801*", "9***"], {"kind": "text-prefix"}, 2),
    "ordered values side by side": (pl.Series(["S", "[M, L]"], dtype=SIZES), {"kind": "ordered"}, 0),
    "ordered values that overlap": (pl.Series(["[S, M]", "[M, L]"], dtype=SIZES), {"kind": "ordered"}, 2),
    "ordered values of no known order": (["[low, mid]", "high"], {"kind": "ordered"}, 0),
    "the same end twice": (["[low, mid]", "[mid, high]"], {"kind": "ordered"}, 2),
}


@pytest.mark.parametrize("case", CASES)
def test_labels_that_overlap_are_found(case: str) -> None:
    """Two labels of a column in common levels are the same, or no value fits both; else it does not hold."""
    cells, column, overlapping = CASES[case]
    name, given = "x", {f"{key}s" if key == "kind" else "hierarchies": {"x": value} for key, value in column.items()}
    table = pl.DataFrame({name: cells})
    plan = shoal.Plan.of(1, quasi_identifiers=[name], levels={name: "common"}, formulas="prefix", **given)
    found = {one.model: one for one in shoal.check(table, plan=plan).findings}["common_levels"]
    assert found.figures["x"]["overlapping"] == overlapping
    assert found.holds is (overlapping == 0)


@pytest.mark.parametrize(("low", "high", "holds"), [([1, 5], [4, 9], True), ([1, 4], [4, 9], False)])
def test_bounds_are_read_as_ranges(low: list[int], high: list[int], holds: bool) -> None:
    """Two columns, one range."""
    plan = shoal.Plan.of(1, quasi_identifiers=["x"], levels={"x": "common"}, render="bounds", kinds={"x": "numeric"})
    found = shoal.check(pl.DataFrame({"x_min": low, "x_max": high}), plan=plan).findings
    assert {one.model: one for one in found}["common_levels"].holds is holds


def test_nothing_is_said_where_nothing_is_asked() -> None:
    """Usual releases may overlap."""
    table = pl.DataFrame({"x": ["[1, 5]", "[5, 9]"]})
    assert "common_levels" not in [one.model for one in shoal.check(table, quasi_identifiers=["x"]).findings]


def test_centres_have_nothing_in_common() -> None:
    """One value for each class is no range, so no two of them overlap."""
    plan = shoal.Plan.of(1, quasi_identifiers=["x"], levels={"x": "common"}, render="mean", kinds={"x": "numeric"})
    found = shoal.check(pl.DataFrame({"x": [1.5, 1.5, 7.0]}), plan=plan).findings
    (told,) = [one for one in found if one.model == "common_levels"]
    assert (told.holds, told.figures["x"]) == (True, {"labels": 2, "overlapping": 0})
