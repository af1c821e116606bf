# SPDX-License-Identifier: Apache-2.0
"""Several searches side by side, each by its own dice; the best one counts.

Where all classes are one block, one core would do all the work and the others none. Searches of the same classes end a
percent apart by chance alone, so the others are used to have another try. There are as many on any machine, or the
result would depend on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from shoal.ground.arrays import Ints

if TYPE_CHECKING:
    from shoal.engine.refining.search import State

MANY = 200
"""Records from which on a second try, and prices, are worth their time; of fewer, one search finds nearly all."""


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Partitions of the same records that are searched at the same time."""

    states: tuple[State, ...]

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
        return number, self.states[number].search(own, steps, heat, seed)

    def joined(self, blocks: list[tuple[int, Any]]) -> Self:
        """All of them, after their blocks were searched."""
        parts: list[list[Any]] = [[] for _ in self.states]
        for number, block in blocks:
            parts[number].append(block)
        return replace(self, states=tuple(one.joined(own) for one, own in zip(self.states, parts, strict=True)))
