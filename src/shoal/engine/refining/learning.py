# SPDX-License-Identifier: Apache-2.0
"""Tries that learn from each other: first each cools down by itself, then it takes over what others have better.

In each round of learning, every try has a region of another one grafted on (``grafting.py``), is searched a little, and
keeps the places that became better (``crossing.py``), so that none ever gets worse. In the end they are crossed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any

from shoal.engine.refining.crossing import crossed
from shoal.engine.refining.grafting import grafted
from shoal.engine.refining.hull_state import HullState
from shoal.engine.refining.side_by_side import SideBySide
from shoal.engine.threads import in_threads

BLOCKS, ONE_BLOCK = (3, 0.5), (4, 0.9)
"""Tries, and the share of the usual steps that each does: more where all classes are one block, and so are few."""
COOLING, LUKEWARM = 0.6, 0.04
"""The share of the rounds in which tries cool down, and the share of the heat that they have while they learn."""
LEAKS = (0.5, 1.0)
"""What a record across the edge of a graft is taken to cost, in mean weights of an attribute: by turns."""


@dataclass(frozen=True, eq=False)
class Learners(SideBySide):
    """Partitions of the same records that are searched at the same time and learn from each other."""

    states: tuple[HullState, ...]
    share: float
    """What each does of the steps of a round."""

    @classmethod
    def of(cls, state: HullState, *, is_one_block: bool) -> Learners:
        """As many as there are to be, all alike."""
        tries, share = ONE_BLOCK if is_one_block else BLOCKS
        return cls((state,) * tries, share)

    def search(self, block: tuple[int, Any], steps: int, heat: float, seed: int) -> tuple[int, Any]:
        """Search one block; safe in threads."""
        return super().search(block, math.ceil(steps * self.share), heat, seed)

    def rehearse(self) -> None:
        """Learn once from itself: what has to be compiled for it is, before the time of a round is taken."""
        one = self.states[0]
        crossed(one, grafted(one, one, LEAKS[0]))

    def with_grafts(self, turn: int) -> Learners:
        """Each with a region of another one, which changes from turn to turn."""
        tries = len(self.states)
        leak = LEAKS[turn // (tries - 1) % len(LEAKS)]
        others = [self.states[(own + 1 + turn % (tries - 1)) % tries] for own in range(tries)]
        jobs = [partial(grafted, one, other, leak) for one, other in zip(self.states, others, strict=True)]
        return replace(self, states=tuple(in_threads(jobs)))

    def learned_from(self, children: Learners) -> Learners:
        """Each with the places that its child has better."""
        jobs = [partial(crossed, one, child) for one, child in zip(self.states, children.states, strict=True)]
        return replace(self, states=tuple(in_threads(jobs)))

    def all_in_one(self) -> HullState:
        """The best one, with the places that others have better."""
        return reduce(crossed, sorted(self.states, key=lambda one: one.loss()))
