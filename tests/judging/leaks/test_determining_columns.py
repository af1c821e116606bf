# SPDX-License-Identifier: Apache-2.0
"""A column that tells more than a label is told of, one that tells as much is not."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.labels.lines import EVERYTHING
from shoal.judging.leak_search import LeakScene
from shoal.judging.leaks import determining_columns
from shoal.judging.leaks._labels import _in_a_tree
from shoal.plan.plan import Plan
from shoal.tables.table import Table

RANGES = ["[20, 29]", "[30, 39]", "[40, 49]"]


def told(beside: dict[str, list[str]]) -> bool:
    """Whether a column is told of that has some value, by chance one of several, beside each range of ages."""
    random = np.random.default_rng(0)
    age = random.choice(RANGES, 200)
    other = [str(random.choice(beside[one])) for one in age]
    scene = LeakScene(Table.of(pl.DataFrame({"age": age, "x": other})), Plan.of(2, quasi_identifiers=["age"]))
    return any(determining_columns.find(scene))


@pytest.mark.parametrize(
    ("values", "finer"),
    [
        ([["young"], ["middle"], ["older"]], False),
        ([["young"], ["older"], ["older"]], False),
        ([["a", "b"], ["c"], ["d"]], True),
        ([["a"], ["b", "c"], ["d", "e"]], True),
        ([["a", "b"], ["a", "b"], ["c", "d"]], False),
    ],
)
def test_more_values_than_labels_tell_more(values: list[list[str]], finer: bool) -> None:
    """The label in other words tells no more than the label; several values under one label do."""
    assert told(dict(zip(RANGES, values, strict=True))) is finer


def test_every_node_of_a_tree_holds_its_leaves() -> None:
    """The root and a star hold anything; every other node what lies below it; a stranger nothing that is known."""
    tree = Hierarchy.from_rows([["a", "ab", "all"], ["b", "ab", "all"], ["c", "cd", "all"], ["d", "cd", "all"]])
    found = dict(zip(["all", "*", "ab", "cd", "c", "?"], _in_a_tree(["all", "*", "ab", "cd", "c", "?"], tree)))
    assert found == {"all": EVERYTHING, "*": EVERYTHING, "ab": (0, 1), "cd": (2, 3), "c": (2, 2), "?": None}
