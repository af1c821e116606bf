# SPDX-License-Identifier: Apache-2.0
"""Make the classes of any method obey the rules of a requirement, at a small loss.

Every class that breaks a rule exchanges records with a neighbour or joins one, whatever adds least to the loss. Classes
that grew on the way are parted again where the parts obey. Strict rules leave little of the method's classes; so all
records, taken as one class and parted from the top down, are looked at, too, and the cheaper of the two is the answer.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from shoal.encoding.encoded import Encoded
from shoal.kernels.enforcing import ANY_SIZE, GIVEN_UP, NEXT, mend_classes
from shoal.kernels.group_tree import build_tree, new_groups
from shoal.kernels.hull import class_hulls, total_loss
from shoal.kernels.lacking import broken_classes, lack_of
from shoal.kernels.mending import labels_of_groups
from shoal.kernels.parting import DEPTH, part_classes
from shoal.kernels.rules import Rules, as_arrays
from shoal.progress import Progress
from shoal.requirements import Requirement

Ints = NDArray[np.int64]

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


def of_some(requirement: Requirement, rows: Ints, n: int) -> Requirement:
    """A requirement about some rows of a table as one about all ``n``, of which the others are in no class."""
    rules = []
    for rule in requirement.rules:
        codes = np.zeros(n, dtype=np.int64)
        codes[rows] = rule.codes
        rules.append(replace(rule, codes=codes))
    return Requirement(requirement.size, tuple(rules))


def broken(labels: Ints, rules: Rules, least: int) -> NDArray[np.bool_]:
    """Whether each class breaks a rule or is too small."""
    kept = np.flatnonzero(labels >= 0)
    order = kept[np.argsort(labels[kept], kind="stable")]
    return broken_classes(rules, order, np.cumsum(np.bincount(labels[kept])), least)


class _Work:
    """One table on its way to classes that obey."""

    def __init__(self, encoded: Encoded, points: NDArray[np.float64], rules: Rules, least: int, progress: Progress):
        self._hulls, self._points, self._rules, self._least = encoded.hulls, points, rules, least
        self._progress = progress

    def obeying(self, labels: Ints) -> Ints:
        """The cheaper of two ways to make all classes obey."""
        from_top = self._parted([np.arange(len(labels))], np.zeros(len(labels), np.int64))
        mended = self._mended(labels)
        if mended is None or self._loss(from_top) < self._loss(mended):
            return from_top
        return mended

    def _loss(self, labels: Ints) -> float:
        lo, hi, sizes = class_hulls(self._points, labels, int(labels.max()) + 1)
        return total_loss(self._hulls, lo, hi, sizes)

    def _mended(self, labels: Ints) -> Ints | None:
        """Classes exchange records and join; None if that only led to giants."""
        groups = new_groups(self._hulls, self._points, labels, int(labels.max()) + 1)
        tree = build_tree(self._hulls, groups, ANY_SIZE)
        joined, work = np.zeros(len(groups.size), dtype=np.bool_), np.zeros(4, dtype=np.int64)
        while mend_classes(self._hulls, self._points, self._rules, groups, tree, self._least, MENDED, joined, work):
            self._progress(int(work[NEXT]), len(groups.size))
        if work[GIVEN_UP]:
            return None
        labels = labels_of_groups(groups)
        grown = np.flatnonzero(joined & (groups.size >= 2 * self._least))
        by_class = np.split(np.argsort(labels, kind="stable"), np.cumsum(groups.size)[:-1])
        return self._parted([by_class[one] for one in grown], labels)

    def _parted(self, classes: list[Ints], labels: Ints) -> Ints:
        """Part some of the classes further."""
        if not classes:
            return labels
        labels, rows = labels.copy(), np.concatenate(classes)
        ends = np.cumsum([len(one) for one in classes])
        begin, end = (np.zeros(len(rows) + len(classes) + 1, dtype=np.int64) for _ in range(2))
        begin[: len(classes)], end[: len(classes)] = np.concatenate([[0], ends[:-1]]), ends
        at = np.array([len(classes), 0, labels.max() + 1], dtype=np.int64)
        while part_classes(self._hulls, self._points, self._rules, rows, begin, end, at, self._least, VISITED, labels):
            self._progress(len(rows) - int(at[DEPTH]), len(rows))
        return np.unique(labels, return_inverse=True)[1].astype(np.int64)
