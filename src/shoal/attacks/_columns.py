# SPDX-License-Identifier: Apache-2.0
"""What published labels allow, beside what the attacker knows: both as places on a line.

A number is its own place, a leaf of a tree its number depth-first, a category without a tree its rank. A label is then
a stretch of places: an interval, the leaves below a node, everything. Sets and masks with gaps also keep the list of
their places. A missing cell lies at minus infinity, where only a missing cell and "anything" reach.

Columns that publish one value per class (means, medians, modes) allow nothing; there the attacker looks for the
nearest (:attr:`Column.centre`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from shoal.errors import TableError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.metrics._cells import CENTRES, value_positions
from shoal.metrics._labels import ANYTHING, members, readings
from shoal.metrics._lines import Line, _by_size_then_name
from shoal.plan import ColumnPlan, Plan
from shoal.roles.roles import CATEGORICAL, ORDERED, QUASI_IDENTIFIER, RANGE_KINDS
from shoal.tables.table import Table

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Stretch = tuple[float, float]

NOTHING: Stretch = (math.inf, -math.inf)
EVERYTHING: Stretch = (-math.inf, math.inf)
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
class Column:
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


def read_column(name: str, plan: Plan, known: Table, released: Table) -> Column:
    """One column of the known table beside the published one, both row by row."""
    column = plan.columns.get(name, ColumnPlan())
    kind = column.kind or (CATEGORICAL if isinstance(column.hierarchy, Hierarchy) else known.natural_kind(name))
    shown = plan.published(name) if column.role == QUASI_IDENTIFIER else [name]
    rendering = plan.rendering(name) if column.role == QUASI_IDENTIFIER else ""
    wildcard = plan.missing == "wildcard"
    if kind in RANGE_KINDS:
        line = _line(known, released, shown, name, kind)
        two = len(shown) == 2
        found = _bounds(name, line, released, shown) if two else _range_labels(name, line, released, plan)
    else:
        tree = column.hierarchy if isinstance(column.hierarchy, Hierarchy) else None
        found = _tree_labels(name, tree, known, released, plan)
    return _finished(found, rendering in CENTRES, wildcard)


def _finished(column: Column, centre: bool, wildcard: bool) -> Column:
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


def _line(known: Table, released: Table, shown: list[str], name: str, kind: str) -> Line:
    if kind != ORDERED:
        numbers = known.numbers(name)
        return Line(numbers.values, numbers.style, released.decimal)
    codes, values = known.codes(name)
    published = {end for one in shown for label in released.codes(one)[1] for end in _ends(label)}
    declared = known.category_order(name) or released.category_order(shown[0])
    every = {*values, *published}
    order = [one for one in declared or () if one in every] or sorted(every, key=_by_size_then_name)
    ranks = {value: float(rank) for rank, value in enumerate(order)}
    return Line(
        np.array([*(ranks.get(one, np.nan) for one in values), np.nan])[codes], ORDERED, released.decimal, ranks
    )


def _ends(label: str) -> list[str]:
    """The single values that the label of an ordered column names."""
    listed = members(label)
    if listed is not None:
        return listed
    if label.startswith(("[", "(", "]")):
        first = next(readings(label), None)
        return [one for one in (first.low, first.high) if one] if first else []
    return [] if label == ANYTHING else [label]


def _range_labels(name: str, line: Line, released: Table, plan: Plan) -> Column:
    plain = value_positions(released, name, line)
    if plain is not None:
        places = np.where(np.isnan(plain), -np.inf, plain)
        return Column(name, line.positions, places, places)
    codes, labels = released.codes(name)
    stretches, gaps = [], []
    for label in labels:
        found = _read(line, label, plan)
        if found is None:
            raise _unreadable(name, sum(_read(line, one, plan) is None for one in labels))
        stretches.append(found)
        listed = members(label)
        gaps.append(None if listed is None else [line.position(one) for one in listed])
    low, high = _by_row(stretches, codes)
    return Column(name, line.positions, low, high, places=_places(gaps, [True] * len(gaps), codes))


def _read(line: Line, label: str, plan: Plan) -> Stretch | None:
    found = line.read(label)
    if found is None and plan.formulas == "prefix" and label.startswith("'"):
        found = line.read(label[1:])
    return found


def _bounds(name: str, line: Line, released: Table, shown: list[str]) -> Column:
    ends = []
    for one in shown:
        plain = value_positions(released, one, line)
        if plain is None:
            codes, labels = released.codes(one)
            read = [line.position(label) for label in labels]
            if None in read:
                raise _unreadable(one, read.count(None))
            plain = np.array([*read, np.nan], dtype=np.float64)[codes]
        ends.append(plain)
    low, high = ends
    unknown = np.isnan(low) | np.isnan(high)  # missing, or missing and present mixed: the bounds do not tell which
    return Column(name, line.positions, np.where(unknown, -np.inf, low), np.where(unknown, np.inf, high))


# -- trees -------------------------------------------------------------------------------------------------------


def _tree_labels(name: str, tree: Hierarchy | None, known: Table, released: Table, plan: Plan) -> Column:
    known_codes, values = known.codes(name)
    codes, labels = released.codes(name)
    place = dict(tree.leaf_numbers) if tree is not None else {}
    for value in values:
        place.setdefault(value, len(place))
    nodes = {label: node for node, label in enumerate(tree.labels)} if tree is not None else {}
    stretches: list[Stretch] = []
    gaps: list[list[float | None] | None] = []
    unreached = 0
    for label in labels:
        guarded = plan.formulas == "prefix" and label.startswith("'") and label not in place and label not in nodes
        stretch, listed = _node(label[1:] if guarded else label, tree, nodes, place, values)
        unreached += stretch == NOTHING
        stretches.append(stretch)
        gaps.append(listed)
    if tree is not None and unreached:
        raise _unreadable(name, unreached)
    low, high = _by_row(stretches, codes)
    at = np.array([*(place[value] for value in values), np.nan], dtype=np.float64)[known_codes]
    spells = [listed is not None and all(one in place for one in listed) for listed in map(members, labels)]
    found = _places(gaps, spells, codes)
    foreign = 0 < len(labels) == unreached
    return Column(name, at, low, high, scale=0.0, places=found, foreign=foreign, tree=tree)


def _node(
    label: str, tree: Hierarchy | None, nodes: dict[str, int], place: dict[str, int], values: list[str]
) -> tuple[Stretch, list[float | None] | None]:
    """What a label of a tree allows: a stretch, and the single places where it is none."""
    if tree is not None and label in nodes:
        node = nodes[label]
        return (EVERYTHING if node == 0 else (float(tree.first[node]), float(tree.last[node]))), None
    if label == ANYTHING:
        return EVERYTHING, None
    if label in place:
        return (float(place[label]), float(place[label])), None
    listed = members(label)
    if listed is not None:
        found = [_node(one, tree, nodes, place, values)[0] for one in listed]
        leaves = [float(leaf) for low, high in found if low <= high for leaf in range(int(low), int(high) + 1)]
    elif label.endswith(MASK):
        stem = label.rstrip(MASK)
        leaves = [float(place[one]) for one in values if one.startswith(stem) and len(one) <= len(label)]
        if not leaves:
            return NOTHING, None
    else:
        return NOTHING, None
    return ((min(leaves), max(leaves)) if leaves else NOTHING), list(leaves)


# -- common ------------------------------------------------------------------------------------------------------


def _by_row(stretches: list[Stretch], codes: Ints) -> tuple[Floats, Floats]:
    ends = np.array([*stretches, ONLY_MISSING], dtype=np.float64)[codes]
    return ends[:, 0], ends[:, 1]


def _places(gaps: list[list[float | None] | None], spells: list[bool], codes: Ints) -> Places | None:
    """The labels that list their places, if there are any."""
    number = np.full(len(gaps) + 1, -1, dtype=np.int64)
    lists = [np.unique(np.array([one for one in gap if one is not None])) for gap in gaps if gap is not None]
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
