# SPDX-License-Identifier: Apache-2.0
"""What a run has to say about what was asked: settings and searches that came to nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from shoal.ground.errors import flags_of
from shoal.ground.wording import phrase
from shoal.judging.evidence import Measurement
from shoal.plan.plan import Plan
from shoal.plan.roles import NUMERIC
from shoal.tables.table import Table

if TYPE_CHECKING:
    from shoal.engine.refining.search import Refined

WIDE, SMALL = 0.5, 0.05
"""Share of the middle half of the values from which on a usual interval is wide, and of the range up to which it costs
little; both at once come of a few far values."""
TOLD = 6
"""Columns that a note names."""


def run_notes(rows: int, plan: Plan, left_out: int) -> Iterator[str]:
    """Sentences for the record, without a cell; ``left_out`` of the rows were left out."""
    if not plan.suppression or left_out:
        return
    if not plan.rows_spared(rows):
        yield f"no row was left out: a share of {plan.suppression:g} of {rows:,} rows is less than one row"
        return
    yield (
        f"no row was left out, although {plan.rows_spared(rows):,} might be: a row that is left out counts as "
        "wholly lost, and leaving out any of them would have lost more than the others gain"
    )


def size_notes(rows: int, plan: Plan) -> Iterator[str]:
    """A sentence where two groups cannot be made of the rows, so that nothing is told apart."""
    if 1 < plan.k <= rows < 2 * plan.k:
        yield (
            f"k = {plan.k:,} is more than half of the {rows:,} rows, so all of them are one group, and columns show "
            "their whole range or *; a k of up to half the rows makes several groups"
        )


def search_notes(searched: Refined | None) -> Iterator[str]:
    """A sentence where a search gave back the groups that it was given, so that nobody takes its steps for a gain."""
    if searched is None or searched.improved:
        return
    if searched.losses and searched.losses[0][1] == 0:
        yield "the search had nothing to improve: the groups it began with lose nothing"
    elif searched.is_best:
        yield "the search had nothing to improve: no groups of so few rows lose less than those it began with"
    else:
        stopped = "until it was stopped, " if searched.stop_after is not None else ""
        yield f"{stopped}the search found no groups that lose less than those it began with"


def far_notes(table: Table, plan: Plan, measurements: Sequence[Measurement]) -> Iterator[str]:
    """A sentence on columns of numbers whose usual intervals are wide and cost little, for a few values are far off.

    Neither loss nor certificate shows it: both are shares of a range that is nearly empty.
    """
    figures = next((one.figures for one in measurements if one.metric == "typical_width"), {})
    found = {}
    for name in plan.quasi_identifiers:
        column, width = plan.columns[name], figures.get(f"width {name}", 0.0)
        share = figures.get(f"of_iqr {name}", 0.0)
        if column.kind == NUMERIC and column.scale == "range" and share >= WIDE:
            values = table.numbers(name).values
            if width <= SMALL * float(np.nanmax(values) - np.nanmin(values)):
                found[name] = share
    if found:
        first = sorted(found, key=lambda name: -found[name])[:TOLD]
        told = phrase([f"{name!r} ({found[name]:.1f} times)" for name in first])
        more = f" and {len(found) - TOLD} more columns" if len(found) > TOLD else ""
        flags = flags_of(first, "--scale {}=rank")
        yield (
            "a few far values make the loss look small, while usual intervals are wide beside the middle half of all "
            f"values: {told}{more}; {flags}, or =log, makes them narrow where most rows are"
        )
