# SPDX-License-Identifier: Apache-2.0
"""The cheapest cut: no other cut of a small network is cheaper."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.kernels.flows import source_side
from tests.counts import repeats
from tests.reference.cuts import Arc, cheapest_cut, cut


def side_of(arcs: list[Arc], nodes: int, source: int, sink: int) -> set[int]:
    """The source's side by the kernel: each arc is listed where it begins, and its twin where it ends."""
    ends = sorted([(tail, number, 0) for number, (tail, _, _) in enumerate(arcs)]
                  + [(head, number, 1) for number, (_, head, _) in enumerate(arcs)])  # fmt: skip
    place = {(number, back): at for at, (_, number, back) in enumerate(ends)}
    begin = np.searchsorted([node for node, _, _ in ends], np.arange(nodes + 1))
    head = np.array([arcs[number][1 - back] for _, number, back in ends], dtype=np.int64)
    room = np.array([arcs[number][2] * (1 - back) for _, number, back in ends], dtype=np.float64)
    twin = np.array([place[number, 1 - back] for _, number, back in ends], dtype=np.int64)
    return set(np.flatnonzero(source_side(begin.astype(np.int64), head, room, twin, source, sink)).tolist())


@pytest.mark.parametrize("seed", repeats(60, 600))
def test_no_cut_is_cheaper(seed: int) -> None:
    """Random networks, loops and double arcs among them: the cheapest cut, and of several the smaller side."""
    random = np.random.default_rng(seed)
    nodes, many = int(random.integers(2, 10)), int(random.integers(1, 30))
    rooms = random.integers(0, 6, many) / 2
    arcs = [(int(tail), int(head), float(room)) for (tail, head), room in zip(
        random.integers(0, nodes, (many, 2)), rooms, strict=True)]  # fmt: skip
    source, sink = (int(one) for one in random.permutation(nodes)[:2])
    cost, side = cheapest_cut(arcs, nodes, source, sink)
    assert side_of(arcs, nodes, source, sink) == side
    real = [(tail, head, room * float(random.random())) for tail, head, room in arcs]
    assert cut(real, side_of(real, nodes, source, sink)) == pytest.approx(cheapest_cut(real, nodes, source, sink)[0])
    assert cut(arcs, side) == cost


def test_a_long_way_and_one_that_must_be_taken_back() -> None:
    """A shorter way that stands in the way of two others is given back; a chain is cut where it is narrowest."""
    crossing = [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0), (1, 4, 1.0), (2, 3, 1.0), (3, 5, 1.0), (4, 5, 1.0)]
    assert side_of(crossing, 6, 0, 5) == {0}
    chain = [(node, node + 1, 2.0 - (node == 700)) for node in range(999)]
    assert side_of(chain, 1_000, 0, 999) == set(range(701))


def test_a_sink_that_is_out_of_reach() -> None:
    """Without any way, all that the source reaches is on its side."""
    assert side_of([(0, 1, 1.0), (3, 2, 1.0)], 4, 0, 2) == {0, 1}
    assert side_of([(0, 1, 0.0)], 2, 0, 1) == {0}
