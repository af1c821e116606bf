# SPDX-License-Identifier: Apache-2.0
"""The nearest common ancestor of the class's values in the column's tree; a single value as it is."""

from __future__ import annotations

from typing import Any

from shoal.engine.generalizing.groups import ANYTHING, ClassedColumn

KINDS = ("tree",)
OTHERWISE = "interval"


def render(groups: ClassedColumn) -> dict[str, Any]:
    """The label of the lowest node above all values of each class."""
    tree = groups.column.tree
    assert tree is not None
    pairs, index = groups.hulls
    shown = [tree.labels[tree.lca(int(low), int(high))] for low, high in pairs]
    return {groups.column.name: groups.cells(shown, index, mixed=tree.labels[0] or ANYTHING)}
