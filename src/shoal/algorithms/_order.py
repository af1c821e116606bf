# SPDX-License-Identifier: Apache-2.0
"""The order in which a method goes through the records: drawn with the seed, or given by the user."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PlanError


def visiting_order(given: tuple[int, ...], n: int, random: np.random.Generator, method: str) -> NDArray[np.int64]:
    """A random permutation of all rows; or the given rows first, then all others in row order.

    >>> visiting_order((2, 0), 4, np.random.default_rng(0), "k_members").tolist()
    [2, 0, 1, 3]
    """
    if not given:
        return random.permutation(n)
    rows = np.array(given, dtype=np.int64)
    if len(np.unique(rows)) < len(rows) or rows.min() < 0 or rows.max() >= n:
        raise PlanError(
            "The order of rows does not fit the table.",
            where=f"parameter 'order' of method {method!r}",
            allowed=f"different row numbers from 0 to {n - 1}",
            received=f"{len(rows)} numbers, some repeated or out of range",
            todo="correct the list, or leave it out",
        )
    return np.concatenate([rows, np.setdiff1d(np.arange(n), rows)])
