# SPDX-License-Identifier: Apache-2.0
"""Hilbert keys in whole numbers of any length, runs by looking at every cut, and classes of one tree by recursion."""

from __future__ import annotations

import math
from collections.abc import Sequence

from shoal.engine.encoding.encoded import Encoded
from shoal.hierarchies.hierarchy import Hierarchy
from tests.reference.growing import labels
from tests.reference.losses import Loss, Point, hull, node_loss, ticks


def cell(points: Sequence[Point], bits: int) -> list[list[int]]:
    """Grid cell of each record."""
    lows, highs = hull(points)
    return [
        [
            math.floor((x - low) / (high - low) * (2**bits - 1) + 0.5) if high > low else 0
            for x, low, high in zip(point, lows, highs)
        ]
        for point in points
    ]


def key(axes: Sequence[int], bits: int) -> int:
    """Place of a cell on the curve, after Skilling (2004)."""
    axes = list(axes)
    flag = 2 ** (bits - 1)
    while flag > 1:
        for j in range(len(axes)):
            if axes[j] & flag:
                axes[0] ^= flag - 1
            else:
                swap = (axes[0] ^ axes[j]) & (flag - 1)
                axes[0], axes[j] = axes[0] ^ swap, axes[j] ^ swap
        flag //= 2
    for j in range(1, len(axes)):
        axes[j] ^= axes[j - 1]
    turn = 0
    for bit in range(1, bits):
        turn ^= (2**bit - 1) if axes[-1] >> bit & 1 else 0
    rows = [format(axis ^ turn, f"0{bits}b") for axis in axes]
    return int("".join("".join(column) for column in zip(*rows)), 2)


def order_of(encoded: Encoded, order: str, bits: int, references: int) -> list[int]:
    """Rows in one of the three orders."""
    points = encoded.points.tolist()
    if order == "hilbert":
        keys = [key(one, bits) for one in cell(points, bits)]
    elif order == "lexicographic":
        keys = points
    else:
        keys = around_references(points, references)
    return sorted(range(len(points)), key=lambda row: (keys[row], row))


def around_references(points: Sequence[Point], references: int) -> list[tuple[int, int]]:
    """Nearest reference and distance from it, references chosen furthest-first."""
    lows, highs = hull(points)
    unit = [
        [(x - low) / (high - low) if high > low else 0.0 for x, low, high in zip(point, lows, highs)]
        for point in points
    ]

    def far(one: Point, other: Point) -> int:
        total = 0.0
        for a, b in zip(one, other):
            total += (a - b) ** 2
        return ticks(total)

    corner = [0.0] * len(lows)
    chosen = [max(range(len(unit)), key=lambda row: (far(unit[row], corner), -row))]
    while len(chosen) < references:
        gaps = [min(far(one, unit[centre]) for centre in chosen) for one in unit]
        if max(gaps) == 0:
            break
        chosen.append(gaps.index(max(gaps)))
    return [min((far(one, unit[centre]), place) for place, centre in enumerate(chosen))[::-1] for one in unit]


def runs(encoded: Encoded, k: int, order: Sequence[int]) -> list[int]:
    """Class of each record under :func:`cuts`."""
    return labels(cuts(encoded, k, order), len(order))


def cuts(encoded: Encoded, k: int, order: Sequence[int]) -> list[list[int]]:
    """The cheapest runs of the order, every last run tried; equal costs: the longest."""
    loss, points = Loss(encoded), encoded.points.tolist()
    best: dict[int, tuple[int, int]] = {0: (0, 0)}
    for i in range(k, len(order) + 1):
        choices = []
        for t in range(max(0, i - 2 * k + 1), i - k + 1):
            if t in best:
                each = ticks(loss.of(*hull([points[row] for row in order[t:i]])))
                choices.append((best[t][0] + (i - t) * each, t))
        best[i] = min(choices)
    classes, end = [], len(order)
    while end > 0:
        classes.append(list(order[best[end][1] : end]))
        end = best[end][1]
    return classes


def tree_classes(encoded: Encoded, k: int) -> list[int]:
    """Least-cost classes of a single tree column."""
    column = encoded.columns[0]
    assert column.tree is not None
    by_leaf: dict[int, list[int]] = {}
    for row, leaf in enumerate(column.points.tolist()):
        by_leaf.setdefault(int(leaf), []).append(row)
    costs = [
        ticks(node_loss(column.tree, node, encoded.loss) * column.weight) for node in range(len(column.tree.labels))
    ]
    classes: list[list[int]] = []
    plan = _solve(column.tree, costs, {leaf: len(rows) for leaf, rows in by_leaf.items()}, 0, k)
    _hand_out(column.tree, plan[0][1], 0, by_leaf, classes, k)
    return labels(classes, len(encoded))


Solution = dict[int, tuple[int, tuple]]
"""For each number of records passed up: the cost, and (passed up, solutions of the children)."""


def _children(tree: Hierarchy, node: int) -> list[int]:
    return [other for other in range(len(tree.labels)) if tree.parents[other] == node]


def _solve(tree: Hierarchy, costs: Sequence[int], counts: dict[int, int], node: int, k: int) -> Solution:
    children = _children(tree, node)
    if not children:
        count = counts.get(int(tree.first[node]), 0)
        return {u: (0, (u, ())) for u in range(2 * k - 1) if count == u or count - u >= k}
    full = 3 * k - 2
    solved = [_solve(tree, costs, counts, child, k) for child in children]
    # Subtrees that can only pass everything up come first; the others in order.
    ranks = sorted(range(len(children)), key=lambda i: (_records(tree, counts, children[i]) >= k, i))
    pools: dict[int, tuple[int, dict[int, tuple]]] = {0: (0, {})}
    for i in ranks:
        grown: dict[int, tuple[int, int, int, dict[int, tuple]]] = {}
        for u, (cost, how) in solved[i].items():
            for have, (spent, before) in pools.items():
                after = min(have + u, full)
                option = (spent + cost + u * costs[node], u, have, {**before, i: how})
                if after not in grown or option[:3] < grown[after][:3]:
                    grown[after] = option
        pools = {after: (option[0], option[3]) for after, option in grown.items()}
    best: Solution = {}
    for u in range(2 * k - 1):
        options = [(pools[have][0], have != u, have) for have in pools if have == u or have >= u + k]
        if options:
            cost, _, have = min(options)
            best[u] = (cost - u * costs[node], (u, tuple(pools[have][1][i] for i in range(len(children)))))
    return best


def _records(tree: Hierarchy, counts: dict[int, int], node: int) -> int:
    return sum(count for leaf, count in counts.items() if tree.first[node] <= leaf <= tree.last[node])


def _hand_out(
    tree: Hierarchy, how: tuple, node: int, by_leaf: dict[int, list[int]], classes: list[list[int]], k: int
) -> list[int]:
    """Make the classes of a subtree; returns the rows it passes up."""
    passed, below = how
    children = _children(tree, node)
    pool = list(by_leaf.get(int(tree.first[node]), [])) if not children else []
    for child, plan in zip(children, below):
        pool += _hand_out(tree, plan, child, by_leaf, classes, k)
    keep = len(pool) - passed
    blocks = keep // k
    for block in range(blocks):
        classes.append(pool[block * k : keep if block == blocks - 1 else (block + 1) * k])
    return pool[keep:]
