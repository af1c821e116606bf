# SPDX-License-Identifier: Apache-2.0
"""Which column tells whose rows they are where people have several: k counts rows until somebody names it.

Somebody's number counts as soon as one stands twice. Other keys, such as e-mail addresses, count where values have more
rows than one and a half on average. Two people may share a name, a telephone or an address, so those do not count.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NamedTuple

from shoal.ground.person_numbers import LOOKED_AT, numbers_persons
from shoal.plan.plan import Plan
from shoal.plan.roles import DATE, IDENTIFIER
from shoal.suggesting import shapes, words
from shoal.suggesting.deciding import MANY
from shoal.tables.profile import readable
from shoal.tables.table import Table, as_texts

SHARED = ("name", "person_name", "address", "telephone")
"""Topics of identifiers that several people may have in common."""
REPEATED = 1.5
"""Rows per value from which on keys that nobody calls a number of a person repeat."""


class Repeats(NamedTuple):
    """How often the values of a column repeat."""

    name: str
    most: int
    average: float

    def __str__(self) -> str:
        return f"{self.name!r} has up to {self.most:,} rows per value, {self.average:.1f} on average"


def repeating(table: Table, names: Sequence[str]) -> Repeats | None:
    """Of some identifiers the one that seems most to tell whose rows they are, if its values repeat."""
    found = [one for name in names if (one := _repeats(table, name)) is not None]
    return max(found, key=lambda one: one[:2])[2] if found else None


def note(table: Table, names: Sequence[str]) -> list[str]:
    """What a suggestion says of identifiers."""
    found = repeating(table, names)
    if found is None:
        return []
    return [f"{found}: if it tells whose rows they are, person = {found.name!r} in [privacy] makes k count persons"]


def doubts(table: Table, plan: Plan) -> dict[str, str]:
    """What a run says of identifiers, by column; nothing where k counts persons already."""
    names = [name for name in plan.having(IDENTIFIER) if name in table.names]
    found = None if plan.person is not None else repeating(table, names)
    if found is None:
        return {}
    said = (
        f"identifier {found}, and k counts rows: look-alikes may be few persons, or one; if it tells whose rows they "
        f"are, --person {shlex.quote(found.name)} (person={found.name!r}) makes k count persons"
    )
    return {found.name: said}


def _repeats(table: Table, name: str) -> tuple[bool, int, Repeats] | None:
    """Whether a column is called somebody's number, its different values, and how they repeat; None if they do not."""
    if not readable(table, name) or table.natural_kind(name) == DATE:
        return None
    cells = table.frame.get_column(name).drop_nulls()
    counts = cells.value_counts(name="rows").get_column("rows").to_numpy()
    if not len(counts) or counts.max() == 1:
        return None
    texts = as_texts(cells.unique(maintain_order=True).head(LOOKED_AT)).to_list()
    called = bool(numbers_persons(name, texts, len(counts), int(counts.sum())))
    if not called and (len(counts) < MANY or counts.mean() < REPEATED or _shared(name, texts)):
        return None
    return called, len(counts), Repeats(name, int(counts.max()), float(counts.mean()))


def _shared(name: str, texts: Sequence[str]) -> bool:
    """Whether several people may have a value in common, by what it is called or by how it looks."""
    about = words.hear(name).topics
    return (
        any(topic.name in SHARED or not topic.identifies for topic in about)
        or shapes.free_text(texts)
        or shapes.look_like_persons(texts)
    )
