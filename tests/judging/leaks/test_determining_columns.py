# SPDX-License-Identifier: Apache-2.0
"""A column that tells more than a label is told of, one that tells as much is not."""

from __future__ import annotations

from collections.abc import Callable

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


def amounts(change: Callable[[np.random.Generator, np.ndarray], np.ndarray]) -> bool:
    """Whether a column of numbers is told of that depends on the ages behind ranges in which they were put."""
    random = np.random.default_rng(3)
    ages = random.integers(20, 80, 200)
    labels = [f"[{age // 10 * 10}, {age // 10 * 10 + 9}]" for age in ages]
    frame = pl.DataFrame({"age": labels, "x": change(random, ages)})
    return any(determining_columns.find(LeakScene(Table.of(frame), Plan.of(2, quasi_identifiers=["age"]))))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda random, ages: ages + random.random(200) / 4, True),
        (lambda random, ages: np.exp(-(ages + random.random(200)) / 30), True),
        (lambda random, ages: (ages + random.random(200)) ** 2, True),
        (lambda random, ages: ages + random.normal(size=200) * 9, False),
        (lambda random, ages: random.random(200), False),
    ],
    ids=["noise", "falling", "squared", "much noise", "chance"],
)
def test_numbers_that_rise_with_the_truth_tell_it(
    change: Callable[[np.random.Generator, np.ndarray], np.ndarray], told: bool
) -> None:
    """A little noise hides nothing; numbers that only tend to rise with the labels are measurements."""
    assert amounts(change) is told


def test_few_rows_stand_in_order_by_chance() -> None:
    """Ten rows of two ranges do so once in 126 tables."""
    frame = pl.DataFrame({"age": ["[20, 29]"] * 5 + ["[30, 39]"] * 5, "x": np.arange(10) * 1.7})
    assert not list(determining_columns.find(LeakScene(Table.of(frame), Plan.of(2, quasi_identifiers=["age"]))))
