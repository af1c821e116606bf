# SPDX-License-Identifier: Apache-2.0
"""The cheapest cut of a network between two of its nodes, by the largest flow (E. A. Dinic's way, 1970)."""

from __future__ import annotations

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel
from shoal.engine.kernels.rules import ZERO
from shoal.ground.arrays import Floats, Ints


@inlined
def _find_levels(begin: Ints, head: Ints, room: Floats, source: int, level: Ints, queue: Ints) -> None:
    """How many arcs with room there are from the source to each node; -1 if it is not reached."""
    for node in range(len(level)):
        level[node] = -1
    level[source], queue[0], done, waiting = 0, source, ZERO, ZERO + 1
    while done < waiting:
        node = queue[done]
        done += 1
        for arc in range(begin[node], begin[node + 1]):
            other = head[arc]
            if room[arc] > 0.0 and level[other] < 0:
                level[other] = level[node] + 1
                queue[waiting] = other
                waiting += 1


@inlined
def _push(room: Floats, twin: Ints, path: Ints, length: int) -> None:
    """As much as a path has room for; its narrowest arc is full then, to the last bit."""
    most = np.inf
    for i in range(length):
        most = min(most, room[path[i]])
    for i in range(length):
        room[path[i]] -= most
        room[twin[path[i]]] += most


@kernel
def source_side(begin: Ints, head: Ints, room: Floats, twin: Ints, source: int, sink: int) -> Ints:
    """[node] whether it is on the source's side of the cheapest cut, the smaller side if several are as cheap.

    The arcs of a node are ``begin[node] .. begin[node + 1]``: where they lead, and how much they can carry, which is
    used up. Each has a ``twin`` that leads back.
    """
    nodes = len(begin) - 1
    level, queue, path, at = np.empty(nodes, np.int64), np.empty(nodes, np.int64), np.empty(nodes, np.int64), begin[:-1]
    while True:
        _find_levels(begin, head, room, source, level, queue)
        if level[sink] < 0:
            break
        at, node, length = begin[:-1].copy(), source, ZERO
        while True:
            if node == sink:
                _push(room, twin, path, length)
                node, length = source, ZERO
            while at[node] < begin[node + 1] and not (
                room[at[node]] > 0.0 and level[head[at[node]]] == level[node] + 1
            ):
                at[node] += 1
            if at[node] < begin[node + 1]:
                path[length] = at[node]
                node = head[at[node]]
                length += 1
            elif length > 0:  # a dead end: back, and not here again
                length -= 1
                node = head[twin[path[length]]]
                at[node] += 1
            else:
                break
    return (level >= 0).astype(np.int64)
