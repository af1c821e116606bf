# SPDX-License-Identifier: Apache-2.0
"""Top-down local recoding as told: every small group looks at every other group."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.engine.encoding.encoded import Encoded
from tests.reference.growing import labels
from tests.reference.losses import Loss, Point, even_ticks, grow, hull, ticks

Group = list[int]


class Records(Loss):
    """The loss of groups of records."""

    def __init__(self, encoded: Encoded) -> None:
        super().__init__(encoded)
        self.points = encoded.points.tolist()

    def hull(self, group: Group) -> tuple[Point, Point]:
        """Smallest and largest coordinates of a group."""
        return hull([self.points[row] for row in group])

    def group(self, group: Group) -> float:
        """Size times loss."""
        return len(group) * self.of(*self.hull(group))

    def furthest(self, group: Group, start: int) -> int:
        """The record furthest from another; the lowest row of equals."""
        others = [row for row in group if row != start]
        return min(others, key=lambda row: (-ticks(self.between(self.points[start], self.points[row])), row))


def top_down(encoded: Encoded, k: int, order: Sequence[int], sweeps: int = 3) -> list[int]:
    """Class of each record."""
    loss = Records(encoded)
    groups = dict(enumerate(split(loss, list(order), k, sweeps)))
    while True:
        small = [(len(group), number) for number, group in groups.items() if len(group) < k]
        if not small:
            return labels(list(groups.values()), len(order))
        _, number = min(small)
        mend(loss, groups, number, k)


def split(loss: Records, everybody: Group, k: int, sweeps: int) -> list[Group]:
    """Groups of fewer than 2k records."""
    waiting, groups = [everybody], []
    while waiting:
        group = waiting.pop()
        if len(group) < 2 * k:
            groups.append(group)
        elif sides := halves(loss, group, sweeps):
            waiting += reversed(sides)
        else:
            many = len(group) // k
            groups += [group[place * k : (place + 1) * k if place < many - 1 else None] for place in range(many)]
    return groups


def halves(loss: Records, group: Group, sweeps: int) -> list[Group]:
    """Two seeds far apart, and every other record to the hull that costs less with it; nothing if all tie."""
    seeds = [group[0]]
    for _ in range(sweeps):
        seeds.append(loss.furthest(group, seeds[-1]))
    seeds = seeds[-2:]
    hulls = [(loss.points[row], loss.points[row]) for row in seeds]
    second = {seeds[0]: False, seeds[1]: True}
    preferred = False
    for row in group:
        if row in seeds:
            continue
        grown = [ticks(loss.grown(*one, loss.points[row])) for one in hulls]
        preferred = preferred or grown[0] != grown[1]
        second[row] = grown[1] < grown[0]
        hulls[second[row]] = grow(*hulls[second[row]], loss.points[row])
    return [[row for row in group if second[row] == side] for side in (False, True)] if preferred else []


def mend(loss: Records, groups: dict[int, Group], number: int, k: int) -> None:
    """Let a small group borrow from another, or join another, whichever costs less."""
    group = groups[number]
    lacking = k - len(group)
    box, most = loss.hull(group), 4 * k * loss.largest
    offers = []
    for other, members in groups.items():
        if other == number:
            continue
        before = loss.group(group) + loss.group(members)
        if len(members) >= k + lacking:
            near = sorted(members, key=lambda row: (ticks(loss.grown(*box, loss.points[row])), row))[:lacking]
            rest = [row for row in members if row not in near]
            offers.append((even_ticks(loss.group(group + near) + loss.group(rest) - before, most), 0, other, near))
        if len(members) < 2 * k:
            offers.append((even_ticks(loss.group(group + members) - before, most), 1, other, members))
    _, merge, other, taken = min(offers, key=lambda offer: offer[:3])
    if merge:
        groups[other] = groups[other] + groups.pop(number)
    else:
        groups[number] = group + taken
        groups[other] = [row for row in groups[other] if row not in taken]
