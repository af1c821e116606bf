# SPDX-License-Identifier: Apache-2.0
"""How long a run takes, told before it begins: from the size of the table and the plan alone.

Seconds are those of a machine that does nothing else, with kernels compiled.
"""

from __future__ import annotations

from shoal.engine.bounds.bound import seconds_for
from shoal.ground import catalog
from shoal.plan.effort import EFFORTS, search_seconds
from shoal.plan.plan import Plan

PER_CELL, MOST_BEGUN = 1.4e-5, 25.0
"""Seconds of where the search begins, per cell of the quasi-identifiers, and at most; also of other methods, about."""
ELSEWHERE = 3.5e-6
"""Seconds of all else per cell of the table: reading, checking, measuring, drawing, writing."""
BOUND = 0.3
"""Share of the time that a bound may take which most do."""
ANYWAY = 1.5
WORTH_TELLING = 10
"""Seconds from which on it is said before a run how long it takes."""


def expected_seconds(rows: int, columns: int, plan: Plan) -> float:
    """Wall-clock seconds of a run on a table of so many rows and columns, about."""
    cells = rows * len(plan.quasi_identifiers)
    begun = min(cells * PER_CELL, MOST_BEGUN)
    bound = BOUND * seconds_for(rows, EFFORTS[plan.effort])
    work = begun + rows * columns * ELSEWHERE + ANYWAY
    if not is_searched(plan):
        return work + bound
    in_time = plan.time_budget is not None  # of which the bound has its part
    return work + search_seconds(plan, rows) + (0.0 if in_time else bound)


def is_searched(plan: Plan) -> bool:
    """Whether the run searches for classes of lower loss."""
    return plan.refine or catalog.load("algorithms", plan.method).CAPABILITIES.refined


def spoken(seconds: float) -> str:
    """A time, as exactly as it is known.

    >>> spoken(0.4), spoken(41.3), spoken(170.0)
    ('1 second', '41 seconds', '3 minutes')
    """
    if seconds >= 90:
        return f"{seconds / 60:.0f} minutes"
    whole = max(round(seconds), 1)
    return f"{whole} second{'s' if whole > 1 else ''}"


def foretold(rows: int, columns: int, plan: Plan) -> str:
    """What to say before a run that takes a while; nothing before a short one."""
    seconds = expected_seconds(rows, columns, plan)
    if seconds < WORTH_TELLING:
        return ""
    ending = "; Ctrl-C during the search takes the best so far" if is_searched(plan) else ""
    return f"This takes about {spoken(seconds)}{ending}."
