# SPDX-License-Identifier: Apache-2.0
"""Quasi-identifiers of which nobody said what their values are: what a run makes of them, and what a suggestion would.

Without a plan a column is what its cells are, in a run as for the judge: numbers and dates become ranges, other text is
shown whole or not at all. A suggestion also asks what the column is about (:func:`~shoal.suggesting.kinds.decide_kind`,
:func:`~shoal.suggesting.trees.suggest_trees`), which is more than a flag has said, so a run does not act on it. Where
the two part, a note says what was done, why, and what to type to have it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from shoal.ground.errors import flag_column
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.plan.roles import CATEGORICAL, NUMERIC, ORDERED, TEXT_PREFIX
from shoal.plan.values import as_found
from shoal.suggesting.facts import measure_columns
from shoal.suggesting.kinds import decide_kind, suggested_order
from shoal.suggesting.looking import decide
from shoal.suggesting.trees import suggest_trees
from shoal.tables.table import Table

DONE = {
    NUMERIC: ("as ranges", "its cells are numbers and its kind was not given"),
    CATEGORICAL: ("whole or as *", "its cells are text and neither kind nor hierarchy was given"),
}
"""How columns of a kind are published, and why those of which nothing was said."""
INSTEAD = {
    TEXT_PREFIX: "shows how its codes begin instead",
    CATEGORICAL: "shows it whole or as * instead",
    ORDERED: "shows it from the first to the last of a group instead",
}


class Proposed(NamedTuple):
    """What a suggestion makes of a column."""

    kind: str
    why: str
    worded: bool
    """Whether it has an order that its values do not tell by themselves."""
    about: str
    """Its topic; empty if nothing tells."""


def proposed_kinds(table: Table, names: Sequence[str]) -> dict[str, Proposed]:
    """The kind that a suggestion gives to some columns, and why."""
    if not names or not len(table):
        return {}
    seen, open_notations = as_found(table.select(list(names)))
    facts = measure_columns(seen)
    found = {}
    for name, guess in decide(seen, facts).items():
        kind, why = decide_kind(facts[name], guess.topic, name in open_notations)
        found[name] = Proposed(kind, why, suggested_order(facts[name], kind) is not None, guess.about)
    return found


def codes_among(table: Table, names: Sequence[str]) -> list[str]:
    """Those of some columns that a suggestion takes for codes which get coarser from the right."""
    return [name for name, one in proposed_kinds(table, names).items() if one.kind == TEXT_PREFIX]


def other_ways(sample: Table, plan: Plan) -> Iterator[str]:
    """A sentence for each quasi-identifier that a suggestion would publish in another way; ``sample``: some rows."""
    proposed = proposed_kinds(sample, [name for name in plan.quasi_identifiers if _is_open(plan.columns[name])])
    for name, one in proposed.items():
        said = plan.columns[name].kind
        done = said or sample.natural_kind(name)
        if done in DONE and one.kind != done and _is_clear(one, said, done):
            flag = f"--order {flag_column(name)}='...<...'" if one.worded else f"--kind {flag_column(name)}={one.kind}"
            takes = f"shoal suggest takes it for {one.kind} ({one.why})"
            yield f"{_done(name, said, done)}; {takes}: {flag} {INSTEAD[one.kind]}"
    named = {name: one.about for name, one in proposed.items() if one.kind == CATEGORICAL and one.about}
    yield from _known_trees(sample, {name: topic for name, topic in named.items() if sample.is_text(name)})


def _done(name: str, said: str | None, done: str) -> str:
    how, why = DONE[done]
    return f"column {name!r} is published {how}, for {why if said is None else f'its kind is {said}'}"


def _is_clear(one: Proposed, said: str | None, done: str) -> bool:
    """Whether it is worth telling: that few numbers stand for names is no more than a guess where nothing says so.

    That numbers are meant need not have been said: a plan that is replayed has what was found out.
    """
    return one.kind == TEXT_PREFIX or (said is None and (done != NUMERIC or bool(one.about)))


def _is_open(column: ColumnPlan) -> bool:
    return not column.hierarchy and not column.order and column.kind in (None, NUMERIC)


def _known_trees(sample: Table, topics: Mapping[str, str]) -> Iterator[str]:
    """Columns of words that a public classification knows, and that are published without a tree."""
    for name, grown in suggest_trees(sample, dict.fromkeys(topics, CATEGORICAL), topics).items():
        if grown.how.startswith("by ") and grown.grouped:
            takes = f"--hierarchy {flag_column(name)}=FILE takes one, and shoal suggest TABLE -o plan.toml writes one"
            yield f"{_done(name, None, CATEGORICAL)}; {takes} {grown.how}"
