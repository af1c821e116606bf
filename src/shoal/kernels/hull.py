# SPDX-License-Identifier: Apache-2.0
"""The loss of a hull: what a class would cost per record if it spanned ``lo .. hi`` on every attribute.

Four ways to look up one attribute's term, chosen when the table is encoded:

* ``RANGE``: numbers, ``(hi - lo) * scale``, never more than ``cap`` (the point that stands for "missing" lies
  at least one whole range beyond the largest number, so mixing it with any number costs exactly the cap);
* ``FLAT``: names under one root, ``cap`` unless equal; no table, so 100,000 names cost nothing;
* ``TABLE``: a small tree, ``tables[start + lo * size + hi]``;
* ``CLIMB``: a large tree, climbed from both ends until they meet.

All four only grow when the interval grows; every pruning bound in :mod:`shoal.kernels.box_tree` rests on that.
Sums are compared in whole *ticks* of 1e-12, so that float noise never decides a tie.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compile import kernel

RANGE, FLAT, TABLE, CLIMB = 0, 1, 2, 3
TICKS = 1e12

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Codes = NDArray[np.int32]


class Hulls(NamedTuple):
    """How each attribute's term is computed; flat arrays, readable inside and outside the compiler."""

    kind: Ints
    scale: Floats
    """RANGE: weight over range."""
    cap: Floats
    """RANGE, FLAT: the largest cost, i.e. the weight."""
    start: Ints
    """TABLE, CLIMB: where the attribute's block begins."""
    size: Ints
    """TABLE, CLIMB: number of leaves."""
    tables: Floats
    """TABLE: cost of (lo, hi). CLIMB: cost of (level, leaf), i.e. of the node above that leaf."""
    ancestors: Codes
    """CLIMB: node above (level, leaf), laid out like ``tables``."""


@kernel
def ticks(value: float) -> float:
    """A loss rounded to 12 decimals, as a whole number of ticks."""
    return math.floor(value * TICKS + 0.5)


@kernel
def term(
    kind: int, scale: float, cap: float, start: int, size: int, tables: Floats, ancestors: Codes, lo: float, hi: float
) -> float:
    """Cost of one attribute for the interval ``lo .. hi``.

    Takes numbers and two arrays instead of a :class:`Hulls`: every further array in a call would be counted
    up and down at each call, which costs more than the arithmetic.
    """
    if kind == RANGE:
        return min((hi - lo) * scale, cap)
    if kind == FLAT:
        return cap if hi > lo else 0.0
    if kind == TABLE:
        return tables[start + np.int64(lo) * size + np.int64(hi)]
    left, right = start + np.int64(lo), start + np.int64(hi)
    while ancestors[left] != ancestors[right]:
        left += size
        right += size
    return tables[left]


@kernel
def loss(hulls: Any, lo: Floats, hi: Floats) -> float:
    """Loss per record of the hull ``lo .. hi``; terms are added in column order."""
    kind, scale, cap, start, size, tables, ancestors = hulls
    total = 0.0
    for j in range(len(lo)):
        total += term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, lo[j], hi[j])
    return total


@kernel
def loss_with(hulls: Any, lo: Floats, hi: Floats, point: Floats) -> float:
    """Loss per record of the hull grown to take in one more point."""
    kind, scale, cap, start, size, tables, ancestors = hulls
    total = 0.0
    for j in range(len(lo)):
        low, high = min(lo[j], point[j]), max(hi[j], point[j])
        total += term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, low, high)
    return total


@kernel
def class_hulls(points: Floats, labels: Ints, n_classes: int) -> tuple[Floats, Floats, Ints]:
    """Smallest and largest point of each class on each attribute, and its size; label -1 is skipped."""
    d = points.shape[1]
    lo = np.full((n_classes, d), np.inf)
    hi = np.full((n_classes, d), -np.inf)
    sizes = np.zeros(n_classes, np.int64)
    for row in range(len(labels)):
        label = labels[row]
        if label < 0:
            continue
        sizes[label] += 1
        for j in range(d):
            at = points[row, j]
            lo[label, j] = min(lo[label, j], at)
            hi[label, j] = max(hi[label, j], at)
    return lo, hi, sizes


@kernel
def total_loss(hulls: Any, lo: Floats, hi: Floats, sizes: Ints) -> float:
    """Loss of a whole partition: the sum over classes of size times loss per record."""
    total = 0.0
    for label in range(len(sizes)):
        if sizes[label] > 0:
            total += sizes[label] * loss(hulls, lo[label], hi[label])
    return total
