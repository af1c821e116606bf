# SPDX-License-Identifier: Apache-2.0
"""A release beside its original: columns, pairs of columns, attackers. Bounded work and bounded size for any table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from shoal.errors import ShoalError
from shoal.metrics._cells import column_of
from shoal.metrics._lines import Line
from shoal.metrics._protocol import CLASSES, Evidence
from shoal.metrics._reach import reach_of
from shoal.metrics._trees import Tree
from shoal.plan import Plan
from shoal.portraits.associations import Column, Side, categories, pairs_of, places
from shoal.portraits.attempts import attempts
from shoal.portraits.categories import draw_labels, plain_labels, published_labels
from shoal.portraits.lines import draw_line, plain_line, published_line
from shoal.portraits.portrait import ColumnPortrait, Pair, Portrait
from shoal.roles.roles import DATE, INSENSITIVE, NUMERIC, QUASI_IDENTIFIER, SENSITIVE
from shoal.tables.table import Table

Ints = NDArray[np.int64]

MOST_COLUMNS = 40
PAIRED_COLUMNS = 20
SAMPLE = 20_000
"""Rows that pairs of columns are measured on."""


@dataclass(frozen=True)
class Part:
    """One released table, and the original row behind each of its rows."""

    released: Table
    rows: Ints


def portraying(
    original: Table, parts: Sequence[tuple[Table, Ints]], plan: Plan, releases: str = CLASSES
) -> Callable[[], Portrait]:
    """Portrays when called; until then it keeps no more of the original than it needs."""
    needed = original.select(plan.quasi_identifiers)
    return partial(portray, needed, [Part(released, rows) for released, rows in parts], plan, releases)


def portray(original: Table, parts: Sequence[Part], plan: Plan, releases: str = CLASSES) -> Portrait:
    """``original`` needs no more columns than the quasi-identifiers; ``parts`` are one table, or the sub-tables."""
    columns: list[ColumnPortrait] = []
    left: list[str] = []
    pairs: list[Pair] = []
    sampled = False
    for part in parts:
        names = _names(part.released, plan, already={one.name for one in columns})
        room = max(MOST_COLUMNS - len(columns), 0)
        left += names[room:]
        before = original if len(part.rows) == len(original) else original.take(np.sort(part.rows))
        columns += [_column(Evidence(before, part.released, plan), name) for name in names[:room]]
        paired = _names(part.released, plan)[:PAIRED_COLUMNS]
        pairs += [one for one in _pairs(original, part, plan, paired) if one not in pairs]
        sampled |= len(part.released) > SAMPLE
    tables, rows = [part.released for part in parts], [part.rows for part in parts]
    return Portrait(
        tuple(columns),
        tuple(left),
        tuple(sorted(pairs, key=lambda pair: -round(abs(pair.before), 12))),
        SAMPLE if sampled else None,
        attempts(original, tables, rows, plan, releases),
    )


def _names(released: Table, plan: Plan, already: set[str] | None = None) -> list[str]:
    """The columns of a released table, recognisable ones first, then private ones; bounds under their one name."""
    shown = set(released.names)
    recognisable = [name for name in plan.quasi_identifiers if set(plan.published(name)) <= shown]
    bounds = {one for name in recognisable for one in plan.published(name)}
    private = [name for name in plan.having(SENSITIVE) if name in shown]
    others = [name for name in released.names if name not in {*bounds, *private}]
    return [name for name in (*recognisable, *private, *others) if name not in (already or set())]


def _column(evidence: Evidence, name: str) -> ColumnPortrait:
    plan = evidence.plan
    role = plan.columns[name].role if name in plan.columns else INSENSITIVE
    changed = role == QUASI_IDENTIFIER
    try:
        return _drawn(evidence, name, role, changed)
    except ShoalError as problem:
        return ColumnPortrait(name, role, changed, problem=f"{problem.where}: {problem.what}")


def _drawn(evidence: Evidence, name: str, role: str, changed: bool) -> ColumnPortrait:
    k = evidence.plan.k
    if on_a_line(evidence, name, changed):
        cells = published_line(evidence, name) if changed else plain_line(evidence.released, name)
        if isinstance(cells, str):
            return ColumnPortrait(name, role, changed, problem=cells)
        line = draw_line(cells, k)
        return ColumnPortrait(name, role, changed, line.bins, line.last, line.bars, line.kept)
    counts = published_labels(evidence, name) if changed else plain_labels(evidence.released, name)
    if isinstance(counts, str):
        return ColumnPortrait(name, role, changed, problem=counts)
    drawn = draw_labels(counts, k)
    return ColumnPortrait(name, role, changed, bars=drawn.bars, kept=drawn.kept, labels=len(counts.labels))


def on_a_line(evidence: Evidence, name: str, changed: bool) -> bool:
    """Whether a column is drawn on a line."""
    if changed:
        return isinstance(column_of(evidence, name), Line)
    return evidence.released.natural_kind(name) in (NUMERIC, DATE)


# -- pairs -------------------------------------------------------------------------------------------------------


def _pairs(original: Table, part: Part, plan: Plan, names: Sequence[str]) -> list[Pair]:
    """Pairs of columns of one table, on the same people before and after."""
    released, rows = part.released, part.rows
    if len(released) > SAMPLE:
        some = np.sort(np.random.default_rng(0).choice(len(released), SAMPLE, replace=False)).astype(np.int64)
        released, rows = released.take(some), rows[some]
    evidence = Evidence(original.take(rows), released, plan)
    columns = []
    for name in names:
        try:
            columns.append(_sides(evidence, name))
        except ShoalError:
            continue  # what cannot be read is told where the column is drawn
    return pairs_of([one for one in columns if one is not None])


def _sides(evidence: Evidence, name: str) -> Column | None:
    released = evidence.released
    if name not in evidence.plan.quasi_identifiers:
        line = released.natural_kind(name) in (NUMERIC, DATE)
        own = Side(True, released.numbers(name).values) if line else categories(released.codes(name)[0])
        return Column(name, own, own)
    column = column_of(evidence, name)
    if isinstance(column, Tree):
        leaves = np.where(np.isnan(column.positions), -1, column.positions).astype(np.int64)
        return Column(name, categories(leaves), categories(released.codes(name)[0]))
    reach = reach_of(evidence, name)
    if reach.problem:
        return None
    return Column(name, Side(True, column.positions), places(reach.low, reach.high))
