# SPDX-License-Identifier: Apache-2.0
"""Systematic clustering and one-pass k-means as the papers tell them: every record looks at every class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shoal.engine.encoding.encoded import Encoded
from tests.reference.growing import increase, labels
from tests.reference.losses import Loss, Point, even_ticks, hull, ticks

Classes = list[list[int]]


def saving(loss: Loss, points: Sequence[Point], members: Sequence[int], row: int) -> float:
    """By how much the total loss of a class falls if a record leaves: its loss, and what the others need not pay."""
    lo, hi = hull([points[one] for one in members])
    low, high = hull([points[one] for one in members if one != row])
    before = shrink = 0  # stays exact with fractions
    for j in range(len(lo)):
        before += loss.term(j, lo[j], hi[j])
        shrink += loss.term(j, lo[j], hi[j]) - loss.term(j, low[j], high[j])
    return before + (len(members) - 1) * shrink


def by_values(encoded: Encoded) -> list[int]:
    """Rows sorted by their quasi-identifiers in column order, equal ones by row number."""
    points = encoded.points.tolist()
    return sorted(range(len(points)), key=lambda row: (points[row], row))


def systematic_pass(encoded: Encoded, k: int, offsets: Sequence[int], by: type[Loss] = Loss) -> Classes:
    """Seeds at a place of each block of k sorted records; the others join in sorted order where it costs least."""
    loss, points = by(encoded), encoded.points.tolist()
    order = by_values(encoded)
    seeds = [order[block * k + offsets[block % len(offsets)]] for block in range(len(points) // k)]
    classes = [[seed] for seed in seeds]
    for row in order:
        if row not in seeds:
            _join(loss, points, classes, range(len(classes)), row)
    return classes


def _join(loss: Loss, points: Sequence[Point], classes: Classes, open_to: Iterable[int], row: int) -> None:
    increases = []
    for number in open_to:
        lo, hi = hull([points[one] for one in classes[number]])
        increases.append((ticks(increase(loss, lo, hi, len(classes[number]), points[row])), number))
    classes[min(increases)[1]].append(row)


def systematic(
    encoded: Encoded, k: int, offsets: Sequence[int], rebalance: str, by: type[Loss] = Loss
) -> list[int]:  # fmt: skip
    """Kabir, Wang and Bertino 2011, in our reading."""
    classes = systematic_pass(encoded, k, offsets, by)
    (level_net if rebalance == "net" else level_arrival)(encoded, classes, k, by)
    return labels(classes, len(encoded))


def level_net(
    encoded: Encoded, classes: Classes, k: int, by: type[Loss] = Loss
) -> list[tuple[int, int, float]]:  # fmt: skip
    """While a class is too small: of all moves from too large classes the one that changes the total loss least.

    What a move changes is what is paid less what is saved, rounded once.
    """
    loss, points, moves = by(encoded), encoded.points.tolist(), []
    while any(len(members) < k for members in classes):
        hulls = [hull([points[row] for row in members]) for members in classes]
        short = [number for number, members in enumerate(classes) if len(members) < k]
        candidates = []
        for source, members in enumerate(classes):
            for row in members if len(members) > k else ():
                saved = saving(loss, points, members, row)
                for target in short:
                    net = increase(loss, *hulls[target], len(classes[target]), points[row]) - saved
                    candidates.append((even_ticks(net, 2 * k * loss.largest), row, target, source, net))
        _, row, target, source, net = min(candidates)
        classes[source].remove(row)
        classes[target].append(row)
        moves.append((row, target, net))
    return moves


def level_arrival(encoded: Encoded, classes: Classes, k: int, by: type[Loss] = Loss) -> None:
    """Members after the k-th leave; in the order in which they came, each joins a class below k, or else any."""
    loss, points = by(encoded), encoded.points.tolist()
    extras = {row for members in classes for row in members[k:]}
    for members in classes:
        del members[k:]
    for row in by_values(encoded):
        if row in extras:
            short = [number for number, members in enumerate(classes) if len(members) < k]
            _join(loss, points, classes, short or range(len(classes)), row)


# -- one-pass k-means --------------------------------------------------------------------------------------------


def distance(encoded: Encoded, loss: Loss, members: Sequence[int], row: int) -> int:
    """From a record to the centre of a class: mean of its numbers, common ancestor of its names."""
    total = 0.0
    for j, column in enumerate(encoded.columns):
        values, x = [float(column.points[one]) for one in members], float(column.points[row])
        if column.tree is not None:
            total += loss.term(j, min([*values, x]), max([*values, x]))
        elif len({value == column.missing for value in [*values, x]}) > 1:
            total += column.weight  # missing among numbers
        elif x != column.missing and column.span > 0:
            added = 0.0
            for value in values:
                added += value
            total += min(abs(x - added / len(values)) * (column.weight / column.span), column.weight)
    return ticks(total)


def one_pass_pass(encoded: Encoded, init: Sequence[int]) -> Classes:
    """Lin and Wei 2008: all records in sorted order, each to the nearest centre, which moves at once."""
    loss, classes = Loss(encoded), [[seed] for seed in init]
    for row in by_values(encoded):
        if row not in init:
            _to_nearest(encoded, loss, classes, range(len(classes)), row)
    return classes


def _to_nearest(encoded: Encoded, loss: Loss, classes: Classes, open_to: Iterable[int], row: int) -> None:
    classes[min(open_to, key=lambda number: (distance(encoded, loss, classes[number], row), number))].append(row)


def one_pass_k_means(encoded: Encoded, k: int, init: Sequence[int]) -> list[int]:
    """The pass; then the furthest of classes above k, in row order, to classes below k, or else to any."""
    loss, classes = Loss(encoded), one_pass_pass(encoded, init)
    given = []
    for members in classes:
        far_first = sorted(members, key=lambda row: (-distance(encoded, loss, members, row), row))
        given += far_first[: max(len(members) - k, 0)]
        members[:] = sorted(set(members) - set(given))
    for row in sorted(given):
        short = [number for number, members in enumerate(classes) if len(members) < k]
        _to_nearest(encoded, loss, classes, short or range(len(classes)), row)
    return labels(classes, len(encoded))
