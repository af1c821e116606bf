# SPDX-License-Identifier: Apache-2.0
"""What a run has to say about what was asked: settings and searches that came to nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from shoal.plan.plan import Plan

if TYPE_CHECKING:
    from shoal.engine.refining.search import Refined


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
