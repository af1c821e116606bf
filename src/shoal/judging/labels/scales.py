# SPDX-License-Identifier: Apache-2.0
"""What the width of a published range is counted on, by the judge's own code: positions, ranks or logarithms.

Everything is told from the positions of the original column, those of released rows where it is known which:

* ``rank``: the number of cells below a position, and half of those at it, and a half;
* ``log``: sign(x) · ln(1 + |x| / u), where u is at place ⌊(m - 1) / 10⌋ of the m sizes other than 0, ascending from 0.
"""

from __future__ import annotations

import numpy as np

from shoal.ground.arrays import Floats
from shoal.plan.roles import LOG, RANK


def placed(positions: Floats, how: str, at: Floats) -> Floats:
    """Where some positions stand on a scale of the column; those outside of it at its end, missing ones nowhere.

    >>> placed(np.array([1.0, 2.0, 2.0, 900.0]), "rank", np.array([1.0, 2.0, 50.0, 900.0])).tolist()
    [1.0, 2.5, 3.5, 4.0]
    """
    known = positions[np.isfinite(positions)]
    if how not in (RANK, LOG) or not len(known):
        return at
    inside = np.clip(at, known.min(), known.max())
    return (_ranks if how == RANK else _logarithms)(known, inside)


def _ranks(known: Floats, at: Floats) -> Floats:
    """Cells below, half of the cells at each, and a half."""
    values, cells = np.unique(known, return_counts=True)
    below = np.concatenate([[0], np.cumsum(cells)]).astype(np.float64)
    next_value = np.searchsorted(values, at)
    here = np.where(values[np.minimum(next_value, len(values) - 1)] == at, np.append(cells, 0)[next_value], 0)
    return np.where(np.isnan(at), np.nan, below[next_value] + here / 2 + 0.5)


def _logarithms(known: Floats, at: Floats) -> Floats:
    sizes = np.abs(known[known != 0])
    place = max(len(sizes) - 1, 0) // 10
    unit = float(np.partition(sizes, place)[place]) if len(sizes) else 1.0
    with np.errstate(over="ignore", divide="ignore"):  # the quotient of huge and tiny numbers is told by logarithms
        near, far = np.log1p(np.abs(at) / unit), np.log(np.abs(at)) - np.log(unit)
    return np.copysign(np.where(np.isfinite(near), near, far), at)
