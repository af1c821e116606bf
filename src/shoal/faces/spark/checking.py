# SPDX-License-Identifier: Apache-2.0
"""``check`` and ``measure`` for Spark: rows are counted where they are, and only counts are judged on the driver."""

from __future__ import annotations

from typing import Any, Unpack

from shoal.faces.spark.counting import SparkCounting
from shoal.judging.by_counts import judged, measured
from shoal.judging.evidence import Measurement
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


def measure(original: Any, released: Any, plan: Plan) -> tuple[Measurement, ...]:
    """What a release lost and what risk remains, by all usual metrics that counts are enough for.

    ``original`` may be None: losses are then undefined, class sizes and risk are not. A metric that needs the rows has
    no value, and its note says so.
    """
    return measured(None if original is None else SparkCounting(original), SparkCounting(released), plan)
