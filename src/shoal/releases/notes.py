# SPDX-License-Identifier: Apache-2.0
"""What a run has to say about what was asked: settings that came to nothing."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.plan.plan import Plan


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
