# SPDX-License-Identifier: Apache-2.0
"""Sub-tables in, publishable tables out: some quasi-identifiers in classes of their own, with the sensitive columns.

No column that could link the rows of two sub-tables is added, and columns that are neither quasi-identifier nor
sensitive are left out: each of them, repeated in every sub-table, would link the rows like a number.
"""

from __future__ import annotations

from shoal.algorithms._protocol import Subtables
from shoal.encoding.encoded import Encoded
from shoal.generalizing.generalize import generalize
from shoal.plan import Plan
from shoal.roles.roles import SENSITIVE
from shoal.tables.table import Table


def render_subtables(table: Table, encoded: Encoded, found: Subtables, plan: Plan) -> list[Table]:
    """The tables to publish, each in input order; their rows are still to be shuffled, each table by itself."""
    sensitive = [name for name in table.names if name in plan.having(SENSITIVE)]
    companions = [[name] for name in sensitive] if found.apart and sensitive else [sensitive]
    tables = []
    for group, partition in zip(found.groups, found.partitions, strict=True):
        part = Encoded(tuple(encoded.columns[place] for place in group), encoded.loss)
        names = {column.name for column in part.columns}
        for companion in companions:
            columns = [name for name in table.names if name in names or name in companion]
            tables.append(generalize(table.select(columns), part, partition.labels, plan))
    return tables
