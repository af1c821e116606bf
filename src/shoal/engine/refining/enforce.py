# SPDX-License-Identifier: Apache-2.0
"""Make the classes of any method obey the rules of a requirement, at a small loss.

Every class that breaks a rule exchanges records with a neighbour or joins one, whatever adds least to the loss. Classes
that grew on the way are parted again where the parts obey. Strict rules leave little of the method's classes; so all
records, taken as one class and parted from the top down, are looked at, too, and the cheaper of the two is the answer.
Where some records ask for larger classes than others, they are parted among themselves, from the top down as well: one
of them in every class would make all classes large.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.enforcing.class_mending import ANY_SIZE, mend_classes, new_work
from shoal.engine.kernels.enforcing.lacking import alike_in_size, broken_classes, lack_of
from shoal.engine.kernels.enforcing.parting import part_classes
from shoal.engine.kernels.hull import class_hulls, total_loss
from shoal.engine.kernels.parts import Parts
from shoal.engine.kernels.rules import Rules, as_arrays
from shoal.engine.kernels.trees.group_tree import build_tree, labels_of_groups, new_groups
from shoal.engine.methods import Partition
from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement

MENDED = 200
"""Classes mended between two reports."""
VISITED = 100_000
"""Records visited between two reports."""


def obeys(labels: Ints, requirement: Requirement) -> bool:
    """Whether every class is large enough and obeys all rules; records of no class (-1) do not count."""
    return not broken(labels, as_arrays(requirement.rules, len(labels)), requirement.size).any()


def enforce(encoded: Encoded, labels: Ints, requirement: Requirement, progress: Progress) -> Ints:
    """Labels of classes that obey the requirement, which all records together must do.

    Records of no class (-1) stay so, unless the others cannot obey without them.
    """
    kept = np.flatnonzero(labels >= 0)
    rules = as_arrays(requirement.rules, len(labels))
    if len(kept) < len(labels) and lack_of(rules, kept, requirement.size) > 0:
        return enforce(encoded, np.where(labels < 0, labels.max() + 1, labels), requirement, progress)
    rules = rules._replace(codes=np.ascontiguousarray(rules.codes[:, kept]))
    work = _Work(encoded, encoded.points[kept], rules, requirement.size, progress)
    found = np.full(len(labels), -1, dtype=np.int64)
    found[kept] = work.obeying(np.unique(labels[kept], return_inverse=True)[1].astype(np.int64))
    return found


def obeying(encoded: Encoded, partition: Partition, requirement: Requirement, progress: Progress) -> Partition:
    """The partition itself if it obeys all rules, else one made from it that does."""
    if obeys(partition.labels, requirement):
        return partition
    return Partition.of(enforce(encoded, partition.labels, requirement, progress))


def of_some(requirement: Requirement, rows: Ints, n: int) -> Requirement:
    """A requirement about some rows of a table as one about all ``n``, of which the others are in no class."""
    rules = []
    for rule in requirement.rules:
        codes = np.zeros(n, dtype=np.int64)
        codes[rows] = rule.codes
        rules.append(replace(rule, codes=codes))
    return Requirement(requirement.size, tuple(rules))


def broken(labels: Ints, rules: Rules, least: int) -> Flags:
    """Whether each class breaks a rule or is too small."""
    kept = np.flatnonzero(labels >= 0)
    order = kept[np.argsort(labels[kept], kind="stable")]
    return broken_classes(rules, order, np.cumsum(np.bincount(labels[kept])), least)


class _Work:
    """One table on its way to classes that obey."""

    def __init__(self, encoded: Encoded, points: Floats, rules: Rules, least: int, progress: Progress):
        self._hulls, self._points, self._rules, self._least = encoded.hulls, points, rules, least
        self._progress = progress

    def obeying(self, labels: Ints) -> Ints:
        """The cheaper of two ways to make all classes obey."""
        first, second, third = (self._progress.part(number, of=3) for number in range(3))
        first(0, len(labels))
        alike = alike_in_size(self._rules, self._least)
        from_top = self._parted(
            np.split(np.argsort(alike, kind="stable"), np.cumsum(np.bincount(alike))[:-1]), alike, first
        )
        mended = self._mended(labels, second, third)
        third(1, 1)
        if mended is None or self._loss(from_top) < self._loss(mended):
            return from_top
        return mended

    def _loss(self, labels: Ints) -> float:
        lo, hi, sizes = class_hulls(self._points, labels, int(labels.max()) + 1)
        return total_loss(self._hulls, lo, hi, sizes)

    def _mended(self, labels: Ints, mending: Progress, parting: Progress) -> Ints | None:
        """Classes exchange records and join; None if that only led to giants."""
        groups = new_groups(self._hulls, self._points, labels, int(labels.max()) + 1)
        tree = build_tree(self._hulls, groups, ANY_SIZE)
        work, more = new_work(len(groups.size)), True
        while more:
            more = mend_classes(self._hulls, self._points, self._rules, groups, tree, self._least, MENDED, work)
            mending(int(work.next[0]), len(groups.size))
        if work.given_up[0]:
            return None
        labels = labels_of_groups(groups)
        grown = np.flatnonzero(work.joined & (groups.size >= 2 * self._least))
        by_class = np.split(np.argsort(labels, kind="stable"), np.cumsum(groups.size)[:-1])
        return self._parted([by_class[label] for label in grown], labels, parting)

    def _parted(self, classes: list[Ints], labels: Ints, progress: Progress) -> Ints:
        """Part some of the classes further."""
        if not classes:
            return labels
        labels, rows = labels.copy(), np.concatenate(classes)
        ends = np.cumsum([len(members) for members in classes])
        begin, end = (np.zeros(len(rows) + len(classes) + 1, dtype=np.int64) for _ in range(2))
        begin[: len(classes)], end[: len(classes)] = np.concatenate([[0], ends[:-1]]), ends
        parts, more = Parts(begin, end, *(np.array([each]) for each in (len(classes), 0, labels.max() + 1))), True
        while more:
            more = part_classes(self._hulls, self._points, self._rules, rows, parts, self._least, VISITED, labels)
            progress(int(parts.settled[0]), len(rows))
        return np.unique(labels, return_inverse=True)[1].astype(np.int64)
