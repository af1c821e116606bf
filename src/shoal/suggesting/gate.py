# SPDX-License-Identifier: Apache-2.0
"""The gate before a release: every column has a role, and nothing that points to persons is published by oversight.

Whoever forgets a column is asked about it instead of publishing it. A column that clearly seems to point to persons and
would be published as it is needs a word of its own (``accept``), and so does one that may and that nobody named; one
that may and was named is warned about.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from shoal.ground.csv_text import csv_text
from shoal.ground.errors import PlanError, looks_like_a_cell, names_shown
from shoal.hierarchies.building import spread_rows
from shoal.plan.plan import Plan
from shoal.plan.roles import (
    DROP,
    IDENTIFIER,
    INSENSITIVE,
    QUASI_IDENTIFIER,
    RANGE_KINDS,
    ROLES,
    SENSITIVE,
    TEXT_PREFIX,
)
from shoal.suggesting.deciding import Guess
from shoal.suggesting.facts import SAMPLE
from shoal.suggesting.looking import look_at
from shoal.suggesting.unsaid import codes_among, other_ways
from shoal.tables.row_marks import tells_rows_apart
from shoal.tables.table import Table

SHOWN = 20
"""Columns that a message speaks of one by one."""
FLAGS = {
    QUASI_IDENTIFIER: "--qi",
    SENSITIVE: "--sensitive",
    IDENTIFIER: "--identifier",
    INSENSITIVE: "--insensitive",
    DROP: "--drop",
}
NAMING = (
    "name each by --qi, --sensitive, --identifier, --insensitive or --drop (not needed); in Python by "
    "quasi_identifiers=, sensitive=, identifiers=, insensitive= or drop="
)
SETTLING = "or settle the rest by --rest drop (left out) or --rest insensitive (published as it is); in Python by rest="
SUGGESTING = "or start from a plan that names every column: shoal suggest TABLE -o plan.toml"
NOBODY_HIDDEN = "k = 1 hides nobody: every record may be published as it is, alone with its values; ask for 2 or more"
NO_HEADER = "or, if the file has no line of names: --no-header and --columns"


class Admitted(NamedTuple):
    """A plan that may be carried out, and what its maker should know before publishing."""

    plan: Plan
    doubts: dict[str, str]
    """Columns that may give persons away, each with a sentence; '' for the whole table."""
    hints: tuple[str, ...]
    """What would lose less."""


def admitted(plan: Plan, table: Table) -> Admitted:
    """The plan with a role for every column; raises where something would be published by oversight."""
    table.require([*plan.columns, *plan.accept], where="plan, or flags and keywords in its place")
    forgotten = plan.without_role(table.names)
    if forgotten and plan.rest is None:
        raise _forgotten(forgotten, table, known=bool(plan.columns))
    plan = plan.with_rest(table.names)
    shown = [name for name in table.names if plan.role_of(name) in (SENSITIVE, INSENSITIVE)]
    seeming = _pointing(table, [name for name in shown if name not in plan.accept], plan.quasi_identifiers)
    refused = {name: guess for name, guess in seeming.items() if guess.sure or name in forgotten}
    if refused:
        raise _pointing_to_persons(refused, plan, forgotten)
    doubts = {name: _doubt(name, guess) for name, guess in seeming.items()}
    alone = {name: _unique(name) for name in plan.quasi_identifiers if _alone(table, plan, name)}
    whole = {"": NOBODY_HIDDEN} if plan.k == 1 and not plan.models else {}
    return Admitted(plan, doubts | alone | whole, tuple(other_ways(_sample(table), plan)))


# -- columns that nobody named -----------------------------------------------------------------------------------


def _forgotten(names: Sequence[str], table: Table, *, known: bool) -> PlanError:
    """The refusal; names are not shown where they may be cells, which they are not if the user knows some of them."""
    several = len(names) > 1
    hidden = any(map(looks_like_a_cell, names)) or (table.headed and not known)
    guesses = {} if hidden else look_at(_sample(table))
    seeming = {name: guesses[name] for name in names if not hidden}
    todo = [NAMING, SETTLING, *([NO_HEADER] if hidden and table.headed else []), SUGGESTING]
    return PlanError(
        f"{len(names)} columns have no role, so nobody has decided whether they may be published."
        if several
        else "A column has no role, so nobody has decided whether it may be published.",
        where="columns of the table",
        allowed=f"a role for every column: {', '.join(ROLES)}",
        received=table.names_shown(trusted=known)
        if hidden
        else "\n".join(["no role; look them over, they seem to be", *_lines(seeming)]),
        todo="\n".join([*_as_they_seem(seeming, table), *todo]),
    )


def _lines(guesses: Mapping[str, Guess]) -> list[str]:
    """A line per column: its name, what it seems to be, and the first reason."""
    width = max(map(len, guesses))
    shown = list(guesses.items())[:SHOWN]
    lines = [
        f"{name:<{width}}  {guess.role}{'' if guess.sure else ' (?)'}: {guess.reasons[0]}" for name, guess in shown
    ]
    return [*lines, *([f"and {len(guesses) - SHOWN} more"] if len(guesses) > SHOWN else [])]


def _as_they_seem(guesses: Mapping[str, Guess], table: Table) -> list[str]:
    """The flags that give a few columns the roles that they seem to have, and codes their kind, ready to be typed."""
    if not guesses or len(guesses) > SHOWN:
        return []
    roles = {role: [name for name, guess in guesses.items() if guess.role == role] for role in FLAGS}
    typed = [f"{FLAGS[role]} {_typed(names)}" for role, names in roles.items() if names]
    codes = codes_among(_sample(table), roles[QUASI_IDENTIFIER])
    typed += [f"--kind {shlex.quote(f'{name}={TEXT_PREFIX}')}" for name in codes]
    return [f"if that is what they are: {' '.join(typed)}"]


def _typed(names: Iterable[str]) -> str:
    """Names as one word of a command line."""
    return shlex.quote(csv_text([names]).removesuffix("\n"))


# -- columns that seem to point to persons -----------------------------------------------------------------------


def _sample(table: Table) -> Table:
    rows = spread_rows(len(table), SAMPLE)
    return table.take(rows) if len(rows) < len(table) else table


def _points(guess: Guess) -> bool:
    """Whether a column must not be shown as it is; a day of birth may be generalised, where there is no age."""
    return guess.role == IDENTIFIER or guess.about == "birth_date"


def _pointing(table: Table, names: Sequence[str], beside: Sequence[str]) -> dict[str, Guess]:
    """Which columns seem to point to persons, of some that stand beside others.

    Rows spread over a long table are looked at first. What is clear there, and what never repeats there, is looked at
    again in all rows, the way a suggestion does.
    """
    if not names or not len(table):
        return {}
    sample = _sample(table)
    guesses = look_at(sample, [*names, *beside])
    found = {name: guesses[name] for name in names if _points(guesses[name])}
    if len(sample) == len(table):
        return found
    again = [name for name in names if (name in found and found[name].sure) or tells_rows_apart(sample, name)]
    if again:
        whole = look_at(table, [*names, *beside])
        found |= {name: whole[name] for name in again}
    return {name: guess for name, guess in found.items() if _points(guess)}


def _pointing_to_persons(sure: Mapping[str, Guess], plan: Plan, forgotten: Sequence[str]) -> PlanError:
    several = len(sure) > 1
    what = f"{len(sure)} columns that seem" if several else "A column that seems"
    these = "them" if several else "it"
    width = max(map(len, sure))
    lines = [
        f"{name:<{width}}  is {_declared(name, plan, forgotten)}, but {guess.reasons[0]}"
        for name, guess in list(sure.items())[:SHOWN]
    ]
    more = [f"and {len(sure) - SHOWN} more columns"] if len(sure) > SHOWN else []
    them = _typed(sure)
    return PlanError(
        f"{what} to point to persons would be published as {'they are' if several else 'it is'}.",
        where=f"columns {names_shown(sure, quoted=True)}",
        allowed="the role identifier or drop (not published) or quasi-identifier (generalised); or acceptance by name",
        received="\n".join([*lines, *more]),
        todo=f"leave {these} out: --identifier {them} (names a person) or --drop {them} (not needed)\n"
        f"or, only if nobody can be found by {these}: --accept {them}; in Python accept, in a plan accept in [privacy]",
    )


def _declared(name: str, plan: Plan, forgotten: Sequence[str]) -> str:
    role = plan.role_of(name)
    return f"{role} by rest" if name in forgotten else f"declared {role}"


def _doubt(name: str, guess: Guess) -> str:
    return (
        f"column {name!r} may point to persons and is published as it is: {guess.reasons[0]}; make it an identifier or "
        "drop it, or accept it by name if nobody can be found by it"
    )


# -- quasi-identifiers that say something else in every row --------------------------------------------------------


def _alone(table: Table, plan: Plan, name: str) -> bool:
    """Whether every row has a value of its own, as keys and names have; quantities may all differ."""
    if not tells_rows_apart(table, name):
        return False
    kind = plan.columns[name].kind or table.natural_kind(name)
    return kind not in RANGE_KINDS or look_at(_sample(table), [name])[name].role == IDENTIFIER


def _unique(name: str) -> str:
    return (
        f"quasi-identifier {name!r} is different in every row, so that little of it is left and the others lose more: "
        "should it be an identifier, or be dropped?"
    )
