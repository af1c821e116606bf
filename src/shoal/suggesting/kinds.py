# SPDX-License-Identifier: Apache-2.0
"""The kind of a quasi-identifier: quantity, order, name, date, or a code that gets coarser from the right."""

from __future__ import annotations

from shoal.plan.roles import CATEGORICAL, DATE, NUMERIC, ORDERED, TEXT_PREFIX
from shoal.suggesting import shapes, words
from shoal.suggesting.facts import Facts
from shoal.suggesting.orders import ProposedOrder, propose_order, speaks_of_steps
from shoal.suggesting.words import Topic

MOST_NAMES = 200
"""Whole numbers that may be names of things; more of them are better published as ranges."""


QUANTITIES = frozenset(
    "age edad eta idade leeftijd wiek years months weeks days hours minutes jahre monate wochen tage stunden year "
    "baujahr power horsepower hp ps kw ccm km miles mileage size weight height width length vehage vehicleage".split()
)
"""Words for quantities, whatever else a name speaks of: a vehicle's age is a number and no name of a vehicle."""
BANDS = frozenset(
    "group groups grp category cat class code codes band bands range gruppe klasse kategorie stufe type".split()
)
"""Words beside which they are codes of bands."""
FEW_CODES = 12
"""Whole numbers up to which they are codes of something, unless they count."""


def decide_kind(facts: Facts, topic: Topic | None = None, is_open: bool = False) -> tuple[str, str]:
    """The kind of a column and the reason, if it is not simply that of its cells; ``topic``: what it is about.

    ``is_open``: dates or numbers that can be read in several ways. Until somebody says which, they are names, and no
    codes: what a date begins with says nothing.
    """
    postal = topic is not None and topic.name == "postcode"
    if facts.kind == NUMERIC:
        if postal and shapes.code_like(facts.texts, known=True):
            return TEXT_PREFIX, "codes of one length, coarser from the right"
        named = facts.spread is not None and not postal and not _counts(facts, topic)
        if named and facts.distinct <= _most_names(topic):
            return CATEGORICAL, "numbers that stand for names"
        return NUMERIC, ""
    if facts.kind in (DATE, ORDERED):
        return facts.kind, ""
    if is_open:
        return CATEGORICAL, "dates or numbers that can be read in several ways"
    if len(facts.texts) > 2 and shapes.code_like(facts.texts, known=postal):
        return TEXT_PREFIX, "codes that get coarser from the right"
    proposed = _proposed(facts, topic) if facts.distinct == len(facts.texts) else None
    return (CATEGORICAL, "") if proposed is None else (ORDERED, proposed.why)


def suggested_order(facts: Facts, kind: str | None) -> tuple[str, ...] | None:
    """The order of a column of words that is taken for ordered; None where its values or its type tell it."""
    proposed = _proposed(facts) if kind == ORDERED and facts.kind != ORDERED else None
    return proposed.order or None if proposed else None


def _proposed(facts: Facts, topic: Topic | None = None) -> ProposedOrder | None:
    """The order of the values, of codes by what they mean."""
    steps = speaks_of_steps(f"{facts.name} {facts.label}") or (topic is not None and topic.orders)
    proposed = propose_order(facts.said, steps=steps)
    if proposed is None or facts.said == facts.texts:
        return proposed
    codes = dict(zip(facts.said, facts.texts))
    in_words = len(codes) == len(facts.texts) and proposed.order
    return ProposedOrder(tuple(codes[word] for word in proposed.order), proposed.why) if in_words else None


def _counts(facts: Facts, topic: Topic | None) -> bool:
    """Whether whole numbers count something: persons, hours, years; those are quantities, wherever they stand."""
    if topic is None:
        return False
    said = {*words.split(facts.label), *words.split(facts.name)}
    measured = any(word in QUANTITIES or word.endswith("alter") for word in said)
    quantity = topic.known and measured and BANDS.isdisjoint(said)
    return topic.counts or quantity or (topic.orders and facts.distinct > FEW_CODES)


def _most_names(topic: Topic | None) -> int:
    """Numbers under a name such as state stand for names even if there are many."""
    return MOST_NAMES if topic is not None and topic.known and not topic.orders else FEW_CODES
