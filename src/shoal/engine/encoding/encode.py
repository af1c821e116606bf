# SPDX-License-Identifier: Apache-2.0
"""Roles and hierarchies settled, and every quasi-identifier turned into coordinates.

:func:`complete` fills in what a plan leaves open (kinds, flat or prefix trees), so that the plan written with
a release says everything; :func:`encode` then needs no guessing.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.losses import SMALLEST_SPAN
from shoal.engine.encoding.missing import place_at_commonest, place_at_middle, place_beyond
from shoal.engine.encoding.scales import Logarithms, scale_of
from shoal.ground.arrays import Floats
from shoal.ground.errors import PlanError, TableError, column_words
from shoal.hierarchies.hierarchy import ROOT, Hierarchy, check_covers
from shoal.hierarchies.kinds.prefixes import prefix_hierarchy
from shoal.plan.checks import check_scale
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan, load_hierarchies
from shoal.plan.roles import CATEGORICAL, ORDERED, RANGE_KINDS, TEXT_PREFIX
from shoal.plan.values import as_told, refuse_missing
from shoal.tables.ordering import in_order
from shoal.tables.table import Numbers, Table

LONGEST_LABEL = 10_000
"""Characters of a quasi-identifier's cell; longer text is no category but a document."""

LARGEST_NUMBER = 1e300
"""Ranges, sums and means of larger numbers leave the floats. Ranks and logarithms would not, but whatever the loss is
counted on, classes are rendered and the release is measured with the numbers themselves."""

SMALLEST_LOG_SPAN = 1e-9
"""Logarithms that differ by less are so near their rounding (some 1e-15) that shares of their range are not those of
the judge, who has another formula for them."""


def complete(plan: Plan, table: Table) -> Plan:
    """The plan with every quasi-identifier's kind decided and every hierarchy file loaded."""
    table.require(list(plan.columns), where="plan, or flags and keywords in its place")
    if not plan.quasi_identifiers:
        raise PlanError(
            "No quasi-identifier is named, so there is nothing to protect.",
            where="--qi / quasi_identifiers / [columns]",
            allowed=f"one or more of {table.names_shown(trusted=bool(plan.columns))}",
            received="none",
            todo="name the columns that could help recognise someone, e.g. --qi age,sex,zip",
        )
    table.refuse_nested([name for name in table.names if name not in plan.removed])
    plan, table = load_hierarchies(plan), as_told(table, plan)
    decided = {}
    for name in plan.quasi_identifiers:
        column = plan.columns[name]
        kind = column.kind or (CATEGORICAL if column.hierarchy is not None else table.natural_kind(name))
        order = table.category_order(name) if kind == ORDERED else None
        check_scale(name, kind, column.scale)
        decided[name] = replace(column, kind=kind, order=None if order is None else tuple(order))
    return plan.with_columns(decided)


def encode(table: Table, plan: Plan) -> Encoded:
    """Coordinates of all quasi-identifiers of a completed plan."""
    table = as_told(table, plan)
    refuse_missing(table, plan, plan.quasi_identifiers)
    columns = tuple(_column(table, name, plan.columns[name], plan.missing) for name in plan.quasi_identifiers)
    return Encoded(columns, plan.loss)


def _column(table: Table, name: str, column: ColumnPlan, missing: str) -> EncodedColumn:
    if column.kind == ORDERED:
        return _ordered(table, name, column, missing)
    if column.kind in RANGE_KINDS:
        return _line(name, table.numbers(name), column, missing)
    return _tree(table, name, column, missing)


def _line(name: str, numbers: Numbers, column: ColumnPlan, missing: str, order: tuple[str, ...] = ()) -> EncodedColumn:
    _check_magnitude(name, numbers.values)
    holes = np.isnan(numbers.values) if missing == "wildcard" else None

    def line(places: Floats) -> EncodedColumn:
        points, beyond = place_beyond(places) if holes is None else (place_at_middle(places), None)
        return EncodedColumn(name, points, float(column.weight), missing=beyond, holes=holes)

    plain = replace(line(numbers.values), style=numbers.style, order=order, zone=numbers.zone)
    scale = scale_of(column.scale, numbers.values)
    counted = plain if scale is None else replace(line(scale(numbers.values)), scale=scale, plain=plain)
    _check_span(counted)
    return counted


def _ordered(table: Table, name: str, column: ColumnPlan, missing: str) -> EncodedColumn:
    """Ranks in the order of the values."""
    codes, values = table.codes(name)
    _check_labels(name, values)
    order = in_order(values, table.value_order(name), name)
    rank = {value: position for position, value in enumerate(order)}
    ranks = np.array([*(rank[value] for value in values), np.nan])  # code -1 picks the NaN at the end
    return _line(name, Numbers(ranks[codes], "ordered"), column, missing, tuple(order))


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


def _check_magnitude(name: str, numbers: Floats) -> None:
    large = int((np.abs(numbers) > LARGEST_NUMBER).sum())
    if large:
        what = "A quasi-identifier holds numbers too large to compute with."
        allowed = f"numbers from {-LARGEST_NUMBER:g} to {LARGEST_NUMBER:g}, on whatever scale their loss is counted"
        todo = "count in a larger unit (divide the column), mark them as missing with --na, or declare it categorical"
        raise TableError(what, column_words(name), allowed, f"{large} cells beyond that", todo)


def _check_span(column: EncodedColumn) -> None:
    """Refuse numbers that are not equal, but too close together for shares of what the loss is counted on.

    All losses here, their bound and the search would take the column for constant, and the judge would not. Ranks of
    different numbers are never that close.
    """
    in_logarithms = isinstance(column.scale, Logarithms)
    least = SMALLEST_LOG_SPAN if in_logarithms else SMALLEST_SPAN
    if column.written.span > 0 and column.span <= least:
        what = "The numbers of a quasi-identifier lie too close together to compute with."
        allowed = f"numbers that are all equal, or a range {'of logarithms ' * in_logarithms}wider than {least:g}"
        todo = "count in a smaller unit (multiply the column), round it, or declare it categorical or of scale rank"
        if in_logarithms:
            todo = "count the loss on the numbers themselves or on their ranks: --scale range or rank"
        raise TableError(what, column_words(column.name), allowed, "a narrower range", todo)


def _check_labels(name: str, values: list[str]) -> None:
    """Refuse cells that cannot be published as labels: documents, and the mark that means "anything"."""
    long = sum(len(value) > LONGEST_LABEL for value in values)
    if long:
        what, allowed = "A quasi-identifier holds very long text.", f"at most {LONGEST_LABEL} characters per cell"
        todo = "free text is no quasi-identifier: give the column the role identifier"
        raise TableError(what, f"column {name!r}", allowed, f"{long} distinct longer cells", todo)
    if ROOT in values:
        raise TableError(
            f"A quasi-identifier already holds the mark {ROOT!r}, which means 'anything' in a release.",
            where=f"column {name!r}",
            allowed="values other than the mark, or missing cells",
            received="cells with the mark",
            todo=f"read the mark as missing: --na '{ROOT}'",
        )
