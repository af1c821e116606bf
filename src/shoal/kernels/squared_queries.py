# SPDX-License-Identifier: Apache-2.0
"""Squared Euclidean distances on the box tree: nearest records, and the record furthest from a record or a mean.

An axis is a line, on which a difference ``d`` adds ``weight * d * d``, or holds names, where a difference adds
``weight`` (see :mod:`shoal.encoding.features`). A mean knows the share ``c`` of every name; since names are 0/1
coordinates divided by the square root of 2, its squared distance from a name is ``(1 + sum of c * c) / 2 - c(name)``.
Distances are compared in ticks, equal ones by row number, as everywhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.box_tree import NO_ROW, BoxTree
from shoal.kernels.compile import kernel
from shoal.kernels.hull import TICKS, ticks
from shoal.kernels.hull_queries import DEPTH

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

FEW_NAMES = 16
"""Names of a box that are looked at one by one for the rarest."""


class Mean(NamedTuple):
    """The mean of some records, exact enough that records can leave it one by one.

    Sums are kept as pairs of floats (the second holds what the first lost in rounding), names are counted.
    """

    size: Ints
    """[0] number of records."""
    high: Floats
    low: Floats
    """[axis] sum of the coordinates of a line: high + low."""
    start: Ints
    """[axis] where the counts of its names begin."""
    counts: Ints
    squares: Ints
    """[axis] sum of the squared counts of its names."""


# -- means -------------------------------------------------------------------------------------------------------


@kernel
def mean_of(points: Floats, names: Flags) -> Mean:
    """The mean of all records."""
    n, d = points.shape
    start = np.zeros(d, np.int64)
    total = 0
    for j in range(d):
        start[j] = total
        if names[j]:
            total += int(points[:, j].max()) + 1
    mean = Mean(
        np.zeros(1, np.int64), np.zeros(d), np.zeros(d), start, np.zeros(max(total, 1), np.int64),
        np.zeros(d, np.int64),
    )  # fmt: skip
    for row in range(n):
        _change(mean, points, names, row, 1)
    return mean


@kernel
def leave(mean: Mean, points: Floats, names: Flags, row: int) -> None:
    """Take one record out of the mean."""
    _change(mean, points, names, row, -1)


@kernel
def _change(mean: Mean, points: Floats, names: Flags, row: int, sign: int) -> None:
    high, low, start, counts, squares = mean.high, mean.low, mean.start, mean.counts, mean.squares
    mean.size[0] += sign
    for j in range(points.shape[1]):
        if names[j]:
            place = start[j] + np.int64(points[row, j])
            squares[j] += 1 + 2 * sign * counts[place]
            counts[place] += sign
        else:
            value = sign * points[row, j]
            total = high[j] + value
            part = total - high[j]
            rest = low[j] + ((high[j] - (total - part)) + (value - part))
            high[j] = total + rest
            low[j] = rest - (high[j] - total)


@kernel
def _name_term(count: int, squares: int, size: int) -> float:
    """Squared distance of a mean from a name that ``count`` of its records have."""
    return 0.5 * (1.0 + squares / (size * size)) - count / size


@kernel
def from_mean(mean: Mean, points: Floats, names: Flags, weight: Floats) -> Floats:
    """Squared distance of every record from the mean, in ticks."""
    n, d = points.shape
    size, high, start, counts, squares = mean.size[0], mean.high, mean.start, mean.counts, mean.squares
    found = np.empty(n)
    for row in range(n):
        total = 0.0
        for j in range(d):
            if names[j]:
                total += weight[j] * _name_term(counts[start[j] + np.int64(points[row, j])], squares[j], size)
            else:
                gap = points[row, j] - high[j] / size
                total += weight[j] * (gap * gap)
        found[row] = ticks(total)
    return found


@kernel
def _rarest(counts: Ints, first: int, last: int) -> int:
    """A number that no live name of the places ``first .. last`` falls below."""
    if last - first >= FEW_NAMES:
        return 1
    fewest = 0
    for place in range(first, last + 1):
        if counts[place] > 0 and (fewest == 0 or counts[place] < fewest):
            fewest = counts[place]
    return fewest


# -- furthest ----------------------------------------------------------------------------------------------------


@kernel
def furthest_from_mean(tree: BoxTree, names: Flags, weight: Floats, mean: Mean) -> int:
    """Row of the live record furthest from the mean of the live records; ties to the lowest row."""
    at, first, left, begin, end = tree.at, tree.first, tree.left, tree.begin, tree.end
    box_lo, box_hi, low_row = tree.lo, tree.hi, tree.low_row
    size, high, start, counts, squares = mean.size[0], mean.high, mean.start, mean.counts, mean.squares
    best, best_row = -1.0, NO_ROW
    stack, bounds, pair = np.empty(DEPTH, np.int64), np.empty(DEPTH), np.empty(2)
    stack[0], bounds[0] = 0, np.inf
    depth = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bounds[depth] < best or (bounds[depth] == best and low_row[node] > best_row):
            continue
        a = left[node]
        is_leaf = a < 0
        for i in range(begin[node] if is_leaf else a, end[node] if is_leaf else a + 2):
            if not is_leaf and low_row[i] == NO_ROW:
                pair[i - a] = -1.0
                continue
            total = 0.0
            for j in range(at.shape[1]):
                lo = at[i, j] if is_leaf else box_lo[i, j]
                hi = lo if is_leaf else box_hi[i, j]
                if names[j]:
                    count = _rarest(counts, start[j] + np.int64(lo), start[j] + np.int64(hi))
                    total += weight[j] * _name_term(count, squares[j], size)
                else:
                    centre = high[j] / size
                    gap = max(abs(lo - centre), abs(hi - centre))
                    total += weight[j] * (gap * gap)
            value = ticks(total)
            if not is_leaf:
                pair[i - a] = value
            elif value > best or (value == best and first[i] < best_row):
                best, best_row = value, first[i]
        if is_leaf:
            continue
        near = a if pair[0] > pair[1] or (pair[0] == pair[1] and low_row[a] <= low_row[a + 1]) else a + 1
        for child in (2 * a + 1 - near, near):
            if pair[child - a] >= max(best, 0.0):
                stack[depth], bounds[depth] = child, pair[child - a]
                depth += 1
    return best_row


@kernel
def furthest_from_record(tree: BoxTree, names: Flags, weight: Floats, record: Floats) -> int:
    """Row of the live record furthest from a record; ties to the lowest row."""
    at, first, left, begin, end = tree.at, tree.first, tree.left, tree.begin, tree.end
    box_lo, box_hi, low_row = tree.lo, tree.hi, tree.low_row
    best, best_row = -1.0, NO_ROW
    stack, bounds, pair = np.empty(DEPTH, np.int64), np.empty(DEPTH), np.empty(2)
    stack[0], bounds[0] = 0, np.inf
    depth = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bounds[depth] < best or (bounds[depth] == best and low_row[node] > best_row):
            continue
        a = left[node]
        is_leaf = a < 0
        for i in range(begin[node] if is_leaf else a, end[node] if is_leaf else a + 2):
            if not is_leaf and low_row[i] == NO_ROW:
                pair[i - a] = -1.0
                continue
            total = 0.0
            for j in range(at.shape[1]):
                lo = at[i, j] if is_leaf else box_lo[i, j]
                hi = lo if is_leaf else box_hi[i, j]
                if names[j]:
                    total += weight[j] if lo != record[j] or hi != record[j] else 0.0
                else:
                    gap = max(abs(lo - record[j]), abs(hi - record[j]))
                    total += weight[j] * (gap * gap)
            value = ticks(total)
            if not is_leaf:
                pair[i - a] = value
            elif value > best or (value == best and first[i] < best_row):
                best, best_row = value, first[i]
        if is_leaf:
            continue
        near = a if pair[0] > pair[1] or (pair[0] == pair[1] and low_row[a] <= low_row[a + 1]) else a + 1
        for child in (2 * a + 1 - near, near):
            if pair[child - a] >= max(best, 0.0):
                stack[depth], bounds[depth] = child, pair[child - a]
                depth += 1
    return best_row


# -- nearest -----------------------------------------------------------------------------------------------------


@kernel
def nearest_each(
    tree: BoxTree, names: Flags, weight: Floats, points: Floats, asked: Ints, values: Floats, rows: Ints
) -> None:
    """For each of the points ``asked``, the live record nearest to it, if better than the one known so far.

    ``values`` (distances in ticks) and ``rows`` hold what is known, and then what was found.
    """
    at, first, left, begin, end = tree.at, tree.first, tree.left, tree.begin, tree.end
    box_lo, box_hi, low_row = tree.lo, tree.hi, tree.low_row
    stack, bounds, pair = np.empty(DEPTH, np.int64), np.empty(DEPTH), np.empty(2)
    for query in range(len(asked)):
        p, best, best_row = asked[query], values[query], rows[query]
        limit = _beyond(best)
        stack[0], bounds[0] = 0, 0.0
        depth = 1 if low_row[0] < NO_ROW else 0
        while depth > 0:
            depth -= 1
            node = stack[depth]
            if bounds[depth] > best or (bounds[depth] == best and low_row[node] > best_row):
                continue
            a = left[node]
            is_leaf = a < 0
            for i in range(begin[node] if is_leaf else a, end[node] if is_leaf else a + 2):
                if not is_leaf and low_row[i] == NO_ROW:
                    pair[i - a] = np.inf
                    continue
                total = 0.0
                for j in range(at.shape[1]):
                    lo = at[i, j] if is_leaf else box_lo[i, j]
                    hi = lo if is_leaf else box_hi[i, j]
                    if lo <= points[p, j] <= hi:
                        continue
                    gap = max(lo - points[p, j], points[p, j] - hi)
                    total += weight[j] * (1.0 if names[j] else gap * gap)
                    if total > limit:
                        break
                value = ticks(total)
                if not is_leaf:
                    pair[i - a] = value
                elif value < best or (value == best and first[i] < best_row):
                    best, best_row = value, first[i]
                    limit = _beyond(best)
            if is_leaf:
                continue
            near = a if pair[0] < pair[1] or (pair[0] == pair[1] and low_row[a] <= low_row[a + 1]) else a + 1
            for child in (2 * a + 1 - near, near):
                if pair[child - a] <= best and pair[child - a] < np.inf:
                    stack[depth], bounds[depth] = child, pair[child - a]
                    depth += 1
        values[query], rows[query] = best, best_row


@kernel
def nearest(tree: BoxTree, names: Flags, weight: Floats, record: Floats, values: Floats, rows: Ints) -> int:
    """Collect the ``len(rows)`` live records nearest to a record, with their distances in ticks; returns how many.

    ``values`` and ``rows`` are filled as a heap, the worst first.
    """
    at, left, begin, end = tree.at, tree.left, tree.begin, tree.end
    box_lo, box_hi, low_row, first = tree.lo, tree.hi, tree.low_row, tree.first
    many, found, limit = len(rows), 0, np.inf
    stack, bounds, pair = np.empty(DEPTH, np.int64), np.empty(DEPTH), np.empty(2)
    stack[0], bounds[0] = 0, 0.0
    depth = 1 if low_row[0] < NO_ROW and many > 0 else 0
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if found == many and (bounds[depth] > values[0] or (bounds[depth] == values[0] and low_row[node] > rows[0])):
            continue
        a = left[node]
        is_leaf = a < 0
        for i in range(begin[node] if is_leaf else a, end[node] if is_leaf else a + 2):
            if not is_leaf and low_row[i] == NO_ROW:
                pair[i - a] = np.inf
                continue
            total = 0.0
            for j in range(at.shape[1]):
                lo = at[i, j] if is_leaf else box_lo[i, j]
                hi = lo if is_leaf else box_hi[i, j]
                if lo <= record[j] <= hi:
                    continue
                if names[j]:
                    total += weight[j]
                else:
                    gap = max(lo - record[j], record[j] - hi)
                    total += weight[j] * (gap * gap)
                if total > limit:
                    break
            value = ticks(total)
            if not is_leaf:
                pair[i - a] = value
            elif found < many or value < values[0] or (value == values[0] and first[i] < rows[0]):
                found = _offer_copies(tree, i, found, values, rows, value)
                limit = np.inf if found < many else _beyond(values[0])
        if is_leaf:
            continue
        near = a if pair[0] < pair[1] or (pair[0] == pair[1] and low_row[a] <= low_row[a + 1]) else a + 1
        for child in (2 * a + 1 - near, near):
            if pair[child - a] < np.inf:
                stack[depth], bounds[depth] = child, pair[child - a]
                depth += 1
    return found


@kernel
def _beyond(value: float) -> float:
    """A sum that surely has more ticks than ``value``."""
    return (value + 2.0) / TICKS * (1.0 + 1e-12)


@kernel
def _offer_copies(tree: BoxTree, slot: int, found: int, values: Floats, rows: Ints, value: float) -> int:
    """Offer every live row of one point, lowest first, until one is refused."""
    point = tree.point[slot]
    many = len(rows)
    for i in range(tree.row_next[point], tree.row_start[point + 1]):
        row = tree.rows[i]
        if tree.taken[row]:
            continue
        if found < many:
            _rise(values, rows, found, value, row)
            found += 1
        elif value < values[0] or (value == values[0] and row < rows[0]):
            _sink(values, rows, value, row)
        else:
            break
    return found


@kernel
def _rise(values: Floats, rows: Ints, at: int, value: float, row: int) -> None:
    """Put a record into a new last place of the heap."""
    while at > 0:
        up = (at - 1) // 2
        if values[up] > value or (values[up] == value and rows[up] > row):
            break
        values[at], rows[at] = values[up], rows[up]
        at = up
    values[at], rows[at] = value, row


@kernel
def _sink(values: Floats, rows: Ints, value: float, row: int) -> None:
    """Replace the worst record of a full heap."""
    at, many = 0, len(rows)
    while 2 * at + 1 < many:
        down = 2 * at + 1
        if down + 1 < many and (
            values[down + 1] > values[down] or (values[down + 1] == values[down] and rows[down + 1] > rows[down])
        ):
            down += 1
        if value > values[down] or (value == values[down] and row > rows[down]):
            break
        values[at], rows[at] = values[down], rows[down]
        at = down
    values[at], rows[at] = value, row
