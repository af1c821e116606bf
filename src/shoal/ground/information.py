# SPDX-License-Identifier: Apache-2.0
"""What counts tell: entropy, and how much of it two columns share; in nats."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.ground.arrays import Floats


def entropy(counts: Any) -> float:
    """Of values that occur so many times."""
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def mutual_information(table: Floats) -> float:
    """Of two columns, from the rows of each pair of their values; never below 0.

    >>> round(mutual_information(np.array([[2.0, 0.0], [0.0, 2.0]])), 6)
    0.693147
    """
    return max(entropy(table.sum(axis=1)) + entropy(table.sum(axis=0)) - entropy(table.ravel()), 0.0)
