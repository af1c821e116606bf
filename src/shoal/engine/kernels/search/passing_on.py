# SPDX-License-Identifier: Apache-2.0
"""Records passed on from class to class, where classes are patterns: what a dear class can spare, a cheaper one gets.

A record of the first class fits the second, one of the second the third, and so on: each moves one class on. The first
class has a record less, the last has one more, and what those between lose adds up to the same as before, so that only
the two ends count. It does not matter how dear the classes between are, nor whether they could spare a record.
"""

from __future__ import annotations

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.search.patterns import Patterns, Traits, fits, fitting, join, leave, tighten
from shoal.ground.arrays import Ints

TOLD_APART = 1e-9
"""Costs that differ by less are equal."""


@kernel
def ways(traits: Traits, patterns: Patterns, order: Ints, onward: Ints, end: Ints, matches: Ints) -> None:
    """The cheapest class that can be reached from each (``end``), and the first class on the way (``onward``).

    ``order`` are the classes in use, the cheapest first. Beginning with these, whoever can pass a record on to a class
    that is known to reach the end does so, too.
    """
    traits, patterns = lent(traits), lent(patterns)
    queue = np.empty(len(order), np.int64)
    end[:] = -1
    for target in order:
        if end[target] >= 0:
            continue
        end[target], onward[target], queue[0] = target, target, target
        first, last = 0, 1
        while first < last:
            label = queue[first]
            first += 1
            for i in range(fitting(traits, patterns.kept[label], matches)):
                other = patterns.label[matches[i]]
                if end[other] < 0:
                    end[other], onward[other], queue[last] = target, label, other
                    last += 1


@inlined
def _who_fits(traits: Traits, patterns: Patterns, source: int, target: int) -> int:
    """A record of one class that fits another; -1 if there is none."""
    record = patterns.head[source]
    while record >= 0 and not fits(traits, patterns.kept[target], record):
        record = patterns.after[record]
    return record


@inlined
def _pass_on_one(traits: Traits, patterns: Patterns, source: int, onward: Ints, end: Ints, moved: Ints) -> bool:
    """Send one record along the way from a class; False if somebody on the way has nobody to send any more."""
    label, many = source, 0
    while label != end[source]:
        moved[many] = _who_fits(traits, patterns, label, onward[label])
        if moved[many] < 0:
            return False
        label = onward[label]
        many += 1
    label = source
    for i in range(many):
        leave(patterns, moved[i])
        join(patterns, moved[i], onward[label])
        label = onward[label]
    return True


@kernel
def _pass_on_all(traits: Traits, patterns: Patterns, size: int, order: Ints, onward: Ints, end: Ints) -> bool:
    """Send on what classes can spare, from the dearest; whether there was anything."""
    traits, patterns = lent(traits), lent(patterns)
    moved, found = np.empty(len(order), np.int64), False
    for i in range(len(order) - 1, -1, -1):
        source = order[i]
        pays = patterns.cost[end[source]] < patterns.cost[source] - TOLD_APART
        while pays and patterns.sizes[source] > size:
            pays = _pass_on_one(traits, patterns, source, onward, end, moved)
            found = found or pays
    return found


@kernel
def _tighten_all(traits: Traits, patterns: Patterns, order: Ints) -> None:
    """Let all classes show what they have in common now."""
    scratch = np.empty(traits.value.shape[1], np.int64)
    for label in order:
        tighten(traits, patterns, label, scratch)


def pass_on(traits: Traits, patterns: Patterns, size: int) -> None:
    """Pass records on until no class that can spare one reaches a cheaper class."""
    onward, end = np.empty_like(patterns.sizes), np.empty_like(patterns.sizes)
    matches, goes_on = np.empty_like(patterns.label), True
    while goes_on:
        order = cheapest_first(patterns)
        ways(traits, patterns, order, onward, end, matches)
        goes_on = _pass_on_all(traits, patterns, size, order, onward, end)
        _tighten_all(traits, patterns, order)


def cheapest_first(patterns: Patterns) -> Ints:
    """The classes in use by what a record costs there."""
    used = np.flatnonzero(patterns.sizes)
    return used[np.argsort(patterns.cost[used], kind="stable")]
