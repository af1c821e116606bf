# SPDX-License-Identifier: Apache-2.0
"""What holds for several sub-tables of the same people: k in each of them, and k if they could be joined.

Each sub-table alone is judged like any table. About the set of them only the joint audit says something true: if the
rows of two sub-tables can be linked, their classes intersect, and the smallest intersection is the joint k. So no
finding here speaks of "k" without saying which of the two it means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from shoal.plan import Plan
from shoal.privacy_models import k_anonymity
from shoal.privacy_models._protocol import Finding
from shoal.roles.roles import QUASI_IDENTIFIER, SENSITIVE
from shoal.tables.equivalence_classes import class_sizes, classes
from shoal.tables.table import Table

Ints = NDArray[np.int64]


def plan_of_part(table: Table, plan: Plan) -> Plan:
    """The plan of one sub-table: without the quasi-identifiers that stand in others."""
    columns = {
        name: column
        for name, column in plan.columns.items()
        if column.role != QUASI_IDENTIFIER or set(plan.published(name)) <= set(table.names)
    }
    return replace(plan, columns=columns)


def check_each(tables: Sequence[Table], plan: Plan) -> list[Finding]:
    """k-anonymity of every sub-table by itself."""
    found = []
    for number, table in enumerate(tables, 1):
        part = plan_of_part(table, plan)
        one = k_anonymity.check(table, part, k_anonymity.Parameters(plan.k))
        figures = {"subtable": number, "columns": part.quasi_identifiers, **one.figures}
        said = one.statement.replace("k = ", "k per sub-table = ", 1)
        named = ", ".join(part.quasi_identifiers) or "no quasi-identifier"
        found.append(Finding("k_per_subtable", one.holds, f"sub-table {number} ({named}): {said}", figures))
    return found


def joint_classes(tables: Sequence[Table], plan: Plan, rows: Sequence[Ints]) -> Ints:
    """Class of each original row if all sub-tables were joined row by row; ``rows`` tells whose each row is."""
    aligned = []
    for table, shown in zip(tables, rows, strict=True):
        of_row = np.empty(len(table), dtype=np.int64)
        of_row[shown] = classes(table, plan_of_part(table, plan).published_quasi_identifiers)
        aligned.append(of_row)
    _, first, joint = np.unique(np.column_stack(aligned), axis=0, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[joint.ravel()]


def check_joint(tables: Sequence[Table], plan: Plan, joint: Ints) -> Finding:
    """What an attacker who can link the rows of the sub-tables would meet; nothing is claimed about it."""
    sizes = np.bincount(joint)[joint]
    figures = {
        "k_joint": int(sizes.min(initial=len(joint))),
        "rows": len(joint),
        "joint_classes": int(joint.max(initial=-1)) + 1,
        "rows_below_k": int((sizes < plan.k).sum()),
        "unique_rows": int((sizes == 1).sum()),
        "private_values_once": private_values_once(tables, plan),
    }
    once = figures["private_values_once"]
    rare = f"; {once} private values occur once and link the sub-tables by themselves" if once else ""
    said = (
        f"k joint = {figures['k_joint']}: if the sub-tables are joined row by row, {figures['rows_below_k']} of "
        f"{len(joint)} rows are in a group of fewer than {plan.k}, {figures['unique_rows']} of them alone{rare}"
    )
    return Finding("k_joint", None, said, figures)


def private_values_once(tables: Sequence[Table], plan: Plan) -> int:
    """How many private values (or combinations, as they stand together) occur in one row only."""
    together = {tuple(name for name in table.names if name in plan.having(SENSITIVE)): table for table in tables}
    return sum(int((class_sizes(table, names) == 1).sum()) for names, table in together.items() if names)
