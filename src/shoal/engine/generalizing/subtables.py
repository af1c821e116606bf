# SPDX-License-Identifier: Apache-2.0
"""Sub-tables in, publishable tables out: some quasi-identifiers in classes of their own, with the sensitive columns.

No column that could link the rows of two sub-tables is added, and columns that are neither quasi-identifier nor
sensitive are left out: each of them, repeated in every sub-table, would link the rows like a number.
"""

from __future__ import annotations

from collections.abc import Sequence

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.generalizing.generalize import generalize
from shoal.ground.arrays import Ints
from shoal.plan.plan import Plan
from shoal.plan.roles import SENSITIVE
from shoal.tables.table import Table


def render_subtables(
    table: Table, encoded: Encoded, parts: Sequence[tuple[Sequence[int], Ints]], plan: Plan, *, apart: bool
) -> list[Table]:
    """The tables to publish, each in input order; their rows are still to be shuffled, each table by itself.

    A part is the places of its attributes and the class of each record; ``apart`` gives each sensitive column a
    table of its own.
    """
    sensitive = [name for name in table.names if name in plan.having(SENSITIVE)]
    companions = [[name] for name in sensitive] if apart and sensitive else [sensitive]
    tables = []
    for group, labels in parts:
        part = encoded.part(group)
        own = {shown for column in part.columns for shown in plan.published(column.name)}
        whole = generalize(table, part, labels, plan)
        for companion in companions:
            tables.append(whole.select([name for name in whole.names if name in own or name in companion]))
    return tables
