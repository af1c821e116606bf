# SPDX-License-Identifier: Apache-2.0
"""What is said below the table of a suggestion: about the whole table, and what a person should do next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shoal.ground.missing_words import says_nothing
from shoal.ground.wording import phrase, rough, some
from shoal.plan.roles import CATEGORICAL, QUASI_IDENTIFIER, SENSITIVE, TEXT_PREFIX
from shoal.suggesting.beside import NEEDS_CODEBOOK
from shoal.suggesting.facts import Facts
from shoal.suggesting.ranking import MOST_SURE
from shoal.suggesting.suggestion import Suggested

HOLED = 0.05
"""Share of missing cells from which on they cost more than one group or two."""


def notes_on(columns: Mapping[str, Suggested], facts: Mapping[str, Facts], usual: int | None) -> list[str]:
    """The notes in the order of their weight; ``usual`` is the k that was chosen where nobody named one."""
    return [
        *_codebook(columns),
        *_quasi(columns),
        *_models(columns),
        *_k(facts, usual),
        *_missing_cells(columns, facts),
        *_marks(columns, facts),
    ]


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


def _missing_cells(columns: Mapping[str, Suggested], facts: Mapping[str, Facts]) -> Iterator[str]:
    """Which of the quasi-identifiers have many holes, and what a hole costs."""
    quasi = [name for name, one in columns.items() if one.planned == QUASI_IDENTIFIER and facts[name].rows]
    shares = {name: columns[name].missing / facts[name].rows for name in quasi}
    holed = sorted((name for name in quasi if shares[name] >= HOLED), key=lambda name: -shares[name])
    if holed:
        told = some([f"{name!r} ({rough(shares[name])})" for name in holed])
        yield (
            f"cells are missing in {told}: missing is a value of its own, and a group of missing and present cells "
            "publishes *, which costs all detail there; with --missing wildcard a missing cell matches anything"
        )


def _marks(columns: Mapping[str, Suggested], facts: Mapping[str, Facts]) -> Iterator[str]:
    """Words to mend before a run: spellings that part look-alikes, and words for missing that stretch codes."""
    shown = {name: facts[name].texts for name, one in columns.items() if one.planned == QUASI_IDENTIFIER}
    told = [repr(name) for name, texts in shown.items() if columns[name].kind == CATEGORICAL and _spelt_twice(texts)]
    if told:
        have = "has a value" if len(told) == 1 else "have values"
        yield f"{phrase(told)} {have} in several spellings (capitals, blanks), which part look-alikes: write one"
    codes = [repr(name) for name, texts in shown.items() if columns[name].kind == TEXT_PREFIX and _missing(texts)]
    if codes:
        seem = "seems" if len(codes) == 1 else "seem"
        yield f"{phrase(codes)} {seem} to hold words for missing among the codes: name each with --na"


def _spelt_twice(texts: Sequence[str]) -> bool:
    return len({" ".join(text.casefold().split()) for text in texts}) < len(texts)


def _missing(texts: Sequence[str]) -> bool:
    return any(says_nothing(text) for text in texts)


def _k(facts: Mapping[str, Facts], usual: int | None) -> Iterator[str]:
    if usual is None:
        return
    rows = max((one.rows for one in facts.values()), default=0)
    if rows >= 2 * usual:
        yield f"k = {usual} is a usual choice: the best guess about a person is right at most once in {usual} times"
    else:
        yield "k is half the number of rows, for there are few of them"
