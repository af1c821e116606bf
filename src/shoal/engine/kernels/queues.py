# SPDX-License-Identifier: Apache-2.0
"""A queue, the highest first: a heap of numbers of things, each with a value that others know."""

from __future__ import annotations

from shoal.engine.kernels.compile import inlined
from shoal.ground.arrays import Floats, Ints


@inlined
def sink(heap: Ints, many: int, value: Floats) -> None:
    """Let the first of a heap sink to its place."""
    one, at = heap[0], 0
    while 2 * at + 1 < many:
        down = 2 * at + 1
        if down + 1 < many and value[heap[down + 1]] > value[heap[down]]:
            down += 1
        if value[heap[down]] <= value[one]:
            break
        heap[at] = heap[down]
        at = down
    heap[at] = one


@inlined
def rise(heap: Ints, one: int, value: Floats) -> None:
    """Take in the thing whose number is how many there are, and let it rise to its place."""
    at = one
    while at > 0 and value[heap[(at - 1) // 2]] < value[one]:
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = one
