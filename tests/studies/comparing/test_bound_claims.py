# SPDX-License-Identifier: Apache-2.0
"""The lower bound is drawn, written and told only beside tables that it is about: all rows, ranges and tree names."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import shoal
from shoal.faces.cli._comparison import told

N = 40
TABLE = pl.DataFrame(
    {
        "age": [20 + n * n % 37 for n in range(N)],
        "town": [f"t{n % 9}" for n in range(N)],
        "work": [f"w{n * 7 % 11}" for n in range(N)],
    }
)
QI = ["age", "town", "work"]
UNTRUE = ("whatsoever", "no k-anonymous table", "No k-anonymous table", "every method", "by whatever method")


@pytest.mark.thin(6)
@pytest.mark.parametrize(
    ("asked", "bounded", "apart"),
    [
        ({"methods": ["mondrian"]}, {"mondrian"}, set()),
        ({"methods": ["mondrian"], "render": "set"}, set(), {"mondrian"}),
        ({"methods": ["mondrian"], "render": {"town": "set"}}, set(), {"mondrian"}),
        ({"methods": ["mondrian", "k_member"], "render": "mode"}, set(), {"mondrian", "k_member"}),
        ({"methods": ["mondrian", "mdav_generic"], "loss": "lm"}, {"mondrian", "mdav_generic"}, set()),
        ({"methods": ["mondrian", "mdav"], "quasi_identifiers": ["age"]}, {"mondrian"}, {"mdav"}),
        ({"methods": ["mondrian", "hilbert"], "missing": "wildcard"}, set(), {"mondrian", "hilbert"}),
        ({"methods": ["k_member", "non_homogeneous"], "accept_weaker": True}, {"k_member"}, {"non_homogeneous"}),
    ],
)
def test_the_bound_is_for_what_it_is_about(asked: dict[str, Any], bounded: set[str], apart: set[str]) -> None:
    """Sets, centres and weaker tables may lie below it, so it is not shown beside them, and they are marked."""
    found = shoal.compare(TABLE, k=4, **{"quasi_identifiers": QI, **asked})
    assert {one.method for one in found.outcomes if one.bound is not None} == bounded
    assert {one.method for one in found.outcomes if one.done and one.bound is None} == apart
    data, text = found.to_dict(), told(found)
    drawn = [found.plot(kind).svg for kind in ("loss_k", "loss_time")]
    assert [one["bound"] is not None for one in data["bounds"]] == [bool(bounded)]
    assert all(('class="bound"' in svg) == bool(bounded) for svg in drawn)
    assert ("lower bound" in text) == bool(bounded)
    assert not any(word in said for word in UNTRUE for said in (str(data), text, *drawn, found._repr_html_()))
    assert all(one.loss >= one.bound for one in found.outcomes if one.bound is not None and one.loss is not None)
    if bounded:
        marks = [f"{method}†" for method in apart - {"non_homogeneous"}]
        assert all(mark in said for mark in marks for said in (text, *drawn))
        assert "ranges and tree names" in drawn[0]
