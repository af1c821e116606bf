# SPDX-License-Identifier: Apache-2.0
"""A released table to compute with: ranges of numbers and dates as columns of their ends, middle and weight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.ground.errors import TableError, listed
from shoal.judging.labels.ends import Ends, bounds_together, ends_of
from shoal.judging.labels.reach import CENTRES
from shoal.plan.plan import Plan
from shoal.plan.roles import DATE, NUMERIC
from shoal.plan.values import told_of
from shoal.tables.side_doors import with_replaced
from shoal.tables.stowaways import without_prefixes
from shoal.tables.table import Table

HERE = "release.numeric"


def published_ranges(plan: Plan) -> list[str]:
    """The quasi-identifiers that are published as ranges of numbers or dates."""
    ranged = [name for name in plan.quasi_identifiers if plan.columns[name].kind in (NUMERIC, DATE)]
    return [name for name in ranged if plan.rendering(name) not in CENTRES]


def published_ends(released: Table, plan: Plan, name: str, where: str) -> Ends:
    """Where the cells of such a quasi-identifier begin and end, be it published in one column or in two."""
    told = told_of(plan.columns[name], plan)
    plain = without_prefixes(released.select(plan.published(name)))
    lower, *upper = (ends_of(plain, shown, told, where) for shown in plan.published(name))
    return bounds_together(lower, upper[0], where) if upper else lower


def as_numbers(frame: Any, released: Table, plan: Plan) -> Any:
    """The frame with four columns in place of each range: its name with ``_lo``, ``_hi``, ``_mid`` and ``_weight``."""
    new: dict[str, Mapping[str, Any]] = {}
    for name in published_ranges(plan):
        first, *others = plan.published(name)
        figures = published_ends(released, plan, name, f"{HERE}, column {name!r}").figures()
        new[first] = {f"{name}_{what}": cells for what, cells in figures.items()}
        new |= {other: {} for other in others}
    _refuse_taken(released, new)
    return with_replaced(frame, new) if new else frame


def _refuse_taken(released: Table, new: Mapping[str, Mapping[str, Any]]) -> None:
    kept = set(released.names) - set(new)
    taken = [name for columns in new.values() for name in columns if name in kept]
    if taken:
        raise TableError(
            "The table has columns of the names that the numbers would get.",
            where=HERE,
            allowed="no columns called _lo, _hi, _mid or _weight behind the name of another",
            received=listed(map(repr, taken)),
            todo='take the columns one by one: shoal.intervals(release.table["age"])',
        )
