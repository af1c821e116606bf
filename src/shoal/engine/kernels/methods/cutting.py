# SPDX-License-Identifier: Apache-2.0
"""Cutting parts of a table in two (or by the children of a node) until no cut is allowed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.hull import stretch, ticks
from shoal.engine.kernels.parts import Parts, pop, push, settle
from shoal.engine.kernels.ranking import ranked
from shoal.ground.arrays import Codes, Floats, Ints


class CutAxes(NamedTuple):
    """How wide a part is on each attribute, and where a taxonomy may be cut."""

    scale: Floats
    """Width of one unit."""
    cap: Floats
    """Largest width."""
    levels: Ints
    """Levels of the attribute's tree; 0: cut at the median."""
    size: Ints
    """Leaves of the tree."""
    start: Ints
    """Where its block begins in ``paths`` and ``widths``."""
    paths: Codes
    """[depth, leaf] node at that depth above the leaf."""
    widths: Floats
    """[depth, leaf] width of that node: its share of the leaves."""


@kernel
def _common_depth(axes: CutAxes, j: int, lo: int, hi: int) -> int:
    """Depth of the lowest common ancestor of two leaves."""
    depth = 0
    while depth + 1 < axes.levels[j]:
        at = axes.start[j] + (depth + 1) * axes.size[j]
        if axes.paths[at + lo] != axes.paths[at + hi]:
            break
        depth += 1
    return depth


@kernel
def _width(axes: CutAxes, j: int, lo: float, hi: float) -> float:
    if hi <= lo:
        return 0.0
    if axes.levels[j] > 0:
        depth = _common_depth(axes, j, int(lo), int(hi))
        return axes.widths[axes.start[j] + depth * axes.size[j] + int(lo)]
    return min((hi - lo) * axes.scale[j], axes.cap[j])


@kernel
def _order(axes: CutAxes, points: Floats, rows: Ints) -> tuple[Ints, Floats, Floats]:
    """Attributes by width of the part, widest first, ties to the lowest; and the part's hull."""
    d = points.shape[1]
    lo, hi = points[rows[0]].copy(), points[rows[0]].copy()
    for row in rows:
        stretch(lo, hi, points, row)
    widths = np.empty(d)
    for j in range(d):
        widths[j] = -ticks(_width(axes, j, lo[j], hi[j]))
    return np.argsort(widths, kind="mergesort"), lo, hi


@kernel
def _keys(axes: CutAxes, points: Floats, rows: Ints, j: int, lo: float, hi: float, relaxed: bool) -> Ints:
    """Part number of each row under a cut of attribute ``j``: 0 and 1, or one per child of a node."""
    values = np.empty(len(rows))
    for i in range(len(rows)):
        values[i] = points[rows[i], j]
    keys = np.zeros(len(rows), np.int64)
    if axes.levels[j] > 0:
        at = axes.start[j] + (_common_depth(axes, j, int(lo), int(hi)) + 1) * axes.size[j]
        for i in range(len(rows)):
            keys[i] = axes.paths[at + int(values[i])] if hi > lo else 0
    elif relaxed:
        order = np.argsort(values, kind="mergesort")
        for i in range(len(rows) // 2, len(rows)):
            keys[order[i]] = 1
    else:
        median = ranked(values.copy(), (len(values) - 1) // 2)
        for i in range(len(rows)):
            keys[i] = 1 if values[i] > median else 0
    return keys


@kernel
def _parts(keys: Ints, size: int) -> tuple[bool, Ints, Ints]:
    """Whether every part is large enough and there are two at least; rows by part; where parts begin."""
    order = np.argsort(keys, kind="mergesort")
    begins = [np.int64(0)]
    for i in range(1, len(order)):
        if keys[order[i]] != keys[order[i - 1]]:
            begins.append(np.int64(i))
    begins.append(np.int64(len(order)))
    allowed = len(begins) > 2
    for i in range(len(begins) - 1):
        if begins[i + 1] - begins[i] < size:
            allowed = False
    return allowed, order, np.array(begins)


@kernel
def _cut(axes: CutAxes, points: Floats, rows: Ints, size: int, relaxed: bool) -> Ints:
    """Where the parts of the widest allowed cut begin, one more at the end, ``rows`` in their order; empty if none."""
    order, lo, hi = _order(axes, points, rows)
    for j in order:
        if hi[j] <= lo[j] and not (relaxed and axes.levels[j] == 0):
            continue
        allowed, by_part, begins = _parts(_keys(axes, points, rows, j, lo[j], hi[j], relaxed), size)
        if allowed:
            rows[:] = rows[by_part]
            return begins
    return np.empty(0, np.int64)


@kernel
def cut_parts(
    axes: CutAxes, points: Floats, rows: Ints, parts: Parts, size: int, relaxed: bool, most: int, labels: Ints
) -> int:
    """Look at parts, runs of ``rows``, until ``most`` were handled or none is left; returns how many are settled."""
    handled = 0
    while parts.waiting[0] > 0 and handled < most:
        begin, end = pop(parts)
        handled += end - begin
        begins = np.empty(0, np.int64)
        if end - begin >= 2 * size:
            begins = _cut(axes, points, rows[begin:end], size, relaxed)
        for part in range(len(begins) - 2, -1, -1):  # the first part is looked at first
            push(parts, begin + begins[part], begin + begins[part + 1])
        if len(begins) == 0:
            label = settle(parts, end - begin)
            for i in range(begin, end):
                labels[rows[i]] = label
    return parts.settled[0]
