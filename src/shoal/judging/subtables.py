# SPDX-License-Identifier: Apache-2.0
"""What holds for several sub-tables of the same people: k in each of them, and k if they could be joined.

Each sub-table alone is judged like any table, by k and by every model that was asked for. About the set of them only
the joint audit says something true: if the rows of two sub-tables can be linked, their classes intersect, and the
smallest intersection is the joint k. So no finding here speaks of "k" without saying which of the two it means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from shoal.ground.arrays import Ints
from shoal.judging.checking import finding_of, given_table, removed_columns_gone, verdict_of
from shoal.judging.leak_search import LeakScene, find_leaks
from shoal.judging.privacy_models import k_anonymity
from shoal.judging.private_values import private_codes
from shoal.judging.verdicts import Beside, Finding, Verdict
from shoal.plan.plan import Plan, load_hierarchies
from shoal.plan.roles import QUASI_IDENTIFIER, SENSITIVE
from shoal.tables.equivalence_classes import class_sizes, classes
from shoal.tables.table import Table


def check_subtables(
    tables: Sequence[Any],
    plan: Plan,
    rows: Sequence[Ints] | None = None,
    *,
    own_k: Ints | None = None,
    files: Sequence[Path] = (),
    allow: Iterable[str] = (),
) -> Verdict:
    """Judge several sub-tables of the same people: k per sub-table, and k joint.

    ``rows[t][i]`` is the original row shown in row i of sub-table t, which only the maker knows. Without it the joint
    audit cannot be made, and the verdict says so. ``own_k`` is what the person of each original row asks for.
    """
    released = [given_table(table, plan) for table in tables]
    plan = load_hierarchies(plan)
    known = [Beside(None if own_k is None else own_k[shown]) for shown in rows] if rows is not None else []
    findings = [*check_each(released, plan), *check_whole(released, plan), *check_models(released, plan, known)]
    if rows is not None:
        findings.append(check_joint(released, plan, rows))
    else:
        said = "k joint was measured when the release was made, and cannot be from sub-tables that were shuffled apart"
        findings.append(Finding("k_joint", None, said))
    leaks = [
        replace(leak, statement=f"sub-table {number}: {leak.statement}")
        for number, table in enumerate(released, 1)
        for leak in find_leaks(_scene(table, plan, files[number - 1 : number]), allow)
    ]
    apart = [removed_columns_gone(table.names, plan) for table in released]
    gone = next((found for found in apart if not all(one.holds for one in found)), apart[0])
    return verdict_of([*findings, *gone], leaks)


def _scene(table: Table, plan: Plan, files: Sequence[Path]) -> LeakScene:
    return LeakScene(table, plan_of_part(table, plan), files=tuple(files))


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
        found.append(Finding("k_per_subtable", one.holds, _said(one.statement, number, part), figures))
    return found


def _said(statement: str, number: int, part: Plan) -> str:
    """What was found in one sub-table, which is named."""
    named = ", ".join(part.quasi_identifiers) or "no quasi-identifier"
    return f"sub-table {number} ({named}): " + statement.replace("k = ", "k per sub-table = ", 1)


def check_models(tables: Sequence[Table], plan: Plan, known: Sequence[Beside] = ()) -> list[Finding]:
    """Every model that was asked for, in every sub-table that shows what it is about; ``known`` is besides each."""
    beside = list(known) or [Beside()] * len(tables)
    return [finding for name in plan.models for finding in _check_model(name, tables, plan, beside)]


def _check_model(name: str, tables: Sequence[Table], plan: Plan, known: Sequence[Beside]) -> list[Finding]:
    found = []
    for number, (table, beside) in enumerate(zip(tables, known, strict=True), 1):
        part, given = plan_of_part(table, plan), plan.models[name]
        private = [column for column in plan.having(SENSITIVE) if column in table.names]
        if about := given.get("columns"):
            given = {**given, "columns": tuple(column for column in about if column in private)}
        if plan.having(SENSITIVE) and not (given["columns"] if about else private):
            continue
        hidden = set(plan.having(SENSITIVE)) - set(private)
        shown = {column: how for column, how in part.columns.items() if column not in hidden}
        one = finding_of(name, table, replace(part, columns=shown), given, beside)
        figures = {"subtable": number, **one.figures}
        found.append(Finding(name, one.holds, _said(one.statement, number, part), figures, one.judged))
    return found or [Finding(name, False, "no sub-table shows a sensitive column that it is about")]


def check_whole(tables: Sequence[Table], plan: Plan) -> list[Finding]:
    """Whether the sub-tables together show every quasi-identifier; one that is gone was judged by nobody."""
    shown = {name for table in tables for name in table.names}
    gone = [name for name in plan.published_quasi_identifiers if name not in shown]
    said = f"no sub-table shows {', '.join(map(repr, gone))}: a sub-table is missing, or a column of one"
    return [Finding("k_per_subtable", False, said)] if gone else []


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


def check_joint(tables: Sequence[Table], plan: Plan, rows: Sequence[Ints]) -> Finding:
    """What an attacker who can link the rows of the sub-tables would meet; nothing is claimed about it."""
    joint = joint_classes(tables, plan, rows)
    sizes = np.bincount(joint)[joint]
    figures = {
        "k_joint": int(sizes.min(initial=len(joint))),
        "rows": len(joint),
        "joint_classes": int(joint.max(initial=-1)) + 1,
        "rows_below_k": int((sizes < plan.k).sum()),
        "unique_rows": int((sizes == 1).sum()),
        "private_values_once": private_values_once(tables, plan),
        "rows_of_one_private_value": rows_of_one_value(tables, plan, rows, joint),
    }
    once = figures["private_values_once"]
    rare = f"; {once} private values occur once and link the sub-tables by themselves" if once else ""
    said = (
        f"k joint = {figures['k_joint']}: if the sub-tables are joined row by row, {figures['rows_below_k']} of "
        f"{len(joint)} rows are in a group of fewer than {plan.k}, {figures['unique_rows']} of them alone, and "
        f"{figures['rows_of_one_private_value']} in one that shows a single private value{rare}"
    )
    return Finding("k_joint", None, said, figures)


def private_values_once(tables: Sequence[Table], plan: Plan) -> int:
    """How many private values (or combinations, as they stand together) occur in one row only."""
    together = {tuple(name for name in table.names if name in plan.having(SENSITIVE)): table for table in tables}
    return sum(int((class_sizes(table, names) == 1).sum()) for names, table in together.items() if names)


def rows_of_one_value(tables: Sequence[Table], plan: Plan, rows: Sequence[Ints], joint: Ints) -> int:
    """Rows whose joint class has the same value in all of its rows, in some sensitive column: known for certain."""
    known = np.zeros(len(joint), dtype=np.bool_)
    for table, shown in zip(tables, rows, strict=True):
        for name in [name for name in table.names if name in plan.having(SENSITIVE)]:
            codes = np.empty(len(joint), dtype=np.int64)
            codes[shown] = private_codes(table, name)
            pairs = np.unique(np.column_stack([joint, codes]), axis=0)
            known |= np.bincount(pairs[:, 0])[joint] == 1
    return int(known.sum())
