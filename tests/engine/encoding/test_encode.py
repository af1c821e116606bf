# SPDX-License-Identifier: Apache-2.0
"""From table and plan to coordinates: kinds settled, trees found, missing placed, misfits refused."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal.engine.encoding import encode as room
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.missing import place_at_commonest, place_at_middle, place_beyond
from shoal.engine.kernels.hull import loss
from shoal.ground.errors import HierarchyError, InputError, PlanError, TableError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan.plan import Plan
from shoal.tables.table import Table

NAN = np.nan
TREE = [["a", "ab", "*"], ["b", "ab", "*"], ["c", "*"], ["unused", "*"]]


def table(**columns: Any) -> Table:
    """A typed table."""
    return Table.of(pl.DataFrame(columns))


def encoded(source: Table, missing: str = "own", **keywords: Any) -> Encoded:
    """All columns as quasi-identifiers."""
    plan = Plan.of(1, quasi_identifiers=source.names, missing=missing, **keywords)
    return encode(source, complete(plan, source))


def only(source: Table, missing: str = "own", **keywords: Any) -> EncodedColumn:
    """The only column."""
    (column,) = encoded(source, missing, **keywords).columns
    return column


# -- kinds -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([1, 2], "numeric"),
        ([1.5, None], "numeric"),
        ([date(2020, 1, 1)], "date"),
        ([datetime(2020, 1, 1)], "date"),
        (["x", "1"], "categorical"),
        (["1", "2"], "categorical"),
        ([True, False], "categorical"),
        (pl.Series(["S"], dtype=pl.Enum(["S", "L"])), "ordered"),
        ([None, None], "categorical"),
    ],
)
def test_kinds_are_decided_from_types(cells: Any, kind: str) -> None:
    """A plan that says nothing about a column gets the kind of its type."""
    source = table(x=cells)
    assert complete(Plan.of(1, quasi_identifiers=["x"]), source).columns["x"].kind == kind


def test_what_the_plan_says_is_kept() -> None:
    """A kind that was given stays, and a tree makes a column categorical."""
    source = table(x=[1, 2], y=[1, 2])
    plan = complete(
        Plan.of(1, quasi_identifiers=["x", "y"], kinds={"x": "ordered"}, hierarchies={"y": [["1", "*"], ["2", "*"]]}),
        source,
    )
    assert (plan.columns["x"].kind, plan.columns["y"].kind) == ("ordered", "categorical")


# -- coordinates -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "points", "style"),
    [
        ([3, -1, 3], [3, -1, 3], "integer"),
        ([0.5, -0.0], [0.5, 0.0], "real"),
        ([date(1970, 1, 2), date(1969, 12, 31)], [1, -1], "date"),
        ([datetime(1970, 1, 1, 0, 0, 1)], [1_000_000], "datetime"),
    ],
)
def test_lines(cells: list[Any], points: list[float], style: str) -> None:
    """Numbers, days and moments become numbers, and the style remembers how to write them."""
    column = only(table(x=cells))
    assert column.points.tolist() == points
    assert (column.style, column.tree, column.missing) == (style, None, None)


def test_negative_zero_is_zero() -> None:
    """Equal numbers have equal bits, or duplicates would not be found."""
    points = encoded(table(x=[0.0, -0.0])).points
    assert points.view(np.uint64).ravel().tolist() == [0, 0]


def test_trees_give_leaf_numbers() -> None:
    """The coordinate of a name is its place in the depth-first order of its tree."""
    column = only(table(x=["c", "a", "b", "a"]), hierarchies={"x": TREE})
    assert column.points.tolist() == [2, 0, 1, 0]
    assert column.tree is not None
    assert column.tree.n_leaves == 4


def test_names_without_a_tree_are_flat_in_sorted_order() -> None:
    """A flat tree has the values present."""
    column = only(table(x=["z", "a", "m"]))
    assert column.tree is not None
    assert column.tree.is_flat
    assert column.tree.leaf_labels == ["a", "m", "z"]
    assert column.points.tolist() == [2, 0, 1]


def test_booleans_are_names() -> None:
    """True and false under one root."""
    column = only(table(x=[True, False, None]))
    assert column.tree is not None
    assert column.tree.leaf_labels == ["false", "true", ""]


@pytest.mark.parametrize(
    ("cells", "order"),
    [
        (pl.Series(["L", "S", "L"], dtype=pl.Enum(["S", "M", "L"])), ("S", "L")),
        (["10", "9", "10"], ("9", "10")),
        (["30+", "<10", "10-29"], ("<10", "10-29", "30+")),
        (["no", "no"], ("no",)),
    ],
)
def test_ordered_columns_are_ranks(cells: Any, order: tuple[str, ...]) -> None:
    """In the order of the type, else in the one that the values tell."""
    column = only(table(x=cells), kinds={"x": "ordered"})
    assert column.order == order
    assert [order[int(point)] for point in column.points] == list(cells)


def test_prefix_codes() -> None:
    """A code's tree is made from its characters."""
    column = only(table(x=["8001", "8002", "9001"]), kinds={"x": "text-prefix"})
    assert column.tree is not None
    assert column.tree.labels[column.tree.lca(0, 1)] == "800*"


# -- missing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "numbers",
    [
        [1.0, 5.0, NAN],
        [NAN, 7.0],
        [NAN, NAN],
        [1e17, NAN],
        [-1e17, NAN, -1e17],
        [1e6, 1e6 + 0.1, NAN],
        [0.0, NAN, 5e-324],
        [-1e300, 1e300, NAN],
        [2.0**53 + 2, 2.0**53, NAN],
    ],
)
def test_missing_lies_apart_from_every_number(numbers: list[float]) -> None:
    """Mixing missing with any number costs exactly 1, however large or close the numbers are."""
    points, beyond = place_beyond(np.array(numbers))
    present = np.array(numbers)[~np.isnan(numbers)]
    column = EncodedColumn("x", points, missing=beyond)
    hulls = Encoded((column,)).hulls
    assert beyond is not None
    assert np.isfinite(points).all()
    assert not (present == beyond).any()
    assert column.span == (present.max() - present.min() if len(present) else 0)
    for number in present:
        if column.span == 0 or column.span > 1e-300:
            assert loss(hulls, np.array([number]), np.array([beyond])) == 1.0
    assert loss(hulls, np.array([beyond]), np.array([beyond])) == 0.0


def test_without_missing_nothing_changes() -> None:
    """No stand-in where none is needed."""
    assert place_beyond(np.array([1.0, 2.0]))[1] is None
    assert place_at_middle(np.array([1.0, 2.0])).tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [([1.0, NAN, 9.0, 5.0], 5.0), ([1.0, NAN, 9.0], 1.0), ([NAN, NAN], 0.0)],
)
def test_wildcards_stand_at_the_lower_median(numbers: list[float], expected: float) -> None:
    """They widen no hull on purpose."""
    assert place_at_middle(np.array(numbers))[np.isnan(numbers)].tolist() == [expected] * int(np.isnan(numbers).sum())


@pytest.mark.parametrize(("leaves", "expected"), [([2, -1, 2, 1], [2, 2, 2, 1]), ([3, -1, 1], [3, 1, 1]), ([-1], [0])])
def test_wildcards_stand_at_the_commonest_leaf(leaves: list[int], expected: list[int]) -> None:
    """Ties go to the lowest."""
    assert place_at_commonest(np.array(leaves)).tolist() == expected


def test_missing_names_are_a_leaf_of_their_own() -> None:
    """The tree grows by one leaf under the root; losses count it."""
    column = only(table(x=["a", None, "b"]), hierarchies={"x": TREE})
    assert column.tree is not None
    assert (column.missing, column.tree.n_leaves) == (4.0, 5)
    assert column.points.tolist() == [0, 4, 1]


@pytest.mark.parametrize("cells", [[1, None, 3], ["a", None, "b"]])
def test_wildcards_are_remembered(cells: list[Any]) -> None:
    """Which cells were missing is known to the renderings; none of them is a value of its own."""
    column = only(table(x=cells), "wildcard")
    assert column.missing is None
    assert column.holes is not None
    assert column.holes.tolist() == [False, True, False]


def test_refuse_counts_per_column() -> None:
    """The message has the counts, column by column."""
    with pytest.raises(TableError) as raised:
        encoded(table(x=[1, None, None], y=["a", "b", None], z=[1, 2, 3]), "refuse")
    assert len(raised.value.parts()) == 5
    assert "x: 2, y: 1" in raised.value.received
    assert "z" not in raised.value.where.replace("columns", "")
    assert len(encoded(table(z=[1, 2]), "refuse")) == 2


@pytest.mark.parametrize("missing", ["own", "wildcard"])
@pytest.mark.parametrize("kind", ["numeric", "date", "ordered", "categorical", "text-prefix"])
@pytest.mark.parametrize("cells", [pl.Series([None] * 3, dtype=pl.String), pl.Series([None] * 3, dtype=pl.Null)])
def test_a_column_of_nothing_costs_nothing(cells: pl.Series, kind: str, missing: str) -> None:
    """All cells missing is one value, whatever the column is said to be."""
    one = encoded(table(x=cells), missing, kinds={"x": kind})
    assert loss(one.hulls, one.points.min(axis=0), one.points.max(axis=0)) == 0.0


# -- refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "keywords", "error", "words"),
    [
        ({"x": [1.0, float("inf")]}, {}, TableError, "infinite"),
        ({"x": [1e301, 2.0]}, {}, TableError, "too large to compute"),
        ({"x": [1e301, 2.0]}, {"scales": {"x": "rank"}}, TableError, "too large to compute"),
        ({"x": [1e301, 2.0]}, {"scales": {"x": "log"}}, TableError, "too large to compute"),
        ({"x": [2**60, 1]}, {}, TableError, "too large to be told apart"),
        ({"x": [0.0, 5e-324]}, {}, TableError, "too close together"),
        ({"x": [1e-300, None, 0.0]}, {"loss": "sse"}, TableError, "too close together"),
        ({"x": [1e6, None, 1e6 + 1e-9]}, {"scales": {"x": "log"}}, TableError, "too close together"),
        ({"x": [1.0, 1.0 + 2**-52]}, {"scales": {"x": "log"}}, TableError, "too close together"),
        ({"x": ["secret", "3"]}, {"kinds": {"x": "numeric"}}, TableError, "neither"),
        ({"x": [True, False]}, {"kinds": {"x": "numeric"}}, TableError, "cannot be read as numbers"),
        ({"x": ["secret" * 2000, "a"]}, {}, TableError, "very long text"),
        ({"x": ["*", "a"]}, {}, TableError, "already holds the mark"),
        ({"x": ["*", "a"]}, {"kinds": {"x": "ordered"}}, TableError, "already holds the mark"),
        ({"x": [["secret"], ["b"]]}, {}, TableError, "nested"),
        ({"x": [b"secret", b"b"]}, {}, TableError, "nested or binary"),
        ({"x": ["secret", "a"]}, {"hierarchies": {"x": TREE}}, HierarchyError, "does not cover"),
        ({"x": ["80**", "8001"]}, {"kinds": {"x": "text-prefix"}}, HierarchyError, "also a group"),
    ],
)
def test_columns_that_cannot_be_encoded_are_refused(
    columns: dict[str, Any], keywords: dict[str, Any], error: type[InputError], words: str
) -> None:
    """Each with its message in five parts, the column named, no cell quoted."""
    with pytest.raises(error, match=words) as raised:
        encoded(table(**columns), **keywords)
    assert len(raised.value.parts()) == 5
    assert "'x'" in raised.value.where
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("scale", ["range", "rank", "log"])
def test_numbers_that_a_scale_can_tell_apart(scale: str) -> None:
    """Each scale refuses no more than it must: numbers that are all equal, and those that only another cannot bear."""
    close = {"range": [1e6, 1e6 + 1e-9], "rank": [0.0, 5e-324], "log": [5e-324, 1e-323]}
    for cells in ([7.0, 7.0], [-1e300, 1e300, None], close[scale]):
        (column,) = encoded(table(x=cells), scales={"x": scale}).columns
        assert (column.span > 0) == (cells[0] != cells[1])


def test_a_plan_without_quasi_identifiers_is_refused() -> None:
    """There would be nothing to protect."""
    with pytest.raises(PlanError, match="nothing to protect"):
        complete(Plan.of(2, sensitive=["x"]), table(x=[1]))


def test_a_column_that_is_not_there_is_refused_with_the_nearest() -> None:
    """A misspelt column is never ignored."""
    with pytest.raises(TableError) as raised:
        complete(Plan.of(2, quasi_identifiers=["agee"]), table(age=[1]))
    assert raised.value.todo == "did you mean 'age'?"


def test_the_limit_of_labels_is_the_documented_one() -> None:
    """Ten thousand characters are still a label."""
    assert len(encoded(table(x=["a" * room.LONGEST_LABEL, "b"]))) == 2


# -- Encoded -----------------------------------------------------------------------------------------------------


def test_taking_rows_keeps_everything_else() -> None:
    """A column of some rows knows its tree, weight and holes."""
    column = EncodedColumn(
        "x", np.array([0.0, 1.0, 2.0]), 0.5, Hierarchy.flat("abc"), holes=np.array([True, False, True])
    )
    taken = column.take(np.array([2, 1]))
    assert taken.points.tolist() == [2.0, 1.0]
    assert taken.holes is not None
    assert taken.holes.tolist() == [True, False]
    assert (taken.weight, taken.tree) == (0.5, column.tree)


def test_no_columns_no_records() -> None:
    """An empty table is empty."""
    assert len(Encoded(())) == 0
    assert Encoded(()).points.shape == (0, 0)
