# SPDX-License-Identifier: Apache-2.0
"""Leave out the records whose removal saves most, up to a share of all, and only while the total loss falls.

A record that is left out counts as fully lost in every metric, so one goes only where the others gain more than that:
a class loses the record that makes it wide, or a class of outliers is dissolved, its other records moving to classes
that can take them in cheaply. Offers are taken best first, most saved per record left out; those that changed
meanwhile are priced again. No class falls below k, and none breaks a rule.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from shoal.engine.encoding.encoded import Encoded, total_of
from shoal.engine.kernels.enforcing.suppressing import Whole, offers, take_offer
from shoal.engine.kernels.rules import as_arrays
from shoal.engine.kernels.trees.class_tree import build_classes
from shoal.engine.kernels.trees.group_tree import labels_of_groups, new_groups
from shoal.engine.methods import Partition
from shoal.engine.refining.enforce import obeying, of_some
from shoal.ground.arrays import Ints
from shoal.ground.errors import CannotHoldError
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement

ROUNDS = 8
"""Offers are made so often: what was taken opens the way to others."""
PER_SLICE = 200
"""Classes that make an offer between two reports."""


def leave_out(
    encoded: Encoded,
    partition: Partition,
    requirement: Requirement,
    share: float,
    asked_of: Callable[[Ints], Requirement],
    progress: Progress,
) -> Partition:
    """The partition without the records whose removal saves most.

    A model may compare classes with all released rows. So what it asks for is asked anew of those that are left, and
    if that cannot be, all rows are released.
    """
    labels = suppress(encoded, partition.labels, requirement, share, progress) if share else partition.labels
    kept = np.flatnonzero(labels >= 0)
    if not requirement.rules or len(kept) == len(labels):
        return Partition.of(labels)
    try:
        requirement = of_some(asked_of(kept), kept, len(labels))
    except CannotHoldError:
        labels = np.where(partition.labels < 0, partition.labels.max() + 1, partition.labels)
    return obeying(encoded, Partition.of(labels), requirement, progress)


def suppress(encoded: Encoded, labels: Ints, requirement: Requirement, share: float, progress: Progress) -> Ints:
    """Labels with -1 for the records left out, at most a ``share`` of all, those that were out before included."""
    kept = np.flatnonzero(labels >= 0)
    budget = math.floor(share * len(labels) + 1e-9) - (len(labels) - len(kept))
    if budget < 1:
        return labels
    rules = as_arrays(requirement.rules, len(labels))
    rules = rules._replace(codes=np.ascontiguousarray(rules.codes[:, kept]))
    points, hulls = encoded.points[kept], encoded.hulls
    given = np.unique(labels[kept], return_inverse=True)[1].astype(np.int64)
    full = encoded.full
    whole = Whole(points.min(axis=0), points.max(axis=0), full)
    groups = new_groups(hulls, points, given, int(given.max()) + 1)
    for _ in range(ROUNDS):
        tree = build_classes(hulls, groups.lo, groups.hi, groups.size, np.flatnonzero(groups.size > 0))
        gain = np.zeros(len(groups.size))
        out, way = np.zeros(len(gain), dtype=np.int64), np.zeros(len(gain), dtype=np.int64)
        for first in range(0, len(gain), PER_SLICE):
            last = min(first + PER_SLICE, len(gain))
            offers(hulls, points, rules, groups, tree, requirement.size, whole, first, last, gain, out, way)
            progress(last, len(gain))
        before = budget
        for group in np.argsort(-gain, kind="stable")[: np.count_nonzero(gain)].tolist():
            if groups.size[group]:
                budget -= take_offer(
                    hulls, points, rules, groups, tree, requirement.size, whole, group, int(way[group]), budget
                )
        if budget == before:
            break
    found = np.full(len(labels), -1, dtype=np.int64)
    found[kept] = labels_of_groups(groups)
    cheaper = _total(encoded, found, full) < _total(encoded, labels, full)
    return found if cheaper else labels


def _total(encoded: Encoded, labels: Ints, full: float) -> float:
    """Total loss of a partition, records left out counting in full."""
    return total_of(encoded, labels) + full * np.count_nonzero(labels < 0)
