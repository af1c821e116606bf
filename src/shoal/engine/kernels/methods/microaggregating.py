# SPDX-License-Identifier: Apache-2.0
"""Classes of k nearest records around far-out ones: the loops of MDAV and V-MDAV."""

from __future__ import annotations

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.hull import whole
from shoal.engine.kernels.trees.box_tree import NO_ROW, BoxTree, delete
from shoal.engine.kernels.trees.squared_queries import (
    Mean,
    furthest_from_mean,
    furthest_from_record,
    leave,
    nearest,
    nearest_each,
)
from shoal.ground.arrays import Flags, Floats, Ints


@kernel
def mdav_classes(
    near: BoxTree, far: BoxTree, mean: Mean, points: Floats, names: Flags, weight: Floats, size: int, label: int,
    until: int, opposite: int, labels: Ints,
) -> tuple[int, int]:  # fmt: skip
    """Make classes ``label .. until-1``; ``opposite`` is the seed whose opposite comes next, or -1.

    ``near`` and ``far`` hold the same records, shaped for the two questions; ``mean`` is that of the live ones.
    """
    values, rows = np.empty(size - 1), np.empty(size - 1, np.int64)
    while label < until and near.live[0] > 0:
        if near.live[0] < 2 * size:
            _take_all(near, labels, label)
            label += 1
            break
        if opposite >= 0:
            seed = furthest_from_record(far, names, weight, points[opposite])
            opposite = -1
        else:
            seed = furthest_from_mean(far, names, weight, mean)
            opposite = seed if near.live[0] >= 3 * size else -1
        delete(near, seed)
        nearest(near, names, weight, points[seed], values, rows)
        for i in range(-1, size - 1):
            row = seed if i < 0 else rows[i]
            labels[row] = label
            if i >= 0:
                delete(near, row)
            delete(far, row)
            leave(mean, points, names, row)
        label += 1
    return label, opposite


@kernel
def _take_all(tree: BoxTree, labels: Ints, label: int) -> None:
    """Put every live record into one class."""
    for row in range(len(labels)):
        if labels[row] < 0:
            labels[row] = label
            delete(tree, row)


@kernel
def v_mdav_classes(
    tree: BoxTree, points: Floats, names: Flags, weight: Floats, size: int, gain: float, order: Ints, at: int,
    label: int, rows_until: int, labels: Ints,
) -> tuple[int, int]:  # fmt: skip
    """Make classes until ``rows_until`` records have one or fewer than 2k are left; seeds in the given order.

    A class grows while the record nearest to it is nearer than ``gain`` (squared) times that record's nearest other.
    """
    values, rows = np.empty(size - 1), np.empty(size - 1, np.int64)
    members = np.empty(2 * size - 1, np.int64)
    while tree.live[0] >= 2 * size and len(labels) - tree.live[0] < rows_until:
        while labels[order[at]] >= 0:
            at += 1
        members[0] = order[at]
        delete(tree, members[0])
        nearest(tree, names, weight, points[members[0]], values, rows)
        for i in range(1, size):
            members[i] = rows[i - 1]
            delete(tree, members[i])
        for i in range(_extend(tree, points, names, weight, size, gain, members)):
            labels[members[i]] = label
        label += 1
    return label, at


@kernel
def _extend(tree: BoxTree, points: Floats, names: Flags, weight: Floats, size: int, gain: float, members: Ints) -> int:
    """Add near records to the ``size`` members of a class; returns how many it has then.

    Each member remembers its nearest live record. Taking records only makes the next one further, so what is
    remembered stays a lower bound, and only the member that seems nearest to a record already taken asks again.
    """
    if gain == 0.0:
        return size
    bound, to = np.full(len(members), np.inf), np.full(len(members), NO_ROW, np.int64)
    other_value, other_row = np.empty(2), np.empty(2, np.int64)
    count, asked = size, 0
    while count < len(members):
        nearest_each(tree, names, weight, points, members[asked:count], bound[asked:count], to[asked:count])
        asked = count
        best = 0
        for i in range(1, count):
            if bound[i] < bound[best] or (bound[i] == bound[best] and to[i] < to[best]):
                best = i
        if tree.taken[to[best]]:
            bound[best] = np.inf
            nearest_each(
                tree, names, weight, points, members[best : best + 1], bound[best : best + 1], to[best : best + 1]
            )
            continue
        found = nearest(tree, names, weight, points[to[best]], other_value, other_row)
        if found == 2 and not bound[best] < whole(gain * other_value[0]):
            break
        members[count] = to[best]
        delete(tree, members[count])
        count += 1
    return count
