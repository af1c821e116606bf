# SPDX-License-Identifier: Apache-2.0
"""``check`` and ``measure`` for Spark: rows are counted where they are, and only counts are judged on the driver."""

from __future__ import annotations

from typing import Any, Unpack

from shoal.faces.spark.counting import SparkCounting
from shoal.judging.by_counts import judged
from shoal.judging.verdicts import Verdict
from shoal.plan.keywords import PlanKeywords
from shoal.plan.plan import Plan


def check(frame: Any, plan: Plan | None = None, *, k: int | None = None, **roles: Unpack[PlanKeywords]) -> Verdict:
    """Judge a released DataFrame, made by anything: Spark counts its classes, and no row leaves it.

    Give a plan, or its keywords, as :func:`shoal.check`. Models that cannot be counted are not judged, and such a
    verdict does not hold; leaks are not looked for, which is a warning.
    """
    if plan is None:
        return judged(SparkCounting(frame), Plan.of(1 if k is None else k, **roles), k)
    return judged(SparkCounting(frame), plan, plan.k if k is None else k)


def measure(*_: Any) -> None:
    """Placeholder."""
