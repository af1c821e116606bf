# SPDX-License-Identifier: Apache-2.0
"""The range of the class's values in brackets, ``[35, 39]``; a single value as it is.

With a decimal comma the ends are parted by a semicolon: ``[1,5; 2,5]``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.generalizing.groups import Groups

KINDS = ("range",)
OTHERWISE = "ancestor"


def render(groups: Groups) -> dict[str, Any]:
    """``[lo, hi]`` of each class."""
    lo, hi = groups.hull
    pairs, index = np.unique(np.column_stack([lo, hi]), axis=0, return_inverse=True)
    return {groups.column.name: groups.cells([_range(groups, *pair) for pair in pairs], index.ravel())}


def _range(groups: Groups, lo: float, hi: float) -> str:
    if lo == hi:
        return groups.write(lo)
    mark = "," if groups.decimal == "." else ";"
    return f"[{groups.write(lo)}{mark} {groups.write(hi)}]"
