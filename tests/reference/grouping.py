# SPDX-License-Identifier: Apache-2.0
"""GAA-CP and Loukides and Shao's clustering in our reading: every step looks at every group or record."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.encoding.encoded import Encoded
from tests.reference.growing import cheapest, labels
from tests.reference.losses import Loss, Point, grow, hull, ticks


def price(loss: Loss, lo: Point, hi: Point, members: int, point: Point, brought: int) -> tuple[float, float]:
    """What one and what all of several equal records add to the total loss of a class."""
    low, high = grow(lo, hi, point)
    after = growth = 0.0
    for j in range(len(lo)):
        after += loss.term(j, low[j], high[j])
        growth += loss.term(j, low[j], high[j]) - loss.term(j, lo[j], hi[j])
    return after + members * growth / brought, brought * after + members * growth


def gaa_cp(encoded: Encoded, k: int, order: Sequence[int]) -> list[int]:
    """Groups of equal records; the cheapest per record joins a class, until it has k."""
    loss, points = Loss(encoded), encoded.points.tolist()
    groups: dict[tuple[float, ...], list[int]] = {}
    for row, point in enumerate(points):
        groups.setdefault(tuple(point), []).append(row)
    classes = [rows for rows in groups.values() if len(rows) >= k]
    live = [rows for rows in groups.values() if len(rows) < k]
    while sum(map(len, live)) >= k:
        seed = next(rows for row in order for rows in live if row in rows)
        live.remove(seed)
        members = list(seed)
        while len(members) < k:
            lo, hi = hull([points[row] for row in members])
            prices = [ticks(price(loss, lo, hi, len(members), points[rows[0]], len(rows))[0]) for rows in live]
            members += live.pop(prices.index(min(prices)))
        classes.append(members)
    classes.sort(key=min)
    for rows in live:
        increases = []
        for members in classes:
            lo, hi = hull([points[row] for row in members])
            increases.append(ticks(price(loss, lo, hi, len(members), points[rows[0]], len(rows))[1]))
        classes[increases.index(min(increases))] += rows
    return labels(classes, len(points))


def loukides_shao(encoded: Encoded, k: int, order: Sequence[int], threshold: float, suppress: str) -> list[int]:
    """A class grows by the cheapest record while its score stays within the threshold; small ones are left out."""
    loss, points = Loss(encoded), encoded.points.tolist()
    weights = sum(column.weight for column in encoded.columns)
    live, classes = set(range(len(points))), []
    for seed in order:
        if seed not in live:
            continue
        members, around = [seed], live - {seed}
        lo, hi = points[seed], points[seed]
        while around:
            row = cheapest(loss, points, around, lo, hi)
            if ticks(loss.grown(lo, hi, points[row])) > ticks(threshold * weights):
                break
            lo, hi = grow(lo, hi, points[row])
            around.remove(row)
            members.append(row)
        if len(members) >= k:
            classes.append(members)
        live -= {seed} if len(members) < k and suppress == "seed" else set(members)
    return labels(classes, len(points))


def threshold(encoded: Encoded, k: int, sample: Sequence[int]) -> float:
    """Score of the class of k records around each row of a sample; the one that nine in ten do not exceed."""
    loss, points = Loss(encoded), encoded.points.tolist()
    weights = sum(column.weight for column in encoded.columns)
    scores = []
    for seed in sample:
        around, (lo, hi) = set(range(len(points))) - {seed}, (points[seed], points[seed])
        for _ in range(k - 1):
            row = cheapest(loss, points, around, lo, hi)
            lo, hi = grow(lo, hi, points[row])
            around.remove(row)
        scores.append(loss.of(lo, hi) / weights if weights else 0.0)
    return float(np.quantile(scores, 0.9, method="higher"))
