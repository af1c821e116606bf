# SPDX-License-Identifier: Apache-2.0
"""The loss of a hull, straight from its definition: walk up the tree, or subtract."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.hierarchies.hierarchy import Hierarchy

Point = Sequence[float]


def ticks(value: Any) -> Any:
    """A loss rounded to 12 decimals, as a whole number, so that float noise decides no tie; fractions have no noise."""
    return value if isinstance(value, Fraction) else whole(value * 1e12)


def whole(value: float) -> int:
    """The nearest whole number; beyond 2^43 the nearest of those with 43 significant bits, the even one of two."""
    if abs(value) < 2**43:
        return math.floor(value + 0.5)
    mantissa, exponent = math.frexp(value)
    return round(math.ldexp(mantissa, 43)) * 2 ** (exponent - 43)


def even_ticks(value: Any, largest: float) -> Any:
    """Ticks of a difference of amounts up to ``largest``, halved until those have no more than 43 bits."""
    while largest * 1e12 > 2**43:
        value, largest = value / 2, largest / 2  # of fractions all are divided alike, which changes no order
    return ticks(value)


def up(tree: Hierarchy, node: int) -> list[int]:
    """A node and everything above it, root last."""
    path = [node]
    while tree.parents[path[-1]] >= 0:
        path.append(int(tree.parents[path[-1]]))
    return path


def below(tree: Hierarchy, node: int) -> list[int]:
    """Leaf numbers below a node, or the leaf's own."""
    return [number for number, leaf in enumerate(tree.leaves) if node in up(tree, int(leaf))]


def common_ancestor(tree: Hierarchy, leaves: Sequence[int]) -> int:
    """Lowest node that is above all of the leaves."""
    paths = [up(tree, int(tree.leaves[leaf])) for leaf in leaves]
    return next(node for node in paths[0] if all(node in path for path in paths))


def height(tree: Hierarchy, node: int) -> int:
    """Edges from a node down to its deepest leaf."""
    return max(up(tree, int(tree.leaves[leaf])).index(node) for leaf in below(tree, node))


def node_loss(tree: Hierarchy, node: int, loss: str) -> float:
    """What publishing a node costs, by the four definitions."""
    leaves, every = len(below(tree, node)), tree.n_leaves
    levels = max(len(up(tree, int(leaf))) for leaf in tree.leaves)
    depth = len(up(tree, node)) - 1
    if every == 1 or (leaves == 1 and loss != "height"):
        return 0.0
    if loss == "height":
        return height(tree, node) / height(tree, 0)
    if loss == "ncp":
        return leaves / every
    if loss == "lm":
        return (leaves - 1) / (every - 1)
    return (levels - depth - 1) / (levels - 1)


class Loss:
    """The loss of hulls over one encoded table."""

    @property
    def largest(self) -> float:
        """What a record can lose at most: mixing everything."""
        every = [column.weight if column.tree is None else self._root(column) for column in self.columns]
        return math.fsum(every)

    def _root(self, column: EncodedColumn) -> float:
        assert column.tree is not None
        return node_loss(column.tree, 0, self.name) * column.weight

    def __init__(self, encoded: Encoded) -> None:
        self.columns = encoded.columns
        self.name = encoded.loss
        self.term = cache(self._term)

    def _term(self, j: int, lo: float, hi: float) -> float:
        column = self.columns[j]
        if column.tree is None:
            return range_loss(column, lo, hi)
        node = common_ancestor(column.tree, [int(lo), int(hi)])
        return node_loss(column.tree, node, self.name) * column.weight

    def of(self, lo: Point, hi: Point) -> float:
        """Loss per record of a hull; terms in column order."""
        total = 0.0
        for j in range(len(lo)):
            total += self.term(j, lo[j], hi[j])
        return total

    def grown(self, lo: Point, hi: Point, point: Point) -> float:
        """Loss per record of a hull that takes in one more point."""
        return self.of(*grow(lo, hi, point))

    def between(self, one: Point, other: Point) -> float:
        """Distance of two records: the loss of a class that holds just them."""
        return self.grown(one, one, other)


class ExactLoss(Loss):
    """The same for numbers that are fractions, without any rounding."""

    def _term(self, j: int, lo: float, hi: float) -> Any:
        column = self.columns[j]
        assert column.tree is None
        assert column.missing is None
        return Fraction(hi - lo) * Fraction(column.weight) / Fraction(column.span) if hi > lo else Fraction(0)


def range_loss(column: EncodedColumn, lo: float, hi: float) -> float:
    """Share of the column's range; the whole weight where missing and present are mixed."""
    if lo == hi:
        return 0.0
    if column.missing is not None and hi == column.missing:
        return column.weight
    return min((hi - lo) * (column.weight / column.span), column.weight)


def grow(lo: Point, hi: Point, point: Point) -> tuple[list[float], list[float]]:
    """A hull that takes in one more point."""
    return [min(pair) for pair in zip(lo, point)], [max(pair) for pair in zip(hi, point)]


def hull(points: Sequence[Point]) -> tuple[list[float], list[float]]:
    """Smallest and largest coordinate on each attribute."""
    return [min(column) for column in zip(*points)], [max(column) for column in zip(*points)]
