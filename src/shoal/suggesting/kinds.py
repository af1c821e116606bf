# SPDX-License-Identifier: Apache-2.0
"""The kind of a quasi-identifier: quantity, order, name, date, or a code that gets coarser from the right."""

from __future__ import annotations

from shoal.roles.roles import CATEGORICAL, DATE, NUMERIC, ORDERED, TEXT_PREFIX
from shoal.suggesting import shapes, words
from shoal.suggesting.facts import Facts

MOST_NAMES = 200
"""Whole numbers that may be names of things; more of them are better published as ranges."""


def decide_kind(facts: Facts) -> tuple[str, str]:
    """The kind of a column and the reason, if it is not simply that of its cells."""
    topics = words.topics_of(facts.name)
    postal = any(topic.name == "a postcode" for topic in topics)
    named = any(topic.names_values for topic in topics)
    if facts.kind == NUMERIC:
        if postal and shapes.code_like(facts.texts, known=True):
            return TEXT_PREFIX, "codes of one length, coarser from the right"
        if named and not postal and facts.spread is not None and facts.distinct <= MOST_NAMES and not _amount(topics):
            return CATEGORICAL, "numbers that stand for names"
        return NUMERIC, ""
    if facts.kind in (DATE, ORDERED):
        return facts.kind, ""
    if len(facts.texts) > 2 and shapes.code_like(facts.texts, known=postal):
        return TEXT_PREFIX, "codes that get coarser from the right"
    if shapes.in_order(facts.texts):
        return ORDERED, "values in the order of the alphabet or of their numbers"
    return CATEGORICAL, ""


def _amount(topics: list[words.Topic]) -> bool:
    """Whether a name speaks of an age or a number of people: those are quantities, wherever they stand."""
    return any(topic.name in ("an age", "a household") for topic in topics)
