# SPDX-License-Identifier: Apache-2.0
"""Random small releases, measured a second time cell by cell with code that shares nothing with the metrics."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.checking import measure
from shoal.plan.plan import Plan
from shoal.tables.table import Table

LOSSES = ("il", "ncp", "eloss", "lm")

# Ragged on purpose: branches of one, two and three edges, one node with a single leaf.
TREE = [
    ["a", "*"],
    ["b", "bc", "*"],
    ["c", "bc", "*"],
    ["d", "de", "def", "*"],
    ["e", "de", "def", "*"],
    ["f", "f+", "def", "*"],
    ["g", "*"],
]
FLAT = ["r", "s", "t"]

rows = st.tuples(
    st.sampled_from([None, 0, 1, 2, 5, 9]),
    st.sampled_from([None, *(row[0] for row in TREE)]),
    st.sampled_from([None, *FLAT]),
    st.integers(0, 3),
)
tables = st.lists(rows, min_size=1, max_size=12)
weights = st.sampled_from([{}, {"n": 2.0}, {"t": 0.5, "f": 3.0}, {"n": 0.0}])


def meeting(values: set[str]) -> tuple[list[str], int]:
    """Path from the root to the lowest common ancestor of leaves of TREE, and how many leaves it has."""
    paths = [row[::-1] for row in TREE if row[0] in values]
    shared = []
    for labels in zip(*paths, strict=False):
        if len(set(labels)) > 1:
            break
        shared.append(labels[0])
    below = sum(row[::-1][: len(shared)] == shared for row in TREE)
    return shared, below


def tree_costs(values: set[Any], has_missing: bool) -> dict[str, float]:
    """What a class pays on the column with the tree."""
    total = len(TREE) + has_missing
    if len(values) == 1:
        return dict.fromkeys(LOSSES, 0.0)
    if None in values:
        return dict.fromkeys(LOSSES, 1.0)
    path, leaves = meeting(values)
    if len(path) == 1:
        leaves = total
    deepest = max(len(row[::-1]) - len(path) for row in TREE if row[::-1][: len(path)] == path)
    return {
        "il": deepest / 3,
        "ncp": leaves / total,
        "eloss": 1 - (len(path) - 1) / 3,
        "lm": (leaves - 1) / (total - 1),
    }


def number_cost(values: set[Any], column: list[Any]) -> float:
    """What a class pays on the numeric column."""
    if len(values) == 1:
        return 0.0
    if None in values:
        return 1.0
    present = [one for one in column if one is not None]
    return (max(values) - min(values)) / (max(present) - min(present))


def labels(name: str, values: set[Any]) -> Any:
    """What a class publishes."""
    if len(values) == 1:
        only = next(iter(values))
        return None if only is None else str(only)
    if None in values or name == "f":
        return "*"
    return f"[{min(values)}, {max(values)}]" if name == "n" else meeting(values)[0][-1]


def expected(table: list[tuple], plan_weights: dict[str, float]) -> dict[str, float]:
    """Totals of all losses, cell by cell."""
    totals = dict.fromkeys(LOSSES, 0.0)
    by_column = dict(zip("ntf", zip(*table, strict=True), strict=False))
    for row in table:
        mates = [other for other in table if other[3] == row[3]]
        numbers, leaves, names = ({mate[place] for mate in mates} for place in range(3))
        on_tree = tree_costs(leaves, None in by_column["t"])
        for loss in LOSSES:
            cells = {
                "n": number_cost(numbers, list(by_column["n"])),
                "t": on_tree[loss],
                "f": float(len(names) > 1),
            }
            totals[loss] += sum(plan_weights.get(name, 1.0) * cost for name, cost in cells.items())
    return totals


def frames(table: list[tuple]) -> tuple[Table, Table]:
    """The original and its release."""
    numbers, leaves, names, groups = (list(column) for column in zip(*table, strict=True))
    original = {"n": pl.Series(numbers, dtype=pl.Int64), "t": pl.Series(leaves, dtype=pl.String)}
    original["f"] = pl.Series(names, dtype=pl.String)
    released = {
        name: pl.Series(
            [labels(name, {row[place] for row in table if row[3] == group}) for group in groups], dtype=pl.String
        )
        for place, name in enumerate("ntf")
    }
    return Table.of(pl.DataFrame(original)), Table.of(pl.DataFrame(released))


@given(tables, weights, st.booleans())
def test_losses(table: list[tuple], plan_weights: dict[str, float], by_classes: bool) -> None:
    """Losses read from labels, or from classes where centres are shown, equal the loss summed cell by cell."""
    original, released = frames(table)
    plan = Plan.of(
        2,
        quasi_identifiers=["n", "t", "f"],
        hierarchies={"t": Hierarchy.from_rows(TREE)},
        weights=plan_weights,
        render="mode" if by_classes else "generalise",
    )
    classes = [row[3] for row in table] if by_classes else None
    found = {one.metric: one for one in measure(original, released, plan, classes=classes, metrics=LOSSES)}
    totals = expected(table, plan_weights)
    cells = len(table) * sum(plan_weights.get(name, 1.0) for name in "ntf")
    totals["lm"] /= cells
    assert {name: one.value for name, one in found.items()} == pytest.approx(totals)
    assert found["ncp"].figures["per_cell"] == pytest.approx(totals["ncp"] / cells)
    assert {one.note for one in found.values()} == {""}


@given(tables)
def test_class_metrics(table: list[tuple]) -> None:
    """Class sizes are those of the rows as they look, whatever classes they were made from."""
    _, released = frames(table)
    looks = list(released.frame.iter_rows())
    sizes = Counter(looks)
    found = {one.metric: one for one in measure(None, released, Plan.of(2, quasi_identifiers=["n", "t", "f"]))}
    assert found["discernibility"].value == sum(size**2 for size in sizes.values())
    assert found["average_class_size"].value == pytest.approx(len(table) / len(sizes) / 2)
    assert found["prosecutor_risk"].value == 1 / min(sizes.values())
    assert found["prosecutor_risk"].figures["mean"] == pytest.approx(len(sizes) / len(table))
    above = sum(1 / sizes[look] > 0.2 for look in looks)
    assert found["prosecutor_risk"].figures["share_above"] == pytest.approx(above / len(table))
