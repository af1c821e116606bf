# SPDX-License-Identifier: Apache-2.0
"""What the greedy methods share: slices of work, leftovers, the finished partition."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms._protocol import Partition
from shoal.encoding.encoded import Encoded
from shoal.kernels.growing import place_leftovers
from shoal.kernels.hull import class_hulls

SLICE = 0.05
"""Seconds between two reports; how the work is cut never changes its result."""


def in_slices(step: Callable[[int], int], total: int, progress: Callable[[int, int], object]) -> int:
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


def finish(encoded: Encoded, labels: NDArray[np.int64], n_classes: int, order: NDArray[np.int64]) -> Partition:
    """Place the records no class took, in the given order, and number the classes."""
    lo, hi, sizes = class_hulls(encoded.points, labels, n_classes)
    place_leftovers(encoded.hulls, encoded.points, order, lo, hi, sizes, labels)
    return Partition.of(labels)
