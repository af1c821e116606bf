# SPDX-License-Identifier: Apache-2.0
"""How useful a release still is, from the definitions: cells as lists of what they allow, sums row by row.

A number cell is what it allows, first and last; a name cell is the list of its leaves. ``None`` is missing, and ``*``
of a number column allows anything.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

Cell = str | None
Tree = Mapping[str, Sequence[str]]
"""Leaves of each label that is no leaf itself."""


def ends(cell: Cell) -> tuple[float, float] | None:
    """First and last number; infinite for ``*``."""
    if cell is None:
        return None
    if cell == "*":
        return -math.inf, math.inf
    found = re.fullmatch(r"\[(.+), (.+)\]", cell)
    return (float(found[1]), float(found[2])) if found else (float(cell), float(cell))


def middle(cell: Cell) -> float | None:
    """The number that stands for a cell."""
    known = ends(cell)
    return None if known is None or math.isinf(known[0]) else (known[0] + known[1]) / 2


def leaves(cell: Cell, tree: Tree) -> list[Cell]:
    """The names that a cell allows."""
    return list(tree.get(cell, [cell])) if cell is not None else [None]


# -- distribution shift ------------------------------------------------------------------------------------------


def quantile(values: Sequence[float], share: float) -> float:
    """Type 7: between the two nearest, by their distance."""
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def share_up_to(values: Sequence[float], weights: Sequence[float], share: float) -> float:
    """The first value up to which so much of the weights lies."""
    total, up_to = sum(weights), 0.0
    for value, weight in sorted(zip(values, weights, strict=True)):
        up_to += weight
        if up_to >= share * total - 1e-9:
            return value
    return max(values)


def quantiles_moved(before: Sequence[Cell], after: Sequence[Cell]) -> float:
    """Mean shift of five quantiles, in standard deviations."""
    was = [one for one in map(middle, before) if one is not None]
    now = [one for one in map(middle, after) if one is not None]
    mean = sum(was) / len(was)
    deviation = math.sqrt(sum((one - mean) ** 2 for one in was) / len(was))
    shares = (0.1, 0.25, 0.5, 0.75, 0.9)
    return sum(abs(quantile(now, one) - quantile(was, one)) for one in shares) / 5 / deviation


def shares_moved(before: Sequence[Cell], after: Sequence[Cell], tree: Tree) -> float:
    """Total variation of the shares of names."""
    every = {name for cell in (*before, *after) for name in leaves(cell, tree)}
    total = 0.0
    for name in every:
        was = sum(cell == name for cell in before) / len(before)
        now = sum((name in leaves(cell, tree)) / len(leaves(cell, tree)) for cell in after) / len(after)
        total += abs(was - now)
    return total / 2


# -- counts ------------------------------------------------------------------------------------------------------


def share_of_numbers(cell: Cell, first: float, last: float, shown: tuple[float, float]) -> float:
    """The share of the whole numbers that a cell allows which lie in a range; ``*`` allows all that are shown."""
    known = ends(cell)
    if known is None:
        return 0.0
    low, high = shown if math.isinf(known[0]) else known
    allowed = range(int(low), int(high) + 1)
    return sum(first <= one <= last for one in allowed) / len(allowed)


def shown_range(after: Sequence[Cell]) -> tuple[float, float]:
    """What the cells show that do not allow anything."""
    known = [one for one in map(ends, after) if one is not None and math.isfinite(one[0])]
    return min(low for low, _ in known), max(high for _, high in known)


# -- pairs -------------------------------------------------------------------------------------------------------


def kept(pairs: Sequence[tuple[float, float]]) -> float:
    """1 - Σ |before - after| / Σ |before|; where nothing was there, all is kept unless something came."""
    lost, whole = sum(abs(one - other) for one, other in pairs), sum(abs(one) for one, _ in pairs)
    return max(1 - lost / whole, 0.0) if whole else float(lost == 0)


def information(one: Sequence[Sequence[object]], other: Sequence[Sequence[object]]) -> float:
    """Mutual information of two columns whose rows are spread over what their cells allow, by its definition."""
    joint: dict[tuple[object, object], float] = {}
    for left, right in zip(one, other, strict=True):
        for a in left:
            for b in right:
                joint[a, b] = joint.get((a, b), 0.0) + 1 / (len(left) * len(right) * len(one))
    left_sums: dict[object, float] = {}
    right_sums: dict[object, float] = {}
    for (a, b), share in joint.items():
        left_sums[a] = left_sums.get(a, 0.0) + share
        right_sums[b] = right_sums.get(b, 0.0) + share
    return sum(share * math.log(share / (left_sums[a] * right_sums[b])) for (a, b), share in joint.items())


def entropy(column: Sequence[Sequence[object]]) -> float:
    """What a column tells of itself."""
    return information([[one[0]] for one in column], [[one[0]] for one in column])


def ranks(values: Sequence[float]) -> list[float]:
    """Of equal values the mean rank."""
    return [sum(other < one for other in values) + (sum(other == one for other in values) + 1) / 2 for one in values]


def correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Pearson's."""
    n = len(one)
    left, right = sum(one) / n, sum(other) / n
    both = sum((a - left) * (b - right) for a, b in zip(one, other, strict=True))
    return both / math.sqrt(sum((a - left) ** 2 for a in one) * sum((b - right) ** 2 for b in other))


def correlation_ratio(numbers: Sequence[float], names: Sequence[object]) -> float:
    """Of the ranks by names, corrected for chance (Kelley): 1 - (1 - between / total) (n - 1) / (n - groups)."""
    placed, n = ranks(numbers), len(numbers)
    mean = sum(placed) / n
    total = sum((one - mean) ** 2 for one in placed)
    between = 0.0
    for name in set(names):
        own = [one for one, other in zip(placed, names, strict=True) if other == name]
        between += len(own) * (sum(own) / len(own) - mean) ** 2
    return math.sqrt(max(1 - (1 - between / total) * (n - 1) / (n - len(set(names))), 0.0))


def cramers_v(one: Sequence[object], other: Sequence[object], fewest: int) -> float:
    """Corrected for chance (Bergsma), by the number of names before of the column that has fewer."""
    n, rows = len(one), list(zip(one, other, strict=True))
    phi = 0.0
    for a in set(one):
        for b in set(other):
            expected = list(one).count(a) * list(other).count(b) / n
            phi += (rows.count((a, b)) - expected) ** 2 / expected / n
    phi = max(phi - (len(set(one)) - 1) * (len(set(other)) - 1) / (n - 1), 0.0)
    return min(math.sqrt(phi / (fewest - (fewest - 1) ** 2 / (n - 1) - 1)), 1.0)


# -- groups ------------------------------------------------------------------------------------------------------

Allowed = Sequence[Sequence[object]]
"""What the cell of each row allows, each with the same share."""


def means_off(was: Allowed, before: Sequence[float], now: Allowed, after: Sequence[float | None]) -> float:
    """How far means by name are off, in standard deviations, weighted by the rows of each name before."""
    mean = sum(before) / len(before)
    deviation = math.sqrt(sum((one - mean) ** 2 for one in before) / len(before))
    shown = [one for one in after if one is not None]
    total = 0.0
    for name in {one[0] for one in was}:
        own = [one for cell, one in zip(was, before, strict=True) if cell[0] == name]
        parts = [(1 / len(cell), one) for cell, one in zip(now, after, strict=True) if name in cell and one is not None]
        weight = sum(share for share, _ in parts)
        told = sum(share * one for share, one in parts) / weight if parts else sum(shown) / len(shown)
        total += len(own) * abs(told - sum(own) / len(own))
    return total / len(before) / deviation


def cells_off(was: Allowed, beside: Allowed, now: Allowed, beside_now: Allowed) -> float:
    """Of all pairs of names: how many rows they have before and after, differences added up, as a share of the rows."""
    cells: dict[tuple[object, object], float] = {}
    for sign, one, other in ((-1, was, beside), (1, now, beside_now)):
        for left, right in zip(one, other, strict=True):
            for a in left:
                for b in right:
                    cells[a, b] = cells.get((a, b), 0.0) + sign / (len(left) * len(right))
    return sum(map(abs, cells.values())) / len(was)


# -- regressions -------------------------------------------------------------------------------------------------


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """A system of linear equations, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for place in range(len(rows)):
        best = max(range(place, len(rows)), key=lambda one: abs(rows[one][place]))
        rows[place], rows[best] = rows[best], rows[place]
        for other in range(len(rows)):
            if other != place:
                factor = rows[other][place] / rows[place][place]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[place], strict=True)]
    return [row[-1] / row[place] for place, row in enumerate(rows)]


def regression(
    design: Sequence[Sequence[float]], values: Sequence[float], weights: Sequence[float]
) -> list[tuple[float, float]]:
    """Slope and White's standard error of each column, of least squares with an intercept."""
    whole = [[1.0, *row] for row in design]
    size = range(len(whole[0]))
    squares = [[sum(w * row[a] * row[b] for row, w in zip(whole, weights, strict=True)) for b in size] for a in size]
    sums = [sum(w * row[a] * y for row, y, w in zip(whole, values, weights, strict=True)) for a in size]
    slopes = solved(squares, sums)
    left = [y - sum(s * one for s, one in zip(slopes, row, strict=True)) for row, y in zip(whole, values, strict=True)]
    found = []
    for place in size[1:]:
        line = solved(squares, [float(one == place) for one in size])
        influence = [sum(a * b for a, b in zip(line, row, strict=True)) for row in whole]
        terms = zip(influence, left, weights, strict=True)
        found.append((slopes[place], math.sqrt(sum((w * gap * one) ** 2 for one, gap, w in terms))))
    return found


def overlap(first: tuple[float, float], then: tuple[float, float]) -> float:
    """Of two intervals of 95 %, by Karr et al., at least 0."""
    one, other = (
        (slope - 1.959963984540054 * error, slope + 1.959963984540054 * error) for slope, error in (first, then)
    )
    common = max(min(one[1], other[1]) - max(one[0], other[0]), 0.0)
    return (common / (one[1] - one[0]) + common / (other[1] - other[0])) / 2


Rows = tuple[Sequence[Sequence[float]], Sequence[float], Sequence[float]]
"""What is known of some rows, what is to be predicted, and how many people each stands for."""


def explained(learnt: Rows, tested: Rows, penalty: float = 1.0) -> float:
    """R² on other rows of a ridge regression whose intercept is free: (X'WX + penalty) slopes = X'W y, centred."""
    known, values, weights = learnt
    total, width = sum(weights), len(known[0])
    middle = [sum(w * row[one] for w, row in zip(weights, known, strict=True)) / total for one in range(width)]
    mean = sum(w * value for w, value in zip(weights, values, strict=True)) / total
    away = [[cell - at for cell, at in zip(row, middle, strict=True)] for row in known]
    matrix = [
        [
            sum(w * row[a] * row[b] for w, row in zip(weights, away, strict=True)) + penalty * (a == b)
            for b in range(width)
        ]
        for a in range(width)
    ]
    right = [
        sum(w * row[a] * (value - mean) for w, row, value in zip(weights, away, values, strict=True))
        for a in range(width)
    ]
    slopes = solved(matrix, right)
    rest = whole = 0.0
    average = sum(w * value for w, value in zip(tested[2], tested[1], strict=True)) / sum(tested[2])
    for row, value, w in zip(*tested, strict=True):
        answer = mean + sum(slope * (cell - at) for slope, cell, at in zip(slopes, row, middle, strict=True))
        rest, whole = rest + w * (value - answer) ** 2, whole + w * (value - average) ** 2
    return 1 - rest / whole


def area(odds: Sequence[float], values: Sequence[float], weights: Sequence[float]) -> float:
    """Share of pairs of a yes and a no in which the yes has the higher odds, half of ties; weighted."""
    rows = list(zip(odds, values, weights, strict=True))
    pairs = [(a - b, v * w) for a, yes, v in rows if yes for b, other, w in rows if not other]
    return sum(w * ((gap > 0) + (gap == 0) / 2) for gap, w in pairs) / sum(w for _, w in pairs)
