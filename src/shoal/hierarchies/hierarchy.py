# SPDX-License-Identifier: Apache-2.0
"""A hierarchy as flat arrays, its leaves numbered depth-first.

Depth-first numbering is what makes everything else cheap: the leaves below a node form an interval, so the
lowest common ancestor of *any* set of leaves is that of its smallest and largest member. A class is therefore
two numbers per column, ``lo`` and ``hi``, and its published value is ``lca(lo, hi)``.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.ground.arrays import Ints
from shoal.ground.errors import HierarchyError
from shoal.ground.wording import counted

ROOT = "*"


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A tree over labels. Node 0 is the root; parents come before their children.

    >>> tree = Hierarchy.from_rows([["Local", "Gov", "*"], ["State", "Gov", "*"], ["Private", "*"]])
    >>> tree.leaf_labels
    ['Local', 'State', 'Private']
    >>> tree.labels[tree.lca(0, 1)], tree.labels[tree.lca(1, 2)]
    ('Gov', '*')
    """

    labels: tuple[str, ...]
    parents: Ints
    """Parent of each node; -1 for the root."""
    first: Ints
    """Smallest leaf number below each node."""
    last: Ints
    """Largest leaf number below each node."""
    depths: Ints
    """Edges from the root."""

    # -- building -----------------------------------------------------------------------------------------

    @classmethod
    def flat(cls, leaves: Iterable[str], root: str = ROOT) -> Hierarchy:
        """One root over all values."""
        names = list(leaves)
        n = len(names)
        parents = np.zeros(n + 1, dtype=np.int64)
        parents[0] = -1
        first = np.concatenate([[0], np.arange(n)]).astype(np.int64)
        last = np.concatenate([[max(n - 1, 0)], np.arange(n)]).astype(np.int64)
        depths = np.ones(n + 1, dtype=np.int64)
        depths[0] = 0
        return cls((root, *names), parents, first, last, depths)

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[str]], *, where: str = "hierarchy") -> Hierarchy:
        """Build from level rows (leaf first, root last); rows may differ in length (ragged branches)."""
        check_rows(rows, where)
        children = _children(rows)
        return cls._depth_first(children, rows[0][-1])

    @classmethod
    def _depth_first(cls, children: dict[tuple[str, ...], dict[tuple[str, ...], None]], root: str) -> Hierarchy:
        labels: list[str] = []
        parents: list[int] = []
        depths: list[int] = []
        first: list[int] = []
        last: list[int] = []
        leaf = 0
        stack: list[tuple[tuple[str, ...], int]] = [((root,), -1)]
        while stack:
            path, parent = stack.pop()
            node = len(labels)
            labels.append(path[-1])
            parents.append(parent)
            depths.append(len(path) - 1)
            below = children.get(path, {})
            first.append(leaf)
            last.append(leaf)
            if not below:
                leaf += 1
            stack.extend((child, node) for child in reversed(below))
        for node in range(len(labels) - 1, 0, -1):
            last[parents[node]] = max(last[parents[node]], last[node])
        return cls(tuple(labels), *np.array([parents, first, last, depths], dtype=np.int64))

    def with_missing(self) -> Hierarchy:
        """The same tree with one more leaf, last, directly under the root: the missing value.

        Its label is the empty string; it is never published as text, only as a missing cell.
        """
        n_leaves = self.n_leaves if len(self.labels) > 1 else 0  # a bare root, over no values, is no leaf
        last = np.append(self.last, n_leaves)
        last[0] = n_leaves
        return Hierarchy(
            (*self.labels, ""),
            np.append(self.parents, 0),
            np.append(self.first, n_leaves),
            last,
            np.append(self.depths, 1),
        )

    # -- asking -------------------------------------------------------------------------------------------

    @cached_property
    def leaves(self) -> Ints:
        """Node of each leaf number."""
        is_leaf = np.ones(len(self.labels), dtype=bool)
        is_leaf[self.parents[1:]] = False
        nodes = np.flatnonzero(is_leaf)
        ordered: Ints = nodes[np.argsort(self.first[nodes], kind="stable")]
        return ordered

    @property
    def n_leaves(self) -> int:
        """Number of leaves, present in the table or not."""
        return len(self.leaves)

    @cached_property
    def leaf_labels(self) -> list[str]:
        """Labels in leaf order."""
        return [self.labels[node] for node in self.leaves]

    @cached_property
    def leaf_numbers(self) -> dict[str, int]:
        """Leaf number of each leaf label."""
        return {label: number for number, label in enumerate(self.leaf_labels)}

    @cached_property
    def heights(self) -> Ints:
        """Edges from each node down to its deepest leaf (leaf 0)."""
        heights = np.zeros(len(self.labels), dtype=np.int64)
        for node in range(len(self.labels) - 1, 0, -1):
            parent = self.parents[node]
            heights[parent] = max(heights[parent], heights[node] + 1)
        return heights

    @property
    def levels(self) -> int:
        """Number of levels, root and deepest leaves included."""
        return int(self.depths.max()) + 1

    @property
    def leaf_counts(self) -> Ints:
        """Number of leaves below each node."""
        counts: Ints = self.last - self.first + 1
        return counts

    @property
    def is_flat(self) -> bool:
        """True if every leaf hangs directly under the root."""
        return int(self.depths.max()) <= 1

    @cached_property
    def ancestors(self) -> NDArray[np.int32]:
        """``ancestors[level, leaf]``: the node above a leaf, level 0 the leaf itself, the last level the root.

        Short branches are padded at the bottom with their own leaf, so two leaves meet on the level at which
        their rows become equal.
        """
        table = np.empty((self.levels, self.n_leaves), dtype=np.int32)
        node = self.leaves.copy()
        depth = self.depths[node]
        for level in range(self.levels):
            table[level] = node
            climbs = depth > self.levels - 2 - level
            node = np.where(climbs & (node > 0), self.parents[node], node)
            depth = self.depths[node]
        return table

    @cached_property
    def paths(self) -> NDArray[np.int32]:
        """``paths[depth, leaf]``: the node above a leaf at that depth; below a leaf's own depth the leaf itself."""
        table = np.empty((self.levels, self.n_leaves), dtype=np.int32)
        node = self.leaves.copy()
        for depth in range(self.levels - 1, -1, -1):
            node = np.where(self.depths[node] > depth, self.parents[node], node)
            table[depth] = node
        return table

    def lca(self, lo: int, hi: int) -> int:
        """Lowest node that has both leaves below it."""
        node = int(self.leaves[lo])
        while self.last[node] < hi or self.first[node] > lo:
            node = int(self.parents[node])
        return node

    def rows(self) -> list[list[str]]:
        """Level rows, leaf first, root last; one per leaf, in leaf order."""
        rows = []
        for leaf in self.leaves:
            row, node = [], int(leaf)
            while node >= 0:
                row.append(self.labels[node])
                node = int(self.parents[node])
            rows.append(row)
        return rows

    def uncovered(self, values: Iterable[str]) -> int:
        """How many of the given values are no leaf of this tree."""
        return sum(value not in self.leaf_numbers for value in values)


def _children(rows: Sequence[Sequence[str]]) -> dict[tuple[str, ...], dict[tuple[str, ...], None]]:
    """Children of each node (a node is its path from the root), in order of first appearance."""
    children: dict[tuple[str, ...], dict[tuple[str, ...], None]] = {}
    for row in rows:
        path = tuple(reversed(row))
        for end in range(1, len(path)):
            children.setdefault(path[:end], {})[path[: end + 1]] = None
    return children


def check_rows(rows: Sequence[Sequence[str]], where: str) -> None:
    """Refuse rows that are no tree: no rows, empty labels, several roots, two parents, ambiguous labels."""
    if not rows or any(len(row) == 0 for row in rows):
        raise HierarchyError(
            "The hierarchy is empty or has an empty row.",
            where=where,
            allowed="one row per value: the value first, then ever coarser labels, the root last",
            received=f"{len(rows)} rows",
            todo="write one row for each value of the column",
        )
    _check_labels(rows, where)
    _check_one_row_per_leaf(rows, where)
    _check_values_are_leaves(rows, where)
    _check_meaning(rows, where)


def _check_labels(rows: Sequence[Sequence[str]], where: str) -> None:
    blank = sum(any(label == "" for label in row) for row in rows)
    if blank:
        raise HierarchyError(
            "The hierarchy has empty labels between its levels.",
            where=where,
            allowed="a label on every level up to the root; short rows may end early but not have gaps",
            received=f"{counted(blank, 'row')} with an empty label",
            todo="fill the gaps, or repeat the label of the level below",
        )
    roots = Counter(row[-1] for row in rows)
    if len(roots) > 1:
        raise HierarchyError(
            "The hierarchy has more than one top.",
            where=where,
            allowed="the same last label in every row, usually *",
            received=f"{len(roots)} different last labels in {len(rows)} rows",
            todo="append one more column that holds * in every row, or fill uneven rows up to the root",
        )
    if any(len(row) == 1 for row in rows):
        raise HierarchyError(
            "A value of the hierarchy is its own root.",
            where=where,
            allowed="at least two labels per row: the value and the root",
            received=f"{counted(sum(len(row) == 1 for row in rows), 'row')} with a single label",
            todo="append the root label, usually *, to those rows",
        )


def _check_one_row_per_leaf(rows: Sequence[Sequence[str]], where: str) -> None:
    count = Counter(row[0] for row in rows)
    repeated = [leaf for leaf, times in count.items() if times > 1]
    if repeated:
        different = len({tuple(row) for row in rows}) > len(count)
        raise HierarchyError(
            "A value of the hierarchy has more than one parent."
            if different
            else "A value of the hierarchy stands in more than one row.",
            where=where,
            allowed="exactly one row per value, so one parent each",
            received=f"{counted(len(repeated), 'value')} with several rows",
            todo="keep one row for each of them",
        )


def _check_values_are_leaves(rows: Sequence[Sequence[str]], where: str) -> None:
    paths = {tuple(reversed(row)) for row in rows}
    both = paths & {path[:end] for path in paths for end in range(1, len(path))}
    if both:
        raise HierarchyError(
            "A value of the hierarchy is also a group of other values.",
            where=where,
            allowed="values on the lowest level only, groups above them",
            received=f"{len(both)} labels that are both (of {len(rows)} values)",
            todo="give such a group a label of its own; codes that are masked already are no codes but categories",
        )


def _check_meaning(rows: Sequence[Sequence[str]], where: str) -> None:
    """A label must stand for one set of values, else a published label would have two meanings.

    A label repeated upwards over the same single branch (``Private;Private;*``) keeps its meaning and is allowed.
    """
    below: dict[tuple[str, ...], int] = Counter()
    meanings: dict[str, dict[int, set[tuple[str, ...]]]] = {}
    for row in rows:
        path = tuple(reversed(row))
        for end in range(1, len(path) + 1):
            below[path[:end]] += 1
    for path, leaves in below.items():
        meanings.setdefault(path[-1], {}).setdefault(leaves, set()).add(path)
    bad = [label for label, sizes in meanings.items() if not _one_branch(sizes)]
    if bad:
        raise HierarchyError(
            "A label of the hierarchy stands for two different groups of values.",
            where=where,
            allowed="each label under one parent, standing for one group of values",
            received=f"{len(bad)} ambiguous labels (of {len(meanings)})",
            todo="rename one of the two, e.g. 'Other' to 'Other work'; one parent per label",
        )


def _one_branch(sizes: dict[int, set[tuple[str, ...]]]) -> bool:
    """All nodes of one label lie on one branch and hold the same number of leaves."""
    if len(sizes) > 1:
        return False
    paths = sorted(next(iter(sizes.values())), key=len)
    return all(longer[: len(shorter)] == shorter for shorter, longer in itertools.pairwise(paths))


def check_covers(tree: Hierarchy, values: Sequence[str], *, column: str) -> None:
    """Refuse a tree that misses values of its column; counts them, never names them."""
    missing = tree.uncovered(values)
    if missing:
        raise HierarchyError(
            "The hierarchy does not cover every value of its column.",
            where=f"column {column!r}",
            allowed="one row in the hierarchy for every distinct value of the column",
            received=f"{missing} of {len(values)} distinct values are not in the hierarchy",
            todo="add a row for each of them, or mark them as missing with --na; check spelling, case and blanks",
        )
