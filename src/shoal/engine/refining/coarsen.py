# SPDX-License-Identifier: Apache-2.0
"""Join classes until a promise holds that cannot be told from the records of one class.

Whether a person can be told to be in the table depends on who of the population matches the labels of all classes;
where a missing cell matches anything, on all rows that match. So the classes are published on trial, the judge says
which rows are at fault, and their classes join their neighbours, each until it has doubled. All of these promises
hold, if for any classes, then for one class of all rows; that is where it ends at the latest.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.enforcing.doubling import double_classes
from shoal.engine.kernels.trees.group_tree import labels_of_groups, new_groups
from shoal.engine.methods import Partition
from shoal.ground.arrays import Flags, Ints
from shoal.ground.progress import Progress

PER_SLICE = 20
"""Classes that look for neighbours between two reports."""
PATIENCE = 16
"""Rounds after which all classes count as being at fault, so that few at a time cannot keep it busy for long."""

AtFault = Callable[[Partition], Flags]
"""[record] whether its class must grow; nobody is at fault in what holds."""


def coarsened(encoded: Encoded, partition: Partition, at_fault: AtFault, progress: Progress) -> Partition | None:
    """Classes that hold, made from these by joining some; None if not even one class of all rows does."""
    whole = Partition(np.zeros(len(encoded), dtype=np.int64))
    if at_fault(whole).any():
        return None
    labels = partition.labels
    for number in range(len(labels)):
        faulty = at_fault(Partition.of(labels))
        if not faulty.any():
            return Partition.of(labels)
        if labels.max() == 0:
            break
        labels = _joined(encoded, labels, faulty | (number >= PATIENCE), progress)
    return whole


def _joined(encoded: Encoded, labels: Ints, faulty: Flags, progress: Progress) -> Ints:
    """Labels in which every class with a record at fault has doubled; records of no class stay so."""
    kept = np.flatnonzero(labels >= 0)
    given = np.unique(labels[kept], return_inverse=True)[1].astype(np.int64)
    many = int(given.max()) + 1
    waiting = np.zeros(many, dtype=np.bool_)
    waiting[given[faulty[kept]]] = True
    groups = new_groups(encoded.hulls, encoded.points[kept], given, many)
    for first in range(0, many, PER_SLICE):
        double_classes(encoded.hulls, groups, waiting, first, min(first + PER_SLICE, many))
        progress(first, many)
    found = np.full(len(labels), -1, dtype=np.int64)
    found[kept] = labels_of_groups(groups)
    return Partition.of(found).labels
