# SPDX-License-Identifier: Apache-2.0
"""What two partitions have in common, written plainly: parts of equal records, the best of each, copies paired."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from tests.reference.pools import loss

Pair = tuple[int, int, int]
"""A class of one partition, one of the other, and how many records."""


def parts(one: Sequence[int], other: Sequence[int]) -> list[list[int]]:
    """The records of each part: whoever shares a class with one of them, in either partition, is one of them."""
    found, left = [], set(range(len(one)))
    while left:
        part = {min(left)}
        while True:
            mine, theirs = {one[record] for record in part}, {other[record] for record in part}
            more = {record for record in left if one[record] in mine or other[record] in theirs}
            if more == part:
                break
            part = more
        found.append(sorted(part))
        left -= part
    return found


def lost(encoded: Encoded, labels: Sequence[int], records: Sequence[int]) -> float:
    """Loss of some whole classes."""
    held: dict[int, list[int]] = {}
    for record in records:
        held.setdefault(labels[record], []).append(record)
    return sum(len(members) * loss(encoded.hulls, encoded.points, members) for members in held.values())


def best_of_each_part(encoded: Encoded, one: Sequence[int], other: Sequence[int]) -> float:
    """The least loss, if each part is taken from either partition."""
    return sum(min(lost(encoded, labels, part) for labels in (one, other)) for part in parts(one, other))


def paired(
    one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]], shared: dict[tuple[int, int], float]
) -> list[Pair]:
    """Of all entries (class, amount) with something left, the first two whose classes share most, again and again."""
    left, found = [[amount for _, amount in entries] for entries in (one, other)], []
    while True:
        ways = [(i, j) for i in range(len(one)) for j in range(len(other)) if left[0][i] and left[1][j]]
        if not ways:
            return found
        i, j = max(ways, key=lambda way: shared.get((one[way[0]][0], other[way[1]][0]), 0.0))
        some = min(left[0][i], left[1][j])
        left[0][i] -= some
        left[1][j] -= some
        found.append((one[i][0], other[j][0], some))


def growth(encoded: Encoded, points: np.ndarray, held: Sequence[int], size: int, atom: int, units: int) -> float:
    """By how much a class of some atoms and so many records loses more with some units of another atom."""
    after = loss(encoded.hulls, points, [*held, atom])
    return (size + units) * after - size * loss(encoded.hulls, points, list(held))
