# SPDX-License-Identifier: Apache-2.0
"""What it saves to leave records out of classes.

A record that is left out costs its full loss. There are two ways to save more than that:

* to *shave* a class of more than k: without one record it spans less;
* to *dissolve* a class: those of its records that are cheap to take in elsewhere go there, the others are left out.

Receiving classes are found with the tree of :mod:`shoal.engine.kernels.trees.class_tree`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.enforcing.exchanging import EPSILON
from shoal.engine.kernels.enforcing.lacking import lack_of
from shoal.engine.kernels.hull import TICKS, loss, stretch
from shoal.engine.kernels.rules import Rules
from shoal.engine.kernels.trees.class_tree import ClassTree, best_class, drop, mend
from shoal.engine.kernels.trees.group_tree import LinkedGroups, fill, members_of
from shoal.ground.arrays import Floats, Ints

SHAVE, DISSOLVE = 0, 1
OUT = -1


class Whole(NamedTuple):
    """The whole table as one class."""

    lo: Floats
    hi: Floats
    full: float
    """Loss of a record that is left out."""


@kernel
def shaving(
    hulls: Any, points: Floats, rules: Rules, groups: LinkedGroups, group: int, least: int, whole: Whole
) -> tuple[int, float]:
    """Place of the record of a class whose removal saves most, and how much; -1 if none does."""
    rows = members_of(groups, group)
    best, found = EPSILON, -1
    if len(rows) <= least:
        return found, 0.0
    before = len(rows) * groups.loss[group] - whole.full
    lo, hi = np.empty(points.shape[1]), np.empty(points.shape[1])
    for i in range(len(rows)):
        outside = False
        for j in range(len(lo)):
            at = points[rows[i], j]
            outside = outside or at == groups.lo[group, j] or at == groups.hi[group, j]
        if not outside:  # the hull is the same without it
            continue
        lo[:], hi[:] = np.inf, -np.inf
        for other in range(len(rows)):
            if other != i:
                stretch(lo, hi, points, rows[other])
        saved = before - (len(rows) - 1) * loss(hulls, lo, hi)
        if saved > best and lack_of(rules, np.delete(rows, i), least) <= 0:
            best, found = saved, i
    return found, best if found >= 0 else 0.0


@kernel
def dissolving(
    hulls: Any, points: Floats, groups: LinkedGroups, tree: ClassTree, group: int, whole: Whole, into: Ints
) -> tuple[int, float]:
    """How many records are left out if a class is dissolved, and how much that saves.

    ``into`` takes the class where each record goes, or OUT. The class itself is hidden from the tree meanwhile: with
    the hull of the whole table nobody prefers it to being left out.
    """
    rows = members_of(groups, group)
    lo, hi = groups.lo[group].copy(), groups.hi[group].copy()
    groups.lo[group], groups.hi[group] = whole.lo, whole.hi
    mend(hulls, tree, group)
    saved, out = len(rows) * groups.loss[group], 0
    for i in range(len(rows)):
        other, ticked = best_class(hulls, tree, points, rows[i], True, into[i - 1] if i > 0 else -1)
        if other == group or other < 0 or ticked / TICKS >= whole.full:
            into[i] = OUT
            out += 1
            saved -= whole.full
        else:
            into[i] = other
            saved -= ticked / TICKS
    groups.lo[group], groups.hi[group] = lo, hi
    mend(hulls, tree, group)
    return out, saved


@kernel
def offers(
    hulls: Any, points: Floats, rules: Rules, groups: LinkedGroups, tree: ClassTree, least: int, whole: Whole,
    first: int, last: int, gain: Floats, out: Ints, way: Ints,
) -> None:  # fmt: skip
    """What each class of ``first .. last`` has to offer: most saved per record left out."""
    into = np.empty(groups.size.max(), np.int64)
    for group in range(first, last):
        gain[group] = 0.0
        if groups.size[group] == 0:
            continue
        place, saved = shaving(hulls, points, rules, groups, group, least, whole)
        if place >= 0:
            gain[group], out[group], way[group] = saved, 1, SHAVE
        if groups.size[group] < 2 * least and groups.loss[group] > EPSILON:
            left_out, saved = dissolving(hulls, points, groups, tree, group, whole, into)
            if left_out > 0 and saved > EPSILON and saved / left_out > gain[group]:
                gain[group], out[group], way[group] = saved / left_out, left_out, DISSOLVE


@kernel
def _receive(hulls: Any, points: Floats, groups: LinkedGroups, tree: ClassTree, row: int, other: int) -> None:
    """Let a class take a record in."""
    groups.next[row] = groups.head[other]
    groups.head[other] = row
    groups.size[other] += 1
    stretch(groups.lo[other], groups.hi[other], points, row)
    groups.loss[other] = loss(hulls, groups.lo[other], groups.hi[other])
    mend(hulls, tree, other)


@kernel
def take_offer(
    hulls: Any, points: Floats, rules: Rules, groups: LinkedGroups, tree: ClassTree, least: int, whole: Whole,
    group: int, way: int, budget: int,
) -> int:  # fmt: skip
    """Carry out what a class offers, if it still saves and the budget allows it; returns how many were left out."""
    rows = members_of(groups, group)
    if way == SHAVE:
        place, _saved = shaving(hulls, points, rules, groups, group, least, whole)
        if place < 0 or budget < 1:
            return 0
        fill(hulls, points, groups, group, np.delete(rows, place))
        mend(hulls, tree, group)
        return 1
    into = np.empty(len(rows), np.int64)
    out, saved = dissolving(hulls, points, groups, tree, group, whole, into)
    if out == 0 or out > budget or saved <= EPSILON:
        return 0
    if len(rules.kind) > 0 and not _all_received(rules, groups, rows, into, least):
        return 0
    drop(tree, group)
    fill(hulls, points, groups, group, rows[:0])
    for i in range(len(rows)):
        if into[i] != OUT:
            _receive(hulls, points, groups, tree, rows[i], into[i])
    return out


@kernel
def _all_received(rules: Rules, groups: LinkedGroups, rows: Ints, into: Ints, least: int) -> bool:
    """Whether all classes obey with the records that they would receive."""
    for i in range(len(rows)):
        if into[i] == OUT:
            continue
        grown = np.concatenate((rows[into == into[i]], members_of(groups, into[i])))
        if lack_of(rules, grown, least) > 0:
            return False
    return True
