# SPDX-License-Identifier: Apache-2.0
"""What many hulls lose, all at once and without compiling anything."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.engine.kernels.hull import FLAT, RANGE, TABLE, Hulls
from shoal.ground.arrays import Floats


def hull_losses(hulls: Hulls, low: Floats, high: Floats) -> Floats:
    """Loss per record of many hulls, as :func:`shoal.engine.kernels.hull.loss` has it for one."""
    found: Floats = np.sum([_term(hulls, j, low[:, j], high[:, j]) for j in range(low.shape[1])], axis=0)
    return found


def _term(hulls: Hulls, j: int, low: Floats, high: Floats) -> Any:
    kind, start, size = hulls.kind[j], hulls.start[j], hulls.size[j]
    if kind == RANGE:
        return np.minimum((high - low) * hulls.scale[j], hulls.cap[j])
    if kind == FLAT:
        return np.where(high > low, hulls.cap[j], 0.0)
    if kind == TABLE:
        return hulls.tables[start + low.astype(np.int64) * size + high.astype(np.int64)]
    left, right = start + low.astype(np.int64), start + high.astype(np.int64)
    while (apart := hulls.ancestors[left] != hulls.ancestors[right]).any():
        left, right = left + apart * size, right + apart * size
    return hulls.tables[left]
