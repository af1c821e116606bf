# SPDX-License-Identifier: Apache-2.0
"""What a metric is, and what it answers.

A metric is one file with a docstring (first line the summary, then formula and paper) and
``measure(evidence) -> Measurement``. It never guesses: where it is undefined, the value is NaN and ``note``
says why.

A metric that also means something where there are no classes (sub-tables, boxes) says ``APPLIES = EVERY_RELEASE``;
any other is undefined there. One that needs no rows, only how many show each label and are in classes of each size,
says ``BY_COUNTS = True``, and is also measured where the rows are counted elsewhere. One that takes long says
``ON_REQUEST = True`` and is measured only if it is named; one that tells how well analyses still work says
``UTILITY = True`` and is measured where that is asked for, too.

``FIGURES`` names the figures that a quality gate may be about (``mean NAME``: one for each column), ``COLUMNS`` which
columns these are (a role, or ``targets``: the column that the plan names as such, else the sensitive ones; without any
there is nothing to measure), ``HELPS`` says what would help to pass one, ``NEEDS`` which modules it imports and the
extra that brings each. One that tells how analyses of a workload fare names the plan's settings that speak of them in
``WORKLOAD`` and says it in words in ``told(measured, plan)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from shoal.ground.arrays import Ints
from shoal.ground.json_text import plain
from shoal.plan.plan import Plan
from shoal.tables.table import Table

Worked = TypeVar("Worked")

CLASSES, SUBTABLES, BOXES = "classes", "subtables", "boxes"
EVERY_RELEASE = (CLASSES, SUBTABLES, BOXES)
"""What a release may consist of: one table of classes, sub-tables with classes of their own, a box per record."""


METRIC_OF_LOSS = {"height": "il"}
"""Losses whose metric has another name."""


@dataclass(frozen=True)
class Evidence:
    """What a metric may look at. Rows of ``original`` and ``released`` need not be in the same order."""

    original: Table | None
    """The rows that were released, as they were before, if it is known which; else all rows."""
    released: Table
    plan: Plan
    """Roles, kinds, hierarchies and weights of the columns."""
    classes: Ints | None = None
    """Class of each *original* row (-1 suppressed); only needed where the release shows centres, not hulls."""
    suppressed: int = 0
    """How many original rows were left out of the release."""
    releases: str = CLASSES
    """One of EVERY_RELEASE; of sub-tables, ``released`` shows the columns side by side."""
    sizes: tuple[Ints, Ints] | None = None
    """Where both tables are digests (:mod:`shoal.tables.digest`): sizes of classes, and how many rows are in such."""
    look_alikes: Ints | None = None
    """Where there are no classes: among how many records each record hides, if that is known."""
    whose: Ints | None = None
    """[released row] the row of ``original`` behind it, which only the maker of a release knows."""
    learnt: Mapping[str, float] = field(default_factory=dict)
    """Weights of the quasi-identifiers that the method has learnt, if it does and the release tells them."""
    read: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """What the metrics have already read off, so that each column is read once for all of them."""

    @property
    def rows(self) -> int:
        """How many rows were released."""
        return len(self.released) if self.sizes is None else int(self.sizes[1].sum())

    @property
    def unknown_risk(self) -> str:
        """Why nobody can say among how many each record hides; empty where it can be said."""
        if self.releases == CLASSES or self.look_alikes is not None:
            return ""
        return f"a release of {self.releases} has no classes, and whose rows are whose was not told"


def once(done: dict[Any, Any], key: Any, work: Callable[[], Worked]) -> Worked:
    """What some work comes to, kept among what is already done."""
    if key not in done:
        done[key] = work()
    kept: Worked = done[key]
    return kept


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

    @classmethod
    def undefined(cls, metric: str, why: str, limits: tuple[float, float] = (0.0, 1.0)) -> Measurement:
        """No value, and the reason."""
        return cls(metric, math.nan, "lower", limits, note=why)

    def to_dict(self) -> dict[str, Any]:
        """For JSON, which has no NaN: what is undefined is None."""
        facts: dict[str, Any] = plain(vars(self))
        return facts


def loss_metric(plan: Plan) -> str:
    """The metric that measures the plan's loss."""
    return METRIC_OF_LOSS.get(plan.loss, plan.loss)


def per_cell(loss: Measurement) -> float:
    """A loss as a share of the largest possible one, 0 to 1."""
    share = loss.figures.get("per_cell", loss.value if loss.limits == (0.0, 1.0) else math.nan)
    return float(share)
