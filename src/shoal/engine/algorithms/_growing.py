# SPDX-License-Identifier: Apache-2.0
"""What the greedy methods share: slices of work, classes around given seeds, leftovers, the finished partition."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from shoal.engine.kernels.hull import Hulls, class_hulls
from shoal.engine.kernels.methods.growing import grow_in_order, place_leftovers
from shoal.engine.kernels.trees.box_tree import build
from shoal.engine.methods import Encoded, Partition
from shoal.ground.arrays import Floats, Ints

Report = Callable[[int, int], object]
"""Told how much is done, and out of how much."""

SLICE = 0.05
"""Seconds between two reports; how the work is cut never changes its result."""


def in_slices(step: Callable[[int], int], total: int, progress: Report) -> int:
    """Call ``step(until)`` with ever later goals until it stops short of one; returns what was reached."""
    done, goal, stride = 0, 0, 1
    while goal < total:
        goal = min(total, done + stride)
        started = time.perf_counter()
        done = step(goal)
        progress(done, total)
        if done < goal:
            break
        if time.perf_counter() - started < SLICE:
            stride *= 2
        elif stride > 1:
            stride //= 2
    return done


def grown_in_order(hulls: Hulls, points: Floats, order: Ints, size: int, progress: Report) -> tuple[Ints, int]:
    """Classes around the records of an order, each with the cheapest next ones; the number of classes.

    The label of the fewer than ``size`` records that no class took is -1.
    """
    tree = build(hulls, points, False)
    labels, members = np.full(len(points), -1, dtype=np.int64), np.empty(size, dtype=np.int64)
    label, at = 0, 0

    def grow(until: int) -> int:
        nonlocal label, at
        label, at = grow_in_order(hulls, tree, points, size, label, until, order, at, labels, members)
        return label

    return labels, in_slices(grow, len(points) // size, progress)


def finish(encoded: Encoded, labels: Ints, n_classes: int, order: Ints) -> Partition:
    """Place the records no class took, in the given order, and number the classes."""
    lo, hi, sizes = class_hulls(encoded.points, labels, n_classes)
    place_leftovers(encoded.hulls, encoded.points, order, lo, hi, sizes, labels)
    return Partition.of(labels)
