# SPDX-License-Identifier: Apache-2.0
"""What the methods share whose records join the best of all classes: the order of records, the moving classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._growing import Report, in_slices
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.hull import class_hulls
from shoal.engine.kernels.methods.choosing import MeanSums, centres, join
from shoal.engine.kernels.trees.class_tree import ClassTree, build_classes
from shoal.ground.arrays import Floats, Ints

FEWEST_JOINED = 256
"""A new tree is built after as many records have joined as it has classes, but not after fewer than these."""


def sorted_rows(encoded: Encoded) -> Ints:
    """Rows by their quasi-identifiers, the first column first; equal rows in row order."""
    return np.lexsort(encoded.points.T[::-1]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class MovingClasses:
    """Where the classes lie now, as the kernels change it.

    With ``by_growth`` a class is its hull, and a record joins where the total loss grows least; without, it is its
    centre (mean of numbers, common ancestor of names), and a record joins the nearest.
    """

    encoded: Encoded
    lo: Floats
    hi: Floats
    sizes: Ints
    sums: MeanSums
    by_growth: bool

    @classmethod
    def of(cls, encoded: Encoded, labels: Ints, n_classes: int, by_growth: bool) -> MovingClasses:
        """Hulls or centres of the labelled records, taken in row order."""
        missing = np.array([np.nan if column.missing is None else column.missing for column in encoded.columns])
        if by_growth:
            nothing = np.zeros((0, 0))
            lo, hi, sizes = class_hulls(encoded.points, labels, n_classes)
            return cls(encoded, lo, hi, sizes, MeanSums(nothing, nothing, missing), by_growth)
        shape = (n_classes, len(missing))
        sums = MeanSums(np.zeros(shape), np.zeros(shape), missing)
        lo, hi, sizes = centres(encoded.hulls, sums, encoded.points, labels, n_classes)
        return cls(encoded, lo, hi, sizes, sums, by_growth)

    def tree(self, chosen: Ints) -> ClassTree:
        """A tree over the chosen classes."""
        return build_classes(self.encoded.hulls, self.lo, self.hi, self.sizes, chosen)

    def below(self, size: int) -> Ints:
        """The classes with fewer records."""
        return np.flatnonzero(self.sizes < size)

    def join(self, rows: Ints, labels: Ints, report: Report, full: int = 0) -> int:
        """Rows join classes, one after another; with ``full`` only classes below that size, until there are none.

        Returns how many found a class.
        """
        encoded = self.encoded
        chosen = self.below(full) if full else np.arange(len(self.sizes))
        if not len(chosen):
            return 0
        tree, at, old, period = self.tree(chosen), 0, 0, max(FEWEST_JOINED, len(chosen))

        def step(until: int) -> int:
            nonlocal tree, at, old
            while at < until:
                goal = min(until, old + period)
                at = join(encoded.hulls, tree, self.sums, encoded.points, rows, at, goal, self.by_growth, full, labels)
                left = self.below(full) if full else chosen
                if at < goal or not len(left):
                    break
                if at == old + period:
                    tree, old = self.tree(left), at
            return at

        return in_slices(step, len(rows), report)
