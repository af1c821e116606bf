# SPDX-License-Identifier: Apache-2.0
"""``suggest``: looks at a table and says what each column seems to be, why, and how it could be published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from shoal.errors import TableError
from shoal.hierarchies.building import spread_rows
from shoal.plan import ColumnPlan, Plan
from shoal.roles.roles import DATE, IDENTIFIER, NUMERIC, QUASI_IDENTIFIER, SENSITIVE
from shoal.suggesting.deciding import KEY_VALUES, Guess, decide_roles
from shoal.suggesting.facts import SAMPLE, Facts, Uniqueness, measure_columns
from shoal.suggesting.kinds import decide_kind
from shoal.suggesting.suggestion import Suggested, Suggestion
from shoal.suggesting.trees import suggest_trees
from shoal.tables.frames import as_table
from shoal.tables.profile import fingerprints, marks_among_numbers
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from shoal.tables.table import Table

K = 10
"""A usual choice for tables that leave the house: the best guess about a person is right once in ten times."""
ALMOST = 0.98
"""Share of the values by which two columns may differ and still say the same; a name may be that of two things."""
SEVERAL = 2
"""Rows per value from which on a key is one of things, and not of rows."""
MANY_COLUMNS = 15
"""Quasi-identifiers from which on hardly any two rows look alike, and much has to be blurred."""


def suggest(data: Any, *, k: int | None = None, reading: Reading | None = None) -> Suggestion:
    """Roles, kinds and hierarchies for a table that nobody has described, with a reason each, as a complete plan.

    ``data`` is a pandas, Polars or PyArrow frame, or the path of a file. Everything is measured on the table itself,
    with words of several languages and without any network.
    """
    table, reading = _read(data, reading)
    _refuse_empty(table)
    facts = measure_columns(table)
    guesses = decide_roles(facts, _spans(table, facts), _twins(table, facts))
    kinds = {
        name: decide_kind(facts[name]) for name, one in guesses.items() if one.role in (QUASI_IDENTIFIER, SENSITIVE)
    }
    quasi = {name: kind for name, (kind, _) in kinds.items() if guesses[name].role == QUASI_IDENTIFIER}
    trees = suggest_trees(table, quasi)
    together = Uniqueness(table, list(quasi))
    columns = {
        name: _column(facts[name], one, kinds.get(name), trees.get(name), together) for name, one in guesses.items()
    }
    chosen = k if k is not None else max(1, min(K, len(table) // 2))
    plan = Plan(
        chosen,
        columns={name: ColumnPlan(one.role, one.kind, one.hierarchy) for name, one in columns.items()},
        reading=reading,
    )
    return Suggestion(plan, columns, len(table), together.alone, _notes(columns, facts, len(table), k))


def _read(data: Any, reading: Reading | None) -> tuple[Table, Reading]:
    """The table and how it was read; marks that keep a column from being numbers are read as missing."""
    several = isinstance(data, Sequence) and not isinstance(data, str)
    if not isinstance(data, str | Path) and not several:
        return as_table(data), reading or Reading()
    source = read_table(data, reading)
    marks = [] if source.reading.na else marks_among_numbers(source.table)
    if marks:
        source = read_table(data, replace(source.reading, na=tuple(marks)))
    return source.table, source.reading


def _refuse_empty(table: Table) -> None:
    if not len(table):
        raise TableError(
            "The table has no rows, so nothing can be told about its columns.",
            where="the table",
            allowed="at least one row",
            received="0 rows",
            todo="check that the right file was given",
        )


def _spans(table: Table, facts: Mapping[str, Facts]) -> dict[str, float]:
    """Days that the dates of each column span."""
    found = {}
    for name, one in facts.items():
        if one.kind == DATE and one.present:
            numbers = table.numbers(name)
            days = np.nanmax(numbers.values) - np.nanmin(numbers.values)
            found[name] = float(days if numbers.style == "date" else days / 86_400e6)
    return found


def _twins(table: Table, facts: Mapping[str, Facts]) -> dict[str, str]:
    """Columns of many values, each on several rows, that say the same as another one; one of the two is text."""
    many = [one for one in facts.values() if one.distinct >= KEY_VALUES and one.repeats >= SEVERAL]
    sample = table.take(spread_rows(len(table), SAMPLE)).select([one.name for one in many])
    prints = {one.name: fingerprints(sample, one.name) for one in many}
    found: dict[str, str] = {}
    for place, one in enumerate(many):
        for other in many[place + 1 :]:
            fewest, largest = sorted([one.distinct, other.distinct])
            if {one.kind, other.kind} == {NUMERIC} or one.present != other.present or fewest < ALMOST * largest:
                continue
            pairs = prints[one.name] * np.uint64(3) + prints[other.name]
            if ALMOST * len(np.unique(pairs)) <= max(len(one.texts), len(other.texts)):
                found.setdefault(one.name, other.name)
                found.setdefault(other.name, one.name)
    return found


def _column(
    facts: Facts, guess: Guess, kind: tuple[str, str] | None, tree: tuple[Any, str] | None, together: Uniqueness
) -> Suggested:
    reasons = list(guess.reasons)
    adds = None
    if facts.distinct and guess.role != IDENTIFIER:
        reasons.append(f"{facts.distinct:,} values, {facts.entropy:.1f} bits")
    if guess.role == QUASI_IDENTIFIER:
        adds = together.adds(facts.name)
        reasons.append(f"beside three others it makes {_percent(adds)} more rows unique")
        reasons += [kind[1]] if kind and kind[1] else []
    return Suggested(
        role=guess.role,
        kind=kind[0] if kind else None,
        hierarchy=tree[0] if tree else None,
        reasons=tuple(reasons),
        sure=guess.sure,
        built=tree[1] if tree else "",
        distinct=facts.distinct,
        missing=facts.rows - facts.present,
        entropy=facts.entropy,
        adds=adds,
    )


def _percent(share: float) -> str:
    return f"{share:.1%}" if 0 < share < 0.1 else f"{share:.0%}"


def _notes(columns: Mapping[str, Suggested], facts: Mapping[str, Facts], rows: int, k: int | None) -> tuple[str, ...]:
    said = []
    if k is None:
        said.append(
            f"k = {K} is a usual choice: the best guess about a person is right at most once in {K} times"
            if rows >= 2 * K
            else "k is half the number of rows, for there are few of them"
        )
    quasi = [name for name, one in columns.items() if one.role == QUASI_IDENTIFIER]
    if not quasi:
        said.append("no column seems to be a quasi-identifier, so there is nothing to protect: name some")
    if len(quasi) >= MANY_COLUMNS:
        said.append(
            f"{len(quasi)} quasi-identifiers are many, and each costs precision: "
            "make those insensitive that no outsider can know"
        )
    if any(one.role == SENSITIVE for one in columns.values()):
        said.append("nothing is promised about the sensitive columns yet: see l_diversity and t_closeness")
    repeated = [
        name
        for name, one in columns.items()
        if one.role == IDENTIFIER
        and facts[name].repeats >= SEVERAL
        and facts[name].evenness >= 0.9
        and facts[name].shown
    ]
    if repeated:
        said.append(
            f"{repeated[0]!r} has {facts[repeated[0]].repeats:.0f} rows per value: if it tells whose rows they are, "
            f"person = {repeated[0]!r} in [privacy] makes k count persons"
        )
    return tuple(said)
