# SPDX-License-Identifier: Apache-2.0
"""Points sorted into cells, and the cheapest window of a cell around each point.

A *cell* is a combination of tree nodes; its points stand in ascending order of their bin, so a *window* is a run of
bins. See :mod:`shoal.engine.bounds.lattice`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.rules import ZERO
from shoal.ground.arrays import Codes, Floats, Ints


class Lattice(NamedTuple):
    """Cells end to end, the cheapest first."""

    members: Ints
    """Points of each cell in ascending order of their bin."""
    start: Ints
    """[cell] where its points begin in ``members``; one more at the end."""
    base: Floats
    """[cell] what its nodes cost."""
    bins: Ints
    """[point] bin of its number."""
    left: Floats
    right: Floats
    """[bin] its smallest and its largest number, in units of loss."""
    cap: float
    """Most that a window can cost."""
    copies: Ints
    """[point] records, in units of which a share is a whole number."""
    value: Ints
    """[point] private value."""
    most: Ints
    """[value] most records of a class of k that may have it."""
    unit: int
    """What a record counts."""


@kernel
def gather(cells: Ints, copies: Ints, size: int, held: Codes, number: int, finer: Ints) -> tuple[Ints, Ints]:
    """Points of the cells that hold ``size`` records and more than any finer cell, cell by cell; and their lengths.

    ``held[number]`` is filled with the records of each point's cell; rows ``finer`` of it tell the finer cells'.
    """
    n, count = len(cells), ZERO
    for cell in cells:
        count = max(count, cell + 1)
    records = np.zeros(count, np.int64)
    lengths = np.zeros(count, np.int64)
    first = np.full(count, -1, np.int64)
    for i in range(n):
        records[cells[i]] += copies[i]
        lengths[cells[i]] += 1
        if first[cells[i]] < 0:
            first[cells[i]] = i
    for i in range(n):
        held[number, i] = records[cells[i]]
    fill = np.full(count, -1, np.int64)
    kept, places = 0, 0
    for cell in range(count):
        keep = records[cell] >= size
        for row in finer:
            keep = keep and held[row, first[cell]] != records[cell]
        if keep:
            fill[cell] = places
            places += lengths[cell]
            lengths[kept] = lengths[cell]
            kept += 1
    members = np.empty(places, np.int64)
    for i in range(n):
        if fill[cells[i]] >= 0:
            members[fill[cells[i]]] = i
            fill[cells[i]] += 1
    return members, lengths[:kept].copy()


@kernel
def cheapest_windows(lattice: Lattice, size: int) -> Floats:
    """For each point the loss of the cheapest box that contains it and may be a class of ``size`` records."""
    members, start, base, bins, left, right, cap = lattice[:7]
    best = np.full(len(lattice.copies), np.inf)
    longest = len(left)
    bin_of, until = np.empty(longest, np.int64), np.empty(longest, np.int64)
    first = np.empty(longest + 1, np.int64)
    queue = np.empty(longest, np.int64)
    cost = np.empty(longest)
    for cell in range(len(base)):
        steps = _profile(lattice, start[cell], start[cell + 1], bin_of, first)
        _shortest(lattice, size, steps, first, until)
        for a in range(steps):
            if until[a] < longest:
                cost[a] = _width(left[bin_of[until[a]]], right[bin_of[a]], until[a] > a, cap)
        at, head, tail, begin = start[cell], 0, 0, 0
        for i in range(steps):
            if until[i] < longest:
                while tail > head and cost[queue[tail - 1]] >= cost[i]:
                    tail -= 1
                queue[tail] = i
                tail += 1
            while tail > head and until[queue[head]] < i:
                head += 1
            loss = cost[queue[head]] if tail > head else np.inf
            if until[0] <= i:  # the shortest window up to i
                while begin < i and until[begin + 1] <= i:
                    begin += 1
                loss = min(loss, _width(left[bin_of[i]], right[bin_of[begin]], i > begin, cap))
            while at < start[cell + 1] and bins[members[at]] == bin_of[i]:
                best[members[at]] = min(best[members[at]], base[cell] + loss)
                at += 1
    return best


@kernel
def _shortest(lattice: Lattice, size: int, steps: int, first: Ints, until: Ints) -> None:
    """For each bin of a cell the last one of the shortest window from there on; beyond all bins if there is none.

    A window will do if it holds ``size`` records, of each value counted as many as it may have.
    """
    lattice = lent(lattice)
    held, able, end, longest = np.zeros(len(lattice.most), np.int64), 0, 0, len(lattice.left)
    for a in range(steps):
        while end < steps and able < size:
            for i in range(first[end], first[end + 1]):
                able += _counted(lattice, held, lattice.members[i], 1)
            end += 1
        until[a] = end - 1 if able >= size else longest
        for i in range(first[a], first[a + 1]):
            able += _counted(lattice, held, lattice.members[i], -1)


@kernel
def _counted(lattice: Lattice, held: Ints, point: int, times: int) -> int:
    """Add a point to a window, or take it out; returns by how much the records that count are more."""
    value = lattice.value[point]
    before = min(held[value], lattice.most[value])
    held[value] += times * lattice.copies[point]
    return min(held[value], lattice.most[value]) - before


@kernel
def _width(low: float, high: float, apart: bool, cap: float) -> float:
    """What a window costs from the bin that ends at ``high`` to the one that begins at ``low``."""
    return min(low - high, cap) if apart else 0.0


@kernel
def _profile(lattice: Lattice, begin: int, end: int, bin_of: Ints, first: Ints) -> int:
    """Bins of a cell that hold anything, and the first member in each; returns their number."""
    steps = 0
    for i in range(begin, end):
        here = lattice.bins[lattice.members[i]]
        if steps == 0 or bin_of[steps - 1] != here:
            bin_of[steps], first[steps] = here, i
            steps += 1
    first[steps] = end
    return steps
