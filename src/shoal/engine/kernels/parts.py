# SPDX-License-Identifier: Apache-2.0
"""Parts of a table on their way to classes: a stack of runs of positions, and what is settled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.ground.arrays import Ints


class Parts(NamedTuple):
    """Runs of positions that wait, the last one first; single numbers stand in arrays of one."""

    begin: Ints
    end: Ints
    waiting: Ints
    settled: Ints
    classes: Ints
    """How many runs wait, records that have a class, classes made."""


@kernel
def one_part(n: int, most: int) -> Parts:
    """All positions as one run; at most so many ever wait."""
    begin, end = np.zeros(most, np.int64), np.zeros(most, np.int64)
    end[0] = n
    return Parts(begin, end, np.ones(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64))


@kernel
def push(parts: Parts, begin: int, end: int) -> None:
    """Let a run wait; it is the next."""
    parts.begin[parts.waiting[0]], parts.end[parts.waiting[0]] = begin, end
    parts.waiting[0] += 1


@kernel
def pop(parts: Parts) -> tuple[int, int]:
    """The next run, which waits no longer."""
    parts.waiting[0] -= 1
    return parts.begin[parts.waiting[0]], parts.end[parts.waiting[0]]


@kernel
def settle(parts: Parts, members: int) -> int:
    """Make a class of so many records; returns its number."""
    parts.settled[0] += members
    parts.classes[0] += 1
    return parts.classes[0] - 1
