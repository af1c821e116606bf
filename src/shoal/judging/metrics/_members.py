# SPDX-License-Identifier: Apache-2.0
"""The original rows of every class, for metrics that look at the members of classes and not at what they publish.

Which rows make a class is told by the maker; where it is not, the order must tell, if the plan says that it was kept,
or the labels: every original row must fit the labels of one class only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints
from shoal.judging.evidence import Evidence, once
from shoal.judging.labels.lines import Line
from shoal.judging.labels.reach import CENTRES, RowReach, column_of, reach_of
from shoal.judging.labels.trees import LabelTree
from shoal.tables.table import Table

Placed = Callable[[Line, Flags], Floats]
"""Where the cells of a column of numbers stand, given which are missing."""

HOW = "in Python shoal.measure takes them as classes="
"""Where classes are missing."""
LARGEST_SEARCH = 300_000_000
"""Most cells (rows times classes times columns) that are compared to find out which rows make a class."""


@dataclass(frozen=True)
class Members:
    """The original rows that were released, and the class of each."""

    original: Table
    columns: Mapping[str, Line | LabelTree]
    """Every quasi-identifier of these rows."""
    classes: Ints
    suppressed: int
    """Rows that are in no class."""
    wildcard: bool
    """Whether missing matches anything."""
    scattered: dict[str, tuple[float, float]] = field(default_factory=dict)
    """What is known already of columns of names, which are the same wherever numbers stand."""


def members_of(evidence: Evidence) -> Members | str:
    """The members of all classes, or why nobody can tell them; found once for all metrics."""
    return once(evidence.read, "members", lambda: _members(evidence))


def _members(evidence: Evidence) -> Members | str:
    if evidence.original is None:
        return "the original table was not given"
    classes = evidence.classes
    if classes is None:
        found = _classes_of(evidence)
        if isinstance(found, str):
            return found
        classes = found
    kept = np.flatnonzero(classes >= 0)
    if len(kept) < len(classes):
        evidence = replace(evidence, original=evidence.original.take(kept), read={})
    assert evidence.original is not None
    columns = {name: column_of(evidence, name) for name in evidence.plan.quasi_identifiers}
    wildcard = evidence.plan.missing == "wildcard"
    return Members(evidence.original, columns, classes[kept], evidence.suppressed, wildcard)


def _classes_of(evidence: Evidence) -> Ints | str:
    """Class of each original row (-1: it fits none, so it was left out), or why the labels do not tell."""
    names = evidence.plan.quasi_identifiers
    if any(evidence.plan.rendering(name) in CENTRES for name in names):
        return f"the release shows centres, and the classes of the original rows were not given; {HOW}"
    reaches = [reach_of(evidence, name) for name in names]
    if problems := [one.problem for one in reaches if one.problem]:
        return "; ".join(problems)
    ends = [np.where(np.isnan(one.low), empty, end) for one in reaches for end, empty in ((one.low, 1), (one.high, 0))]
    shown = np.column_stack(ends)
    _, first, place, sizes = np.unique(shown, axis=0, return_index=True, return_inverse=True, return_counts=True)
    n, wildcard = len(reaches[0].positions), evidence.plan.missing == "wildcard"
    in_order = evidence.plan.keep_order and n == len(shown)
    if in_order and all(one.holds(np.arange(n), wildcard).all() for one in reaches):
        return place.reshape(-1).astype(np.int64)
    untold = "the classes of the original rows were not given, and the"
    if n * len(first) * len(names) > LARGEST_SEARCH:
        return f"{untold} table is too large to find them by the labels; {HOW}"
    found, fits = np.full(n, -1, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for label, row in enumerate(first):
        inside = np.ones(n, dtype=bool)
        for one in reaches:
            inside &= _allowed(one, int(row), wildcard)
        found[inside] = label
        fits += inside
    whole = np.array_equal(np.bincount(found[found >= 0], minlength=len(first)), sizes)
    if (fits > 1).any() or not whole:
        return f"{untold} labels do not tell them apart; {HOW}"
    return found


def _allowed(reach: RowReach, row: int, wildcard: bool) -> Flags:
    """Which original cells of a column a released row allows."""
    low, high = float(reach.low[row]), float(reach.high[row])
    inside: Flags = (low <= reach.positions) & (reach.positions <= high)
    missing = np.isnan(reach.positions)
    if wildcard:
        return np.ones(len(inside), dtype=bool) if math.isnan(low) else inside | missing
    return inside | missing if not math.isfinite(low) else inside


def scatter(members: Members, name: str, placed: Placed) -> tuple[float, float]:
    """Sum of squared distances of a column's cells from the mean of their class, and from the mean of all.

    Names are 0 or 1 / √2; a missing number stands at the mean, 1 away from all present ones, unless missing matches
    anything. Rows that were left out count as usual ones.
    """
    column, classes = members.columns[name], members.classes
    missing = np.isnan(column.positions)
    if isinstance(column, LabelTree):
        within, whole = once(members.scattered, name, lambda: _in_tree(column, missing, members))
    else:
        within, whole = _of_numbers(placed(column, missing), classes)
        if missing.any() and not members.wildcard:
            more = _of_names(missing.astype(np.int64), classes)
            within, whole = within + more[0], whole + more[1]
    left_out = whole * members.suppressed / len(classes) if len(classes) else 0.0
    return within + left_out, whole + left_out


def _in_tree(column: LabelTree, missing: Flags, members: Members) -> tuple[float, float]:
    present = column.positions[~missing].astype(np.int64)
    stand_in = np.bincount(present).argmax() if members.wildcard and len(present) else -1
    names = np.where(missing, stand_in, np.nan_to_num(column.positions)).astype(np.int64)
    return _of_names(names, members.classes)


def _of_numbers(places: Floats, classes: Ints) -> tuple[float, float]:
    if not len(places):
        return 0.0, 0.0
    away = places - places.mean()
    means = np.bincount(classes, weights=places) / np.maximum(np.bincount(classes), 1)
    near = places - means[classes]
    return float(np.dot(near, near)), float(np.dot(away, away))


def _of_names(names: Ints, classes: Ints) -> tuple[float, float]:
    """The same where each name has an axis of its own and stands at 1 / √2 on it.

    n records, n_v of each name, add up to (n - Σ n_v² / n) / 2.
    """
    n = len(names)
    if not n:
        return 0.0, 0.0
    codes = names - names.min()
    different = int(codes.max()) + 1
    counts = np.bincount(codes)
    counts = counts[counts > 0]
    pairs, together = np.unique(classes * different + codes, return_counts=True)
    sizes = np.bincount(classes)
    within = n - float((together**2 / sizes[pairs // different]).sum())
    return within / 2, (n - float((counts**2).sum()) / n) / 2
