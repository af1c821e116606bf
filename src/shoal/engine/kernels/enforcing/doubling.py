# SPDX-License-Identifier: Apache-2.0
"""Letting some classes join their nearest neighbours until each of them has doubled."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.enforcing.class_mending import join, price_of_union
from shoal.engine.kernels.hull import ticks
from shoal.engine.kernels.trees.group_tree import LinkedGroups
from shoal.ground.arrays import Flags


@kernel
def _nearest(hulls: Any, groups: LinkedGroups, group: int) -> int:
    """The class with which a union adds least to the loss; ties to the lower number, -1 if there is no other."""
    best, found = np.inf, -1
    for other in range(len(groups.size)):
        if other == group or groups.size[other] == 0:
            continue
        price = ticks(price_of_union(hulls, groups, group, other))
        if found < 0 or price < best:
            best, found = price, other
    return found


@kernel
def double_classes(hulls: Any, groups: LinkedGroups, waiting: Flags, first: int, last: int) -> None:
    """Each of the classes ``first .. last`` that waits takes in neighbours until it has twice its records.

    Whoever was taken in waits no longer.
    """
    for group in range(first, last):
        wanted = 2 * groups.size[group]
        while waiting[group] and groups.size[group] < wanted:
            other = _nearest(hulls, groups, group)
            if other < 0:
                return
            join(hulls, groups, group, other)
            waiting[other] = False
