# SPDX-License-Identifier: Apache-2.0
"""Which quasi-identifiers come first: about ten are enough to tell people apart, and each more costs all the others.

The first column of every topic comes before the second of any, in the order of the topics' ranks: an age, a sex, a
place before a dwelling or a vehicle. Within a topic the person's own fact comes before those of relatives and of
earlier times, and the finer one before its summary. Those after the first ten are for a person to look at; those after
the first fifteen are left out unless somebody asks for them, for what outsiders know must not be published as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from shoal.plan.roles import QUASI_IDENTIFIER
from shoal.suggesting.deciding import Guess
from shoal.suggesting.facts import Facts
from shoal.suggesting.words import split

MOST_SURE, MOST = 10, 15
LEFT_OUT = "left out, for others that people know come first"
RELATED = frozenset(
    "father fathers mother mothers parent parents spouse spouses husband wife partner ref reference head previous prev "
    "former youngest oldest second other first past vater mutter eltern frueher vorher pere mere conjoint padre madre "
    "conyuge coniuge pai mae vader moeder ojciec matka".split()
)
"""Words for others than the person, and for other times."""


def limited(guesses: Mapping[str, Guess], facts: Mapping[str, Facts]) -> dict[str, Guess]:
    """The guesses with only the first quasi-identifiers sure, and the last left out; those that nothing told stay."""
    order = in_order(guesses, facts)
    changed = {name: replace(guesses[name], sure=False) for name in order[MOST_SURE:MOST]}
    for name in order[MOST:]:
        changed[name] = left_out(guesses[name], LEFT_OUT)
    return {**guesses, **changed}


def left_out(guess: Guess, why: str) -> Guess:
    """A quasi-identifier that is not to be published for now."""
    return replace(guess, reasons=(*guess.reasons, why), sure=False, next=True)


def in_order(guesses: Mapping[str, Guess], facts: Mapping[str, Facts]) -> list[str]:
    """The quasi-identifiers of known topics, the most telling first."""
    topics: dict[str, list[str]] = {}
    ranks = {}
    for name, one in guesses.items():
        if one.role == QUASI_IDENTIFIER and one.topic is not None:
            topics.setdefault(one.about, []).append(name)
            ranks[name] = one.topic.rank
    places: dict[str, tuple[int, int]] = {}
    for names in topics.values():
        inside = sorted(names, key=lambda name: _distance(facts[name]))
        places |= {name: (place, ranks[name]) for place, name in enumerate(inside)}
    return sorted(places, key=lambda name: places[name])


def _distance(facts: Facts) -> tuple[bool, bool, int]:
    """How far a fact is from the person: of others or of other times, mostly missing, coarse."""
    others = not RELATED.isdisjoint([*split(facts.label), *split(facts.name)])
    return others, 2 * facts.present < facts.rows, -facts.distinct
