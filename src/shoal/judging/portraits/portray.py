# SPDX-License-Identifier: Apache-2.0
"""A release beside its original: columns, pairs of columns, attackers. Bounded work and bounded size for any table."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import numpy as np

from shoal.ground.arrays import Ints
from shoal.ground.errors import ShoalError
from shoal.ground.progress import Progress
from shoal.judging.associations import Side, categories, places
from shoal.judging.attacks import homogeneity, minimality, row_order, skewness
from shoal.judging.attempts import Attempt, Scene, not_tried
from shoal.judging.evidence import Evidence
from shoal.judging.labels.lines import Line
from shoal.judging.labels.reach import column_of, reach_of
from shoal.judging.labels.trees import LabelTree
from shoal.judging.portraits.categories import (
    LabelCounts,
    draw_labels,
    places_as_labels,
    plain_labels,
    published_labels,
)
from shoal.judging.portraits.lines import draw_line, plain_line, published_line
from shoal.judging.portraits.pairs import ComparedColumn, pairs_of
from shoal.judging.portraits.portrait import ColumnPortrait, Pair, Portrait, Subtable
from shoal.judging.survey import row_weights
from shoal.plan.plan import Plan
from shoal.plan.roles import DATE, NUMERIC, QUASI_IDENTIFIER, SENSITIVE
from shoal.tables.table import Table

MOST_COLUMNS = 40
PAIRED_COLUMNS = 20
SAMPLE = 20_000
"""Rows that pairs of columns are measured on."""
MOST_ATTACKED = 1_000_000
"""Rows above which the attacks are left to the command that is made for them."""
ABOUT_PRIVATE_VALUES = (homogeneity, skewness)
ABOUT_ROWS = (minimality, row_order)


def portray(
    original: Table, parts: Sequence[Subtable], plan: Plan, progress: Progress | None = None, *, lent: bool = False
) -> Portrait:
    """``original`` needs no more columns than the quasi-identifiers, and survey weights; ``parts`` are the sub-tables.

    ``lent``: the rows show private values of another record than their labels. Progress counts parts and the attacks.
    """
    report = progress or Progress()
    columns: list[ColumnPortrait] = []
    left: list[str] = []
    pairs: list[Pair] = []
    sampled = False
    for number, part in enumerate(parts):
        report(number, len(parts) + 1)
        names = _names(part.released, plan, already={one.name for one in columns})
        room = max(MOST_COLUMNS - len(columns), 0)
        left += names[room:]
        before = original if len(part.rows) == len(original) else original.take(np.sort(part.rows))
        columns += [_column(Evidence(before, part.released, plan), name) for name in names[:room]]
        paired = _names(part.released, plan)[:PAIRED_COLUMNS]
        pairs += [one for one in _pairs(original, part, plan, paired) if one not in pairs]
        sampled |= len(part.released) > SAMPLE
    report(len(parts), len(parts) + 1)
    tables, rows = [part.released for part in parts], [part.rows for part in parts]
    return Portrait(
        tuple(columns),
        tuple(left),
        tuple(sorted(pairs, key=lambda pair: -round(abs(pair.before), 12))),
        SAMPLE if sampled else None,
        _attempts(*_released(original, rows), tables, plan, lent),
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
    role = plan.role_of(name)
    changed = role == QUASI_IDENTIFIER
    try:
        return _drawn(evidence, name, role, changed)
    except ShoalError as problem:
        return ColumnPortrait(name, role, changed, problem=f"{problem.where}: {problem.what}")


def _drawn(evidence: Evidence, name: str, role: str, changed: bool) -> ColumnPortrait:
    k = evidence.plan.k
    if on_a_line(evidence, name, changed) and not _two_places(evidence, name, changed):
        cells = published_line(evidence, name) if changed else plain_line(evidence, name)
        if isinstance(cells, str):
            return ColumnPortrait(name, role, changed, problem=cells)
        line = draw_line(cells, k)
        return ColumnPortrait(name, role, changed, line.bins, line.last, line.bars, line.kept)
    counts = _counts(evidence, name, changed)
    if isinstance(counts, str):
        return ColumnPortrait(name, role, changed, problem=counts)
    drawn = draw_labels(counts, k)
    return ColumnPortrait(name, role, changed, bars=drawn.bars, kept=drawn.kept, labels=len(counts.labels))


def _counts(evidence: Evidence, name: str, changed: bool) -> LabelCounts | str:
    """The rows under each label; a text says why it cannot be read."""
    if not changed:
        return plain_labels(evidence, name)
    return (places_as_labels if on_a_line(evidence, name, changed) else published_labels)(evidence, name)


def _two_places(evidence: Evidence, name: str, changed: bool) -> bool:
    """Whether a column on a line shows one place or two, such as 0 and 1, which bars tell better than a curve."""
    if not changed:
        ends = evidence.released.numbers(name).values
    elif evidence.plan.rendering(name) == "bounds" or (reach := reach_of(evidence, name)).problem:
        return False
    else:
        ends = np.append(reach.low, reach.high)
    return 1 <= len(np.unique(ends[np.isfinite(ends)])) <= 2


def on_a_line(evidence: Evidence, name: str, changed: bool) -> bool:
    """Whether a column is drawn on a line."""
    if changed:
        return isinstance(column_of(evidence, name), Line)
    return evidence.released.natural_kind(name) in (NUMERIC, DATE)


def _pairs(original: Table, part: Subtable, plan: Plan, names: Sequence[str]) -> list[Pair]:
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
    return pairs_of([one for one in columns if one is not None], row_weights(evidence))


def _sides(evidence: Evidence, name: str) -> ComparedColumn | None:
    released = evidence.released
    if name not in evidence.plan.quasi_identifiers:
        line = released.natural_kind(name) in (NUMERIC, DATE)
        own = Side(True, released.numbers(name).values) if line else categories(released.codes(name)[0])
        return ComparedColumn(name, own, own)
    column = column_of(evidence, name)
    if isinstance(column, LabelTree):
        leaves = np.where(np.isnan(column.positions), -1, column.positions).astype(np.int64)
        return ComparedColumn(name, categories(leaves), categories(released.codes(name)[0]))
    reach = reach_of(evidence, name)
    if reach.problem:
        return None
    return ComparedColumn(name, Side(True, column.positions), places(reach.low, reach.high))


def _released(original: Table, rows: Sequence[Ints]) -> tuple[Table, list[Ints]]:
    """The original without rows that no table shows, and the rows as they are numbered then."""
    is_shown = np.zeros(len(original), dtype=np.bool_)
    for of_table in rows:
        is_shown[of_table] = True
    if is_shown.all():
        return original, list(rows)
    shown = np.flatnonzero(is_shown)
    return original.take(shown), [np.searchsorted(shown, of_table).astype(np.int64) for of_table in rows]


def _attempts(
    original: Table, rows: Sequence[Ints], tables: Sequence[Table], plan: Plan, lent: bool
) -> tuple[Attempt, ...]:
    """Every attack that needs no table of the attacker's own, so that it costs little; one that fails says why."""
    scene = Scene(tuple(tables), plan, plan.k, rows=tuple(rows), original=original)
    found: list[Attempt] = []
    for attack in (*ABOUT_PRIVATE_VALUES, *ABOUT_ROWS):
        if len(original) > MOST_ATTACKED:
            found.append(not_tried(attack.NAME, f"not tried in reports on more than {MOST_ATTACKED:,} rows"))
        elif lent and attack in ABOUT_PRIVATE_VALUES:
            found.append(not_tried(attack.NAME, "a box shows the private values of some record in it, not of its own"))
        else:
            found += _tried(attack, scene)
    return tuple(found)


def _tried(attack: ModuleType, scene: Scene) -> list[Attempt]:
    try:
        return list(attack.attempt(scene))
    except ShoalError as problem:  # a label or a column that the attack cannot read; the report goes on without it
        return [not_tried(attack.NAME, f"{problem.what} ({problem.where})")]
