# SPDX-License-Identifier: Apache-2.0
"""Two ways to get rid of classes that are too small: into the nearest large enough one, or into the nearest one.

Both take centres, sizes and the weight of each feature, and tell the class that each class ends in. Empty classes
are gone before; ties go to the lowest class.
"""

from __future__ import annotations

import heapq

import numpy as np

from shoal.engine.algorithms._euclidean import nearest_rows, tree_over
from shoal.engine.kernels.methods.moving_centres import squared_from
from shoal.engine.kernels.trees.box_tree import NO_ROW, delete
from shoal.engine.kernels.trees.squared_queries import nearest_each
from shoal.ground.arrays import Floats, Ints


def merge_into_legal(centres: Floats, sizes: Ints, weight: Floats, size: int) -> Ints:
    """Every class below ``size`` at once into the nearest of those that have it; there is one, see below.

    With at most n // size classes for n records, not all can have fewer than ``size``.
    """
    legal, illegal = np.flatnonzero(sizes >= size), np.flatnonzero((sizes > 0) & (sizes < size))
    target = np.arange(len(centres))
    lines = np.zeros(centres.shape[1], dtype=bool)
    tree = tree_over(centres[legal], lines, weight)
    target[illegal] = legal[nearest_rows(tree, lines, weight, centres[illegal])]
    return target


def merge_into_any(centres: Floats, sizes: Ints, weight: Floats, size: int) -> Ints:
    """The smallest class below ``size`` into the nearest of any size, whose centre moves; until none is below.

    Centres that have not moved are found with a tree; those that have are looked at one by one, and when they are
    many the tree is built anew.
    """
    centres, sizes, target = centres.copy(), sizes.copy(), np.arange(len(centres))
    waiting = [(int(sizes[number]), number) for number in np.flatnonzero((sizes > 0) & (sizes < size)).tolist()]
    heapq.heapify(waiting)
    near = _Neighbours(centres, np.flatnonzero(sizes > 0), weight)
    while waiting:
        count, small = heapq.heappop(waiting)
        if target[small] != small or sizes[small] != count:
            continue
        near.drop(small)
        into = near.nearest(small)
        total = count + sizes[into]
        centres[into] = (count * centres[small] + sizes[into] * centres[into]) / total
        sizes[into], target[small] = total, into
        near.moved(into)
        if total < size:
            heapq.heappush(waiting, (int(total), into))
    while not np.array_equal(target, target[target]):
        target = target[target]
    return target


class _Neighbours:
    """The nearest of several centres, some of which move."""

    def __init__(self, centres: Floats, classes: Ints, weight: Floats) -> None:
        self._centres, self._weight = centres, weight
        self._lines = np.zeros(centres.shape[1], dtype=bool)
        self._build(classes)

    def _build(self, classes: Ints) -> None:
        self._classes = classes
        self._place = {number: place for place, number in enumerate(classes.tolist())}
        self._tree = tree_over(self._centres[classes], self._lines, self._weight)
        self._loose: list[int] = []

    def drop(self, number: int) -> None:
        """A class is gone."""
        if number in self._place:
            delete(self._tree, self._place.pop(number))
        else:
            self._loose.remove(number)

    def moved(self, number: int) -> None:
        """The centre of a class is elsewhere now."""
        self.drop(number)
        self._loose.append(number)
        if len(self._loose) ** 2 > len(self._classes):
            self._build(np.array(sorted([*self._place, *self._loose]), dtype=np.int64))

    def nearest(self, number: int) -> int:
        """The class nearest to a class that was dropped."""
        best = (np.inf, -1)
        if self._place:
            value, row = np.array([np.inf]), np.array([NO_ROW])
            nearest_each(self._tree, self._lines, self._weight, self._centres, np.array([number]), value, row)
            best = (float(value[0]), int(self._classes[row[0]]))
        if self._loose:
            loose = np.array(sorted(self._loose), dtype=np.int64)
            values = squared_from(self._centres, loose, number, self._weight)
            best = min(best, (float(values.min()), int(loose[values.argmin()])))
        return best[1]
