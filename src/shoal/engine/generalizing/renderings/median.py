# SPDX-License-Identifier: Apache-2.0
"""The lower median of the class's values (microaggregation): a value that occurs."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.engine.generalizing.groups import ClassedColumn

KINDS = ("range",)
OTHERWISE = "mode"
VALUES = True


def render(groups: ClassedColumn) -> dict[str, Any]:
    """The lower median of each class."""
    rows = groups.present
    points, labels = groups.column.points[rows], groups.labels[rows]
    ordered = points[np.lexsort((points, labels))]
    starts = np.concatenate([[0], np.cumsum(groups.n_present)])[:-1]
    middle = starts + np.maximum(groups.n_present - 1, 0) // 2
    centres = ordered[np.minimum(middle, max(len(ordered) - 1, 0))] if len(ordered) else np.zeros(groups.n_classes)
    return {groups.column.name: groups.centre_cells(centres)}
