# SPDX-License-Identifier: Apache-2.0
"""``suggest``: looks at a table and says what each column seems to be, why, and how it could be published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.ground.errors import PlanError
from shoal.ground.wording import phrase
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.plan.roles import DROP, IDENTIFIER, QUASI_IDENTIFIER, SENSITIVE
from shoal.plan.values import as_found
from shoal.suggesting import whose_rows
from shoal.suggesting.deciding import Guess
from shoal.suggesting.facts import Facts, Uniqueness, measure_columns
from shoal.suggesting.kinds import decide_kind, suggested_order
from shoal.suggesting.looking import decide
from shoal.suggesting.notes import notes_on
from shoal.suggesting.ranking import left_out
from shoal.suggesting.skewness import skewed
from shoal.suggesting.suggestion import Suggested, Suggestion
from shoal.suggesting.trees import MOST_FLAT, Grown, suggest_trees
from shoal.tables.codebooks import read_codebook
from shoal.tables.frames import as_table
from shoal.tables.profile import marks_among_numbers
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from shoal.tables.table import Table

K = 10
"""A usual choice for tables that leave the house: the best guess about a person is right once in ten times."""

Guesses = dict[str, Guess]


def suggest(
    data: Any, *, k: int | None = None, codebook: str | Path | None = None, reading: Reading | None = None
) -> Suggestion:
    """Roles, kinds and hierarchies for a table that nobody has described, with a reason each, as a complete plan.

    ``data`` is a pandas, Polars or PyArrow frame, or the path of a file; ``codebook`` a file that tells what columns
    and codes mean. Everything is measured on the table itself, with words of several languages and without any network.
    """
    named = reading.na if reading is not None else ()
    table, reading = _read(data, reading)
    table.require_rows("so nothing can be told about its columns")
    _refuse_too_large(k, len(table))
    table, open_notations = as_found(table, reading)
    book = None if codebook is None else read_codebook(codebook, table.names)
    described = table if book is None else book.added_to(table)
    facts = measure_columns(described)
    guesses = decide(described, facts)
    shown = [name for name, guess in guesses.items() if guess.role in (QUASI_IDENTIFIER, SENSITIVE)]
    kinds = {name: decide_kind(facts[name], guesses[name].topic, name in open_notations) for name in shown}
    known = {name: kinds[name][0] for name, guess in guesses.items() if guess.role == QUASI_IDENTIFIER}
    settled = {name: kind for name, kind in known.items() if name not in open_notations}
    trees = suggest_trees(described, settled, {name: guesses[name].about for name in settled})
    guesses |= _too_fine(guesses, facts, trees)
    guesses |= {name: replace(guesses[name], sure=False) for name in open_notations}
    quasi = [name for name in known if not guesses[name].next]
    together = Uniqueness(table, quasi, [name for name in known if name not in quasi])
    columns = {
        name: _column(facts[name], guess, kinds.get(name), trees.get(name), together) for name, guess in guesses.items()
    }
    chosen = k if k is not None else max(1, min(K, len(table) // 2))
    planned = {name: _planned(column) for name, column in columns.items()}
    plan = Plan(chosen, columns=planned, reading=reading)
    notes = [
        *notes_on(columns, facts, usual=K if k is None else None),
        *whose_rows.note(table, [name for name, column in columns.items() if column.role == IDENTIFIER]),
        *skewed(table, {name: known[name] for name in quasi}),
        *dict.fromkeys(open_notations.values()),
        *_marks(reading.na, named),
    ]
    if book is not None:
        notes.insert(0, f"codebook: {book}")
    return Suggestion(plan, columns, len(table), together.alone, tuple(notes), described)


def _planned(column: Suggested) -> ColumnPlan:
    if column.planned == DROP:
        return ColumnPlan(DROP)
    return ColumnPlan(column.role, column.kind, column.hierarchy, order=column.order)


def _read(data: Any, reading: Reading | None) -> tuple[Table, Reading]:
    """The table and how it was read; marks that keep a column from being numbers are read as missing."""
    several = isinstance(data, Sequence) and not isinstance(data, str)
    if not isinstance(data, str | Path) and not several:
        return as_table(data), reading or Reading()
    source = read_table(data, reading)
    marks = marks_among_numbers(source.table)
    if marks:
        source = read_table(data, replace(source.reading, na=(*source.reading.na, *marks)))
    return source.table, source.reading


def _marks(found: Sequence[str], named: Sequence[str]) -> list[str]:
    """Which texts among numbers are taken for missing cells; they are no secrets."""
    marks = [repr(mark) for mark in found if mark not in named]
    return [f"{phrase(marks)} among numbers and dates {'is' if len(marks) == 1 else 'are'} read as missing"] * bool(
        marks
    )


def _refuse_too_large(k: int | None, rows: int) -> None:
    if k is not None and k > rows:
        what, allowed = "No record can have so many look-alikes.", f"at most the number of rows, {rows}"
        raise PlanError(what, "k", allowed, str(k), "choose a smaller k; 10 is usual")


def _too_fine(guesses: Mapping[str, Guess], facts: Mapping[str, Facts], trees: Mapping[str, Grown]) -> Guesses:
    """Columns of many values that nothing groups, such as cities: they could only be published whole or not at all."""
    fine = [
        name
        for name, grown in trees.items()
        if not grown.grouped and facts[name].distinct > MOST_FLAT and not guesses[name].next
    ]
    changed = {}
    for name in fine:
        guess = guesses[name]
        others = [
            other
            for other, one in guesses.items()
            if one.role == QUASI_IDENTIFIER and one.about == guess.about and guess.about and other not in fine
        ]
        reason = f"nothing groups its {facts[name].distinct:,} values"
        if others:
            changed[name] = left_out(guess, f"{reason}, and {others[0]!r} is there")
        else:
            changed[name] = replace(guess, reasons=(*guess.reasons, f"{reason}: a mapping is needed"), sure=False)
    return changed


def _column(
    facts: Facts, guess: Guess, kind: tuple[str, str] | None, grown: Grown | None, together: Uniqueness
) -> Suggested:
    counted = facts.name in together.names
    reasons = [*guess.reasons, *([kind[1]] if counted and kind and kind[1] else [])]
    return Suggested(
        role=guess.role,
        kind=kind[0] if kind else None,
        hierarchy=grown.tree if grown else None,
        reasons=tuple(reasons),
        sure=guess.sure,
        built=grown.how if grown else "",
        distinct=facts.distinct,
        missing=facts.rows - facts.present,
        entropy=facts.entropy,
        adds=together.adds(facts.name) if counted else None,
        about=guess.topic.about if guess.topic else "",
        next=guess.next,
        order=suggested_order(facts, kind[0]) if kind else None,
    )
