# SPDX-License-Identifier: Apache-2.0
"""Several searches side by side, each by its own dice, so that all cores have work; the best one counts.

Searches of the same classes end a percent apart by chance alone. Under hull losses they *learn* from each other in the
end: each try has a region of another grafted on, is searched a little, and keeps the places that became better
(``crossing.py``). There are as many tries on any machine, or the result would depend on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal.engine.refining.crossing import crossed, grafted
from shoal.engine.threads import in_threads
from shoal.ground.arrays import Ints

if TYPE_CHECKING:
    from shoal.engine.refining.search import State

MANY = 200
"""Records from which on a second try, and prices, are worth their time; of fewer, one search finds nearly all."""
FEW_ROUNDS = 20
"""Searches of fewer rounds have no time to learn from each other."""
LEAKS = (0.5, 1.0)
"""What a record across the edge of a graft is taken to cost, in mean weights of an attribute: by turns."""


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Partitions of the same records that are searched at the same time."""

    states: tuple[State, ...]
    learns: bool = False
    """Whether they are to learn from each other in the end; each then does half of the steps of a round."""

    @property
    def cells(self) -> float:
        """What the total loss is divided by where people see it."""
        return self.states[0].cells

    @property
    def best(self) -> State:
        """The one of lowest loss; the first of several."""
        return min(self.states, key=lambda one: one.loss())

    def loss(self) -> float:
        """Total loss of the best."""
        return self.best.loss()

    def labels(self) -> Ints:
        """Class of each record in the best."""
        return self.best.labels()

    def degree(self) -> float:
        """The unit of heat, the same for all."""
        return self.best.degree()

    def blocks(self, random: np.random.Generator) -> list[tuple[int, Any]]:
        """The blocks of all, with whose they are."""
        return [(number, block) for number, one in enumerate(self.states) for block in one.blocks(random)]

    def search(self, block: tuple[int, Any], steps: int, heat: float, seed: int) -> tuple[int, Any]:
        """Search one block; safe in threads."""
        number, own = block
        return number, self.states[number].search(own, steps // 2 if self.learns else steps, heat, seed)

    def joined(self, blocks: list[tuple[int, Any]]) -> SideBySide:
        """All of them, after their blocks were searched."""
        parts: list[list[Any]] = [[] for _ in self.states]
        for number, block in blocks:
            parts[number].append(block)
        return replace(self, states=tuple(one.joined(own) for one, own in zip(self.states, parts, strict=True)))

    def with_grafts(self, turn: int) -> SideBySide:
        """Each try with a region of another one, which changes from turn to turn."""
        others = len(self.states) - 1
        leak = LEAKS[turn // others % len(LEAKS)]
        partners = [(i + 1 + turn % others) % len(self.states) for i in range(len(self.states))]
        jobs = [partial(grafted, one, self.states[i], leak) for one, i in zip(self.states, partners, strict=True)]
        return replace(self, states=tuple(in_threads(jobs)))

    def learned_from(self, children: SideBySide) -> SideBySide:
        """Each try with the places that its child has better."""
        jobs = [partial(crossed, *pair) for pair in zip(self.states, children.states, strict=True)]
        return replace(self, states=tuple(in_threads(jobs)))

    def all_in_one(self) -> State:
        """The best one, with the places that others have better."""
        if not self.learns:
            return self.best
        return reduce(crossed, sorted(self.states, key=lambda one: one.loss()))
