# SPDX-License-Identifier: Apache-2.0
"""GAA-CP and Loukides and Shao's clustering in our reading: every step looks at every group or record."""

from __future__ import annotations

import math
from collections.abc import Sequence

from shoal.engine.encoding.encoded import Encoded
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


class Score:
    """Loukides and Shao's score of a class: its loss per cell, and how many of its private values are repeated."""

    def __init__(self, encoded: Encoded, share: float = 1.0, private: Sequence[int] = ()) -> None:
        self.loss, self.points = Loss(encoded), encoded.points.tolist()
        self.weights = sum(column.weight for column in encoded.columns)
        self.share, self.private = share, private

    def of(self, members: Sequence[int]) -> int:
        """The score in ticks."""
        lost = self.loss.of(*hull([self.points[row] for row in members]))
        lost = lost / self.weights if self.weights else 0.0
        if self.share == 1.0:
            return ticks(lost)
        different = len({self.private[row] for row in members})
        return ticks(self.share * lost + (1.0 - self.share) * (1.0 - different / len(members)))

    def nearest(self, members: Sequence[int], others: set[int]) -> int:
        """The record that makes the class lose least."""
        return cheapest(self.loss, self.points, others, *hull([self.points[row] for row in members]))


def loukides_shao(score: Score, k: int, order: Sequence[int], limit: float, suppress: str) -> list[int]:
    """A class takes the nearest record while its score stays within the limit; with fewer than k it is left out."""
    live, classes = set(order), []
    for seed in order:
        if seed not in live:
            continue
        members = [seed]
        while others := live - set(members):
            row = score.nearest(members, others)
            if score.of([*members, row]) > limit:
                break
            members.append(row)
        if len(members) >= k:
            classes.append(members)
        live -= {seed} if len(members) < k and suppress == "seed" else set(members)
    return labels(classes, len(order))


def chosen_limit(score: Score, k: int, order: Sequence[int], sample: int, within: float) -> int:
    """The highest score on the way to k records around the first rows of the order: what most of them stay within."""
    highest = []
    for seed in order[:sample]:
        members, scores = [seed], [0]
        while len(members) < k:
            members.append(score.nearest(members, set(order) - set(members)))
            scores.append(score.of(members))
        highest.append(max(scores))
    return max(highest[0], sorted(highest)[math.ceil(within * (len(highest) - 1))])
