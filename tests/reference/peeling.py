# SPDX-License-Identifier: Apache-2.0
"""Peeling in plain Python: every cell is a list, divided by dictionaries, from the top again for every threshold."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence

from shoal.engine.algorithms import _peeling as constants
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.ground.requirements import Requirement
from tests.reference.growing import grow_class, labels, place_leftovers
from tests.reference.losses import Loss, ticks, up
from tests.reference.rules import obeys

Level = tuple[dict[float, Hashable], int]
"""Part of each value, and the place of the level it joins."""


def bin_of(column: EncodedColumn, values: Sequence[float], bins: int, shift: float) -> dict[float, Hashable]:
    """Equal bins from the smallest number to the largest; missing apart."""
    found: dict[float, Hashable] = {}
    for value in values:
        share = min((value - values[0]) / column.span, 1.0) if column.span > 0 else 0.0
        at = math.floor(share * bins + shift)
        found[value] = "missing" if value == column.missing else min(at, bins - 1) if shift == 0 else at
    return found


def many(level: dict[float, Hashable]) -> int:
    """Number of parts."""
    return len(set(level.values()))


def levels_of(column: EncodedColumn, widening: int) -> list[Level]:
    """Ever coarser divisions of the values of a column, the whole last."""
    values = sorted(set(column.points.tolist()))
    found: list[Level] = []
    if column.tree is not None:
        paths = {value: up(column.tree, int(column.tree.leaves[int(value)])) for value in values}
        deepest = max(len(up(column.tree, int(leaf))) for leaf in column.tree.leaves) - 1
        for depth in range(deepest, -1, -1):
            level: dict[float, Hashable] = {
                value: path[-1 - min(depth, len(path) - 1)] for value, path in paths.items()
            }
            if not found or many(level) < many(found[-1][0]):
                found.append((level, len(found) - 1))
        return found
    last = -1
    if len(values) <= constants.MOST_EXACT:
        found.append(({value: value for value in values}, -1))
        last = 0
    bins = constants.FINEST_BINS
    while bins > 1:
        level = bin_of(column, values, bins, 0.0)
        if last < 0 or 3 * (many(level) - 1) < 2 * (many(found[last][0]) - 1):
            found.append((level, last))
            joined, last = last, len(found) - 1
            if widening == 1 and joined >= 0:
                found.append((bin_of(column, values, bins, 0.5), joined))
        bins //= max(2, widening)
    return [*found, (dict.fromkeys(values, 0), last)]


def variety(column: EncodedColumn) -> float:
    """Entropy."""
    values = column.points.tolist()
    if column.tree is None:
        bins = bin_of(column, sorted(set(values)), constants.FINEST_BINS, 0.0)
        values = [bins[value] for value in values]
    return round(-sum(x / len(values) * math.log(x / len(values)) for x in Counter(values).values()), 9)


class Peeling:
    """Records of one table on their way into classes."""

    def __init__(self, encoded: Encoded, requirement: Requirement) -> None:
        counted = [place for place, one in enumerate(encoded.columns) if one.weight > 0 and len(set(one.points)) > 1]
        columns = encoded.columns
        self.order = sorted(counted, key=lambda place: (columns[place].tree is None, variety(columns[place])))
        self.windows = bool(self.order) and columns[self.order[-1]].tree is None
        for widening in constants.WIDENINGS:
            self.levels = [levels_of(columns[place], widening) for place in self.order]
            lengths = [len(one) for one in (self.levels[:-1] if self.windows else self.levels)]
            if math.prod(lengths) <= constants.MOST_COMBINATIONS:
                break
        self.requirement, self.loss, self.points = requirement, Loss(encoded), encoded.points.tolist()
        alike: dict[tuple[float, ...], list[int]] = {}
        for row, point in enumerate(self.points):
            private = [int(rule.codes[row]) for rule in requirement.rules]
            alike.setdefault((*(point[place] for place in self.order), *private), []).append(row)
        self.live = list(alike.values())
        self.closed: set[int] = set()
        self.classes: list[list[int]] = []
        self.visits, self.threshold = 0, 0
        self.next: float = math.inf

    def value(self, atom: list[int], depth: int) -> float:
        """Coordinate of the records of an atom."""
        return float(self.points[atom[0]][self.order[depth]])

    def records(self, cell: list[list[int]]) -> int:
        """Number of records."""
        return sum(len(atom) for atom in cell)

    def close(self, cell: list[list[int]]) -> bool:
        """Make the cell a class if it obeys."""
        rows = [row for atom in cell for row in atom]
        if not all(obeys(rule, rule.codes[rows]) for rule in self.requirement.rules):
            return False
        self.classes.append(rows)
        self.closed.update(rows)
        return True

    def living(self, cell: list[list[int]]) -> list[list[int]]:
        """Atoms without a class."""
        return [atom for atom in cell if atom[0] not in self.closed]

    def walk(self, cell: list[list[int]], depth: int, spent: float) -> None:
        """Close what can be closed in a cell."""
        if self.windows and depth == len(self.order) - 1:
            self.visits += len(cell)
            self.close_windows(cell, depth, spent)
            return
        for division, finer in self.levels[depth]:
            self.visits += len(cell)
            cell = self.living(cell)
            if self.records(cell) < self.requirement.size:
                return
            parts: dict[Hashable, list[list[int]]] = {}
            for atom in cell:
                parts.setdefault(division[self.value(atom, depth)], []).append(atom)
            for part in parts.values():
                within = self.levels[depth][max(finer, 0)][0]
                seen = finer >= 0 and len({within[self.value(atom, depth)] for atom in part}) == 1
                if self.records(part) >= self.requirement.size and not seen:
                    self.enter(part, depth, spent)
            if len(parts) == 1:
                return

    def enter(self, part: list[list[int]], depth: int, spent: float) -> None:
        """Go on with the next attribute, if the part is not too dear."""
        values = [self.value(atom, depth) for atom in part]
        cost = spent + self.loss.term(self.order[depth], min(values), max(values))
        if ticks(cost) > self.threshold:
            self.next = min(self.next, ticks(cost))
        elif depth == len(self.order) - 1:
            self.close(part)
        else:
            self.walk(part, depth + 1, cost)

    def close_windows(self, cell: list[list[int]], depth: int, spent: float) -> None:
        """Narrowest windows from the left, then twice as large ones where rules were broken."""
        size, broken = self.requirement.size, True
        while broken:
            broken = False
            cell = self.living(cell)
            window: list[list[int]] = []
            for number in sorted({self.value(atom, depth) for atom in cell}):
                window += [atom for atom in cell if self.value(atom, depth) == number]
                while True:
                    least = min(self.value(atom, depth) for atom in window)
                    rest = [atom for atom in window if self.value(atom, depth) > least]
                    if self.records(rest) < size:
                        break
                    window = rest
                if self.records(window) < size:
                    continue
                cost = ticks(spent + self.loss.term(self.order[depth], least, number))
                if cost > self.threshold:
                    self.next = min(self.next, cost)
                else:
                    broken |= not self.close(window)
                    window = []
            size *= 2

    def run(self) -> None:
        """Raise the threshold until nothing can be closed any more."""
        n = left = len(self.points)
        weights = sum(self.loss.columns[place].weight for place in self.order)
        budget, rise = constants.VISITS_PER_RECORD * len(self.live), float(ticks(weights * constants.FIRST_RISE))
        while self.order:
            spent, before, self.next = self.visits, left, math.inf
            self.walk(self.live, 0, 0.0)
            self.live = self.living(self.live)
            left = self.records(self.live)
            if left < self.requirement.size or self.next == math.inf or self.visits >= budget:
                return
            price = (self.visits - spent) / (budget - self.visits)
            wanted = max(n * constants.SHARE, left * constants.PRUDENCE * price)
            rise *= min(max(wanted / max(before - left, 1), 1 / constants.GEAR), constants.GEAR)
            self.threshold = max(int(self.next), ticks((self.threshold + rise) / 1e12))


def peel(encoded: Encoded, requirement: Requirement) -> list[int]:
    """Peel, grow classes around what is left, place the last few."""
    peeling = Peeling(encoded, requirement)
    peeling.run()
    live = set(range(len(encoded))) - peeling.closed
    while len(live) >= requirement.size:
        peeling.classes.append(grow_class(peeling.loss, peeling.points, live, min(live), requirement.size))
    peeling.classes.sort(key=min)
    place_leftovers(peeling.loss, peeling.points, peeling.classes, sorted(live))
    return labels(peeling.classes, len(encoded))
