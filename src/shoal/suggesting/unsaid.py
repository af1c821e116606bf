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

from shoal.ground.errors import flags_of
from shoal.ground.wording import columns_are
from shoal.plan.plan import Plan
from shoal.plan.roles import CATEGORICAL, NUMERIC, ORDERED, TEXT_PREFIX
from shoal.plan.values import as_found
from shoal.suggesting.facts import measure_columns
from shoal.suggesting.kinds import decide_kind, suggested_order
from shoal.suggesting.looking import decide
from shoal.suggesting.trees import suggest_trees
from shoal.tables.table import Table

DONE = {
    NUMERIC: "as ranges, as numbers are",
    CATEGORICAL: "whole or as *, as text without a hierarchy is",
}
"""How columns of a kind are published, and why."""
INSTEAD = {
    TEXT_PREFIX: "to show how codes begin",
    CATEGORICAL: "to show values whole or as *",
    ORDERED: "to show groups from the first to the last value",
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


class _Way(NamedTuple):
    """What is done with columns of which nothing was said, and what a suggestion would do."""

    done: str
    kind: str
    why: str
    worded: bool

    def told(self, names: Sequence[str]) -> str:
        """A sentence on all columns for which that is so."""
        flag = "--order {}='...<...'" if self.worded else f"--kind {{}}={self.kind}"
        takes = f"shoal suggest says {self.kind} ({self.why})"
        return (
            f"{columns_are(names)} published {DONE[self.done]}; {takes}: {flags_of(names, flag)} {INSTEAD[self.kind]}"
        )


def other_ways(sample: Table, plan: Plan) -> Iterator[str]:
    """A sentence for each other way in which a suggestion would publish quasi-identifiers; ``sample``: some rows.

    Kinds that are those of the cells count as not said: a plan that is replayed says what was found out, and its report
    must be the same.
    """
    proposed = proposed_kinds(sample, [name for name in plan.quasi_identifiers if _is_unsaid(sample, plan, name)])
    ways: dict[_Way, list[str]] = {}
    for name, one in proposed.items():
        done = sample.natural_kind(name)
        if one.kind != done and one.kind in INSTEAD and (one.kind == TEXT_PREFIX or done != NUMERIC or one.about):
            # Whoever has numbers in text published as names has said so. And that few numbers stand for names is no
            # more than a guess where nothing says what they are about.
            ways.setdefault(_Way(done, one.kind, one.why, one.worded), []).append(name)
    yield from (way.told(names) for way, names in ways.items())
    named = {name: one.about for name, one in proposed.items() if one.kind == CATEGORICAL and one.about}
    yield from _known_trees(sample, {name: topic for name, topic in named.items() if sample.is_text(name)})


def _is_unsaid(table: Table, plan: Plan, name: str) -> bool:
    """Whether a column is published as what its cells are, and could be published in another way."""
    column, natural = plan.columns[name], table.natural_kind(name)
    return natural in DONE and column.kind in (None, natural) and not column.hierarchy and not column.order


def _known_trees(sample: Table, topics: Mapping[str, str]) -> Iterator[str]:
    """Columns of words that a public classification knows, and that are published without a tree."""
    alike: dict[str, list[str]] = {}
    for name, grown in suggest_trees(sample, dict.fromkeys(topics, CATEGORICAL), topics).items():
        if grown.how.startswith("by ") and grown.grouped:
            alike.setdefault(grown.how, []).append(name)
    for how, names in alike.items():
        flags = flags_of(names, "--hierarchy {}=FILE")
        takes = f"{flags} takes one, and shoal suggest TABLE -o plan.toml writes one {how}"
        yield f"{columns_are(names)} published {DONE[CATEGORICAL]}; {takes}"
