# SPDX-License-Identifier: Apache-2.0
"""A release and its original as an analyst uses them: every column as numbers or names, cell by cell.

* A range of numbers or dates stands at its middle; where rows are counted, it is spread evenly over all it allows.
  ``*`` tells no number and is missing; where rows are counted, it is spread over all that the released column shows.
* A name is what it says; a node of a tree, or a set, stands for all its leaves, each with the same share.
* Missing is a name of its own, and no number.
* Centres (means, medians, rounded values) are taken for what they show.

Rows are put in the order of their content, so that no figure depends on the order of a table. Of tables above
``MOST_ROWS`` rows as many are taken, spread evenly over that order. Where the plan names a column of survey weights, a
row counts for as many people as it stands for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import ShoalError, listed
from shoal.hierarchies.building import spread_rows
from shoal.judging.associations import Side, categories
from shoal.judging.evidence import Evidence, once
from shoal.judging.labels.lines import Line
from shoal.judging.labels.reach import column_of, reach_of
from shoal.judging.survey import NOT_SHOWN, of_mean_one, survey_weights, weighted_quantiles
from shoal.plan.roles import DATE, NUMERIC, SENSITIVE
from shoal.tables.table import Table

MOST_ROWS = 200_000
MOST_LEARNT = 20_000
"""Rows of each table that models learn from."""
MOST_COLUMNS = 40
BINS = 10
"""Of a column on a line where it is counted by names."""
NO_TARGET = "no column to predict, and no sensitive one, is named in the plan, stands in both tables"
USUAL = 300
"""Powers of two: larger or smaller numbers are told in another unit, for their squares would be infinite or nothing."""
WHOLE = ("integer", "date", "ordered")
"""Styles of lines on which values lie one apart."""


@dataclass(frozen=True, eq=False)
class AnalysedColumn:
    """One column of both tables. On a line, positions; else numbers of names, of which the last is missing."""

    name: str
    changed: bool
    """Whether it is a quasi-identifier, so that its cells may differ."""
    line: bool
    before: Floats
    """[original row] missing numbers are NaN."""
    low: Floats
    """[released row] the first position or name that the cell allows; of missing numbers NaN, of ``*`` -inf."""
    high: Floats
    whole: bool = True
    names: int = 0
    """How many names there are, missing included."""

    @cached_property
    def after(self) -> Floats:
        """[released row] the middle of what a cell allows; NaN where that is missing or anything."""
        return np.where(np.isfinite(self.low), (_finite(self.low) + _finite(self.high)) / 2, np.nan)

    @cached_property
    def spread(self) -> tuple[Floats, Floats]:
        """[released row] the first and last position over which a cell is spread, ``*`` over all that is shown."""
        known = np.isfinite(self.low)
        ends = (self.low[known].min(), self.high[known].max()) if known.any() else self._shown
        anything = np.isinf(self.low)
        return np.where(anything, ends[0], self.low), np.where(anything, ends[1], self.high)

    @property
    def _shown(self) -> tuple[float, float]:
        present = self.before[~np.isnan(self.before)]
        return (float(present.min()), float(present.max())) if len(present) else (0.0, 0.0)

    def share_within(self, first: float, last: float) -> Floats:
        """[released row] the share of what its cell allows that lies between two positions, both included."""
        low, high = self.spread
        one = 1.0 if self.whole else 0.0
        with np.errstate(invalid="ignore"):
            common = np.minimum(high, last) - np.maximum(low, first) + one
            width = high - low + one
            point = (width == 0) & (first <= low) & (low <= last)
            shares = np.where(width > 0, np.clip(common, 0.0, None) / np.where(width > 0, width, 1.0), point)
        return np.where(np.isnan(low), 0.0, shares)

    def per_name(self, weights: Floats | None = None) -> Floats:
        """[name] rows, or the sum of their weights, that the released cells come to."""
        first, last = self.low.astype(np.int64), self.high.astype(np.int64)
        each = (np.ones(len(first)) if weights is None else weights) / (last - first + 1)
        exact, many = first == last, self.names + 1
        steps = np.bincount(first[~exact], each[~exact], many) - np.bincount(last[~exact] + 1, each[~exact], many)
        exactly = np.bincount(first[exact], each[exact], many).astype(np.float64)
        return (exactly + np.cumsum(steps))[: self.names]

    def side(self, released: bool) -> Side:
        """The column on one side, as pairs of columns are compared: labels are names of their own."""
        if self.line:
            return Side(True, self.after if released else self.before)
        if not released:
            return categories(self.before.astype(np.int64))
        labels = self.low.astype(np.int64) * self.names + self.high.astype(np.int64)
        return categories(np.unique(labels, return_inverse=True)[1].ravel().astype(np.int64))


@dataclass(frozen=True, eq=False)
class AnalysedTables:
    """Both tables, column by column, the rows of each in the order of their content."""

    columns: tuple[AnalysedColumn, ...]
    rows: tuple[int, int]
    """Of the original and of the release, as far as they are looked at."""
    targets: tuple[str, ...]
    """What models predict: the column that the plan names, else the sensitive ones."""
    note: str
    """What could not be read, or was left out."""
    weights: tuple[Floats, Floats] = field(default_factory=lambda: (np.zeros(0), np.zeros(0)))
    """[row] how many people each row of either table stands for, 1 on average."""
    weighted: bool = False
    """Whether these are survey weights; else all are 1."""
    people: tuple[Ints, Ints] = field(default_factory=lambda: (np.zeros(0, np.int64), np.zeros(0, np.int64)))
    """[row] whose it is, by a number that both tables share; told by the maker, else guessed from the cells."""

    @property
    def changed(self) -> list[AnalysedColumn]:
        """The quasi-identifiers."""
        return [one for one in self.columns if one.changed]

    def thinned(self, most: int) -> AnalysedTables:
        """The same with fewer rows of each table, spread evenly."""
        if max(self.rows) <= most:
            return self
        note = "; ".join(filter(None, [self.note, f"models learn from {most:,} rows of each table"]))
        return replace(self._taken(*(spread_rows(rows, most) for rows in self.rows)), note=note)

    def _taken(self, first: Ints, then: Ints) -> AnalysedTables:
        """Some rows of the original and of the release, in that order."""
        kept = [replace(one, before=one.before[first], low=one.low[then], high=one.high[then]) for one in self.columns]
        return replace(
            self,
            columns=tuple(kept),
            rows=(len(first), len(then)),
            weights=(of_mean_one(self.weights[0][first]), of_mean_one(self.weights[1][then])),
            people=(self.people[0][first], self.people[1][then]),
        )

    @property
    def explained(self) -> list[AnalysedColumn]:
        """What models predict, as far as it is in both tables, can be read and is published as it is."""
        return [one for one in self.columns if one.name in self.targets and not one.changed]

    @property
    def unexplained(self) -> str:
        """Why there is nothing to predict; empty where there is."""
        if self.impossible or self.explained:
            return self.impossible
        return f"{NO_TARGET} and can be read{self.note and f': {self.note}'}"

    @property
    def impossible(self) -> str:
        """Why nothing can be measured; empty where it can."""
        if self.note and not self.columns:
            return self.note
        return "" if all(self.rows) else "there are no rows"


def analysed(evidence: Evidence) -> AnalysedTables:
    """Both tables as an analyst uses them; worked out once for all metrics."""
    return once(evidence.read, "as an analyst uses them", lambda: _analysed(evidence))


def _analysed(evidence: Evidence) -> AnalysedTables:
    if evidence.original is None:
        return AnalysedTables((), (0, 0), (), "the original table was not given")
    plan, released = evidence.plan, evidence.released
    quasi = plan.quasi_identifiers
    private = tuple(name for name in plan.having(SENSITIVE) if name in released.names)
    hidden = {*quasi, *private, *plan.published_quasi_identifiers, plan.sample_weight}
    private = tuple(name for name in private if name != plan.sample_weight)
    others = sorted(name for name in released.names if name not in hidden)
    names = [name for name in (*quasi, *private, *others) if name in evidence.original.names]
    named = {plan.target, *plan.matters, *(name for one in (*plan.group_by, *plan.pairs) for name in one)}
    looked_at = sorted(names, key=lambda name: name not in named)[:MOST_COLUMNS]
    columns, notes = [], []
    for name in (name for name in names if name in looked_at):
        read = _read(evidence, name)
        if isinstance(read, str):
            notes.append(read)
        else:
            columns.append(_in_usual_units(read))
    notes += [f"only {MOST_COLUMNS} columns are looked at: those that the workload names, and the first others"] * (
        len(names) > MOST_COLUMNS
    )
    strange = sorted({name for name in named if name is not None} - {*names})
    notes += [
        f"what the workload says of {listed(map(repr, strange))} is not measured: no such column to compare"
    ] * bool(strange)
    rows = len(evidence.original), len(released)
    notes += [f"measured on {MOST_ROWS:,} rows of each table"] * (max(rows) > MOST_ROWS)
    weights = _weights(evidence, notes)
    people = np.arange(rows[0]), _counterparts(columns, rows) if evidence.whose is None else evidence.whose
    found = AnalysedTables(
        tuple(columns),
        rows,
        private if plan.target is None else (plan.target,),
        "; ".join(notes),
        weights,
        plan.sample_weight is not None,
        people,
    )
    return found._taken(*_orders(found))


def in_bins(tables: AnalysedTables, column: AnalysedColumn) -> AnalysedColumn:
    """A column of names as it is; one on a line with its bins for names, a range by its middle, others in the last.

    Bins hold about equally many rows of the original; where these have survey weights, as many people.
    """
    if not column.line:
        return column
    there = ~np.isnan(column.before)
    known, people = column.before[there], tables.weights[0][there] if tables.weighted else None
    shares = tuple(place / BINS for place in range(1, BINS))
    cuts = np.unique(weighted_quantiles(known, people, shares)) if len(known) else np.zeros(0)
    before, after = (
        np.where(np.isnan(side), len(cuts) + 1, np.searchsorted(cuts, side, side="right")).astype(np.float64)
        for side in (column.before, column.after)
    )
    return AnalysedColumn(column.name, column.changed, False, before, after, after, names=len(cuts) + 2)


def _weights(evidence: Evidence, notes: list[str]) -> tuple[Floats, Floats]:
    """[row] of both tables; 1 where nobody names a column of weights, or the release does not show it."""
    name = evidence.plan.sample_weight
    found = []
    for table in (evidence.original, evidence.released):
        assert table is not None
        shown = name is not None and name in table.names
        notes += [NOT_SHOWN] * (name is not None and not shown)
        found.append(survey_weights(table, name) if shown and name is not None else np.ones(len(table)))
    return found[0], found[1]


def _orders(tables: AnalysedTables) -> list[Ints]:
    """Rows of both tables in the order of their content, and only so many."""
    shown = [end for one in tables.columns for end in (one.low, one.high)]
    before: list[Floats] = [*(one.before for one in tables.columns), tables.weights[0]]
    label = np.full(tables.rows[0], -1, dtype=np.int64)  # rows that are equal differ by how they are published
    label[tables.people[1]] = np.arange(tables.rows[1])
    before += [np.where(label < 0, -1.0, np.append(one, 0.0)[label]) for one in shown]
    orders = (np.lexsort(keys[::-1]) for keys in (before, [*shown, tables.weights[1]]))
    return [order[spread_rows(len(order), MOST_ROWS)] for order in orders]


def _counterparts(columns: Sequence[AnalysedColumn], rows: tuple[int, int]) -> Ints:
    """[released row] an original row that it may be of: of those with the same unchanged cells, by the order of others.

    Which one it really is nobody knows who did not make the release.
    """
    kept = [one for one in columns if not one.changed]
    both = [np.nan_to_num(np.append(one.before, one.low), nan=-1.0, neginf=-2.0) for one in kept]
    group = np.unique(np.column_stack([np.zeros(sum(rows)), *both]), axis=0, return_inverse=True)[1].ravel()
    blurred = [one for one in columns if one.changed]
    sides = ([one.before for one in blurred], [end for one in blurred for end in (one.after, one.low)])
    places = (group[: rows[0]], group[rows[0] :])
    first, then = (np.lexsort([*keys[::-1], place]) for keys, place in zip(sides, places, strict=True))
    many = [np.bincount(place, minlength=int(group.max(initial=0)) + 1) for place in places]
    starts = [np.cumsum(one) - one for one in many]
    of_group = places[1][then]
    rank = np.arange(rows[1]) - starts[1][of_group]
    spread = rank * many[0][of_group] // np.maximum(many[1][of_group], 1)
    at = np.minimum(starts[0][of_group] + spread, max(rows[0] - 1, 0))
    found = np.empty(rows[1], dtype=np.int64)
    found[then] = first[at] if rows[0] else 0
    return found


def _read(evidence: Evidence, name: str) -> AnalysedColumn | str:
    """One column of both tables, or why it cannot be read."""
    assert evidence.original is not None
    try:
        if name in evidence.plan.quasi_identifiers:
            return _changed(evidence, name)
        return _unchanged(evidence.original, evidence.released, name)
    except ShoalError as problem:
        return f"{problem.where}: {problem.what}"


def _in_usual_units(column: AnalysedColumn) -> AnalysedColumn:
    """A column of numbers that can be squared; no figure depends on the unit, and a power of two costs no digit."""
    if not column.line or column.whole:
        return column
    every = np.abs(np.concatenate([column.before, column.low, column.high]))
    power = int(np.frexp(every[np.isfinite(every)].max(initial=0.0))[1])
    if abs(power) <= USUAL:
        return column
    ends = {name: np.ldexp(getattr(column, name), -power) for name in ("before", "low", "high")}
    return replace(column, **ends)


def _changed(evidence: Evidence, name: str) -> AnalysedColumn | str:
    reach = reach_of(evidence, name)
    if reach.problem:
        return reach.problem
    column = column_of(evidence, name)
    if isinstance(column, Line):
        return AnalysedColumn(
            name, True, True, reach.positions, reach.low, reach.high, column.style in WHOLE and _all_whole(reach.low)
        )
    leaves = int(column.hierarchy.n_leaves)
    missing = leaves - int(column.hierarchy.labels[-1] == "")  # which is the last leaf, where there is any
    low, high = (np.where(np.isnan(end), missing, end) for end in (reach.low, reach.high))
    anything = np.isinf(low)
    low, high = np.where(anything, 0, low), np.where(anything, leaves - 1, high)
    before = np.where(np.isnan(reach.positions), missing, reach.positions)
    return AnalysedColumn(name, True, False, before, low, high, names=missing + 1)


def _unchanged(original: Table, released: Table, name: str) -> AnalysedColumn:
    kinds = {table.natural_kind(name) for table in (original, released)}
    if len(kinds) == 1 and kinds <= {NUMERIC, DATE}:
        before, after = original.numbers(name), released.numbers(name)
        if before.style == after.style:
            return AnalysedColumn(name, False, True, before.values, after.values, after.values, before.style in WHOLE)
    (codes, values), (later, shown) = original.codes(name), released.codes(name)
    every = {value: float(place) for place, value in enumerate(sorted({*values, *shown}))}
    was, now = (
        np.array([*(every[value] for value in texts), float(len(every))])[numbers]
        for numbers, texts in ((codes, values), (later, shown))
    )
    return AnalysedColumn(name, False, False, was, now, now, names=len(every) + 1)


def _all_whole(ends: Floats) -> bool:
    known = ends[np.isfinite(ends)]
    return bool((known == np.floor(known)).all())


def _finite(ends: Floats) -> Floats:
    return np.where(np.isfinite(ends), ends, 0.0)
