# SPDX-License-Identifier: Apache-2.0
"""The range of the class's values in brackets, ``[35, 39]``; a single value as it is.

Where numbers or dates hold a comma, the ends are parted by a semicolon: ``[1,5; 2,5]``.
"""

from __future__ import annotations

from typing import Any

from shoal.engine.generalizing.groups import ClassedColumn

KINDS = ("range",)
OTHERWISE = "ancestor"


def render(groups: ClassedColumn) -> dict[str, Any]:
    """``[lo, hi]`` of each class."""
    pairs, index = groups.hulls
    return {groups.column.name: groups.cells([_range(groups, *pair) for pair in pairs], index)}


def _range(groups: ClassedColumn, lo: float, hi: float) -> str:
    if lo == hi:
        return groups.write(lo)
    return f"[{groups.write(lo)}{groups.notation.between} {groups.write(hi)}]"
