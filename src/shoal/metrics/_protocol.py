# SPDX-License-Identifier: Apache-2.0
"""What a metric is, and what it answers.

A metric is one file with a docstring (first line the summary, then formula and paper) and
``measure(evidence) -> Measurement``. It never guesses: where it is undefined, the value is NaN and ``note``
says why.

A metric that also means something where there are no classes (sub-tables, boxes) says ``APPLIES = EVERY_RELEASE``;
any other is undefined there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.plan import Plan
from shoal.tables.table import Table

CLASSES, SUBTABLES, BOXES = "classes", "subtables", "boxes"
EVERY_RELEASE = (CLASSES, SUBTABLES, BOXES)
"""What a release may consist of: one table of classes, sub-tables with classes of their own, a box per record."""


@dataclass(frozen=True)
class Evidence:
    """What a metric may look at. Rows of ``original`` and ``released`` need not be in the same order."""

    original: Table | None
    released: Table
    plan: Plan
    """Roles, kinds, hierarchies and weights of the columns."""
    classes: NDArray[np.int64] | None = None
    """Class of each *original* row (-1 suppressed); only needed where the release shows centres, not hulls."""
    suppressed: int = 0
    """How many original rows were left out of the release."""
    releases: str = CLASSES
    """One of EVERY_RELEASE; of sub-tables, ``released`` shows the columns side by side."""
    look_alikes: NDArray[np.int64] | None = None
    """Where there are no classes: among how many records each record hides, if that is known."""
    read: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """What the metrics have already read off, so that each column is read once for all of them."""


@dataclass(frozen=True)
class Measurement:
    """One metric of one release."""

    metric: str
    value: float
    better: str
    """``lower`` or ``higher``."""
    limits: tuple[float, float]
    """Smallest and largest possible value."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """Other forms of the same measure, e.g. ``per_cell``."""
    per_column: Mapping[str, float] = field(default_factory=dict)
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON, which has no NaN: what is undefined is None."""
        return {
            "metric": self.metric,
            "value": _plain(self.value),
            "better": self.better,
            "limits": [_plain(limit) for limit in self.limits],
            "figures": {name: _plain(figure) for name, figure in self.figures.items()},
            "per_column": {name: _plain(loss) for name, loss in self.per_column.items()},
            "note": self.note,
        }


def _plain(number: float) -> float | None:
    return number if math.isfinite(number) else None
