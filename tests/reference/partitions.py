# SPDX-License-Identifier: Apache-2.0
"""Every way to partition a handful of records into classes of at least k."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from shoal.engine.encoding.encoded import Encoded
from tests.reference.losses import Loss, hull


def partitions(rows: list[int], k: int) -> Iterator[list[list[int]]]:
    """All partitions of the rows into classes of at least k."""
    if not rows:
        yield []
        return
    first, others = rows[0], rows[1:]
    for chosen in range(1 << len(others)):
        members = [first, *(row for bit, row in enumerate(others) if chosen >> bit & 1)]
        rest = [row for bit, row in enumerate(others) if not chosen >> bit & 1]
        if len(members) >= k and (not rest or len(rest) >= k):
            yield from ([members, *more] for more in partitions(rest, k))


def total_loss(encoded: Encoded, classes: list[list[int]]) -> float:
    """Loss of a partition: class sizes times the loss of their hulls."""
    loss, points = Loss(encoded), encoded.points.tolist()
    return sum(len(members) * loss.of(*hull([points[row] for row in members])) for members in classes)


def optimum(
    encoded: Encoded, k: int, allowed: Callable[[list[int]], bool] = lambda members: True
) -> tuple[float, list[list[int]]]:
    """The cheapest partition into classes that are allowed, and its loss; infinite if there is none."""
    loss, points = Loss(encoded), encoded.points.tolist()

    def cost(classes: list[list[int]]) -> float:
        return sum(len(members) * loss.of(*hull([points[row] for row in members])) for members in classes)

    every = (one for one in partitions(list(range(len(points))), k) if all(map(allowed, one)))
    best = min(every, key=cost, default=[])
    return (cost(best) if best else math.inf), best
