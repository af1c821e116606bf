# SPDX-License-Identifier: Apache-2.0
"""What a plan says about the values of columns, and what the cells say where it leaves that open.

How numbers and dates are written matters for quasi-identifiers and private columns that are read as such; all others
stay the text they are. What was found in the cells of the original is written into the plan, so that the run replays
and the judge reads the labels of the release in the same way.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from shoal.ground.errors import TableError, column_words, flag_column, flags_of, listed
from shoal.ground.missing_words import says_nothing
from shoal.ground.wording import columns_are, counted
from shoal.plan.checks import REFUSE
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.plan.roles import CATEGORICAL, DATE, NUMERIC, QUASI_IDENTIFIER, SENSITIVE
from shoal.tables.date_formats import ISO, date_format
from shoal.tables.detecting import Found, Told
from shoal.tables.notation import PLAIN, Notation
from shoal.tables.notations import (
    found_notation,
    has_parts_of_microseconds,
    holds_whole_numbers,
    open_question,
    stray_values,
)
from shoal.tables.reading import KEEP, Reading, is_utf8
from shoal.tables.table import Table

ISO_FORMATS = (ISO, f"{ISO}Thh:mm:ss")
"""Dates that files without types are known to hold."""
CUT = "told to parts of microseconds, which are left out: moments are counted in whole ones"
NAMES = "taken for names, though text of whole numbers"
CHOICES, MIXED = "choices", "mixed"
MOST_TOLD = 5
"""Words for missing that a message names."""
ORDERING = ("t_closeness",)
"""Models for which the size of private values matters, and not only which of them are the same."""


def as_told(table: Table, plan: Plan) -> Table:
    """The table with what a plan says of its columns, whether it shows them as they were or published."""
    shown = {
        name: column
        for column_name, column in plan.columns.items()
        for name in {column_name, *plan.published(column_name)}
        if name in table.names
    }
    orders = {name: column.order for name, column in shown.items() if column.order is not None}
    told = {name: _notation(column, plan) for name, column in shown.items() if _says_notation(column)}
    known = {name: table.notations.get(name) for name in told}
    kept = {name: known[name] or one if known[name] == one else one for name, one in told.items()}
    if not orders and not kept:
        return table
    return table.marked(orders={**table.orders, **orders}, notations={**table.notations, **kept})


def refuse_missing(table: Table, plan: Plan, columns: Sequence[str]) -> None:
    """Stop if any of some quasi-identifiers has missing cells and the plan refuses them."""
    if plan.missing != REFUSE:
        return
    refuse_holes({name: int(table.missing(name).sum()) for name in columns})


def refuse_holes(counts: Mapping[str, int]) -> None:
    """The same, by the number of missing cells of each column."""
    holes = {name: count for name, count in counts.items() if count}
    if holes:
        raise TableError(
            "Quasi-identifiers have missing cells, and the plan refuses them.",
            where=f"columns {listed(holes)}",
            allowed="no missing cell with missing = 'refuse'",
            received=listed(f"{name}: {count}" for name, count in holes.items()),
            todo="choose --missing own or wildcard, or fill the cells first",
        )


def understood(
    table: Table, plan: Plan, refused: Collection[str] = (CHOICES, MIXED)
) -> tuple[Table, Plan, tuple[str, ...]]:
    """An original and its plan with the notation of every column that needs one, and what there is to say about it.

    Refuses columns of which the cells leave open how they are to be read: because several readings fit (``choices``),
    or because none does (``mixed``). A note is the same whether something was found in the cells or the plan says it: a
    plan that is replayed says what was found out, and its report must be the same.
    """
    notations: dict[str, Notation] = {}
    columns: dict[str, ColumnPlan] = {}
    remarks: dict[str, list[str]] = {}
    for name, column in plan.columns.items():
        if name not in table.names:
            continue
        if not is_read(column):
            _note(remarks, name, _taken_for_names(table, name, column, plan))
            continue
        found = found_notation(table, name, told_of(column, plan))
        _refuse_unfit(table, name, column, found)
        if column.role == QUASI_IDENTIFIER and has_parts_of_microseconds(table, name, found.notation):
            _note(remarks, name, [CUT])
        if found.notation is None:
            if (found.choices and CHOICES in refused) or (found.mixed and MIXED in refused):
                _refuse_open(name, column, plan, found)
            _note(remarks, name, _strays(table, name, column))
        elif table.untyped and found.notation.date_format in ISO_FORMATS and column.date_format is None:
            columns[name] = _recorded(table, column, found.notation)
        elif _counts(table, name, column, found.notation):
            notations[name] = found.notation
            columns[name] = _recorded(table, column, found.notation)
            if _says_notation(columns[name]):
                _note(remarks, name, [f"read as {found.notation.words}"])
        else:
            _note(remarks, name, [NAMES])
    told = table.marked(notations={**table.notations, **notations})
    plan = plan.with_columns(columns) if columns else plan
    return as_told(told, plan), plan, tuple(_told(remark, names) for remark, names in remarks.items())


def _note(remarks: dict[str, list[str]], name: str, found: Iterable[str]) -> None:
    """Set down what there is to say of a column, with the others of which the same is to be said."""
    for remark in found:
        remarks.setdefault(remark, []).append(name)


def _told(remark: str, names: Sequence[str]) -> str:
    otherwise = f"; {flags_of(names, '--kind {}=numeric')} if not" if remark == NAMES else ""
    return f"{columns_are(names)} {remark}{otherwise}"


def reading_notes(plan: Plan) -> tuple[str, ...]:
    """What there is to say about how the file was read, and how it will be written."""
    notes = []
    reading = plan.reading
    if reading.skip_lines:
        lines = counted(reading.skip_lines, "line above the table was", "lines above the table were")
        notes.append(f"{lines} taken for a title and left out")
    if reading.encoding is not None and not is_utf8(reading.encoding):
        kept = f"in {reading.encoding}, as the input is"
        other = f"in UTF-8; the input is in {reading.encoding} (--encoding-out keep keeps that)"
        notes.append(f"as text the released table is written {kept if reading.encoding_out == KEEP else other}")
    return tuple(notes)


def as_known(table: Table, plan: Plan) -> Table:
    """A table that others hold, beside a release: read as the plan says where that fits, else as its cells say."""
    told = as_told(table, plan)
    notations: dict[str, Notation] = {}
    for name, column in plan.columns.items():
        if name in table.names and is_read(column):
            found = found_notation(table, name, told_of(column, plan)).notation
            found = found or found_notation(table, name, Told(kind=column.kind)).notation
            notations |= {name: found} if found is not None else {}
    return told.marked(notations={**told.notations, **notations})


def as_found(table: Table, reading: Reading | None = None) -> tuple[Table, dict[str, str]]:
    """A table that nobody has described, with the notation of every column of text; and a note on each left open.

    Of columns that are left open in the same way it is the same note.
    """
    given = reading or Reading()
    told = Told(given.decimal, given.thousands, given.date_format)
    found = {name: found_notation(table, name, told) for name in table.names if table.is_text(name)}
    clear = {
        name: one.notation
        for name, one in found.items()
        if one.notation is not None and _counts(table, name, ColumnPlan(), one.notation)
    }
    unsettled = {name: one for name, one in found.items() if one.choices}
    alike = {one: [name for name in unsettled if unsettled[name] == one] for one in unsettled.values()}
    notes = {name: _left_open(alike[one], one) for name, one in unsettled.items()}
    return table.marked(notations={**table.notations, **clear}), notes


def _left_open(names: Sequence[str], found: Found) -> str:
    """What to say of columns that can be read in the same several ways, and of what a plan calls them meanwhile."""
    one = names[0] if len(names) == 1 else "COLUMN"
    asked = open_question(one, found, "leave it as it is, for names")
    dates = any(isinstance(one, str) or one.date_format for one in found.choices)
    kind = f"--kind {flag_column(one)}={DATE if dates else NUMERIC}"
    return f"{columns_are(names)} open to several readings: {asked.todo}; with this plan, say {kind}, too"


def is_read(column: ColumnPlan) -> bool:
    """Whether a column may have to be read as numbers or dates."""
    open_kind = column.kind in (None, NUMERIC, DATE) and column.hierarchy is None and column.order is None
    return open_kind and column.role in (QUASI_IDENTIFIER, SENSITIVE)


def _says_notation(column: ColumnPlan) -> bool:
    return column.date_format is not None or column.decimal is not None or column.thousands is not None


def told_of(column: ColumnPlan, plan: Plan) -> Told:
    """What is said of a column, by itself or with all others."""
    given, whole = column, plan.reading
    if _says_notation(column):
        return Told(given.decimal, given.thousands, given.date_format, given.kind)
    return Told(whole.decimal, whole.thousands, whole.date_format, given.kind)


def _notation(column: ColumnPlan, plan: Plan) -> Notation:
    told = told_of(column, plan)
    if told.date_format is not None:
        return Notation(date_format=date_format(told.date_format).text)
    other = "," if told.thousands == "." else "."
    return Notation(told.decimal or other, told.thousands or "")


def _counts(table: Table, name: str, column: ColumnPlan, notation: Notation) -> bool:
    """Whether text is to be read: always where the file knows no types, else if it is more than plain whole numbers."""
    plain = notation == PLAIN and not notation.look.places
    if table.untyped or column.kind is not None or not plain or not table.is_text(name):
        return True
    return not holds_whole_numbers(table, name)


def _recorded(table: Table, column: ColumnPlan, notation: Notation) -> ColumnPlan:
    """The column as the plan is to keep it: what everybody would read in the same way need not be said."""
    quasi = column.role == QUASI_IDENTIFIER
    kind = column.kind or ((DATE if notation.date_format else NUMERIC) if quasi else None)
    if notation.date_format:
        usual = table.untyped and notation.date_format in ISO_FORMATS
        return replace(column, kind=kind, date_format=None if usual else notation.date_format)
    if table.untyped and notation.decimal == table.decimal and not notation.thousands:
        return replace(column, kind=kind)
    return replace(column, kind=kind, decimal=notation.decimal, thousands=notation.thousands or None)


def _taken_for_names(table: Table, name: str, column: ColumnPlan, plan: Plan) -> Iterator[str]:
    """What there is to say of a column that the plan calls names, as a run does that found nothing better."""
    unsaid = replace(column, kind=None)
    if column.kind != CATEGORICAL or column.role != QUASI_IDENTIFIER or not is_read(unsaid):
        return
    notation = found_notation(table, name, told_of(unsaid, plan)).notation
    if notation is None:
        yield from _strays(table, name, unsaid)
    elif not _counts(table, name, unsaid, notation):
        yield NAMES


def _strays(table: Table, name: str, column: ColumnPlan) -> Iterator[str]:
    """A word about a column that is one of numbers or dates but for a few cells; a refusal where it is to be one."""
    others = stray_values(table, name)
    if not others:
        return
    mending = _mending(others)
    if column.kind is not None:
        raise TableError(
            f"A column is to hold {'dates' if column.kind == DATE else 'numbers'}, and a few of its cells are none.",
            where=column_words(name),
            allowed="numbers or dates that are all written in one way, and missing cells",
            received=f"{len(others)} different {'texts' if len(others) > 1 else 'text'} among them that are neither",
            todo=f"{mending}, or write them in one way, or {_without_kind(name, column)}",
        )
    yield f"taken for names: all values look like numbers or dates but {len(others)}; {mending}"


def _mending(others: Sequence[str]) -> str:
    """What to do about cells that are no numbers; words for missing are no secrets and are told."""
    known = [text for text in others if says_nothing(text)]
    if len(known) < len(others) or len(known) > MOST_TOLD:
        return "if these mean missing, name them with --na"
    return f"if these mean missing: {' '.join(f'--na {shlex.quote(text)}' for text in known)}"


def _without_kind(name: str, column: ColumnPlan) -> str:
    return "leave out its kind" if column.role == SENSITIVE else f"--kind {flag_column(name)}=categorical"


# -- what is refused -----------------------------------------------------------------------------------------


def _refuse_unfit(table: Table, name: str, column: ColumnPlan, found: Found) -> None:
    """Refuse cells that are not written as it was said of this very column."""
    notation, fits = found.notation, True
    if column.date_format is not None:
        fits = notation is not None and notation.date_format == date_format(column.date_format).text
    elif column.decimal is not None or column.thousands is not None:
        fits = notation is not None and not notation.date_format
    if _says_notation(column) and not fits and not table.missing(name).all():
        raise TableError(
            "The cells of a column are not written as it was said.",
            where=column_words(name),
            allowed=_notation(column, Plan(1)).words,
            received="cells that are something else",
            todo="leave it out to have it found, or mark cells as missing with --na",
        )


def _refuse_open(name: str, column: ColumnPlan, plan: Plan, found: Found) -> None:
    """Refuse to guess where several readings fit, or none does."""
    needed = column.role == QUASI_IDENTIFIER or (column.kind or any(model in plan.models for model in ORDERING))
    if not needed:
        return
    raise open_question(name, found, "leave out its kind" if column.role == SENSITIVE else "")
