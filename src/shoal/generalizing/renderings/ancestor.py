# SPDX-License-Identifier: Apache-2.0
"""The nearest common ancestor of the class's values in the column's tree; a single value as it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.generalizing.groups import ANYTHING, Groups

KINDS = ("tree",)
OTHERWISE = "interval"


def render(groups: Groups) -> dict[str, Any]:
    """The label of the lowest node above all values of each class."""
    tree = groups.column.tree
    assert tree is not None
    lo, hi = groups.hull
    pairs, index = np.unique(np.column_stack([lo, hi]), axis=0, return_inverse=True)
    shown = [tree.labels[tree.lca(int(low), int(high))] for low, high in pairs]
    return {groups.column.name: groups.cells(shown, index.ravel(), mixed=tree.labels[0] or ANYTHING)}
