# SPDX-License-Identifier: Apache-2.0
"""Joining classes that are too small with the class that costs least: the loops of kaca and bottom_up.

Both look at every other class for each join, so they take time in the square of the number of classes, but memory
only for the classes themselves. Most looks are short: terms are added until they exceed what the best so far allows.
Records of a class are a linked list in row order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.hull import TICKS, loss, stretch, ticks, union_loss
from shoal.ground.arrays import Floats, Ints

EARLY_END = 1e-9
"""How far, and by what share, a partial sum must exceed the best before a look ends early: more than rounding does."""

NO_RECORD = -1


class JoinedClasses(NamedTuple):
    """Classes that grow; numbered by the order in which they were made, a joined one has the lower number."""

    lo: Floats
    """[class, attribute] the hull."""
    hi: Floats
    losses: Floats
    """[class] loss per record."""
    sizes: Ints
    head: Ints
    """[class] its lowest row."""
    next: Ints
    """[row] the next row of the same class; -1: none."""
    class_of: Ints
    """[row] its class."""
    alive: Ints
    """Numbers of the classes there are, ascending."""
    many: Ints
    small: Ints
    """[0] how many there are, and how many of them are too small."""


@kernel
def new_classes(hulls: Any, points: Floats, class_of: Ints, n_classes: int, size: int) -> JoinedClasses:
    """Classes of records, numbered below ``n_classes``; a number that no record has is no class."""
    n, d = points.shape
    lo, hi = np.full((n_classes, d), np.inf), np.full((n_classes, d), -np.inf)
    losses, alive, sizes = np.zeros(n_classes), np.empty(n_classes, np.int64), np.zeros(n_classes, np.int64)
    head, after = np.full(n_classes, NO_RECORD), np.full(n, NO_RECORD)
    for row in range(n - 1, -1, -1):
        label = class_of[row]
        after[row], head[label] = head[label], row
        sizes[label] += 1
        stretch(lo[label], hi[label], points, row)
    many, small = np.zeros(1, np.int64), np.zeros(1, np.int64)
    for label in range(n_classes):
        if sizes[label] > 0:
            losses[label] = loss(hulls, lo[label], hi[label])
            alive[many[0]] = label
            many[0] += 1
            small[0] += sizes[label] < size
    return JoinedClasses(lo, hi, losses, sizes, head, after, class_of.copy(), alive, many, small)


@kernel
def cheapest_partner(hulls: Any, classes: JoinedClasses, one: int, increase: bool) -> int:
    """The class whose union with ``one`` costs least in all (or adds least to the total); ties to the lowest."""
    hulls, classes = lent(hulls), lent(classes)
    lo, hi, losses, sizes, alive = classes.lo, classes.hi, classes.losses, classes.sizes, classes.alive
    best, best_class, limit = np.inf, NO_RECORD, np.inf
    own = sizes[one] * losses[one] if increase else 0.0
    for i in range(classes.many[0]):
        other = alive[i]
        if other == one:
            continue
        both = sizes[one] + sizes[other]
        spent = own + sizes[other] * losses[other] if increase else 0.0
        most = (limit + spent) / both * (1.0 + EARLY_END) + EARLY_END
        total = union_loss(hulls, lo[one], hi[one], lo[other], hi[other], most)
        if total >= most:
            continue
        value = ticks(_joined(total, sizes[one], sizes[other], losses[one], losses[other], increase))
        if value < best:
            best, best_class, limit = value, other, value / TICKS
            if best <= 0.0:
                break
    return best_class


@kernel
def _joined(total: float, size: int, other: int, before: float, other_before: float, increase: bool) -> float:
    """Loss of a union of two classes; or what it adds to theirs."""
    if increase:
        return size * (total - before) + other * (total - other_before)
    return (size + other) * total


@kernel
def join(hulls: Any, classes: JoinedClasses, one: int, other: int, size: int) -> int:
    """Unite two classes under the lower of their numbers, and return it."""
    keep, gone = min(one, other), max(one, other)
    sizes, small = classes.sizes, classes.small
    small[0] -= int(sizes[one] < size) + int(sizes[other] < size)
    sizes[keep] += sizes[gone]
    sizes[gone] = 0
    small[0] += sizes[keep] < size
    for j in range(classes.lo.shape[1]):
        classes.lo[keep, j] = min(classes.lo[keep, j], classes.lo[gone, j])
        classes.hi[keep, j] = max(classes.hi[keep, j], classes.hi[gone, j])
    classes.losses[keep] = loss(hulls, classes.lo[keep], classes.hi[keep])
    row = classes.head[gone]
    while row != NO_RECORD:
        classes.class_of[row] = keep
        row = classes.next[row]
    classes.head[keep] = _merged(classes.next, classes.head[keep], classes.head[gone])
    strike_out(classes.alive, classes.many, gone)
    return keep


@kernel
def strike_out(alive: Ints, many: Ints, gone: int) -> None:
    """Take a number out of the first ``many`` of an ascending list."""
    at = np.searchsorted(alive[: many[0]], gone)
    many[0] -= 1
    for i in range(at, many[0]):
        alive[i] = alive[i + 1]


@kernel
def _merged(after: Ints, one: int, other: int) -> int:
    """Two linked lists as one, in row order; returns its head."""
    if one > other:
        one, other = other, one
    head, last = one, one
    one = after[one]
    while min(one, other) > NO_RECORD:
        if one < other:
            after[last], last, one = one, one, after[one]
        else:
            after[last], last, other = other, other, after[other]
    after[last] = one if other == NO_RECORD else other
    return head


# -- kaca --------------------------------------------------------------------------------------------------------


@kernel
def absorb(
    hulls: Any, points: Floats, classes: JoinedClasses, size: int, order: Ints, at: int, until: int
) -> int:  # fmt: skip
    """Join small classes until only ``until`` are left; returns the place reached in ``order``.

    The next one is the smallest, or, if an ``order`` of rows is given, the class of its first row in a small class.
    """
    while classes.small[0] > until:
        one = NO_RECORD
        if len(order) > 0:
            while classes.sizes[classes.class_of[order[at]]] >= size:
                at += 1
            one = classes.class_of[order[at]]
        else:
            fewest = size
            for i in range(classes.many[0]):
                if classes.sizes[classes.alive[i]] < fewest:
                    one = classes.alive[i]
                    fewest = classes.sizes[one]
                    if fewest == 1:
                        break
        other = cheapest_partner(hulls, classes, one, True)
        if classes.sizes[one] + classes.sizes[other] < 2 * size:
            join(hulls, classes, one, other, size)
        else:
            _fill_up(hulls, points, classes, one, other, size)
    return at


@kernel
def _fill_up(hulls: Any, points: Floats, classes: JoinedClasses, one: int, other: int, size: int) -> None:
    """Move the lowest rows of ``other`` to ``one`` until that has ``size``; the rest stays a class."""
    moved = size - classes.sizes[one]
    first = classes.head[other]
    last = first
    for _ in range(moved - 1):
        last = classes.next[last]
    classes.head[other] = classes.next[last]
    classes.next[last] = NO_RECORD
    row = first
    while row != NO_RECORD:
        classes.class_of[row] = one
        row = classes.next[row]
    classes.head[one] = _merged(classes.next, classes.head[one], first)
    classes.sizes[one] = size
    classes.sizes[other] -= moved
    classes.small[0] -= 1
    _refit(hulls, points, classes, one)
    for j in range(points.shape[1]):
        if classes.lo[other, j] < classes.hi[other, j]:  # equal records, however many, need no look
            _refit(hulls, points, classes, other)
            break


@kernel
def _refit(hulls: Any, points: Floats, classes: JoinedClasses, one: int) -> None:
    """The hull of a class from its records."""
    lo, hi = classes.lo[one], classes.hi[one]
    lo[:] = np.inf
    hi[:] = -np.inf
    row = classes.head[one]
    while row != NO_RECORD:
        stretch(lo, hi, points, row)
        row = classes.next[row]
    classes.losses[one] = loss(hulls, lo, hi)


# -- bottom_up ---------------------------------------------------------------------------------------------------


@kernel
def join_in_turn(hulls: Any, classes: JoinedClasses, size: int, at: int, until: int) -> int:
    """Let every small class, by number from ``at`` on, join the class with which it costs least in all.

    Ends when the last number had its turn or only ``until`` small classes are left; returns the next number.
    """
    while at < len(classes.sizes) and classes.small[0] > until:
        if 0 < classes.sizes[at] < size:
            join(hulls, classes, at, cheapest_partner(hulls, classes, at, False), size)
        at += 1
    return at
