# SPDX-License-Identifier: Apache-2.0
"""The state of a search under hull losses: who holds what, cut into blocks of neighbouring classes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from shoal.engine.bounds.budget import StepBudget, Watch
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.hull import FLAT, RANGE, Hulls, has_patterns, total_loss
from shoal.engine.kernels.rules import Rules, as_arrays, if_any, own_scratch
from shoal.engine.kernels.search.opening import open_patterns
from shoal.engine.kernels.search.regrouping import regroup
from shoal.engine.refining.blocks import cut, most_classes
from shoal.engine.refining.holdings import Atoms, Holdings
from shoal.engine.refining.rounding import rounded
from shoal.ground.arrays import Floats, Ints
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement

PROGRAMME_STEPS, MOST_PROGRAMME = 150_000, 4_000_000_000
"""Steps per record, as bounds count them, that a linear programme may take, and steps in all. With the 14 columns of
Adult it takes 26,000, with 20 of ``census-income-kdd`` all of them."""
OPENING, COOLER = 0.75, 0.1
"""Where classes can be searched as patterns, the share of the work that does, and what the rest has of the heat."""


@dataclass(frozen=True, eq=False)
class HullState:
    """A partition under search."""

    hulls: Hulls
    rules: Rules | None
    size: int
    atoms: Atoms
    holdings: Holdings
    kept: Ints
    """Rows of the table that are in a class."""
    rows: int
    """Rows of the table."""
    worth: Floats
    """[atom] what a record must lose anyway; all 0 if that is not known."""
    is_hasty: bool
    """Whether there are so few steps that those which begin badly had better stop."""
    cells: float
    """Rows in a class times the sum of the weights: total loss over cells is what reports show."""

    @classmethod
    def of(
        cls, encoded: Encoded, labels: Ints, requirement: Requirement, worth: Floats | None = None, *,
        is_hasty: bool = False,
    ) -> HullState:  # fmt: skip
        """Begin with a partition; records in no class are left aside. ``worth`` is what each must lose anyway."""
        kept = np.flatnonzero(labels >= 0)
        asked = tuple(replace(rule, codes=rule.codes[kept]) for rule in requirement.rules)
        atoms = Atoms.of(encoded.points[kept], asked)
        rules = if_any(as_arrays(asked, len(kept)))
        cells = len(kept) * encoded.full
        holdings = Holdings.of(labels[kept], atoms)
        prices = np.zeros(len(atoms.points)) if worth is None else worth[kept[atoms.first_row]]
        rest = kept, len(labels), prices, is_hasty, cells or 1.0
        return cls(encoded.hulls, rules, requirement.size, atoms, holdings, *rest)

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        """[class] smallest and largest coordinate on each attribute."""
        return self.holdings.hulls(self.atoms.points)

    @cached_property
    def total(self) -> float:
        """Total loss."""
        return float(total_loss(self.hulls, *self.ends, self.holdings.sizes))

    @property
    def is_of_patterns(self) -> bool:
        """Whether classes can be searched as patterns: no levels, no rules about private values."""
        return self.rules is None and has_patterns(self.hulls)

    @property
    def learns(self) -> bool:
        """Whether searches can learn from each other: grafting heeds no rules about private values."""
        return self.rules is None and not self.is_of_patterns

    def loss(self) -> float:
        """Total loss."""
        return self.total

    def labels(self) -> Ints:
        """Class of each record."""
        labels = np.full(self.rows, -1, dtype=np.int64)
        labels[self.kept] = self.holdings.labels(self.atoms)
        return labels

    def degree(self) -> float:
        """The unit of heat: the mean loss of a record."""
        return self.total / len(self.kept)

    def blocks(self, random: np.random.Generator) -> list[Holdings]:
        """Neighbouring classes together, cut anew each time; the largest blocks first, so that no core waits long."""
        lo, hi = self.ends
        size, highest = (len(self.holdings), len(self.kept)), self.atoms.points.max(axis=0)
        leaves = np.where(self.hulls.kind == FLAT, highest + 1, np.maximum(self.hulls.size, 1))
        most = most_classes(*size)
        if self.is_of_patterns:  # no step compares a class with all others
            most = most_classes(*size, largest=len(self.kept))
        unit = np.where(self.hulls.kind == RANGE, self.hulls.scale, 1.0 / leaves)
        parts = cut((lo + hi) / 2 * unit, random, most, (hi - lo) * unit)
        blocks = [self.holdings.take(classes) for classes in parts]
        return sorted(blocks, key=lambda one: -int(one.amount.sum()))

    def search(self, block: Holdings, steps: int, heat: float, seed: int) -> Holdings:
        """Search one block; safe in threads."""
        atoms, held = self.atoms, (block.begin, block.atom, block.amount)
        budget = steps * int(block.amount.sum())
        if self.is_of_patterns:
            share = int(OPENING * budget)
            found = open_patterns(self.hulls, atoms.points, *held, self.size, share, heat, seed)
            if found is not None:
                held, budget, heat = found, budget - share, COOLER * heat
        given, pace = (atoms.points, self.worth, atoms.first_row, *held), (budget, heat, self.is_hasty)
        return Holdings(*regroup(self.hulls, own_scratch(self.rules), *given, self.size, *pace, seed))

    def of_programme(self, progress: Progress, watch: Watch) -> HullState | None:
        """The classes that a linear programme over patterns leads to; None if that takes too much work, or time."""
        rows = self.atoms.points[self.atoms.of_row]
        budget = StepBudget(min(PROGRAMME_STEPS * len(rows), MOST_PROGRAMME), progress, watch)
        labels = rounded(rows, self.hulls, self.size, budget)
        return None if labels is None else replace(self, holdings=Holdings.of(labels, self.atoms))

    def joined(self, blocks: list[Holdings]) -> HullState:
        """The state after all blocks were searched."""
        return replace(self, holdings=Holdings.joined(blocks))
