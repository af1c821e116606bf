# SPDX-License-Identifier: Apache-2.0
"""The state of a search under squared errors: records as points, classes around their means."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.encoding.features import features
from shoal.engine.kernels.rules import Rules, as_arrays, if_any, own_scratch
from shoal.engine.kernels.search.scatter_search import neighbours, search_scatter
from shoal.engine.refining.blocks import SMALL_BLOCK, cut
from shoal.ground.arrays import Floats, Ints
from shoal.ground.requirements import Requirement

UNKNOWN: Ints = np.zeros((0, 0), dtype=np.int64)
DEGREE = 0.02
"""Six of them, as hot as a search begins, accept moves that cost about an eighth of the distances at hand."""


@dataclass(frozen=True, eq=False)
class ScatterBlock:
    """Some classes: their records and the class of each."""

    rows: Ints
    labels: Ints


@dataclass(frozen=True, eq=False)
class ScatterState:
    """A partition under search."""

    points: Floats
    rules: Rules | None
    size: int
    found: Ints
    """Class of each record that is in one."""
    kept: Ints
    """Rows of the table that are in a class."""
    rows: int
    """Rows of the table."""
    cells: float
    """The squared error of one class of all records: the share of it is what reports show."""
    near: Ints
    """[record] those near to it, where all classes are one block all the time; else each block finds its own."""

    @classmethod
    def of(cls, encoded: Encoded, labels: Ints, requirement: Requirement) -> ScatterState:
        """Begin with a partition; records in no class are left aside."""
        kept = np.flatnonzero(labels >= 0)
        points = features(encoded, "std")[kept]
        asked = tuple(replace(rule, codes=rule.codes[kept]) for rule in requirement.rules)
        whole = float(((points - points.mean(axis=0)) ** 2).sum())
        rules = if_any(as_arrays(asked, len(kept)))
        near = UNKNOWN
        if len(kept) < SMALL_BLOCK * requirement.size and len(np.unique(labels[kept])) <= SMALL_BLOCK:
            near = neighbours(points, requirement.size, len(points))[0]
        return cls(points, rules, requirement.size, labels[kept], kept, len(labels), whole or 1.0, near)

    def loss(self) -> float:
        """Squared distances of all records from the mean of their class."""
        order, begin, means = self._by_class()
        apart = self.points[order] - np.repeat(means, np.diff(begin), axis=0)
        return float((apart**2).sum())

    def labels(self) -> Ints:
        """Class of each record."""
        labels = np.full(self.rows, -1, dtype=np.int64)
        labels[self.kept] = self.found
        return labels

    def degree(self) -> float:
        """The unit of heat: the kernel takes it as a share of the distances at hand, whatever a record loses."""
        return DEGREE

    def blocks(self, random: np.random.Generator) -> list[ScatterBlock]:
        """Neighbouring classes together, cut anew each time."""
        order, begin, means = self._by_class()
        parts = []
        for classes in cut(means, random, SMALL_BLOCK):
            rows = np.concatenate([order[begin[label] : begin[label + 1]] for label in classes])
            labels, by_row = np.repeat(np.arange(len(classes)), np.diff(begin)[classes]), np.argsort(rows)
            parts.append(ScatterBlock(rows[by_row], labels[by_row]))
        return parts

    def search(self, block: ScatterBlock, steps: int, heat: float, seed: int) -> ScatterBlock:
        """Search one block; safe in threads."""
        labels = block.labels.copy()
        points, budget = np.ascontiguousarray(self.points[block.rows]), steps * len(labels)
        search_scatter(points, labels, self.size, budget, heat, seed, own_scratch(self.rules), block.rows, self.near)
        return ScatterBlock(block.rows, labels)

    def joined(self, blocks: list[ScatterBlock]) -> ScatterState:
        """The state after all blocks were searched."""
        found, before = np.empty_like(self.found), 0
        for block in blocks:
            found[block.rows] = block.labels + before
            before += int(block.labels.max()) + 1
        return replace(self, found=np.unique(found, return_inverse=True)[1].astype(np.int64))

    def _by_class(self) -> tuple[Ints, Ints, Floats]:
        """Records by class, where each class begins among them, and its mean."""
        order = np.argsort(self.found, kind="stable")
        sizes = np.bincount(self.found)
        begin = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return order, begin, np.add.reduceat(self.points[order], begin[:-1]) / sizes[:, None]
