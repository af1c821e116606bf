# SPDX-License-Identifier: Apache-2.0
"""KACPC: H. Wang, J. He, N. Zhu, "Improving data utilization of k-anonymity through clustering optimization", 2022.

Algorithm 1 line by line. Equation 4 has powers that are no fractions, so distances are decimals of sixty digits,
compared by their first forty.
"""

from __future__ import annotations

from collections import Counter
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from tests.reference.papers.records import Classes, Names, Numbers, Path, Records, Tree, how_many

PRECISE = Context(prec=60)
COMPARED = Decimal(10) ** -40


def decimal(number: Fraction) -> Decimal:
    """A fraction with sixty digits."""
    return PRECISE.divide(Decimal(number.numerator), Decimal(number.denominator))


def level(tree: Tree, node: Path) -> int:
    """H(X): the height of a node, counted from the floor of the deepest leaf, where it is 1."""
    return tree.levels - len(node) + 1


def distance_to_ancestor(tree: Tree, leaf: Path, ancestor: Path) -> Decimal:
    """Equation 4."""
    top = level(tree, ancestor)
    climbed = Decimal(top * (top - level(tree, leaf)))
    share = Fraction(len(tree.below(ancestor)), len(tree.paths))
    if not climbed:
        return Decimal(0)
    return PRECISE.multiply(PRECISE.power(climbed, decimal(Fraction(top, tree.levels))), decimal(share))


def distance_of_names(tree: Tree, one: str, other: str) -> Decimal:
    """Equation 5."""
    meeting = tree.meeting([one, other])
    return PRECISE.multiply(
        distance_to_ancestor(tree, tree.paths[one], meeting), distance_to_ancestor(tree, tree.paths[other], meeting)
    )


def distance(records: Records, row: int, cells: list[Any]) -> Decimal:
    """Equation 6: the distance of a record to some cells."""
    total = Decimal(0)
    for column, cell in zip(records, cells, strict=True):
        if isinstance(column, Names):
            term = distance_of_names(column.tree, column.cells[row], cell)
        else:
            term = decimal(abs(column.cells[row] - cell) / column.domain) if column.domain else Decimal(0)
        total = PRECISE.add(total, PRECISE.multiply(decimal(column.weight), term))
    return total.quantize(COMPARED, context=PRECISE)


def commonest(column: Numbers | Names) -> Any:
    """The value with the highest frequency; of several the first in the order of the column."""
    counts = Counter(column.cells)
    first = {cell: column.place(row) for row, cell in reversed(list(enumerate(column.cells)))}
    return min(counts, key=lambda cell: (-counts[cell], first[cell]))


def kacpc(records: Records, k: int) -> Classes:
    """Classes around centroids that spread from the middle of the table."""
    left = list(range(how_many(records)))
    classes: Classes = []
    distances: list[dict[int, Decimal]] = []
    while len(left) >= k:
        if not classes:
            sums = {row: distance(records, row, [commonest(column) for column in records]) for row in left}
        else:
            sums = {row: sum((to[row] for to in distances), Decimal(0)) for row in left}
        centroid = min(left, key=lambda row: (sums[row], row))
        left.remove(centroid)
        to_centroid = {row: distance(records, row, [column.cells[centroid] for column in records]) for row in left}
        distances.append(to_centroid)
        nearest = sorted(left, key=lambda row: (to_centroid[row], row))[: k - 1]
        left = [row for row in left if row not in nearest]
        classes.append([centroid, *nearest])
    for row in left:
        number = min(range(len(classes)), key=lambda number: (distances[number][row], number))
        classes[number].append(row)
    return classes
