# SPDX-License-Identifier: Apache-2.0
"""Smallest and largest value in two typed columns, ``age_min`` and ``age_max``.

A class that mixes missing and present cells shows missing bounds, as does one with only missing cells.
"""

from __future__ import annotations

from typing import Any

from shoal.engine.generalizing.groups import ClassedColumn
from shoal.plan.roles import BOUNDS

KINDS = ("range",)
OTHERWISE = "ancestor"
VALUES = True


def render(groups: ClassedColumn) -> dict[str, Any]:
    """Both ends of each class's range."""
    return {groups.column.name + suffix: groups.centre_cells(ends) for suffix, ends in zip(BOUNDS, groups.hull)}
