# SPDX-License-Identifier: Apache-2.0
"""How long a run takes, told before it begins: from the size of the table and the plan alone.

Seconds are those of a machine that does nothing else, with kernels compiled.
"""

from __future__ import annotations

from shoal.engine.bounds.bound import is_searched_for, seconds_for
from shoal.ground import catalog
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan.effort import EFFORTS, search_seconds
from shoal.plan.plan import Plan
from shoal.plan.roles import CATEGORICAL, RANGE_KINDS
from shoal.tables.table import Table

PER_CELL, MOST_BEGUN = 8e-6, 25.0
"""Seconds of where the search begins, per cell of the quasi-identifiers, and at most; also of other methods, about."""
ELSEWHERE = 2e-6
"""Seconds of all else per cell of the table: reading, checking, measuring, drawing, writing."""
BOUND = 0.7
"""Share of the time that a bound may take which most do."""
OF_SHARES = ("alpha_k", "beta_likeness", "delta_disclosure")
"""Models that limit the share of a class that one private value may have; so does l-diversity of kind frequency."""
ANYWAY = 1.8
"""Seconds of a command on the smallest table, most of them to start Python and to load kernels."""
WORTH_TELLING = 10
"""Seconds from which on it is said before a run how long it takes."""


def expected_seconds(rows: int, columns: int, plan: Plan, numbers: int = 0, *, names: bool = False) -> float:
    """Wall-clock seconds of a run on a table of so many rows and columns, about.

    Of the quasi-identifiers so many are numbers; or all are ``names`` without levels.
    """
    quasi = len(plan.quasi_identifiers)
    searched = is_searched_for(quasi, numbers)
    bound = BOUND * seconds_for(rows, quasi, EFFORTS[plan.effort], searched=searched, shares=_limits_shares(plan))
    work = min(rows * quasi * PER_CELL, MOST_BEGUN) + rows * columns * ELSEWHERE + ANYWAY
    if not is_searched(plan):
        return work + bound
    in_time = plan.time_budget is not None  # of which the bound has its part
    return work + search_seconds(plan, rows, names=names) + (0.0 if in_time else bound)


def numbers_in(table: Table, plan: Plan) -> int:
    """How many of the quasi-identifiers stand on a line: numbers, dates, what is ordered."""
    columns = [(name, plan.columns[name]) for name in plan.quasi_identifiers if name in table.names]
    plain = [(name, column) for name, column in columns if column.hierarchy is None]
    return sum((column.kind or table.natural_kind(name)) in RANGE_KINDS for name, column in plain)


def is_of_names(table: Table, plan: Plan) -> bool:
    """Whether all quasi-identifiers are names without levels."""
    columns = [(name, plan.columns[name]) for name in plan.quasi_identifiers if name in table.names]
    return all(
        column.hierarchy.is_flat
        if isinstance(column.hierarchy, Hierarchy)
        else column.hierarchy is None and (column.kind or table.natural_kind(name)) == CATEGORICAL
        for name, column in columns
    )


def _limits_shares(plan: Plan) -> bool:
    """Whether the plan says what share of a class one private value may have at most."""
    by_frequency = plan.models.get("l_diversity", {}).get("kind") == "frequency"
    return by_frequency or any(model in plan.models for model in OF_SHARES)


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


def foretold(rows: int, columns: int, plan: Plan, numbers: int = 0, *, names: bool = False) -> str:
    """What to say before a run that takes a while; nothing before a short one."""
    seconds = expected_seconds(rows, columns, plan, numbers, names=names)
    if seconds < WORTH_TELLING:
        return ""
    ending = "; Ctrl-C during the search takes the best so far" if is_searched(plan) else ""
    return f"This takes about {spoken(seconds)}{ending}."
