# SPDX-License-Identifier: Apache-2.0
"""How little any k-anonymous partition of a table could lose.

Three bounds, each at least as good as the one before: the nearest records (any table), the cheapest box around each
record, and prices. All boxes are listed where that is possible: with one column of numbers and not too many levels of
trees; with several such columns only on small tables, where numbers are put in bins. Else they are searched for, record
by record; where all columns are names without levels, patterns are walked. All bounds are sums over records of terms
that are never negative, so what is stopped early is still a bound. The proof is in docs/certificate.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shoal.engine.bounds import squares
from shoal.engine.bounds.boxes import FIRST_PASSES, PASSES, listed_boxes, searched_boxes
from shoal.engine.bounds.budget import StepBudget, TimeOver, Watch
from shoal.engine.bounds.certificate import EFFORT, TIME, Certificate
from shoal.engine.bounds.lattice import Caps, LineAndBins, Points, build_lattice, counted
from shoal.engine.bounds.nearest import nearest_bound
from shoal.engine.bounds.patterns import pattern_prices
from shoal.engine.bounds.prices import best_prices
from shoal.engine.bounds.searched_prices import searched_prices
from shoal.engine.encoding.encoded import Encoded, total_of
from shoal.engine.encoding.features import MOST_NAMES
from shoal.engine.kernels.bounds.pricing import NOTHING
from shoal.engine.kernels.hull import has_patterns
from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import listed
from shoal.ground.progress import Enough, Progress
from shoal.ground.requirements import Requirement, Rule
from shoal.plan.effort import EFFORTS, LARGEST
from shoal.plan.plan import Plan

STEPS_PER_RECORD, STEPS_LISTED, STEPS_UNDER_SHARES = 12_000, 20_000, 36_000
MOST_STEPS = 1_000_000_000
"""Work allowed with effort 1; where all boxes are listed about 180 microseconds per record, and more where a rule
limits shares of private values."""
SEARCHED, PRICED = 3, 2
"""Where they are searched for: times these steps for a search, so that half a million records have one; for prices."""
LONGER = 1.6
"""Times the most steps for prices of a large table: half a million records have a second stage then."""
SECONDS_LISTED, SECONDS_SEARCHED, SECONDS_ANYWAY = 4.5e-5, 6.5e-4, 0.2
"""What a record takes at most: for each column where boxes are listed, in all where they are searched for; the least.

Found on 17 tables of 300 to 30,000 rows: 1.9e-5 to 4.3e-5 with 5 to 14 columns where listed; 2.6e-4 to 5.8e-4 where
searched for, and up to 8.8e-4 in tables of a thousand rows."""
MOST_SEARCHED = 16
"""Of more columns no tree finds the near records quickly, and the search ends before there are prices."""

HULL_LOSSES = ("height", "ncp", "eloss", "lm")
"""Losses that only grow with the hull; squared errors have a bound of their own."""

HULLS = ("generalise", "interval", "ancestor", "bounds")
"""Renderings that publish the hull of a class."""

SMALLEST = 20
"""Smaller classes are not asked what those of half the size would lose: about half, more than prices make up for."""

CLEARLY = 1.2
"""Prices so many times a first pass of bound 2 are above what its other passes find."""

ROUNDING = 1e-9
"""Share of the sum that is given away, so that no rounding lifts it above the truth."""


@dataclass(frozen=True)
class Bound:
    """No k-anonymous partition of the table loses less than ``total``."""

    total: float
    per_cell: float
    """The total over the loss if nothing were left; 0 if no cell has weight."""
    records: int
    records_covered: int
    """Records that the bound was worked out for; the others count as if they lost nothing."""
    method: str
    """``nearest``, ``boxes`` or ``prices``."""
    heeds: bool = False
    """Whether it is about partitions that obey a rule about private values, and others could lose less."""
    is_short: bool = False
    """Whether more steps, or more time, might prove more."""


def lower_bound(
    encoded: Encoded,
    size: int,
    progress: Progress | None = None,
    *,
    effort: float = 1.0,
    method: str | None = None,
    watch: Watch | None = None,
    rules: Sequence[Rule] = (),
) -> Bound:
    """A proven lower bound on the loss of every partition into classes of ``size`` records or more that obey ``rules``.

    ``effort`` scales the work; more of it hardly ever lowers the bound. ``method`` asks for one of the three bounds; by
    default it is the best that the table allows. ``watch`` tells when to stop with what there is; raises ``Enough`` if
    there is nothing then. Of the rules one that limits shares of values is made use of, where
    boxes are listed.
    """
    watch, told = watch or Watch(), progress or Progress()
    if encoded.loss not in HULL_LOSSES:
        found = _of_squares(encoded, size, told, effort, method, watch)
    else:
        found = _of_hulls(encoded, size, told, effort, method, watch, rules)
    return replace(found, is_short=watch.is_short)


def _of_hulls(
    encoded: Encoded,
    size: int,
    progress: Progress,
    effort: float,
    method: str | None,
    watch: Watch,
    rules: Sequence[Rule],
) -> Bound:
    """The bound for losses that only grow with the hull."""
    useful = counted(encoded)
    if not useful.columns or size <= 1 or size > len(encoded):
        return _bound(encoded, np.zeros(0), np.zeros(0, dtype=np.int64), len(encoded), "boxes")
    points, plotted = _plotted(useful, rules)
    is_listed = plotted.is_worth_it and not plotted.bins and method != "nearest"
    per_record = STEPS_UNDER_SHARES if points.shares.size else STEPS_LISTED if is_listed else STEPS_PER_RECORD
    steps = min(per_record * len(encoded), MOST_STEPS)
    if is_listed:
        budget = StepBudget(int(effort * steps), progress, watch)
        return _with_list(encoded, useful, points, plotted, size, budget, method)
    if has_patterns(useful.hulls) and method not in ("nearest", "boxes"):
        return _of_patterns(encoded, useful, size, effort, progress, watch)
    if not plotted.is_worth_it or method in ("nearest", "boxes"):
        return _without_list(encoded, useful, size, StepBudget(int(effort * steps), progress, watch), method)
    first, second = (StepBudget(int(effort * steps), progress.part(number, of=2), watch) for number in range(2))
    searched = _without_list(encoded, useful, size, first, method)
    try:
        listed = _with_list(encoded, useful, points, plotted, size, second, method)
    except TimeOver:
        return searched
    return max(searched, listed, key=lambda one: one.total)


def _of_squares(
    encoded: Encoded, size: int, progress: Progress, effort: float, method: str | None, watch: Watch
) -> Bound:
    """The bound for squared errors, as a share of that of one class of all records."""
    n, covered, total, whole, found = len(encoded), 0, 0.0, 0.0, "nearest"
    if squares.is_measured(encoded):
        points = squares.measured_points(encoded)
        whole, covered = float((points**2).sum()), n
        if 1 < size <= n:
            budget = StepBudget(int(effort * min(squares.STEPS_PER_RECORD * n, squares.STEPS_IN_ALL)), progress, watch)
            prices, found = squares.square_prices(points, size, budget, method)
            total = max(0.0, math.fsum(prices) - ROUNDING * math.fsum(np.abs(prices)))
    return Bound(total, total / whole if whole else 0.0, n, covered, found)


def _plotted(useful: Encoded, rules: Sequence[Rule]) -> tuple[Points, LineAndBins]:
    """The points, told apart by private values if a rule limits those and there is room for that; and their columns."""
    caps = Caps.of(rules)
    if caps is not None:
        points = Points.of(useful, caps)
        plotted = LineAndBins.of(useful, points)
        if plotted.is_worth_it:
            return points, plotted
    points = Points.of(useful)
    return points, LineAndBins.of(useful, points)


def _with_list(
    encoded: Encoded,
    useful: Encoded,
    points: Points,
    plotted: LineAndBins,
    size: int,
    budget: StepBudget,
    method: str | None,
) -> Bound:
    """Bound 2 and, if there is time for it, bound 3; or else, if it is better, bound 3 for smaller classes.

    Classes of at least ``size`` records are also classes of at least half as many.
    """
    lattice = build_lattice(useful, points, plotted, size, budget.all_or_nothing)
    loss = listed_boxes(lattice, size * lattice.unit)
    prices, owed = loss, 0.0
    if method != "boxes":
        best = best_prices(lattice, loss, size * lattice.unit, budget)
        prices, owed = best.price, best.regions.owed
    told = "boxes" if prices is loss else "prices"
    found = replace(_bound(encoded, prices, points.copies, len(encoded), told, owed), heeds=points.shares.size > 0)
    if prices is not loss or method == "boxes" or size < SMALLEST or not loss.any() or budget.left <= 0:
        return found
    smaller = _with_list(encoded, useful, points, plotted, size // 2, budget, method)
    return max(found, smaller, key=lambda one: one.total)


def _of_patterns(
    encoded: Encoded, useful: Encoded, size: int, effort: float, progress: Progress, watch: Watch
) -> Bound:
    """Bound 3 by walks over patterns; if their work does not end, also what is found record by record."""
    n = len(encoded)
    steps = int(effort * min(STEPS_LISTED * n, MOST_STEPS))
    prices, is_whole = pattern_prices(useful, size, StepBudget(steps, progress.part(0, of=2), watch))
    walked = None if prices is None else _bound(encoded, prices, np.ones(n, dtype=np.int64), n, "prices")
    if walked is not None and (is_whole or watch.stopped_after is not None):
        return walked
    searched = _without_list(encoded, useful, size, StepBudget(steps, progress.part(1, of=2), watch), None)
    return searched if walked is None else max(walked, searched, key=lambda one: one.total)


def _without_list(encoded: Encoded, useful: Encoded, size: int, budget: StepBudget, method: str | None) -> Bound:
    """Bound 1; if there is time for a first pass of bound 2, prices; if they are little better, its other passes."""
    tree, loss, slots = nearest_bound(useful, size, budget)
    covered = int(tree.copies[:slots].sum())
    if method == "nearest":
        return _bound(encoded, loss, tree.copies, covered, "nearest")
    steps, budget = budget.total, replace(budget, left=budget.left + (SEARCHED - 1) * budget.total * (budget.left > 0))
    loss = prices = searched_boxes(useful, tree, size, loss, budget, PASSES[:FIRST_PASSES])
    if method != "boxes" and budget.left > 0:
        longer = min(max(STEPS_PER_RECORD * len(encoded) / MOST_STEPS, 1.0), LONGER)
        prices = searched_prices(useful, tree, loss, size, replace(budget, left=int(PRICED * longer * steps)))
    priced = _bound(encoded, prices, tree.copies, covered, "prices")
    if priced.total > CLEARLY * _bound(encoded, loss, tree.copies, covered, "boxes").total:
        return priced
    loss = searched_boxes(useful, tree, size, loss, budget, PASSES[FIRST_PASSES:])
    return max(_bound(encoded, loss, tree.copies, covered, "boxes"), priced, key=lambda one: one.total)


def _bound(encoded: Encoded, loss: Floats, copies: Ints, covered: int, method: str, owed: float = 0.0) -> Bound:
    """The sum over all records, less what rounding and broken boxes too small to matter could add up to.

    ``loss`` is told as a share of what a record can lose, and so is what is ``owed`` by all of them.
    """
    total = encoded.fixed * (1 - ROUNDING)
    sum_ = math.fsum(loss * copies) * (1 - ROUNDING) - owed * (1 + ROUNDING)
    total += encoded.full * max(0.0, sum_ - NOTHING * len(encoded))
    largest = len(encoded) * encoded.full
    return Bound(total, total / largest if largest else 0.0, len(encoded), covered, method)


def is_bounded(plan: Plan) -> bool:
    """Whether the bound speaks of what is published."""
    return not unbounded(plan)


def unbounded(plan: Plan) -> str:
    """Why the bound does not speak of what is published: every class as its hull; squared errors are those of classes.

    Empty where it does.
    """
    if plan.missing == "wildcard":
        return "it would not hold where missing cells match anything (missing wildcard)"
    if plan.loss not in HULL_LOSSES:
        return f"none is known for the loss {plan.loss} in common levels" if plan.in_common_levels else ""
    others = {plan.rendering(name) for name in plan.quasi_identifiers} - set(HULLS)
    return f"it is about groups that are shown as ranges and tree names, not by {listed(sorted(others))}" * bool(others)


def seconds_for(rows: int, columns: int, effort: float = 1.0, *, searched: bool = False, shares: bool = False) -> float:
    """What a bound takes about at most; ``searched`` if boxes are not listed, but searched for.

    ``shares``: a rule limits shares of private values, which the bound makes use of where boxes are listed.
    """
    each = SECONDS_SEARCHED if searched else SECONDS_LISTED * min(columns, MOST_SEARCHED)
    usual = STEPS_PER_RECORD if searched else STEPS_LISTED
    steps = STEPS_UNDER_SHARES if shares and not searched else usual
    most = MOST_STEPS * (LONGER if searched else 1.0)
    return SECONDS_ANYWAY + effort * each * min(rows * steps, most) / usual


def is_searched_for(columns: int, numbers: int) -> bool:
    """Whether prices are likely to be searched for in a large table of so many columns, some of them numbers."""
    return numbers > 1 and columns <= MOST_SEARCHED


def certify(
    encoded: Encoded,
    labels: Ints,
    asked: Requirement,
    progress: Progress | None = None,
    *,
    plan: Plan | None = None,
    among: Encoded | None = None,
    watch: Watch | None = None,
) -> Certificate | None:
    """The loss of a partition beside the bound; None where it is ``uncertain``, or the time was too short for any.

    Of the ``plan`` it is told what else was asked for, of which the bound may know nothing.
    ``among`` is the table without bands that nobody but the method asked for: the bound is for all groupings of it.
    """
    if uncertain(encoded, labels) or (loss := _loss(encoded, labels)) is None:
        return None
    watch, named = watch or Watch(), "default" if plan is None else plan.effort
    try:
        bound = lower_bound(
            among or encoded, asked.size, progress, effort=EFFORTS[named], watch=watch, rules=asked.rules
        )
    except Enough:
        return None
    proved = loss, bound.per_cell, asked.size, bound.records, bound.records_covered, bound.method
    lacked = TIME if watch.stopped_after is not None else EFFORT if bound.is_short and named != LARGEST else ""
    beside = {} if plan is None else _beside(plan)
    return Certificate(*proved, metric=encoded.loss, heeds=bound.heeds, lacked=lacked, **beside)


def uncertain(encoded: Encoded, labels: Ints) -> str:
    """Why it is not known how much less other classes could lose than these; empty where it is."""
    if (labels < 0).any():
        return "it is about groupings of all rows, and some were left out"
    if encoded.is_crossed(labels):
        return "levels that all groups share had to be joined for some of them"
    if _loss(encoded, labels) is not None:
        return ""
    if encoded.loss in HULL_LOSSES or squares.is_measured(encoded):
        return "no column has anything to lose"
    if len(encoded) > squares.MOST_RECORDS:
        return f"for the loss {encoded.loss} it is worked out for up to {squares.MOST_RECORDS:,} rows"
    names = f"columns of more than {MOST_NAMES} names"
    return f"for the loss {encoded.loss} it is worked out neither for {names} nor in levels that all groups share"


def _loss(encoded: Encoded, labels: Ints) -> float | None:
    """The loss of a partition per cell; None if there is nothing to lose, or it is not known how it is measured."""
    if encoded.loss in HULL_LOSSES:
        largest = len(encoded) * encoded.full
        return (total_of(encoded, labels) + encoded.fixed) / largest if largest else None
    if not squares.is_measured(encoded):
        return None
    one = squares.squares_of(encoded, np.zeros(len(encoded), dtype=np.int64))
    return squares.squares_of(encoded, labels) / one if one else None


def _beside(plan: Plan) -> dict[str, Any]:
    """What was asked for besides the size of classes."""
    others = [*plan.models, *(["k different persons"] if plan.person is not None else [])]
    told = {"others": tuple(others), "levels": tuple(plan.in_common_levels)}
    return {"k_asked": plan.k, **told, "rows_may_go": plan.suppression > 0}
