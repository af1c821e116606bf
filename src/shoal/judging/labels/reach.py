# SPDX-License-Identifier: Apache-2.0
"""A published column beside the original one: what its distinct cells allow, and how far every single row reaches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.errors import ShoalError
from shoal.judging.evidence import Evidence
from shoal.judging.labels.lines import Line, line_of
from shoal.judging.labels.trees import LabelTree, tree_of
from shoal.plan.plan import Plan
from shoal.plan.roles import CATEGORICAL, DATE, NUMERIC, ORDERED, RANGE_KINDS
from shoal.tables.table import Table

CENTRES = ("mean", "median", "mode", "rounded")
"""Renderings that publish one value per class."""
QUANTITIES = ("integer", "real")


def column_of(evidence: Evidence, name: str) -> Line | LabelTree:
    """The original column as positions, and how labels of it are read."""
    original, column = evidence.original, evidence.plan.columns[name]
    assert original is not None
    kind = column.kind or (CATEGORICAL if column.hierarchy is not None else original.natural_kind(name))
    if kind in RANGE_KINDS:
        notation = evidence.released.notation(evidence.plan.published(name)[0])
        return replace(line_of(original, name, kind, notation), scale=column.scale)
    return tree_of(original, name, column)


def labels_of(released: Table, plan: Plan, name: str, read: Callable[[str], object]) -> tuple[Ints, list[str]]:
    """A published column as codes into its distinct labels (missing is -1), ready to be read.

    They come without the apostrophe that keeps spreadsheets from running them as formulas.
    """
    codes, labels = released.codes(name)
    if plan.formulas != "prefix":
        return codes, labels
    return codes, [label[1:] if label.startswith("'") and read(label) is None else label for label in labels]


def distinct_cells(evidence: Evidence, name: str, column: Line | LabelTree) -> tuple[Ints, Floats] | int:
    """[row] which distinct cell it shows (-1: missing), and [cell, 2] what the column reads in each.

    Where labels cannot be read, the number of different ones that cannot.
    """
    values = value_positions(evidence.released, name, column) if isinstance(column, Line) else None
    if values is not None:
        present, codes = ~np.isnan(values), np.full(len(values), -1, dtype=np.int64)
        places, codes[present] = np.unique(values[present], return_inverse=True)
        return codes, np.column_stack([places, places])
    codes, labels = labels_of(evidence.released, evidence.plan, name, column.read)
    read = [column.read(label) for label in labels]
    return read.count(None) or (codes, np.array(read, dtype=np.float64).reshape(-1, 2))


def value_positions(released: Table, name: str, line: Line) -> Floats | None:
    """All cells as positions if each is one plain value in the units of the original, typed or as text."""
    if line.style == ORDERED or released.natural_kind(name) not in (NUMERIC, DATE):
        return None
    numbers = released.numbers(name)
    same = numbers.style == line.style or (numbers.style in QUANTITIES and line.style in QUANTITIES)
    return numbers.values if same else None


def bounds_of(released: Table, shown: list[str], line: Line) -> tuple[Floats, Floats]:
    """Both bounds of every row (``age_min``, ``age_max``); NaN where missing, infinite where they cannot be read."""
    low, high = (_bound(released, name, line) for name in shown)
    return low, high


def _bound(released: Table, name: str, line: Line) -> Floats:
    plain = value_positions(released, name, line)
    if plain is not None:
        return plain
    codes, labels = released.codes(name)
    places = [line.position(label) for label in labels]
    return np.array([*(np.inf if place is None else place for place in places), np.nan])[codes]


def _nothing() -> Floats:
    return np.zeros(0)


@dataclass(frozen=True)
class RowReach:
    """One column: where the original values lie, and what each released row allows."""

    positions: Floats = field(default_factory=_nothing)
    """[original row], missing = NaN."""
    low: Floats = field(default_factory=_nothing)
    """[released row] first position that the cell allows; -inf if anything, NaN if only missing."""
    high: Floats = field(default_factory=_nothing)
    shares: Floats = field(default_factory=_nothing)
    """[released row] share of the column's range or leaves that the cell leaves open."""
    problem: str = ""
    """Why the column cannot be read; then the rest is empty."""

    def holds(self, rows: Ints, wildcard: bool) -> Flags:
        """[released row] whether its cell allows the value of the original row named for it."""
        at = self.positions[rows]
        inside = (self.low <= at) & (at <= self.high)
        empty, missing = np.isnan(self.low), np.isnan(at)
        if wildcard:
            return inside | empty | missing
        return inside | (missing & (empty | np.isinf(self.low)))


def reach_of(evidence: Evidence, name: str) -> RowReach:
    """Read a quasi-identifier row by row; what cannot be read is told as a problem."""
    try:
        column = column_of(evidence, name)
        if isinstance(column, Line) and evidence.plan.rendering(name) == "bounds":
            low, high = bounds_of(evidence.released, evidence.plan.published(name), column)
            unknown = np.isnan(low)  # missing, or missing and present mixed: the bounds do not tell which
            return _on_a_line(column, np.where(unknown, -np.inf, low), np.where(unknown, np.inf, high))
        cells = distinct_cells(evidence, name, column)
    except ShoalError as problem:
        return RowReach(problem=f"{problem.where}: {problem.what}")
    if isinstance(cells, int):
        return RowReach(problem=f"column {name!r}: labels that cannot be read")
    codes, read = cells
    if isinstance(column, Line):
        low, high = np.append(read, [[np.nan, np.nan]], axis=0)[codes].T
        return _on_a_line(column, low, high)
    return _in_a_tree(column, codes, read[:, 0].astype(np.int64))


def _on_a_line(line: Line, low: Floats, high: Floats) -> RowReach:
    open_ended = np.isinf(low)
    plain = [np.where(open_ended | np.isnan(low), 0.0, end) for end in (low, high)]
    shares = np.where(open_ended, line.share_of_anything, line.shares(*plain))
    return RowReach(line.positions, low, high, shares)


def _in_a_tree(column: LabelTree, codes: Ints, nodes: Ints) -> RowReach:
    tree = column.hierarchy
    low = np.where(nodes == 0, -np.inf, tree.first[nodes])
    high = np.where(nodes == 0, np.inf, tree.last[nodes])
    leaves = tree.last[nodes] - tree.first[nodes] + 1
    shares = np.where(leaves > 1, leaves / tree.n_leaves, 0.0)
    low, high, shares = np.column_stack([[*low, np.nan], [*high, np.nan], [*shares, 0.0]])[codes].T
    return RowReach(column.positions, low, high, shares)
