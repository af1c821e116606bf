# SPDX-License-Identifier: Apache-2.0
"""What is said below the table of a suggestion: about the whole table, and what a person should do next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shoal.plan.roles import IDENTIFIER, QUASI_IDENTIFIER, SENSITIVE
from shoal.suggesting.beside import NEEDS_CODEBOOK
from shoal.suggesting.facts import Facts
from shoal.suggesting.looking import SEVERAL
from shoal.suggesting.ranking import MOST_SURE
from shoal.suggesting.suggestion import Suggested
from shoal.suggesting.words import topics

NAMES = tuple(topics()[name].about for name in ("name", "person_name", "address"))


def notes_on(columns: Mapping[str, Suggested], facts: Mapping[str, Facts], usual: int | None) -> list[str]:
    """The notes in the order of their weight; ``usual`` is the k that was chosen where nobody named one."""
    return [*_codebook(columns), *_quasi(columns), *_models(columns), *_persons(columns, facts), *_k(facts, usual)]


def _codebook(columns: Mapping[str, Suggested]) -> Iterator[str]:
    cryptic = sum(NEEDS_CODEBOOK in column.reasons for column in columns.values())
    if cryptic:
        yield (
            f"a codebook is needed: {cryptic:,} of {len(columns):,} columns have names that say nothing and no labels; "
            "give one with --codebook FILE (name, label, values)"
        )


def _quasi(columns: Mapping[str, Suggested]) -> Iterator[str]:
    quasi = [name for name, column in columns.items() if column.planned == QUASI_IDENTIFIER]
    following = [name for name, column in columns.items() if column.next]
    if not quasi:
        yield "no column seems to be a quasi-identifier, so there is nothing to protect: name some"
    if len(quasi) > MOST_SURE:
        yield (
            f"{len(quasi)} quasi-identifiers are many, and each costs precision: drop those that analysts do not need, "
            "and make those insensitive that no outsider can know"
        )
    if following:
        yield (
            f"{len(following)} more columns may be known to others and are left out (next); each could be made a "
            "quasi-identifier at a price"
        )


def _models(columns: Mapping[str, Suggested]) -> Iterator[str]:
    if any(column.role == SENSITIVE for column in columns.values()):
        yield "nothing is promised about the sensitive columns yet: see l_diversity and t_closeness"


def _persons(columns: Mapping[str, Suggested], facts: Mapping[str, Facts]) -> Iterator[str]:
    for name, column in columns.items():
        one = facts[name]
        named = column.about in NAMES  # two people may have one
        if column.role == IDENTIFIER and not named and one.shown and one.repeats >= SEVERAL and one.evenness >= 0.9:
            yield (
                f"{name!r} has {one.repeats:.0f} rows per value: if it tells whose rows they are, "
                f"person = {name!r} in [privacy] makes k count persons"
            )
            return


def _k(facts: Mapping[str, Facts], usual: int | None) -> Iterator[str]:
    if usual is None:
        return
    rows = max((one.rows for one in facts.values()), default=0)
    if rows >= 2 * usual:
        yield f"k = {usual} is a usual choice: the best guess about a person is right at most once in {usual} times"
    else:
        yield "k is half the number of rows, for there are few of them"
