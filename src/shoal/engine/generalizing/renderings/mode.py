# SPDX-License-Identifier: Apache-2.0
"""The commonest value of the class (microaggregation); ties go to the lowest."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.engine.generalizing.groups import ClassedColumn

KINDS = ("range", "tree")
OTHERWISE = "mode"
VALUES = True


def render(groups: ClassedColumn) -> dict[str, Any]:
    """The value with most records in each class."""
    pairs, counts = np.unique(groups.members, axis=0, return_counts=True)
    order = np.lexsort((pairs[:, 1], -counts, pairs[:, 0]))
    labels, first = np.unique(pairs[order, 0], return_index=True)
    centres = np.zeros(groups.n_classes)
    centres[labels.astype(np.int64)] = pairs[order, 1][first]
    return {groups.column.name: groups.centre_cells(centres)}
