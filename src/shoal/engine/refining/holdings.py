# SPDX-License-Identifier: Apache-2.0
"""A partition as the search sees it: which class holds how many of which *atom*.

Records that are alike in every quasi-identifier and in every private value that a rule looks at are one atom, so that a
thousand equal records cost no more than one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.kernels.trees.box_tree import distinct
from shoal.ground.arrays import Floats, Ints
from shoal.ground.requirements import Rule


@dataclass(frozen=True, eq=False)
class Atoms:
    """The different records of a table."""

    of_row: Ints
    """[record] its atom."""
    first_row: Ints
    """[atom] its first record."""
    points: Floats
    """[atom] where it lies."""

    @classmethod
    def of(cls, points: Floats, rules: tuple[Rule, ...]) -> Atoms:
        """Number the different records by their first row."""
        codes = [rule.codes.astype(np.float64)[:, None] for rule in rules]
        of_row, first_row, _ = distinct(np.ascontiguousarray(np.hstack([points, *codes])))
        return cls(of_row, first_row, np.ascontiguousarray(points[first_row]))


@dataclass(frozen=True, eq=False)
class Holdings:
    """Classes, each a run of (atom, amount)."""

    begin: Ints
    """[class] its first entry; and one past the last."""
    atom: Ints
    amount: Ints

    @classmethod
    def of(cls, labels: Ints, atoms: Atoms) -> Holdings:
        """The entries of a partition, by class, then by atom."""
        many = len(atoms.first_row)
        keys, amount = np.unique(labels * many + atoms.of_row, return_counts=True)
        begin = np.searchsorted(keys // many, np.arange(labels.max() + 2))
        return cls(begin.astype(np.int64), keys % many, amount.astype(np.int64))

    def __len__(self) -> int:
        return len(self.begin) - 1

    @property
    def sizes(self) -> Ints:
        """[class] number of records."""
        return np.add.reduceat(self.amount, self.begin[:-1])

    def hulls(self, points: Floats) -> tuple[Floats, Floats]:
        """[class] smallest and largest coordinate on each attribute."""
        held = points[self.atom]
        return np.minimum.reduceat(held, self.begin[:-1]), np.maximum.reduceat(held, self.begin[:-1])

    def take(self, classes: Ints) -> Holdings:
        """Some of the classes."""
        first, lengths = self.begin[classes], self.begin[classes + 1] - self.begin[classes]
        begin = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        entries = np.repeat(first - begin[:-1], lengths) + np.arange(begin[-1])
        return Holdings(begin, self.atom[entries], self.amount[entries])

    @classmethod
    def joined(cls, parts: list[Holdings]) -> Holdings:
        """All classes of the parts."""
        offsets = np.cumsum([0, *(len(one.atom) for one in parts)])
        begins = [one.begin[:-1] + offset for one, offset in zip(parts, offsets, strict=False)]
        return cls(
            np.concatenate([*begins, offsets[-1:]]).astype(np.int64),
            np.concatenate([one.atom for one in parts]),
            np.concatenate([one.amount for one in parts]),
        )

    def labels(self, atoms: Atoms) -> Ints:
        """Class of each record: the records of an atom are dealt out in row order."""
        owner = np.repeat(np.arange(len(self)), np.diff(self.begin))
        order = np.lexsort((owner, self.atom))
        dealt = np.repeat(owner[order], self.amount[order])
        labels = np.empty(len(atoms.of_row), dtype=np.int64)
        labels[np.argsort(atoms.of_row, kind="stable")] = dealt
        return labels
