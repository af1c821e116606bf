# SPDX-License-Identifier: Apache-2.0
"""How far each published cell of a column reaches: the common ground of all loss metrics.

Reads labels where the release shows them (each distinct label once, so a million rows cost little), and rebuilds the
hulls of the classes from the original where it shows centres instead. Four rules keep the reading honest:

* A label that cannot be read makes the column's loss NaN; a note counts such labels and never shows one.
* A release that shows a single value in more rows than the original holds it cannot be showing true values: they are
  centres, rounded or noisy. The loss is then read from the classes, or NaN if they are not given.
* A missing cell costs nothing, it is a value of its own. Missing cells beyond those of the original were present once
  and hidden: they cost 1 each.
* Bounds (``age_min``, ``age_max``) write both "missing" and "missing or present" as two missing cells. If there are no
  more of them than missing cells in the original, all are missing and cost nothing. If there are more, the classes
  tell; without the classes the surplus costs 1 each, which may be too little, and a note says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from shoal.errors import ShoalError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.metrics._lines import Line, line_of
from shoal.metrics._protocol import Evidence
from shoal.metrics._trees import Tree, tree_of
from shoal.roles.roles import CATEGORICAL, DATE, NUMERIC, ORDERED, RANGE_KINDS
from shoal.tables.table import Table

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

CENTRES = ("mean", "median", "mode", "rounded")
"""Renderings that publish one value per class."""


@dataclass(frozen=True)
class Cells:
    """The published cells of one column, alike ones together."""

    rows: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """How many rows show each."""
    shares: Floats = field(default_factory=lambda: np.zeros(0))
    """On a line: the share of the column's range that each leaves open."""
    tree: Hierarchy | None = None
    nodes: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """In a tree: the lowest node above everything that each allows."""
    leaves: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """In a tree: how many leaves each allows."""
    problem: str = ""
    """Why the column cannot be read; then the rest is empty."""
    remark: str = ""


def cells_of(evidence: Evidence, name: str) -> Cells:
    """The published cells of a quasi-identifier, read once per evidence."""
    if name not in evidence.read:
        try:
            evidence.read[name] = _read(evidence, name)
        except ShoalError as problem:
            evidence.read[name] = Cells(problem=f"{problem.where}: {problem.what}")
    found: Cells = evidence.read[name]
    return found


def kind_of(evidence: Evidence, original: Table, name: str) -> str:
    """The kind of a column: the plan's, a tree's, or what the original values look like."""
    column = evidence.plan.columns[name]
    return column.kind or (CATEGORICAL if column.hierarchy is not None else original.natural_kind(name))


def column_of(evidence: Evidence, name: str) -> Line | Tree:
    """The original column as positions, and how labels of it are read."""
    original = evidence.original
    assert original is not None
    kind = kind_of(evidence, original, name)
    if kind in RANGE_KINDS:
        return line_of(original, name, kind, evidence.released.decimal)
    return tree_of(original, name, evidence.plan.columns[name])


def _read(evidence: Evidence, name: str) -> Cells:
    original, plan = evidence.original, evidence.plan
    if original is None:
        return Cells(problem="the original table was not given")
    column = column_of(evidence, name)
    rendering = plan.rendering(name)
    if rendering in CENTRES:
        shown = Cells(problem="the release shows centres, and the classes of the original rows were not given")
    elif rendering == "bounds":
        shown = _from_bounds(evidence, name, column)
    elif isinstance(column, Line):
        shown = _line_labels(evidence, name, column)
    else:
        shown = _tree_labels(evidence, name, column)
    if (shown.problem or (rendering == "bounds" and shown.remark)) and evidence.classes is not None:
        return _from_classes(evidence.classes, column, wildcard=plan.missing == "wildcard")
    return shown


# -- labels ------------------------------------------------------------------------------------------------------


def _line_labels(evidence: Evidence, name: str, line: Line) -> Cells:
    released = evidence.released
    positions = value_positions(released, name, line)
    if positions is not None:
        low, rows = np.unique(positions[~np.isnan(positions)], return_counts=True)
        high, hidden = low, int(np.isnan(positions).sum())
    else:
        codes, labels = labels_of(evidence, name, line.read)
        ends = [line.read(label) for label in labels]
        if None in ends:
            return _unreadable(name, ends.count(None))
        low, high = np.array(ends, dtype=np.float64).reshape(-1, 2).T
        rows, hidden = _counted(codes, len(labels))
    return _on_a_line(name, line, low, high, rows, hidden)


def value_positions(released: Table, name: str, line: Line) -> Floats | None:
    """All cells as positions if each is one plain value in the units of the original, typed or as text."""
    if line.style == ORDERED or released.natural_kind(name) not in (NUMERIC, DATE):
        return None
    numbers = released.numbers(name)
    quantities = ("integer", "real")
    same = numbers.style == line.style or (numbers.style in quantities and line.style in quantities)
    return numbers.values if same else None


def _on_a_line(name: str, line: Line, low: Floats, high: Floats, rows: Ints, hidden: int) -> Cells:
    single = low == high
    if _untrue(low[single], rows[single], line.positions, coarse=line.style == "real"):
        return _untrue_problem(name)
    anything = np.isinf(low)
    shares = np.where(
        anything, line.share_of_anything, line.shares(*(np.where(anything, 0, one) for one in (low, high)))
    )
    lost, remark = _hidden(name, hidden, int(np.isnan(line.positions).sum()))
    return Cells(np.append(rows, [hidden - lost, lost]), np.append(shares, [0.0, 1.0]), remark=remark)


def _tree_labels(evidence: Evidence, name: str, tree: Tree) -> Cells:
    codes, labels = labels_of(evidence, name, tree.read)
    found = [tree.read(label) for label in labels]
    if None in found:
        return _unreadable(name, found.count(None))
    nodes, leaves = np.array(found, dtype=np.int64).reshape(-1, 2).T
    rows, hidden = _counted(codes, len(labels))
    single = (leaves == 1) & (nodes > 0)
    if _untrue(tree.hierarchy.first[nodes[single]].astype(np.float64), rows[single], tree.positions):
        return _untrue_problem(name)
    lost, remark = _hidden(name, hidden, int(np.isnan(tree.positions).sum()))
    return Cells(
        np.append(rows, [hidden - lost, lost]),
        tree=tree.hierarchy,
        nodes=np.append(nodes, [tree.hierarchy.leaves[-1], 0]),
        leaves=np.append(leaves, [1, tree.hierarchy.n_leaves]),
        remark=remark,
    )


def labels_of(evidence: Evidence, name: str, read: Callable[[str], object]) -> tuple[Ints, list[str]]:
    """A published column as codes into its distinct labels (missing is -1), ready to be read."""
    codes, labels = evidence.released.codes(name)
    return codes, _without_guard(evidence, labels, read)


def _without_guard(evidence: Evidence, labels: list[str], read: Callable[[str], object]) -> list[str]:
    """Labels without the apostrophe that keeps spreadsheets from running them as formulas."""
    if evidence.plan.formulas != "prefix":
        return labels
    return [label[1:] if label.startswith("'") and read(label) is None else label for label in labels]


def _counted(codes: Ints, labels: int) -> tuple[Ints, int]:
    present = codes[codes >= 0]
    return np.bincount(present, minlength=labels).astype(np.int64), len(codes) - len(present)


def _unreadable(name: str, labels: int) -> Cells:
    return Cells(problem=f"column {name!r}: {labels} different labels cannot be read")


def _untrue(values: Floats, rows: Ints, original: Floats, *, coarse: bool = False) -> bool:
    """Whether single values are shown in more rows than the original holds them."""
    if coarse:  # a 32-bit number is written with fewer digits than it has
        values, original = values.astype(np.float32).astype(float), original.astype(np.float32).astype(float)
    known, counts = np.unique(original[~np.isnan(original)], return_counts=True)
    shown, where = np.unique(values, return_inverse=True)
    rows_shown = np.bincount(where, weights=rows, minlength=len(shown))
    place = np.minimum(np.searchsorted(known, shown), max(len(known) - 1, 0))
    if not len(known):
        return bool(len(shown))
    allowed = np.where(known[place] == shown, counts[place], 0)
    return bool((rows_shown > allowed).any())


def _untrue_problem(name: str) -> Cells:
    return Cells(
        problem=f"column {name!r} shows single values in more rows than the original holds them, so they are centres, "
        "rounded or noisy; the classes of the original rows were not given"
    )


def _hidden(name: str, shown: int, original: int) -> tuple[int, str]:
    """How many missing cells of the release hide a value, and a remark if any does."""
    lost = max(shown - original, 0)
    remark = f"column {name!r} has {lost} missing cells more than the original; each costs 1" if lost else ""
    return lost, remark


# -- bounds ------------------------------------------------------------------------------------------------------


def _from_bounds(evidence: Evidence, name: str, column: Line | Tree) -> Cells:
    if isinstance(column, Tree):
        return Cells(problem=f"column {name!r} is no range, so it has no bounds")
    low, high = (positions_of(evidence.released, shown, column) for shown in evidence.plan.published(name))
    odd = (np.isnan(low) != np.isnan(high)) | (low > high) | np.isinf(low) | np.isinf(high)
    if odd.any():
        return Cells(problem=f"column {name!r}: {int(odd.sum())} rows have bounds that cannot be read")
    present = ~np.isnan(low)
    each = np.ones(int(present.sum()), dtype=np.int64)
    cells = _on_a_line(name, column, low[present], high[present], each, len(low) - len(each))
    doubt = ", and so may others, whose classes mix missing and present values"
    return replace(cells, remark=cells.remark + doubt) if cells.remark else cells


def positions_of(released: Table, name: str, line: Line) -> Floats:
    """One bound of every row; infinite where it cannot be read."""
    plain = value_positions(released, name, line)
    if plain is not None:
        return plain
    codes, labels = released.codes(name)
    read = [line.position(label) for label in labels]
    return np.array([*(np.inf if one is None else one for one in read), np.nan])[codes]


# -- classes -----------------------------------------------------------------------------------------------------


def _from_classes(classes: Ints, column: Line | Tree, *, wildcard: bool) -> Cells:
    """Hulls of the original rows of each class; suppressed rows (class -1) are counted elsewhere."""
    if isinstance(column, Tree) and column.uncovered:
        return Cells(problem=f"{column.uncovered} values of the original are not in the column's hierarchy")
    low, high, present, missing = _hulls(classes, column.positions)
    mixed = (present > 0) & (missing > 0) & (not wildcard)
    rows = np.append(np.where(mixed, present + missing, present), int(missing[~mixed].sum()))
    if isinstance(column, Line):
        shares = np.where(mixed, column.share_of_anything, column.shares(low, high))
        return Cells(rows, np.append(shares, 0.0))
    pairs, which = np.unique(np.column_stack([low, high]).astype(np.int64), axis=0, return_inverse=True)
    tree = column.hierarchy
    ancestors = np.array([tree.lca(int(lo), int(hi)) for lo, hi in pairs], dtype=np.int64)[which.ravel()]
    nodes = np.append(np.where(mixed, 0, ancestors), tree.leaves[-1])
    return Cells(rows, tree=tree, nodes=nodes, leaves=tree.last[nodes] - tree.first[nodes] + 1)


def _hulls(classes: Ints, positions: Floats) -> tuple[Floats, Floats, Ints, Ints]:
    """Per class: smallest and largest position (0 if there is none), present rows, missing rows."""
    kept = classes >= 0
    group, at = classes[kept], positions[kept]
    number = int(group.max(initial=-1)) + 1
    here = ~np.isnan(at)
    low, high = np.full(number, np.inf), np.full(number, -np.inf)
    np.minimum.at(low, group[here], at[here])
    np.maximum.at(high, group[here], at[here])
    present = np.bincount(group[here], minlength=number)
    missing = np.bincount(group[~here], minlength=number)
    low, high = np.where(present > 0, low, 0.0), np.where(present > 0, high, 0.0)
    return low, high, present.astype(np.int64), missing.astype(np.int64)
