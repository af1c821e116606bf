# SPDX-License-Identifier: Apache-2.0
"""Roles and hierarchies settled, and every quasi-identifier turned into coordinates.

:func:`complete` fills in what a plan leaves open (kinds, flat or prefix trees), so that the plan written with
a release says everything; :func:`encode` then needs no guessing.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from shoal.encoding.encoded import Encoded, EncodedColumn
from shoal.encoding.missing import place_at_commonest, place_at_middle, place_beyond, refuse_missing
from shoal.errors import PlanError, TableError, listed
from shoal.hierarchies.hierarchy import ROOT, Hierarchy, check_covers
from shoal.hierarchies.kinds.prefixes import prefix_hierarchy
from shoal.plan import ColumnPlan, Plan, load_hierarchies
from shoal.roles.roles import CATEGORICAL, ORDERED, RANGE_KINDS, TEXT_PREFIX
from shoal.tables.table import Table

LONGEST_LABEL = 10_000
"""Characters of a quasi-identifier's cell; longer text is no category but a document."""

LARGEST_NUMBER = 1e300
"""Ranges of larger numbers cannot be computed with."""


def complete(plan: Plan, table: Table) -> Plan:
    """The plan with every quasi-identifier's kind decided and every hierarchy file loaded."""
    table.require(list(plan.columns), where="plan")
    if not plan.quasi_identifiers:
        raise PlanError(
            "No quasi-identifier is named, so there is nothing to protect.",
            where="--qi / quasi_identifiers / [columns]",
            allowed=f"one or more of {listed(table.names, limit=30)}",
            received="none",
            todo="name the columns that could help recognise someone, e.g. --qi age,sex,zip",
        )
    plan = load_hierarchies(plan)
    decided = {}
    for name in plan.quasi_identifiers:
        column = plan.columns[name]
        kind = column.kind or (CATEGORICAL if column.hierarchy is not None else table.natural_kind(name))
        decided[name] = replace(column, kind=kind)
    return plan.with_columns(decided)


def encode(table: Table, plan: Plan) -> Encoded:
    """Coordinates of all quasi-identifiers of a completed plan."""
    if plan.missing == "refuse":
        refuse_missing({name: int(table.missing(name).sum()) for name in plan.quasi_identifiers})
    columns = tuple(_column(table, name, plan.columns[name], plan.missing) for name in plan.quasi_identifiers)
    return Encoded(columns, plan.loss)


def _column(table: Table, name: str, column: ColumnPlan, missing: str) -> EncodedColumn:
    if column.kind == ORDERED:
        return _ordered(table, name, column, missing)
    if column.kind in RANGE_KINDS:
        numbers = table.numbers(name)
        return _line(name, numbers.values, column, missing, style=numbers.style, zone=numbers.zone)
    return _tree(table, name, column, missing)


def _line(
    name: str,
    numbers: NDArray[np.float64],
    column: ColumnPlan,
    missing: str,
    *,
    style: str,
    order: tuple[str, ...] = (),
    zone: str = "",
) -> EncodedColumn:
    _check_magnitude(name, numbers)
    if missing == "wildcard":
        points, beyond, holes = place_at_middle(numbers), None, np.isnan(numbers)
    else:
        (points, beyond), holes = place_beyond(numbers), None
    return EncodedColumn(name, points, float(column.weight), None, beyond, style, order, holes, zone)


def _ordered(table: Table, name: str, column: ColumnPlan, missing: str) -> EncodedColumn:
    """Ranks in the declared order of the type, in numeric order, or in alphabetical order."""
    codes, values = table.codes(name)
    _check_labels(name, values)
    declared = table.category_order(name)
    present = set(values)
    order = [value for value in declared if value in present] if declared else sorted(values, key=_numeric_first)
    rank = {value: position for position, value in enumerate(order)}
    ranks = np.array([*(rank[value] for value in values), np.nan])  # code -1 picks the NaN at the end
    return _line(name, ranks[codes], column, missing, style="ordered", order=tuple(order))


def _numeric_first(value: str) -> tuple[int, float, str]:
    try:
        return 0, float(value), value
    except ValueError:
        return 1, 0.0, value


def _tree(table: Table, name: str, column: ColumnPlan, missing: str) -> EncodedColumn:
    codes, values = table.codes(name)
    _check_labels(name, values)
    tree = _tree_of(column, values, name)
    leaf_of = np.array([*(tree.leaf_numbers[value] for value in values), -1], dtype=np.int64)
    leaves = leaf_of[codes]
    beyond, holes = None, None
    if (codes < 0).any():
        tree = tree.with_missing()
        if missing == "wildcard":
            leaves, holes = place_at_commonest(leaves), codes < 0
        else:
            beyond = float(tree.n_leaves - 1)
            leaves = np.where(leaves < 0, tree.n_leaves - 1, leaves)
    points = leaves.astype(np.float64)
    return EncodedColumn(name, points, float(column.weight), tree, beyond, "label", holes=holes)


def _tree_of(column: ColumnPlan, values: list[str], name: str) -> Hierarchy:
    if isinstance(column.hierarchy, Hierarchy):
        check_covers(column.hierarchy, values, column=name)
        return column.hierarchy
    return prefix_hierarchy(values, where=f"column {name!r}") if column.kind == TEXT_PREFIX else Hierarchy.flat(values)


def _check_magnitude(name: str, numbers: NDArray[np.float64]) -> None:
    large = int((np.abs(numbers) > LARGEST_NUMBER).sum())
    if large:
        raise TableError(
            "A quasi-identifier holds numbers too large to compute with.",
            where=f"column {name!r}",
            allowed=f"numbers from {-LARGEST_NUMBER:g} to {LARGEST_NUMBER:g}",
            received=f"{large} cells beyond that",
            todo="scale the column, mark them as missing with --na, or declare the column categorical",
        )


def _check_labels(name: str, values: list[str]) -> None:
    """Refuse cells that cannot be published as labels: documents, and the mark that means "anything"."""
    long = sum(len(value) > LONGEST_LABEL for value in values)
    if long:
        raise TableError(
            "A quasi-identifier holds very long text.",
            where=f"column {name!r}",
            allowed=f"at most {LONGEST_LABEL} characters per cell",
            received=f"{long} distinct longer cells",
            todo="free text is no quasi-identifier: give the column the role identifier",
        )
    if ROOT in values:
        raise TableError(
            f"A quasi-identifier already holds the mark {ROOT!r}, which means 'anything' in a release.",
            where=f"column {name!r}",
            allowed="values other than the mark, or missing cells",
            received="cells with the mark",
            todo=f"read the mark as missing: --na '{ROOT}'",
        )
