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

from dataclasses import dataclass, field, replace

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import ShoalError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.evidence import Evidence, once
from shoal.judging.labels.lines import Line
from shoal.judging.labels.reach import CENTRES, bounds_of, column_of, distinct_cells
from shoal.judging.labels.trees import LabelTree
from shoal.tables.table import Table


@dataclass(frozen=True)
class PublishedCells:
    """The published cells of one column, alike ones together."""

    rows: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """How many rows show each."""
    shares: Floats = field(default_factory=lambda: np.zeros(0))
    """On a line: the share of the column's range that each leaves open."""
    widths: Floats = field(default_factory=lambda: np.zeros(0))
    """On a line: how far apart its ends are; infinite if anything goes, NaN if it is missing."""
    tree: Hierarchy | None = None
    nodes: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """In a tree: the lowest node above everything that each allows."""
    leaves: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """In a tree: how many leaves each allows."""
    problem: str = ""
    """Why the column cannot be read; then the rest is empty."""
    remark: str = ""


def cells_of(evidence: Evidence, name: str) -> PublishedCells:
    """The published cells of a quasi-identifier, read once per evidence."""
    return once(evidence.read, ("cells", name), lambda: _told(evidence, name))


def _told(evidence: Evidence, name: str) -> PublishedCells:
    try:
        return _read(evidence, name)
    except ShoalError as problem:
        return PublishedCells(problem=f"{problem.where}: {problem.what}")


def _read(evidence: Evidence, name: str) -> PublishedCells:
    original, plan = evidence.original, evidence.plan
    if original is None:
        return PublishedCells(problem="the original table was not given")
    column = column_of(evidence, name)
    rendering = plan.rendering(name)
    if rendering in CENTRES:
        shown = PublishedCells(problem="the release shows centres, and the classes of the original rows were not given")
    elif evidence.sizes is not None and rendering == "bounds":
        shown = PublishedCells(
            problem=f"column {name!r}: the two bounds of a row are needed, and rows are only counted"
        )
    elif rendering == "bounds":
        shown = _from_bounds(evidence, name, column)
    else:
        shown = _from_labels(evidence, original, name, column)
    if (shown.problem or (rendering == "bounds" and shown.remark)) and evidence.classes is not None:
        return _from_classes(evidence.classes, column, wildcard=plan.missing == "wildcard")
    return shown


def _from_labels(evidence: Evidence, original: Table, name: str, column: Line | LabelTree) -> PublishedCells:
    cells = distinct_cells(evidence, name, column)
    if isinstance(cells, int):
        return PublishedCells(problem=f"column {name!r}: {cells} different labels cannot be read")
    codes, read = cells
    held, present = evidence.released.rows_of(name), codes >= 0
    rows = np.bincount(codes[present], weights=held[present], minlength=len(read)).astype(np.int64)
    before, hidden = original.rows_of(name), int(held[~present].sum())
    if isinstance(column, Line):
        return _on_a_line(name, column, read[:, 0], read[:, 1], rows, hidden, before)
    nodes, leaves = read.astype(np.int64).T
    return _in_a_tree(name, column, nodes, leaves, rows, hidden, before)


def _on_a_line(
    name: str, line: Line, low: Floats, high: Floats, rows: Ints, hidden: int, before: Ints
) -> PublishedCells:
    """``before`` tells how many rows of the original have each of its cells."""
    single = low == high
    if _untrue(low[single], rows[single], line.positions, before, coarse=line.style == "real"):
        return _untrue_problem(name)
    anything = np.isinf(low)
    ends = [np.where(anything, 0, end) for end in (low, high)]
    shares = np.where(anything, line.share_of_anything, line.shares(*ends))
    lost, remark = _hidden(name, hidden, int(before[np.isnan(line.positions)].sum()))
    widths = np.where(anything, np.inf, ends[1] - ends[0])
    cells = np.append(rows, [hidden - lost, lost])
    return PublishedCells(cells, np.append(shares, [0.0, 1.0]), np.append(widths, [np.nan, np.inf]), remark=remark)


def _in_a_tree(
    name: str, tree: LabelTree, nodes: Ints, leaves: Ints, rows: Ints, hidden: int, before: Ints
) -> PublishedCells:
    single = (leaves == 1) & (nodes > 0)
    if _untrue(tree.hierarchy.first[nodes[single]].astype(np.float64), rows[single], tree.positions, before):
        return _untrue_problem(name)
    lost, remark = _hidden(name, hidden, int(before[np.isnan(tree.positions)].sum()))
    return PublishedCells(
        np.append(rows, [hidden - lost, lost]),
        tree=tree.hierarchy,
        nodes=np.append(nodes, [tree.hierarchy.leaves[-1], 0]),
        leaves=np.append(leaves, [1, tree.hierarchy.n_leaves]),
        remark=remark,
    )


def _untrue(values: Floats, rows: Ints, original: Floats, before: Ints, *, coarse: bool = False) -> bool:
    """Whether single values are shown in more rows than the original holds them."""
    if coarse:  # a 32-bit number is written with fewer digits than it has
        values, original = values.astype(np.float32).astype(float), original.astype(np.float32).astype(float)
    present = ~np.isnan(original)
    known, which = np.unique(original[present], return_inverse=True)
    counts = np.bincount(which, weights=before[present], minlength=len(known))
    shown, where = np.unique(values, return_inverse=True)
    rows_shown = np.bincount(where, weights=rows, minlength=len(shown))
    place = np.minimum(np.searchsorted(known, shown), max(len(known) - 1, 0))
    if not len(known):
        return bool(len(shown))
    allowed = np.where(known[place] == shown, counts[place], 0)
    return bool((rows_shown > allowed).any())


def _untrue_problem(name: str) -> PublishedCells:
    return PublishedCells(
        problem=f"column {name!r} shows single values in more rows than the original holds them, so they are centres, "
        "rounded or noisy; the classes of the original rows were not given"
    )


def _hidden(name: str, shown: int, original: int) -> tuple[int, str]:
    """How many missing cells of the release hide a value, and a remark if any does."""
    lost = max(shown - original, 0)
    remark = f"column {name!r} has {lost} missing cells more than the original; each costs 1" if lost else ""
    return lost, remark


def _from_bounds(evidence: Evidence, name: str, column: Line | LabelTree) -> PublishedCells:
    if isinstance(column, LabelTree):
        return PublishedCells(problem=f"column {name!r} is no range, so it has no bounds")
    low, high = bounds_of(evidence.released, evidence.plan.published(name), column)
    odd = (np.isnan(low) != np.isnan(high)) | (low > high) | np.isinf(low) | np.isinf(high)
    if odd.any():
        return PublishedCells(problem=f"column {name!r}: {int(odd.sum())} rows have bounds that cannot be read")
    present = ~np.isnan(low)
    each = np.ones(int(present.sum()), dtype=np.int64)
    cells = _on_a_line(
        name,
        column,
        low[present],
        high[present],
        each,
        len(low) - len(each),
        np.ones(len(column.positions), dtype=np.int64),
    )
    doubt = ", and so may others, whose classes mix missing and present values"
    return replace(cells, remark=cells.remark + doubt) if cells.remark else cells


def _from_classes(classes: Ints, column: Line | LabelTree, *, wildcard: bool) -> PublishedCells:
    """Hulls of the original rows of each class; suppressed rows (class -1) are counted elsewhere."""
    if isinstance(column, LabelTree) and column.uncovered:
        return PublishedCells(problem=f"{column.uncovered} values of the original are not in the column's hierarchy")
    low, high, present, missing = _hulls(classes, column.positions)
    mixed = (present > 0) & (missing > 0) & (not wildcard)
    rows = np.append(np.where(mixed, present + missing, present), int(missing[~mixed].sum()))
    if isinstance(column, Line):
        shares = np.where(mixed, column.share_of_anything, column.shares(low, high))
        return PublishedCells(rows, np.append(shares, 0.0), np.append(np.where(mixed, np.inf, high - low), np.nan))
    pairs, which = np.unique(np.column_stack([low, high]).astype(np.int64), axis=0, return_inverse=True)
    tree = column.hierarchy
    ancestors = np.array([tree.lca(int(lo), int(hi)) for lo, hi in pairs], dtype=np.int64)[which.ravel()]
    nodes = np.append(np.where(mixed, 0, ancestors), tree.leaves[-1])
    return PublishedCells(rows, tree=tree, nodes=nodes, leaves=tree.last[nodes] - tree.first[nodes] + 1)


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
