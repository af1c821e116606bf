# SPDX-License-Identifier: Apache-2.0
"""The mean of the class's numbers or dates (microaggregation); dates are rounded to whole days."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from shoal.engine.generalizing.groups import ClassedColumn
from shoal.engine.generalizing.renderings import median

KINDS = ("range",)
OTHERWISE = "mode"
VALUES = True


def render(groups: ClassedColumn) -> dict[str, Any]:
    """The mean of each class; ranks of an ordered column have no mean and show their median."""
    if groups.column.style == "ordered":
        return median.render(groups)
    style = "real" if groups.column.style == "integer" else groups.column.style
    as_real = replace(groups, column=replace(groups.column, style=style))
    return {groups.column.name: as_real.centre_cells(groups.means)}
