# SPDX-License-Identifier: Apache-2.0
"""Sort-tile-recursive, recursively: sort a part by its next attribute, cut it into slabs, go on with each."""

from __future__ import annotations

from itertools import count

from shoal.engine.encoding.encoded import Encoded
from tests.reference.growing import labels


def r_tree(encoded: Encoded, k: int) -> list[int]:
    """Class of each record."""
    points = encoded.points.tolist()
    classes: list[list[int]] = []

    def tile(rows: list[int], tiles: int, j: int) -> None:
        left = len(points[0]) - j
        if left == 0:
            classes.append(rows)
            return
        slabs = next(s for s in count(1) if s**left >= tiles)
        rows = sorted(rows, key=lambda row: (points[row][j], row))
        for slab in range(slabs):
            share = tiles // slabs + (slab < tiles % slabs)
            end = len(rows) if slab == slabs - 1 else share * k
            tile(rows[:end], share, j + 1)
            rows = rows[end:]

    tile(list(range(len(points))), len(points) // k, 0)
    return labels(classes, len(points))
