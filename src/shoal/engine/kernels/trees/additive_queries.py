# SPDX-License-Identifier: Apache-2.0
"""Which m records are nearest to a centre, and which is furthest, under costs that add up over the attributes.

Any cost of the form ``sum over attributes of c_j(x_j)`` can be pruned exactly with boxes, metric or not: a box
is bounded by the least (or greatest) of each ``c_j`` over its interval. Three shapes of ``c_j``:

* ``LINE``: distance of a number from a centre, plain or squared, never more than ``cap``;
* ``STEP``: 0 at the centre, ``cap`` elsewhere;
* ``VECTOR``: any vector over integer codes, with a table of range minima (see :func:`fill_minima`); nearest only.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel
from shoal.engine.kernels.hull import ticks
from shoal.engine.kernels.trees.box_tree import NO_ROW, BoxTree
from shoal.engine.kernels.trees.walks import TreeBoxes, best_first, boxes_of, ends, least, least_few, records_of
from shoal.ground.arrays import Flags, Floats, Ints

LINE, STEP, VECTOR = 0, 1, 2


class Additive(NamedTuple):
    """One cost function per attribute, as flat arrays."""

    shape: Ints
    centre: Floats
    """LINE, STEP: where the cost is 0."""
    scale: Floats
    """LINE: cost of one unit."""
    cap: Floats
    """LINE, STEP: largest cost."""
    squared: Flags
    """LINE: square the scaled distance."""
    start: Ints
    """VECTOR: where the attribute's block begins."""
    size: Ints
    """VECTOR: number of codes."""
    low: Floats
    """VECTOR: [power, code] least cost of the 2^power codes from there; power 0 is the vector itself."""


@kernel
def fill_minima(low: Floats, start: int, size: int) -> None:
    """Make the table of range minima from the vector that stands in its first row."""
    reach = 1
    while 2 * reach <= size:
        for code in range(size - 2 * reach + 1):
            low[start + size + code] = min(low[start + code], low[start + code + reach])
        start += size
        reach *= 2


class AdditiveQuestion(NamedTuple):
    """Costs, and the records and boxes that are priced."""

    costs: Additive
    boxes: TreeBoxes


@inlined
def _least_cost(costs: Additive, j: int, lo: float, hi: float) -> float:
    """Least cost of one attribute over the interval ``lo .. hi``."""
    if costs.shape[j] == LINE:
        scaled = max(lo - costs.centre[j], costs.centre[j] - hi, 0.0) * costs.scale[j]
        return min(scaled * scaled if costs.squared[j] else scaled, costs.cap[j])
    if costs.shape[j] == STEP:
        return 0.0 if lo <= costs.centre[j] <= hi else costs.cap[j]
    a, b = int(lo), int(hi)
    power = int(math.log2(b - a + 1))  # two overlapping runs of 2^power codes cover the interval
    row = costs.start[j] + power * costs.size[j]
    return min(costs.low[row + a], costs.low[row + b - (1 << power) + 1])


@inlined
def _greatest_cost(costs: Additive, j: int, lo: float, hi: float) -> float:
    """Greatest cost of one attribute, a line or a step, over the interval ``lo .. hi``."""
    if costs.shape[j] == LINE:
        scaled = max(abs(lo - costs.centre[j]), abs(hi - costs.centre[j])) * costs.scale[j]
        return min(scaled * scaled if costs.squared[j] else scaled, costs.cap[j])
    return 0.0 if lo == costs.centre[j] and hi == costs.centre[j] else costs.cap[j]


@inlined
def _total(cost: Any, question: AdditiveQuestion, i: int, is_leaf: bool) -> float:
    total = 0.0
    for j in range(question.boxes.at.shape[1]):
        lo, hi = ends(question.boxes, i, j, is_leaf)
        total += cost(question.costs, j, lo, hi)
    return ticks(total)


@inlined
def _near(question: AdditiveQuestion, i: int, is_leaf: bool, _limit: float) -> float:
    """Cost of a record, or the least that any in a box can have."""
    return _total(_least_cost, question, i, is_leaf)


@inlined
def _far(question: AdditiveQuestion, i: int, is_leaf: bool, _limit: float) -> float:
    """Cost of a record, or the greatest that any in a box can have, negated."""
    return -_total(_greatest_cost, question, i, is_leaf)


@kernel
def nearest_rows(costs: Additive, tree: BoxTree, many: int) -> Ints:
    """Rows of the ``many`` live records of least cost, best first; ties to the lowest row."""
    values, rows = np.empty(many), np.empty(many, np.int64)
    found = least_few(_near, AdditiveQuestion(costs, boxes_of(tree)), tree, values, rows)
    best_first(values, rows, found)
    return rows[:found].copy()


@kernel
def furthest_row(costs: Additive, tree: BoxTree) -> int:
    """Row of the live record of greatest cost; ties to the lowest row."""
    return least(_far, AdditiveQuestion(costs, boxes_of(tree)), records_of(tree), np.inf, NO_ROW)[0]
