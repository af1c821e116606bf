# SPDX-License-Identifier: Apache-2.0
"""Mondrian as told: the widest attribute first, cut if every part keeps k, else the next attribute."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from tests.reference.growing import labels
from tests.reference.losses import below, common_ancestor, range_loss, ticks, up

Part = list[int]


def mondrian(encoded: Encoded, k: int, mode: str, cuts: str) -> list[int]:
    """Class of each record; ``mode`` is strict or relaxed, ``cuts`` ordered or taxonomy."""
    points = encoded.points
    waiting, classes = [list(range(len(points)))], []
    while waiting:
        part = waiting.pop()
        pieces = _first_allowed(encoded.columns, points, part, k, mode, cuts)
        if pieces:
            waiting.extend(pieces)
        else:
            classes.append(part)
    return labels(classes, len(points))


def _first_allowed(
    columns: Sequence[EncodedColumn], points: Sequence[Sequence[float]], part: Part, k: int, mode: str, cuts: str
) -> list[Part]:
    """The pieces of the first cut that leaves k records everywhere; nothing if there is none."""
    values = [[points[row][j] for row in part] for j in range(len(columns))]
    widths = [width(column, min(of), max(of), cuts) for column, of in zip(columns, values)]
    for j in sorted(range(len(columns)), key=lambda j: (-ticks(widths[j]), j)):
        pieces = cut(columns[j], part, values[j], mode, cuts)
        if len(pieces) > 1 and min(map(len, pieces)) >= k:
            return pieces
    return []


def width(column: EncodedColumn, lo: float, hi: float, cuts: str) -> float:
    """Share of the range, of the leaf order, or of the leaves below the common ancestor; times the weight."""
    if lo == hi:
        return 0.0
    if column.tree is None:
        return range_loss(column, lo, hi)
    if cuts == "ordered":
        return min((hi - lo) * (column.weight / (column.tree.n_leaves - 1)), column.weight)
    node = common_ancestor(column.tree, [int(lo), int(hi)])
    return len(below(column.tree, node)) / column.tree.n_leaves * column.weight


def cut(column: EncodedColumn, part: Part, values: Sequence[float], mode: str, cuts: str) -> list[Part]:
    """The pieces of one cut, empty ones left out."""
    if column.tree is not None and cuts == "taxonomy":
        return _by_child(column, part, values)
    ordered = sorted(zip(values, part))
    if mode == "relaxed":
        half = len(part) // 2
        pieces = [[row for _, row in ordered[:half]], [row for _, row in ordered[half:]]]
    else:
        median = ordered[(len(part) - 1) // 2][0]
        pieces = [[row for value, row in ordered if value <= median], [row for value, row in ordered if value > median]]
    return [sorted(piece) for piece in pieces if piece]


def _by_child(column: EncodedColumn, part: Part, values: Sequence[float]) -> list[Part]:
    """One piece per child of the common ancestor."""
    tree = column.tree
    assert tree is not None
    top = common_ancestor(tree, [int(min(values)), int(max(values))])
    pieces: dict[int, Part] = {}
    for value, row in zip(values, part):
        path = up(tree, int(tree.leaves[int(value)]))
        child = path[max(path.index(top) - 1, 0)]
        pieces.setdefault(child, []).append(row)
    return list(pieces.values())
