# SPDX-License-Identifier: Apache-2.0
"""Records looked at one by one, on all cores, as far as a budget goes: the same ones on any number of cores."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from shoal.engine.bounds.budget import SLICE, StepBudget
from shoal.engine.threads import in_threads
from shoal.ground.arrays import Floats, Ints

AT_ONCE = 512
"""Records looked at in one go."""
Look = Callable[[Ints, int, int, Floats], tuple[int, int]]
"""A kernel that works out a number for some slots, from a position on: it returns where it ended, and the steps."""


def each_slot(look: Look, slots: Ints, values: Floats, width: int, budget: StepBudget) -> int:
    """Replace the values of the slots, in their order, while there are steps left; returns how many were looked at.

    A step of the kernel counts ``width`` times. What others worked out when the budget ended is left out.
    """
    found, most, done = values.copy(), SLICE // width, 0
    parts = [slots[first : first + AT_ONCE] for first in range(0, len(slots), AT_ONCE)]
    if budget.left <= 0:
        return 0
    for part, ended in zip(parts, in_threads([partial(look, part, 0, most, found) for part in parts])):
        position, steps = ended
        budget.spend(steps * width)
        while position < len(part) and budget.left > 0:
            position, steps = look(part, position, most, found)
            budget.spend(steps * width)
        values[part[:position]] = found[part[:position]]
        done += position
        if budget.left <= 0:
            break
    return done
