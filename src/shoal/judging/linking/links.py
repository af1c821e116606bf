# SPDX-License-Identifier: Apache-2.0
"""Which released rows may be which target: a join of known values and published labels, by containment.

Targets that are alike are one, and so are released rows that show the same; what is left are places (targets) and
boxes (groups of rows). Both are halved together, widest column first: a half of the targets keeps only the boxes that
its hull meets, until the rest is small enough to be compared one by one. So the work follows the number of matches,
not the product of both sides, and 300,000 targets are no trouble.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints, first_places
from shoal.judging.attempts import Scene
from shoal.judging.evidence import once
from shoal.judging.linking.columns import LinkedColumn, read_column
from shoal.plan.plan import Plan
from shoal.tables.equivalence_classes import classes
from shoal.tables.table import Table

BLOCK = 200_000
"""Pairs of a target and a group that are compared at once."""


@dataclass(frozen=True)
class Targets:
    """The known table, targets with the same known values together."""

    table: Table
    """One row per kind of target."""
    kind: Ints
    """[target] its kind."""

    def __len__(self) -> int:
        return len(self.table)


@dataclass(frozen=True, eq=False)
class Link:
    """The kinds of targets beside the groups of one released table."""

    columns: tuple[LinkedColumn, ...]
    targets: int
    """Number of kinds of targets."""
    group: Ints
    """[released row] its group: rows that show the same in all columns of the link."""

    @cached_property
    def sizes(self) -> Ints:
        """[group] number of rows."""
        return np.bincount(self.group).astype(np.int64)

    @cached_property
    def candidates(self) -> Ints:
        """[kind of target] number of rows that may be theirs."""
        found = np.zeros(self.targets, dtype=np.int64)
        for who, where in self.pairs():
            found += np.bincount(who, weights=self.sizes[where], minlength=self.targets).astype(np.int64)
        return found

    def holds(self, who: Ints, where: Ints) -> Flags:
        """[pair] whether the group is among those of the kind of target; each pair may stand several times."""
        width = len(self.sizes)
        return occurring(who * width + where, (kind * width + group for kind, group in self.pairs(np.unique(who))))

    def pairs(self, some: Ints | None = None) -> Iterator[tuple[Ints, Ints]]:
        """Every (kind of target, group that may be theirs); all groups of one kind come together."""
        who = np.arange(self.targets) if some is None else some
        stack = [(who, np.arange(len(self.sizes)))] if len(who) and len(self.sizes) else []
        order = self._order if stack else []
        while stack:
            who, where = stack.pop()
            where = where[_possible(self.columns, who, where)]
            if not len(where):
                continue
            if len(who) == 1 or len(who) * len(where) <= BLOCK:
                yield _compared(self.columns, who, where)
                continue
            widest = max(range(len(order)), key=lambda place: float(np.ptp(order[place][who])))
            middle = len(who) // 2
            halves = who[np.argpartition(order[widest][who], middle)]
            stack += [(halves[middle:], where), (halves[:middle], where)]

    @cached_property
    def _order(self) -> list[Floats]:
        """[column][kind of target] rank, weighted by how much the column parts the groups."""
        found = []
        for column in self.columns:
            values, rank = np.unique(column.at, return_inverse=True)
            reach = np.searchsorted(values, column.high, side="right") - np.searchsorted(values, column.low)
            open_share = 0.0 if column.centre else float(np.clip(reach / len(values), 0, 1).mean())
            found.append(rank.ravel() / max(len(values) - 1, 1) * (1.001 - open_share))
        return found


def occurring(keys: Ints, batches: Iterable[Ints]) -> Flags:
    """[key] whether it occurs in any of the batches."""
    asked, place = np.unique(keys, return_inverse=True)
    hit = np.zeros(len(asked), dtype=bool)
    for batch in batches:
        found = np.minimum(np.searchsorted(asked, batch), len(asked) - 1)
        hit[found[asked[found] == batch]] = True
    occurs: Flags = hit[place.ravel()]
    return occurs


def targets_of(scene: Scene) -> Targets:
    """The known table, worked out once per scene."""
    known = scene.known
    assert known is not None
    return once(scene.read, "targets", lambda: grouped(known, scene.on))


def grouped(known: Table, on: Sequence[str]) -> Targets:
    """Rows of a table with the same cells in some columns together."""
    kind = classes(known, list(on))
    return Targets(known.select(list(on)).take(first_places(kind)), kind)


def link(targets: Targets, released: Table, on: Sequence[str], plan: Plan, *, cautious: bool = False) -> Link:
    """Targets beside a released table, on some of the known columns; how labels are read says ``read_column``."""
    shown = [column for name in on for column in published(plan, name)]
    released.require(shown, where="columns of the released table that the attack uses")
    group = classes(released, shown)
    seen = released.select(shown).take(first_places(group))
    columns = tuple(read_column(name, plan, targets.table, seen, cautious) for name in on)
    return Link(columns, len(targets), group)


def linked(scene: Scene, place: int = 0) -> Link:
    """The known table beside one table of the release, worked out once per scene."""
    table, targets = scene.tables[place], targets_of(scene)
    shown = shown_in(table, scene.plan, scene.on)
    return once(scene.read, ("link", place), lambda: link(targets, table, shown, scene.plan))


def published(plan: Plan, name: str) -> list[str]:
    """The names under which a column is published."""
    return plan.published(name) if name in plan.quasi_identifiers else [name]


def shown_in(table: Table, plan: Plan, names: Iterable[str]) -> list[str]:
    """Those of some columns that a table of the release shows."""
    return [name for name in names if set(published(plan, name)) <= set(table.names)]


def _possible(columns: Sequence[LinkedColumn], who: Ints, where: Ints) -> Flags:
    """Groups that may match some of these targets, by the hull of the targets."""
    keep = np.ones(len(where), dtype=bool)
    for column in columns:
        if column.centre:
            continue
        at = column.at[who]
        if not np.isnan(at).any():
            keep &= (column.low[where] <= at.max()) & (column.high[where] >= at.min())
    centres = [column for column in columns if column.centre]
    if not centres or not len(where):
        return keep
    least, most = np.zeros(len(where)), np.zeros(len(where))
    for column in centres:
        nearest, furthest = _hull_distance(column, who, where)
        least += nearest
        most += furthest
    if len(centres) == len(columns):  # else the nearest one may be forbidden by a label
        keep &= least <= most.min() + 1e-9
    return keep


def _hull_distance(column: LinkedColumn, who: Ints, where: Ints) -> tuple[Floats, Floats]:
    """Least and largest distance of each centre from any of the targets."""
    at, centre = column.at[who], column.low[where]
    if len(who) == 1:
        exact = _distance(column, who, where)[0]
        return exact, exact
    present = at[np.isfinite(at)]
    if column.scale == 0 or len(present) < len(at):
        return np.zeros(len(where)), np.ones(len(where))
    low, high = present.min(), present.max()
    nearest = np.maximum(np.maximum(low - centre, centre - high), 0) / column.scale
    furthest = np.maximum(np.abs(centre - low), np.abs(centre - high)) / column.scale
    gone = np.isnan(centre)
    return np.where(gone, 1.0, nearest), np.where(gone, 1.0, furthest)


def _distance(column: LinkedColumn, who: Ints, where: Ints) -> Floats:
    """[target, group] how far a centre lies from a target: a share of the range, or 0 and 1."""
    at, centre = column.at[who][:, None], column.low[where][None, :]
    there, shown = np.isfinite(at), np.isfinite(centre)
    with np.errstate(invalid="ignore"):
        gap = np.abs(at - centre) / column.scale if column.scale else (at != centre).astype(np.float64)
    found: Floats = np.where(there & shown, gap, (there != shown).astype(np.float64))
    return found


def _compared(columns: Sequence[LinkedColumn], who: Ints, where: Ints) -> tuple[Ints, Ints]:
    match = np.ones((len(who), len(where)), dtype=bool)
    for column in columns:
        if not column.centre:
            at = column.at[who][:, None]
            match &= ((column.low[where] <= at) & (at <= column.high[where])) | np.isnan(at)
    for column in columns:
        if column.places is not None and not column.centre:
            targets, groups = np.nonzero(match)
            match[targets, groups] = column.places.keep(where[groups], column.at[who[targets]])
    centres = [column for column in columns if column.centre]
    if centres:
        gap = np.round(np.sum([_distance(column, who, where) for column in centres], axis=0), 12)
        gap = np.where(match, gap, np.inf)
        match &= gap == gap.min(axis=1)[:, None]
    targets, groups = np.nonzero(match)
    return who[targets], where[groups]
