# SPDX-License-Identifier: Apache-2.0
"""What columns add to what others tell of a target: forward selection, every regression fitted anew."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]


def added(columns: Sequence[Codes], target: Codes) -> list[float]:
    """[column] adjusted R² with it less that without it, when it is the next that brings most."""
    found, taken, before = [0.0] * len(columns), [], 0.0
    while len(taken) < len(columns):
        left = [one for one in range(len(columns)) if one not in taken]
        tried = {one: adjusted([columns[other] for other in (*taken, one)], target) for one in left}
        best = max(left, key=lambda one: (round(tried[one], 12), -one))
        if tried[best] <= before + 1e-12:
            break
        found[best], before = tried[best] - before, tried[best]
        taken.append(best)
    return found


def adjusted(columns: Sequence[Codes], target: Codes) -> float:
    """R² of indicators of the target on those of the columns, less what chance brings."""
    rows = len(target)
    design = np.column_stack([np.ones(rows), *(codes == one for codes in columns for one in np.unique(codes))])
    wanted = np.column_stack([target == one for one in np.unique(target)]).astype(float)
    answers = design @ np.linalg.lstsq(design, wanted, rcond=None)[0]
    whole = ((wanted - wanted.mean(axis=0)) ** 2).sum()
    slopes = int(np.linalg.matrix_rank(design)) - 1
    if not whole or rows - 1 - slopes <= 0:
        return 0.0
    return float(1 - ((wanted - answers) ** 2).sum() / whole * (rows - 1) / (rows - 1 - slopes))
