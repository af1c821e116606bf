# SPDX-License-Identifier: Apache-2.0
"""Does a hierarchy fit its column, and is it a good one? Coverage and balance, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from shoal.ground.wording import counted
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.outline import children_of, node_rows

LOPSIDED = 0.8
"""Share of the rows from which on one group below the root leaves little to choose."""


@dataclass(frozen=True)
class Review:
    """What there is to say about a tree, and about how it fits a column."""

    leaves: int
    levels: int
    """Root and values included."""
    groups: int
    """Nodes between root and values."""
    shallowest: int
    """Labels of the shortest line, root and value included."""
    fewest: int
    """Children of the node that has fewest."""
    typical: float
    """Children of a node, on average."""
    most: int
    """Children of the node that has most."""
    only_children: int
    """Groups whose only child is a value or another group: steps that change nothing."""
    ungrouped: int = 0
    """Values right below the root, although others stand in groups."""
    lacking: tuple[str, ...] = field(default=(), repr=False)
    """Values of the column without a line. Cells of the table: not for messages."""
    lacking_rows: int = 0
    absent: tuple[str, ...] = field(default=(), repr=False)
    """Values of the tree that the column does not have."""
    values: int | None = None
    """Distinct values of the column; None if no column was looked at."""
    largest: float | None = None
    """Share of the rows below the fullest child of the root."""

    @property
    def covers(self) -> bool:
        """Whether every value of the column has a line."""
        return not self.lacking

    def shape(self) -> list[str]:
        """What there is to say first."""
        said = [f"{self.leaves} values, {self.groups} groups, {self.levels} levels"]
        said.append(f"{self.fewest} to {self.most} children per node, {self.typical:.1f} on average")
        if self.ungrouped:
            said.append(f"{self.ungrouped} of the values are in no group: they become * at once")
        return said

    def sentences(self) -> list[str]:
        """Everything worth knowing, without a cell of the table."""
        said = self.shape()
        if self.shallowest < self.levels:
            said.append(f"branches of {self.shallowest} to {self.levels} labels: uneven (ARX reads even ones only)")
        if self.only_children:
            said.append(f"groups with a single child, which change nothing: {self.only_children}")
        if self.values is not None:
            said += self._coverage()
        if self.largest is not None and self.largest >= LOPSIDED:
            said.append(f"{self.largest:.0%} of the rows are below one child of the root: lopsided")
        return said

    def _coverage(self) -> list[str]:
        said = [f"covers all {self.values} values of the column"]
        if self.lacking:
            said = [
                f"lacks {len(self.lacking)} of {self.values} values of the column ({counted(self.lacking_rows, 'row')})"
            ]
        if self.absent:
            said.append(f"{counted(len(self.absent), 'value does', 'values do')} not occur in the column")
        return said

    def to_dict(self) -> dict[str, Any]:
        """The figures, without a cell of the table."""
        facts: dict[str, Any] = {
            "leaves": self.leaves,
            "groups": self.groups,
            "levels": self.levels,
            "shortest_branch": self.shallowest,
            "children": {"fewest": self.fewest, "mean": self.typical, "most": self.most},
            "only_children": self.only_children,
            "ungrouped": self.ungrouped,
        }
        if self.values is not None:
            facts |= {"covers": self.covers, "values": self.values, "lacking": len(self.lacking)}
            facts |= {"lacking_rows": self.lacking_rows, "absent": len(self.absent), "largest_share": self.largest}
        return facts


def review(tree: Hierarchy, counts: Mapping[str, int] | None = None) -> Review:
    """Look a tree over, beside the values of a column (with their rows) if they are given."""
    children = children_of(tree)
    fans = [len(below) for below in children if below] or [0]
    own = Review(
        leaves=tree.n_leaves,
        levels=tree.levels,
        groups=len(tree.labels) - tree.n_leaves - 1,
        shallowest=int(tree.depths[tree.leaves].min()) + 1,
        fewest=min(fans),
        typical=float(np.mean(fans)),
        most=max(fans),
        only_children=sum(len(below) == 1 for below in children[1:]),
        ungrouped=int((tree.depths[tree.leaves] == 1).sum()) if len(tree.labels) > tree.n_leaves + 1 else 0,
    )
    if counts is None:
        return own
    lacking = tuple(value for value in counts if value not in tree.leaf_numbers)
    rows = node_rows(tree, counts)
    total = int(rows[0])
    return replace(
        own,
        lacking=lacking,
        lacking_rows=sum(counts[value] for value in lacking),
        absent=tuple(label for label in tree.leaf_labels if label not in counts),
        values=len(counts),
        largest=max((int(rows[child]) for child in children[0]), default=0) / total if total else None,
    )
