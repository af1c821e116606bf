# SPDX-License-Identifier: Apache-2.0
"""A hierarchy as text: an indented tree for a terminal, with as much of it as one wants to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from shoal.hierarchies.hierarchy import Hierarchy

BRANCH, LAST, DOWN, BLANK = "├── ", "└── ", "│   ", "    "


def outline(
    tree: Hierarchy, counts: Mapping[str, int] | None = None, *, depth: int | None = None, most: int | None = None
) -> str:
    """The tree, one node per line: its label, the number of values below, and the rows if counts are given.

    ``depth`` is how far down to go; ``most`` is how many children of one node are shown.

    >>> print(outline(Hierarchy.from_rows([["Local", "Gov", "*"], ["State", "Gov", "*"], ["Private", "*"]])))
    *  3 values
    ├── Gov  2 values
    │   ├── Local
    │   └── State
    └── Private
    """
    rows = node_rows(tree, counts) if counts is not None else None
    lines = [_line(tree, 0, rows)]
    lines += _below(tree, children_of(tree), 0, "", rows, depth, most)
    return "\n".join(lines)


def children_of(tree: Hierarchy) -> list[list[int]]:
    """The children of each node, in leaf order."""
    children: list[list[int]] = [[] for _ in tree.labels]
    for node in range(1, len(tree.labels)):
        children[tree.parents[node]].append(node)
    return children


def node_rows(tree: Hierarchy, counts: Mapping[str, int]) -> NDArray[np.int64]:
    """Rows of the table below each node."""
    per_leaf = np.array([counts.get(label, 0) for label in tree.leaf_labels], dtype=np.int64)
    before = np.concatenate([[0], np.cumsum(per_leaf)])
    found: NDArray[np.int64] = before[tree.last + 1] - before[tree.first]
    return found


def _below(
    tree: Hierarchy,
    children: list[list[int]],
    node: int,
    indent: str,
    rows: NDArray[np.int64] | None,
    depth: int | None,
    most: int | None,
) -> Iterator[str]:
    if depth is not None and tree.depths[node] >= depth:
        return
    shown = children[node] if most is None or len(children[node]) <= most else children[node][:most]
    hidden = len(children[node]) - len(shown)
    for place, child in enumerate(shown):
        last = place == len(shown) - 1 and not hidden
        yield indent + (LAST if last else BRANCH) + _line(tree, child, rows)
        yield from _below(tree, children, child, indent + (BLANK if last else DOWN), rows, depth, most)
    if hidden:
        yield f"{indent}{LAST}... {hidden} more"


def _line(tree: Hierarchy, node: int, rows: NDArray[np.int64] | None) -> str:
    told = [tree.labels[node]]
    leaves = int(tree.leaf_counts[node])
    if int(tree.heights[node]):
        told.append(f"{leaves} value{'s' * (leaves != 1)}")
    if rows is not None:
        told.append(f"{int(rows[node]):,} rows")
    return told[0] + ("  " + ", ".join(told[1:]) if told[1:] else "")
