# SPDX-License-Identifier: Apache-2.0
"""KACA and bottom-up local recoding as told: every join looks at every class."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.engine.encoding.encoded import Encoded
from shoal.hierarchies.hierarchy import Hierarchy
from tests.reference.growing import labels
from tests.reference.hilbert import cell, cuts, key
from tests.reference.losses import Loss, Point, hull, range_loss, ticks, up

Class = list[int]


# -- kaca --------------------------------------------------------------------------------------------------------


def climb(tree: Hierarchy, node: int, beta: float) -> float:
    """Weighted hierarchical distance from a leaf at the lowest level up to a node; a leaf itself costs nothing."""
    if node in tree.leaves or tree.n_leaves == 1:
        return 0.0
    lowest = max(len(up(tree, int(leaf))) for leaf in tree.leaves)
    weight = {level: 1 / (level - 1) ** beta for level in range(2, lowest + 1)}
    level = len(up(tree, node))
    return sum(weight[j] for j in range(level + 1, lowest + 1)) / sum(weight.values())


class Distortion:
    """Distortion per record of a class."""

    def __init__(self, encoded: Encoded, beta: float) -> None:
        self.columns, self.beta, self.known = encoded.columns, beta, {}

    def of(self, members: Sequence[Point]) -> float:
        """Sum over the columns, in their order."""
        lo, hi = hull(members)
        total = 0.0
        for j in range(len(self.columns)):
            total += self.term(j, lo[j], hi[j])
        return total

    def term(self, j: int, lo: float, hi: float) -> float:
        """One column."""
        column = self.columns[j]
        if column.tree is None:
            return range_loss(column, lo, hi)
        if (j, lo, hi) not in self.known:
            node = column.tree.lca(int(lo), int(hi))
            self.known[j, lo, hi] = climb(column.tree, node, self.beta) * column.weight
        return self.known[j, lo, hi]


def kaca(encoded: Encoded, k: int, beta: float, order: Sequence[int] = ()) -> list[int]:
    """Equal records first; then the smallest class, or that of the first row of ``order``, joins its nearest."""
    distortion, points = Distortion(encoded, beta), encoded.points.tolist()
    same: dict[tuple[float, ...], Class] = {}
    for row, point in enumerate(points):
        same.setdefault(tuple(point), []).append(row)
    classes: dict[int, Class] = dict(enumerate(same.values()))

    def of(members: Class) -> float:
        return distortion.of([points[row] for row in members])

    def distance(one: int, other: int) -> int:
        union = of(classes[one] + classes[other])
        return ticks(
            len(classes[one]) * (union - of(classes[one])) + len(classes[other]) * (union - of(classes[other]))
        )

    while small := [number for number, members in classes.items() if len(members) < k]:
        one = min(small, key=lambda number: (len(classes[number]), number))
        if order:
            one = next(number for row in order for number in small if row in classes[number])
        other = min((number for number in classes if number != one), key=lambda number: (distance(one, number), number))
        if len(classes[one]) + len(classes[other]) < 2 * k:
            members = classes.pop(one) + classes.pop(other)
            classes[min(one, other)] = members
        else:
            lacking, available = k - len(classes[one]), sorted(classes[other])
            classes[one] = classes[one] + available[:lacking]
            classes[other] = available[lacking:]
    return labels(list(classes.values()), len(points))


# -- bottom_up ---------------------------------------------------------------------------------------------------


def bottom_up(encoded: Encoded, k: int, split: str) -> list[int]:
    """Single records; rounds of joins by lowest row, then large classes split."""
    loss, points = Loss(encoded), encoded.points.tolist()
    classes: dict[int, Class] = {row: [row] for row in range(len(points))}

    def cost(members: Class) -> int:
        return ticks(len(members) * loss.of(*hull([points[row] for row in members])))

    while any(len(members) < k for members in classes.values()):
        for one in range(len(points)):
            if one in classes and len(classes[one]) < k:
                others = [number for number in classes if number != one]
                other = min(others, key=lambda number: (cost(classes[one] + classes[number]), number))
                members = classes.pop(one) + classes.pop(other)
                classes[min(members)] = members
        parts = [part for members in classes.values() for part in _split(encoded, sorted(members), k, split)]
        classes = {min(part): part for part in parts}
    return labels(list(classes.values()), len(points))


def _split(encoded: Encoded, rows: Class, k: int, how: str) -> list[Class]:
    """A class of 2k or more in parts of at least k; others as they are."""
    if len(rows) < 2 * k:
        return [rows]
    points = encoded.points[rows].tolist()
    if how == "dp":
        keys = [key(one, 8) for one in cell(points, 8)]
        line = sorted(range(len(rows)), key=lambda place: (keys[place], place))
        return cuts(encoded, k, [rows[place] for place in line])
    line = sorted(range(len(rows)), key=lambda place: (points[place], place))
    blocks = len(rows) // k
    return [
        [rows[place] for place in line[block * k : None if block == blocks - 1 else (block + 1) * k]]
        for block in range(blocks)
    ]
