# SPDX-License-Identifier: Apache-2.0
"""What published labels allow, beside what the attacker knows: both as places on a line.

A number is its own place, a leaf of a tree its number depth-first, a category without a tree its rank. A label is then
a stretch of places: an interval, the leaves below a node, everything. Sets and masks with gaps also keep the list of
their places. A missing cell lies at minus infinity, where only a missing cell and "anything" reach.

Columns that publish one value per class (means, medians, modes) allow nothing; there the attacker looks for the
nearest (:attr:`LinkedColumn.centre`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.errors import TableError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds.prefixes import prefix_hierarchy
from shoal.judging.labels.lines import EVERYTHING, Line, Stretch, line_of
from shoal.judging.labels.reach import CENTRES, bounds_of, labels_of, value_positions
from shoal.judging.labels.spelling import ANYTHING, ends_in, members
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.plan.roles import CATEGORICAL, ORDERED, QUASI_IDENTIFIER, RANGE_KINDS, TEXT_PREFIX
from shoal.tables.table import Table

NOTHING: Stretch = (math.inf, -math.inf)
ONLY_MISSING: Stretch = (-math.inf, -math.inf)
MASK = "*"


@dataclass(frozen=True)
class Places:
    """The places of labels that are no stretch: sorted keys ``label * len(universe) + rank``."""

    universe: Floats
    keys: Ints
    label: Ints
    """[group] which of those labels it shows, -1 for none."""
    spelt: Flags
    """[label] whether it spells out single values, as a set does and a mask does not."""

    def keep(self, groups: Ints, at: Floats) -> Flags:
        """[pair] whether the group's label, if it is one of them, lists the place."""
        label = self.label[groups]
        rank = np.minimum(np.searchsorted(self.universe, at), len(self.universe) - 1)
        key = label * len(self.universe) + rank
        found = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        listed = (self.keys[found] == key) & (self.universe[rank] == at)
        kept: Flags = listed | (label < 0) | np.isnan(at)
        return kept


@dataclass(frozen=True)
class LinkedColumn:
    """One column: where each target lies, and what each group of released rows allows."""

    name: str
    at: Floats
    """[target] place; minus infinity if missing, NaN if that matches anything."""
    low: Floats
    """[group] first place that the label allows; of a centre, the centre (NaN if missing)."""
    high: Floats
    centre: bool = False
    scale: float = 1.0
    """Of a centre on a line: the range of the column. 0: a name, which is right or wrong."""
    places: Places | None = None
    foreign: bool = False
    """Whether no label allows any known value, as if a hierarchy were lacking."""
    tree: Hierarchy | None = None


def read_column(name: str, plan: Plan, known: Table, released: Table, cautious: bool = False) -> LinkedColumn:
    """One column of the known table beside the published one, both row by row.

    An attacker takes labels for what they may mean, and one that means nothing is an error. Read cautiously, it allows
    nobody, and only what is certain counts: no mask without a tree, no set or order of values that are not known.
    """
    column = plan.columns.get(name, ColumnPlan())
    kind = column.kind or (CATEGORICAL if isinstance(column.hierarchy, Hierarchy) else known.natural_kind(name))
    shown = plan.published(name) if column.role == QUASI_IDENTIFIER else [name]
    rendering = plan.rendering(name) if column.role == QUASI_IDENTIFIER else ""
    if kind in RANGE_KINDS:
        line = _line(known, released, shown, name, kind, cautious)
        read = _bounds if len(shown) == 2 else _range_labels
        found = read(name, line, released, plan, cautious)
    else:
        found = _tree_labels(name, column, known, released, plan, cautious)
    return _finished(found, rendering in CENTRES, plan.missing == "wildcard")


def _finished(column: LinkedColumn, centre: bool, wildcard: bool) -> LinkedColumn:
    """With missing cells in their place."""
    if centre:
        both = np.concatenate([column.at, column.low])
        both = both[np.isfinite(both)]
        span = float(np.ptp(both)) if len(both) else 0.0
        low = np.where(np.isfinite(column.low), column.low, np.nan)
        return replace(column, centre=True, low=low, high=low, scale=(span or 1.0) if column.scale else 0.0)
    if not wildcard:
        return replace(column, at=np.where(np.isnan(column.at), -np.inf, column.at))
    hidden = (column.low == -np.inf) & (column.high == -np.inf)
    return replace(column, high=np.where(hidden, np.inf, column.high))


# -- lines -------------------------------------------------------------------------------------------------------


def _line(known: Table, released: Table, shown: list[str], name: str, kind: str, cautious: bool) -> Line:
    if kind != ORDERED or cautious:
        return line_of(known, name, kind, released.notation(shown[0]))
    published = {end for column in shown for label in released.codes(column)[1] for end in _ends(label)}
    notation, order = released.notation(shown[0]), released.category_order(shown[0])
    return line_of(known, name, kind, notation, published, order)


def _ends(label: str) -> list[str]:
    """The single values that the label of an ordered column names."""
    listed = members(label)
    if listed is not None:
        return listed
    if label.startswith(("[", "(", "]")):
        return ends_in(label)
    return [] if label == ANYTHING else [label]


def _range_labels(name: str, line: Line, released: Table, plan: Plan, cautious: bool) -> LinkedColumn:
    plain = value_positions(released, name, line)
    if plain is not None:
        places = np.where(np.isnan(plain), -np.inf, plain)
        return LinkedColumn(name, line.positions, places, places)
    codes, labels = labels_of(released, plan, name, line.read)
    read = [line.read(label) for label in labels]
    if None in read and not cautious:
        raise _unreadable(name, read.count(None))
    low, high = _by_row([stretch or NOTHING for stretch in read], codes)
    gaps = [line.members(label) for label in labels]
    return LinkedColumn(name, line.positions, low, high, places=_places(gaps, [True] * len(gaps), codes))


def _bounds(name: str, line: Line, released: Table, plan: Plan, cautious: bool) -> LinkedColumn:
    shown = plan.published(name)
    low, high = bounds_of(released, shown, line)
    for column, bound in zip(shown, (low, high), strict=True):
        if np.isinf(bound).any() and not cautious:
            raise _unreadable(column, len(np.unique(released.codes(column)[0][np.isinf(bound)])))
    ends = np.column_stack([low, high])
    ends[np.isinf(ends).any(axis=1)] = NOTHING
    unknown = np.isnan(ends).any(axis=1)  # missing, or missing and present mixed: the bounds do not tell which
    ends[unknown] = ONLY_MISSING if cautious else EVERYTHING
    return LinkedColumn(name, line.positions, ends[:, 0], ends[:, 1])


# -- trees -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _KnownTree:
    """What labels of a tree, or of names without one, allow of the known values."""

    tree: Hierarchy | None
    nodes: dict[str, int]
    place: dict[str, int]
    """Leaf number of each value, and of a node over one leaf; known values that are none stand beyond all leaves."""
    values: list[str]
    cautious: bool

    def read(self, label: str) -> Stretch | None:
        """What a label allows, None if that is nothing."""
        stretch = self.allows(label)[0]
        return None if stretch == NOTHING else stretch

    def allows(self, label: str) -> tuple[Stretch, list[float] | None]:
        """A stretch, and the single places where it is none."""
        if self.tree is not None and label in self.nodes:
            node = self.nodes[label]
            return (EVERYTHING if node == 0 else (float(self.tree.first[node]), float(self.tree.last[node]))), None
        if label == ANYTHING:
            return EVERYTHING, None
        if label in self.place:
            return (float(self.place[label]), float(self.place[label])), None
        listed = members(label)
        if listed is not None:
            found = [self.allows(one)[0] for one in listed]
            if self.cautious and NOTHING in found:
                return NOTHING, None
            if EVERYTHING in found:
                return EVERYTHING, None
            leaves = [float(leaf) for low, high in found if low <= high for leaf in range(int(low), int(high) + 1)]
            return ((min(leaves), max(leaves)) if leaves else NOTHING), leaves
        if self.cautious or not label.endswith(MASK):
            return NOTHING, None
        stem = label.rstrip(MASK)
        leaves = [float(self.place[one]) for one in self.values if one.startswith(stem) and len(one) <= len(label)]
        return ((min(leaves), max(leaves)), leaves) if leaves else (NOTHING, None)


def _known_tree(column: ColumnPlan, values: list[str], cautious: bool) -> _KnownTree:
    tree = column.hierarchy if isinstance(column.hierarchy, Hierarchy) else None
    if tree is None and cautious and column.kind == TEXT_PREFIX:
        tree = prefix_hierarchy(values)
    nodes = {label: node for node, label in enumerate(tree.labels)} if tree is not None else {}
    place = {}
    if tree is not None:
        place = {label: int(tree.first[node]) for label, node in nodes.items() if tree.first[node] == tree.last[node]}
    for value in values:
        place.setdefault(value, len(place))
    return _KnownTree(tree, nodes, place, values, cautious)


def _tree_labels(
    name: str, column: ColumnPlan, known: Table, released: Table, plan: Plan, cautious: bool
) -> LinkedColumn:
    known_codes, values = known.codes(name)
    known_tree = _known_tree(column, values, cautious)
    place, tree = known_tree.place, known_tree.tree
    codes, labels = labels_of(released, plan, name, known_tree.read)
    stretches, gaps = zip(*map(known_tree.allows, labels), strict=True) if labels else ((), ())
    unreached = stretches.count(NOTHING)
    if tree is not None and unreached and not cautious:
        raise _unreadable(name, unreached)
    low, high = _by_row(stretches, codes)
    at = np.array([*(place[value] for value in values), np.nan], dtype=np.float64)[known_codes]
    spells = [listed is not None and all(one in place for one in listed) for listed in map(members, labels)]
    found = _places(gaps, spells, codes)
    foreign = 0 < len(labels) == unreached
    return LinkedColumn(name, at, low, high, scale=0.0, places=found, foreign=foreign, tree=tree)


# -- common ------------------------------------------------------------------------------------------------------


def _by_row(stretches: Sequence[Stretch], codes: Ints) -> tuple[Floats, Floats]:
    ends = np.array([*stretches, ONLY_MISSING], dtype=np.float64)[codes]
    return ends[:, 0], ends[:, 1]


def _places(gaps: Sequence[list[float] | None], spells: list[bool], codes: Ints) -> Places | None:
    """The labels that list their places, if there are any."""
    number = np.full(len(gaps) + 1, -1, dtype=np.int64)
    lists = [np.unique(np.array(gap)) for gap in gaps if gap is not None]
    if not any(len(one) for one in lists):
        return None
    number[[place for place, gap in enumerate(gaps) if gap is not None]] = np.arange(len(lists))
    universe = np.unique(np.concatenate(lists))
    keys = [label * len(universe) + np.searchsorted(universe, one) for label, one in enumerate(lists)]
    spelt = np.array([one for one, gap in zip(spells, gaps, strict=True) if gap is not None])
    return Places(universe, np.concatenate(keys).astype(np.int64), number[codes], spelt)


def _unreadable(name: str, labels: int) -> TableError:
    return TableError(
        "Labels of the released table cannot be read.",
        where=f"column {name!r}",
        allowed="values, ranges, sets, *, and labels of the column's hierarchy",
        received=f"{labels} different labels that are none of these",
        todo="give the hierarchy the release was made with (--hierarchy), or the kind of the column (--kind)",
    )
