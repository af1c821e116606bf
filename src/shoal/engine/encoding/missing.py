# SPDX-License-Identifier: Apache-2.0
"""The one meaning of "missing" in the engine.

``own``: a missing cell is a value of its own. In a tree it is one more leaf under the root; on a line it lies
far beyond the largest number, so that mixing it with any number costs exactly 1 and publishes ``*``.

``wildcard``: a missing cell matches anything. It must not widen the hull of its class, so for clustering it
stands at the middle of its column (median number, commonest leaf), and it stays missing in the release.

``refuse``: stop, with the counts per column (``plan.values``, for the judge does so, too).
"""

from __future__ import annotations

import numpy as np

from shoal.ground.arrays import Floats, Ints


def place_beyond(numbers: Floats) -> tuple[Floats, float | None]:
    """Numbers with NaN replaced by a point two whole ranges beyond the largest; and that point, if used.

    One range would do but for rounding: no number may come closer than a whole range, however large it is.
    """
    holes = np.isnan(numbers)
    if not holes.any():
        return numbers, None
    present = numbers[~holes]
    low, high = (present.min(), present.max()) if len(present) else (0.0, 0.0)
    beyond = float(high + (2 * (high - low) if high > low else max(1.0, abs(high))))
    return np.where(holes, beyond, numbers), beyond


def place_at_middle(numbers: Floats) -> Floats:
    """Numbers with NaN replaced by the (lower) median of the others."""
    holes = np.isnan(numbers)
    if not holes.any():
        return numbers
    present = np.sort(numbers[~holes])
    return np.where(holes, present[(len(present) - 1) // 2] if len(present) else 0.0, numbers)


def place_at_commonest(leaves: Ints) -> Ints:
    """Leaf numbers with -1 replaced by the commonest other one (ties to the lowest)."""
    present = leaves[leaves >= 0]
    commonest = int(np.bincount(present).argmax()) if len(present) else 0
    return np.where(leaves < 0, commonest, leaves)
