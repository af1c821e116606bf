# SPDX-License-Identifier: Apache-2.0
"""Rows in the order of a column that is published as it is.

Sorted rows tell more than their cells do: neighbours in the file were neighbours in the source, ties stand in the order
of the source, and a sensitive column that was sorted on gives away where a person with a known value stands. Up or
down, numbers by size and text by letters; missing cells are passed over. Told only where chance would hardly sort
them so: for counts c1, c2, ... of equal values, c1! c2! ... / n! is the share of orders that are sorted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from shoal.ground.errors import TableError
from shoal.judging.leak_search import CHANCE, WARNING, Leak, LeakScene
from shoal.plan.roles import DATE, NUMERIC


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns that the rows are sorted by."""
    for name in scene.others:
        values = _values(scene, name)
        steps = np.diff(values)
        if len(values) < 3 or not ((steps >= 0).all() or (steps <= 0).all()):
            continue
        _, counts = np.unique(values, return_counts=True)
        chance = sum(math.lgamma(count + 1) for count in counts) - math.lgamma(len(values) + 1) + math.log(2)
        if chance < CHANCE:
            said = f"the rows are sorted by column {name!r} ({scene.role(name)}), so their order tells about the source"
            todo = "shuffle the rows; shoal does so unless it is asked to keep the order"
            yield Leak("sorted_rows", WARNING, said, todo, (name,))


def _values(scene: LeakScene, name: str) -> np.ndarray:
    """The present cells as numbers that sort like them."""
    if scene.released.natural_kind(name) in (NUMERIC, DATE):
        try:
            numbers = scene.released.numbers(name).values
            return numbers[~np.isnan(numbers)]
        except TableError:
            pass  # infinite, or too large to be told apart: sorted as text
    codes = scene.cells(name).codes
    return codes[codes >= 0]
