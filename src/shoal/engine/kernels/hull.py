# SPDX-License-Identifier: Apache-2.0
"""The loss of a hull: what a class would cost per record if it spanned ``lo .. hi`` on every attribute.

Four ways to look up one attribute's term, chosen when the table is encoded:

* ``RANGE``: numbers, ``(hi - lo) * scale``, never more than ``cap`` (the point that stands for "missing" lies
  at least one whole range beyond the largest number, so mixing it with any number costs exactly the cap);
* ``FLAT``: names under one root, ``cap`` unless equal; no table, so 100,000 names cost nothing;
* ``TABLE``: a small tree, ``tables[start + lo * size + hi]``;
* ``CLIMB``: a large tree, climbed from both ends until they meet.

All four only grow when the interval grows; every pruning bound in :mod:`shoal.engine.kernels.trees` rests on that.
Sums are compared in whole *ticks* of 1e-12, large ones to 43 significant bits, so that float noise never decides a tie,
whatever the numbers, the weights and the number of records (docs/decisions/0010-ticks.md).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.ground.arrays import Codes, Floats, Ints

RANGE, FLAT, TABLE, CLIMB = 0, 1, 2, 3
TICKS = 1e12
LARGEST_WHOLE = 2.0**43
"""Larger values are rounded to 43 significant bits: noise is in the last few of 53."""
SPLIT = 2.0**10 + 1.0


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


def has_patterns(hulls: Hulls) -> bool:
    """Whether all attributes are names without levels: a class shows one value of each, or nothing."""
    return len(hulls.kind) > 0 and bool((hulls.kind == FLAT).all())


@inlined
def whole(value: float) -> float:
    """The nearest whole number, or beyond 2^43 the nearest number of 43 bits; a larger value never has a smaller one.

    It stays a float: an integer of 64 bits overflows without a word. The other way to round is Veltkamp's.
    """
    if abs(value) < LARGEST_WHOLE:
        return np.floor(value + 0.5)
    large = SPLIT * value
    return large - (large - value)


@kernel
def ticks(value: float) -> float:
    """A loss rounded to 12 decimals, or if it is large to 43 bits, in ticks."""
    return whole(value * TICKS)


@inlined
def term(hulls: Hulls, j: int, lo: float, hi: float) -> float:
    """Cost of one attribute for the interval ``lo .. hi``; the hulls are lent."""
    kind = hulls.kind[j]
    if kind == RANGE:
        return min((hi - lo) * hulls.scale[j], hulls.cap[j])
    if kind == FLAT:
        return hulls.cap[j] if hi > lo else 0.0
    start, size = hulls.start[j], hulls.size[j]
    if kind == TABLE:
        return hulls.tables[start + np.int64(lo) * size + np.int64(hi)]
    left, right = start + np.int64(lo), start + np.int64(hi)
    while hulls.ancestors[left] != hulls.ancestors[right]:
        left += size
        right += size
    return hulls.tables[left]


@inlined
def stretch(lo: Floats, hi: Floats, points: Floats, row: int) -> None:
    """A hull takes in a record."""
    for j in range(len(lo)):
        lo[j] = min(lo[j], points[row, j])
        hi[j] = max(hi[j], points[row, j])


@inlined
def union_loss(hulls: Hulls, lo: Floats, hi: Floats, other_lo: Floats, other_hi: Floats, limit: float) -> float:
    """Loss per record of a hull grown to take in another; adding up ends where the limit is reached. All is lent."""
    total = 0.0
    for j in range(len(lo)):
        total += term(hulls, j, min(lo[j], other_lo[j]), max(hi[j], other_hi[j]))
        if total >= limit:
            break
    return total


@inlined
def stretched_loss(hulls: Hulls, lo: Floats, hi: Floats, points: Floats, row: int) -> float:
    """Loss per record of a hull grown to take in one more record; all is lent."""
    return union_loss(hulls, lo, hi, points[row], points[row], np.inf)


@inlined
def increase(hulls: Hulls, lo: Floats, hi: Floats, size: int, points: Floats, row: int, copies: int) -> float:
    """What it adds to the loss of a class of ``size`` to take in so many records like one; all is lent.

    Differences are taken per attribute: those that do not widen add nothing, not even noise.
    """
    total, growth = 0.0, 0.0
    for j in range(len(lo)):
        after = term(hulls, j, min(lo[j], points[row, j]), max(hi[j], points[row, j]))
        total += after
        growth += after - term(hulls, j, lo[j], hi[j])
    return copies * total + size * growth


@kernel
def loss(hulls: Any, lo: Floats, hi: Floats) -> float:
    """Loss per record of the hull ``lo .. hi``; terms are added in column order."""
    hulls = lent(hulls)
    total = 0.0
    for j in range(len(lo)):
        total += term(hulls, j, lo[j], hi[j])
    return total


@kernel
def loss_with(hulls: Any, lo: Floats, hi: Floats, points: Floats, row: int) -> float:
    """Loss per record of the hull grown to take in one more record."""
    return stretched_loss(lent(hulls), lent(lo), lent(hi), lent(points), row)


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
        stretch(lo[label], hi[label], points, row)
    return lo, hi, sizes


@kernel
def total_loss(hulls: Any, lo: Floats, hi: Floats, sizes: Ints) -> float:
    """Loss of a whole partition: the sum over classes of size times loss per record."""
    total = 0.0
    for label in range(len(sizes)):
        if sizes[label] > 0:
            total += sizes[label] * loss(hulls, lo[label], hi[label])
    return total
