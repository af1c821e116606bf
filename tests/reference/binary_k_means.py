# SPDX-License-Identifier: Apache-2.0
"""Binary k-means as told: every round looks at every record of a group, every hand is dealt card by card."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from shoal.engine.encoding.encoded import Encoded
from shoal.ground.requirements import Rule
from tests.reference import pools as plain
from tests.reference import rules as by_definition
from tests.reference.growing import labels
from tests.reference.losses import Loss, Point, hull, ticks

Group = list[int]
Centre = tuple[Point, Point]
Split = tuple[Group, Group]


class Measure(Loss):
    """The loss of hulls; with ``ordered`` a span of leaves costs its share of all leaves."""

    def __init__(self, encoded: Encoded, ordered: bool) -> None:
        super().__init__(encoded)
        self.ordered = ordered
        self.points = encoded.points.tolist()

    def _term(self, j: int, lo: float, hi: float) -> float:
        column = self.columns[j]
        if column.tree is None:  # the centre may lie anywhere, so that missing is no special point
            return 0.0 if lo == hi else min((hi - lo) * self.unit(j), column.weight)
        if self.ordered:
            return min((hi - lo) * (column.weight / max(column.tree.n_leaves - 1, 1)), column.weight)
        return super()._term(j, lo, hi)

    def unit(self, j: int) -> float:
        """Cost of one unit of a column of numbers."""
        column = self.columns[j]
        if column.span == 0:
            return column.weight if column.missing is not None else 0.0
        return column.weight / column.span

    def cost(self, group: Group) -> float:
        """Size times loss."""
        return len(group) * self.of(*hull([self.points[row] for row in group]))

    def centre(self, group: Group) -> Centre:
        """The mean of numbers, the hull of leaves."""
        lo, hi = (list(one) for one in hull([self.points[row] for row in group]))
        for j, column in enumerate(self.columns):
            if column.tree is None or self.ordered:
                total = 0.0
                for row in group:
                    total += self.points[row][j]
                lo[j] = hi[j] = total / len(group)
        return lo, hi

    def gap(self, row: int, centre: Centre) -> float:
        """Distance of a record from a centre."""
        return self.grown(*centre, self.points[row])

    def furthest(self, group: Group, start: int) -> int:
        """The record furthest from another; the lowest row of equals."""
        others = [row for row in group if row != start]
        return min(others, key=lambda row: (-ticks(self.between(self.points[start], self.points[row])), row))


def binary_k_means(
    encoded: Encoded,
    k: int,
    order: Sequence[int] = (),
    *,
    names: str = "ordered",
    rounds: int = 15,
    restarts: int = 0,
    seeds: str = "random",
    rules: Sequence[Rule] = (),
    place: Sequence[int] = (),
    seed: int = 0,
) -> list[int]:
    """Class of each record; ``place`` is the place of each record on the Hilbert curve.

    In the given order, or with dice of the given seed.
    """
    measure, dice = Measure(encoded, names == "ordered"), None if len(order) else Dice(seed)
    waiting, classes = [list(order) or list(range(len(encoded)))], []
    while waiting:
        group = waiting.pop()
        best = None
        if len(group) >= 2 * k:
            for split in candidates(measure, group, k, rounds, restarts, seeds, dice):
                rank = not all(obeys(side, rules) for side in split), ticks(_cost(measure, split))
                best = (rank, split) if best is None or rank < best[0] else best
                if best[0] == (False, 0):
                    break
        if best and not best[0][0]:
            waiting += [best[1][1], best[1][0]]
        elif best:
            classes += deal(sorted(group), k, rules, place)
        else:
            classes.append(group)
    return labels(classes, len(encoded))


class Dice(plain.Dice):
    """Numbers below a limit; the state is taken as it is."""

    def __init__(self, seed: int) -> None:
        self.x = seed

    def below(self, limit: int) -> int:
        """One of so many numbers."""
        return ((self.draw() >> 22) * limit) >> 31


def _seeds(measure: Measure, group: Group, start: int, seeds: str, dice: Dice | None) -> tuple[int, int]:
    size = len(group)
    if seeds == "far":
        drawn = dice.below(size) if dice else 0
        one = measure.furthest(group, group[(start + drawn) % size])
        return one, measure.furthest(group, one)
    first = (2 * start + (dice.below(size) if dice else 0)) % size
    return group[first], group[(first + 1 + (dice.below(size - 1) if dice else 0)) % size]


def _cost(measure: Measure, split: Split) -> float:
    return measure.cost(split[0]) + measure.cost(split[1])


def candidates(
    measure: Measure, group: Group, k: int, rounds: int, restarts: int, seeds: str, dice: Dice | None
) -> Iterator[Split]:
    """The splits of all rounds of all starts."""
    points = measure.points
    for start in range(restarts + 1):
        centres = [(points[row], points[row]) for row in _seeds(measure, group, start, seeds, dice)]
        for _ in range(rounds):
            sides = _distributed(measure, group, centres, dice)
            sides = _borrowed(measure, group, k, centres, sides)
            yield sides
            centres = [measure.centre(side) for side in sides]


def _distributed(measure: Measure, group: Group, centres: list[Centre], dice: Dice | None) -> list[set[int]]:
    """Each record, in a new order, to the nearer centre, on a tie to the smaller side so far, then the first."""
    near = {row: [ticks(measure.gap(row, centre)) for centre in centres] for row in group}
    ties = sum(one == other for one, other in near.values())
    visits, sides = list(group), [set[int](), set[int]()]
    for place in range(len(visits)):
        if dice and ties > 0:
            other = place + dice.below(len(visits) - place)
            visits[place], visits[other] = visits[other], visits[place]
        row = visits[place]
        one, other = near[row]
        ties -= one == other
        sides[other < one or (one == other and len(sides[1]) < len(sides[0]))].add(row)
    return sides


def _borrowed(measure: Measure, group: Group, k: int, centres: list[Centre], sides: list[set[int]]) -> Split:
    """A side of fewer than k takes the records that regret it least; both in the order of the group."""
    small = len(sides[1]) < len(sides[0])

    def regret(row: int) -> tuple[int, int, int]:
        near = measure.gap(row, centres[small])
        return ticks(near - measure.gap(row, centres[not small])), ticks(near), row

    moved = sorted(sides[not small], key=regret)[: max(0, k - len(sides[small]))]
    second = sides[1] | set(moved) if small else sides[1] - set(moved)
    return [row for row in group if row not in second], [row for row in group if row in second]


# -- private values ----------------------------------------------------------------------------------------------


def obeys(group: Group, rules: Sequence[Rule]) -> bool:
    """Whether the private values of a group obey all rules, straight from their definitions."""
    checks: dict[str, Callable[[list[int], Rule], bool]] = {
        "distinct": lambda counts, rule: len(counts) >= rule.limit,
        "share": lambda counts, rule: counts[0] * round(1 / rule.limit) <= len(group),
        "entropy": lambda counts, rule: _effective(counts) >= rule.limit - 1e-9,
        "recursive": lambda counts, rule: (
            len(counts) >= rule.rank and counts[0] < rule.limit * sum(counts[rule.rank - 1 :]) - 1e-9
        ),
    }
    for rule in rules:
        if rule.kind not in checks:
            if not by_definition.obeys(rule, rule.codes[group]):
                return False
            continue
        counts = sorted(Counter(rule.codes[group].tolist()).values(), reverse=True)
        if not checks[rule.kind](counts, rule):
            return False
    return True


def _effective(counts: list[int]) -> float:
    shares = [count / sum(counts) for count in counts]
    return math.exp(-sum(share * math.log(share) for share in shares))


def deal(group: Group, k: int, rules: Sequence[Rule], place: Sequence[int]) -> list[Group]:
    """Deal a group out by private value, equal ones by their place on the curve."""
    line = sorted(group, key=lambda row: (*(rule.codes[row] for rule in rules), place[row]))
    dealt = hands_of(line, len(line) // k)
    if not all(obeys(hand, rules) for hand in dealt):
        rule = rules[0]
        line.sort(key=lambda row: (rule.codes[row], place[row]))
        fewest = _fewest(rule)
        many = len(line) // fewest
        assert many < 128, "from here on the method tries in larger steps"
        dealt = next(
            hands
            for hands in (hands_of(line, number) for number in range(many, 0, -1))
            if all(obeys(hand, rules[:1]) for hand in hands)
        )
    return join(dealt, k, rules)


def _fewest(rule: Rule) -> int:
    if rule.kind in ("bounds", "closeness"):
        return 1 if rule.lower is None else max(1, sum(share > 0 for share in rule.lower))
    return {"share": lambda: round(1 / rule.limit), "recursive": lambda: rule.rank}.get(
        rule.kind, lambda: int(rule.limit)
    )()


def hands_of(line: Group, number: int) -> list[Group]:
    """One record to each hand in turn."""
    return [line[hand::number] for hand in range(number)]


def join(dealt: list[Group], k: int, rules: Sequence[Rule]) -> list[Group]:
    """Join neighbouring hands until they have k records and obey; a rest that does not joins the parts before it."""
    parts: list[Group] = []
    rest: Group = []
    wanted = k
    for hand in dealt:
        rest = rest + hand
        if len(rest) >= wanted:
            if obeys(rest, rules):
                parts.append(rest)
                rest, wanted = [], k
            else:
                wanted = len(rest) + len(rest) // 8
    while rest and parts and (len(rest) < k or not obeys(rest, rules)):
        rest = parts.pop() + rest
    return [*parts, rest] if rest else parts
