# SPDX-License-Identifier: Apache-2.0
"""k-anonymity, judged on the released table."""

from __future__ import annotations

from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.ground.requirements import Requirement
from shoal.judging.privacy_models.k_anonymity import Parameters, check, requirement
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan
from shoal.tables.table import Table


def found(columns: dict[str, list], k: int | None = None, missing: str = "own") -> Finding:
    """The finding on a table whose columns are all quasi-identifiers."""
    plan = Plan.of(k or 1, quasi_identifiers=list(columns), missing=missing)
    return check(Table.of(pl.DataFrame(columns)), plan, Parameters(k))


def test_a_row_unique_by_its_missing_cell_is_unique() -> None:
    """Missing hides nobody: the table has k = 1, not k = 3."""
    one = found({"age": ["30", "30", None]}, k=2)
    assert one.holds is False
    assert one.figures == {
        "k_found": 1,
        "k_claimed": 2,
        "classes": 2,
        "rows": 3,
        "rows_below_k": 1,
        "k_missing_as_value": 1,
        "k_missing_as_wildcard": 3,
        "k_missing_unlike_any": 1,
        "k_missing_left_out": 2,
    }


def test_wildcard_lets_missing_match_anything() -> None:
    """Where the plan says so, the verdict follows the other reading and tells both."""
    one = found({"age": ["30", "30", None]}, k=3, missing="wildcard")
    assert one.holds is True
    assert one.figures["k_found"] == 3
    assert one.figures["k_missing_as_value"] == 1
    assert "matches anything" in one.statement


def test_wildcard_matching_is_symmetric_but_not_transitive() -> None:
    """Two rows that differ where both are present do not match, whatever a third one hides."""
    one = found({"a": ["x", "y", None], "b": ["u", "u", "u"]}, k=3, missing="wildcard")
    assert one.holds is False
    assert one.figures["k_found"] == 2


@given(st.lists(st.tuples(st.sampled_from("ab*"), st.sampled_from([None, 1, 2])), min_size=1, max_size=20))
def test_k_is_the_size_of_the_smallest_class(rows: list[tuple]) -> None:
    """Figures agree with a plain count, and the claim holds up to k and not beyond."""
    sizes = Counter(rows)
    columns = {"a": [row[0] for row in rows], "b": pl.Series([row[1] for row in rows], dtype=pl.Int64)}
    k = min(sizes.values())
    one = found(columns, k=k)
    assert one.holds is True
    assert (one.figures["k_found"], one.figures["classes"]) == (k, len(sizes))
    beyond = found(columns, k=k + 1)
    assert beyond.holds is False
    assert beyond.figures["rows_below_k"] == sum(size for size in sizes.values() if size <= k)


def test_no_rows_hide_everybody() -> None:
    """An empty table singles nobody out."""
    one = found({"a": pl.Series([], dtype=pl.String)}, k=5)
    assert one.holds is True
    assert one.figures["k_found"] == 0


@pytest.mark.parametrize(
    ("k", "words"),
    [(None, "k = 2: every row looks like 1 or more others"), (3, "3 was claimed: 2 of 5 rows")],
)
def test_the_statement_is_plain(k: int | None, words: str) -> None:
    """A reader learns k and how many rows fall short."""
    assert words in found({"a": ["x", "x", "y", "y", "y"]}, k=k).statement


def test_bounds_are_the_columns_that_count() -> None:
    """A quasi-identifier published as two columns is judged by both."""
    plan = Plan.of(2, quasi_identifiers=["age"], render="bounds")
    table = Table.of(pl.DataFrame({"age_min": [1, 1, 1], "age_max": [5, 5, 6]}))
    assert check(table, plan, Parameters(2)).figures["k_found"] == 1


@pytest.mark.parametrize(("k", "size"), [(None, 1), (1, 1), (7, 7)])
def test_classes_need_k_records(k: int | None, size: int) -> None:
    """What the algorithms must obey."""
    assert requirement(Parameters(k), Table.of(pl.DataFrame({"age": [1]})), Plan.of(1)) == Requirement(size=size)
