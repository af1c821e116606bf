# SPDX-License-Identifier: Apache-2.0
"""Leave out the records whose removal saves most, up to a share of all, and only while the total loss falls.

A record that is left out counts as fully lost in every metric, so one goes only where the others gain more than that:
a class loses the record that makes it wide, or a class of outliers is dissolved, its other records moving to classes
that can take them in cheaply. Offers are taken best first, most saved per record left out; those that changed
meanwhile are priced again. No class falls below k, and none breaks a rule.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shoal.encoding.encoded import Encoded
from shoal.kernels.class_tree import build_classes
from shoal.kernels.group_tree import Groups, new_groups
from shoal.kernels.hull import class_hulls, total_loss
from shoal.kernels.rules import as_arrays
from shoal.kernels.suppressing import Whole, offers, take_offer
from shoal.progress import Progress
from shoal.requirements import Requirement

ROUNDS = 8
"""Offers are made so often: what was taken opens the way to others."""
PER_SLICE = 200
"""Classes that make an offer between two reports."""

Ints = NDArray[np.int64]


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
    full = float(sum(column.weight for column in encoded.columns))
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
    found[kept] = _labels(groups)
    cheaper = _total(encoded, found, full) < _total(encoded, labels, full)
    return found if cheaper else labels


def _labels(groups: Groups) -> Ints:
    """Class of each record, -1 if it is in none."""
    labels = np.full(len(groups.next), -1, dtype=np.int64)
    for group in np.flatnonzero(groups.size).tolist():
        row = int(groups.head[group])
        while row >= 0:
            labels[row] = group
            row = int(groups.next[row])
    return labels


def _total(encoded: Encoded, labels: Ints, full: float) -> float:
    """Total loss of a partition, records left out counting in full."""
    lo, hi, sizes = class_hulls(encoded.points, labels, int(labels.max()) + 1)
    return total_loss(encoded.hulls, lo, hi, sizes) + full * np.count_nonzero(labels < 0)
