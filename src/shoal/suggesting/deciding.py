# SPDX-License-Identifier: Apache-2.0
"""The role of each column, with the reasons: the strongest evidence decides.

What points to one person comes first, whatever it is called; then names; then values. A column of which nothing is
known is a quasi-identifier: that costs some precision, while publishing it as it is could cost a secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from shoal.roles.roles import DATE, IDENTIFIER, INSENSITIVE, NUMERIC, QUASI_IDENTIFIER, SENSITIVE
from shoal.suggesting import shapes, words
from shoal.suggesting.facts import Facts

NEARLY = 0.9
"""Share of different values from which on a text column tells nearly all rows apart."""
MANY = 20
"""Values from which on a name or a number may tell people apart."""
KEY_VALUES, KEY_EVENNESS = 50, 0.9
"""A key of things with several rows each has many values, about equally common."""
MOST_KEYS = 2
"""Columns of numbers that never repeat in one table; if there are more, somebody has removed repeats from figures."""
LONG_LIFE = 40 * 365.25
"""Days that the dates of a column span if they are dates of birth."""
ANSWERS = 3


@dataclass(frozen=True)
class Guess:
    """What a column seems to be."""

    role: str
    reasons: tuple[str, ...]
    sure: bool = True
    """False: a person should look at it."""
    topics: tuple[str, ...] = ()
    """What its name speaks of."""


def decide_roles(facts: Mapping[str, Facts], spans: Mapping[str, float], pairs: Mapping[str, str]) -> dict[str, Guess]:
    """A guess per column. ``spans``: days that the dates of a column span; ``pairs``: columns that say the same."""
    without_repeats = sum(one.spread is not None and one.never_repeats for one in facts.values())
    keys = without_repeats <= MOST_KEYS
    guesses = {name: _guess(one, pairs.get(name, ""), keys) for name, one in facts.items()}
    guesses |= _answers(facts, guesses)
    guesses |= _birth_dates(facts, guesses, spans)
    return _only_figures(facts, guesses)


def _guess(facts: Facts, twin: str, keys: bool) -> Guess:
    topics = words.topics_of(facts.name)
    named = tuple(topic.name for topic in topics)
    given = facts.given_out if keys else facts.runs
    evidence = (
        _nothing(facts),
        _points(facts, topics, given),
        _called(facts, topics),
        _holds(facts),
        _key(facts, twin),
    )
    for found in evidence:
        if found is not None:
            return replace(found, topics=named)
    return Guess(QUASI_IDENTIFIER, ("nothing says that outsiders cannot know it",), sure=False, topics=named)


def _nothing(facts: Facts) -> Guess | None:
    if not facts.shown:
        return Guess(IDENTIFIER, ("its cells are nested or binary, so that nobody can look them over",), sure=False)
    if facts.present == 0:
        return Guess(INSENSITIVE, ("it is empty",))
    if facts.distinct == 1 and facts.present == facts.rows:
        return Guess(INSENSITIVE, ("it says the same in every row",))
    return None


def _points(facts: Facts, topics: list[words.Topic], given_out: bool) -> Guess | None:
    """Cells that point to one person, whatever the column is called."""
    text = facts.kind not in (NUMERIC, DATE)
    shape = shapes.identifying_shape(facts.texts, facts.repeats) if text else ""
    if shape:
        return Guess(IDENTIFIER, (f"its cells look like {shape}",))
    if text and shapes.free_text(facts.texts):
        return Guess(IDENTIFIER, ("it holds free text, which may name anybody",))
    if facts.counts_rows and not any(topic.strong for topic in topics):
        return Guess(IDENTIFIER, ("it counts the rows",))
    described = any(topic.strong or topic.role != IDENTIFIER for topic in topics)
    if given_out and not described:
        return Guess(IDENTIFIER, ("every row has a number of its own, none is given twice",))
    if text and facts.present >= MANY and facts.distinct >= NEARLY * facts.present and not described:
        how = "every row" if facts.distinct == facts.present else "nearly every row"
        return Guess(IDENTIFIER, (f"it is different in {how}",))
    return None


def _called(facts: Facts, topics: list[words.Topic]) -> Guess | None:
    """What the name says: a private fact before what a neighbour may know, but an age is an age."""
    certain = [topic for topic in topics if topic.role == IDENTIFIER and not topic.needs_many]
    strong = [topic for topic in topics if topic.strong]
    private = [topic for topic in topics if topic.role == SENSITIVE]
    known = [topic for topic in topics if topic.role == QUASI_IDENTIFIER]
    if certain and facts.distinct > 1 and not strong:
        return Guess(IDENTIFIER, (f"its name speaks of {certain[0].name}",))
    if strong or (known and facts.kind == DATE):
        return Guess(QUASI_IDENTIFIER, (f"its name speaks of {(strong or known)[0].name}",))
    if private:
        # What people do for a living is private in surveys and well known to colleagues.
        return Guess(SENSITIVE, (f"its name speaks of {private[0].name}",), sure=private[0].name != "an occupation")
    if words.is_class(facts.name) and facts.distinct <= KEY_VALUES and facts.kind != DATE:
        return Guess(SENSITIVE, ("its name is that of a class that others want to predict",), sure=False)
    if known:
        return Guess(QUASI_IDENTIFIER, (f"its name speaks of {known[0].name}",))
    if topics and _may_be_name(facts, topics[0]):
        return Guess(
            IDENTIFIER, (f"its name speaks of {topics[0].name}, and it has {facts.distinct:,} values",), sure=False
        )
    return None


def _may_be_name(facts: Facts, topic: words.Topic) -> bool:
    """Whether a column that is called a name or number has the values for it."""
    if topic.name == "a name":
        return facts.kind not in (NUMERIC, DATE) and facts.distinct >= MANY
    whole = facts.spread is not None or facts.kind not in (NUMERIC, DATE)
    return whole and facts.distinct >= KEY_VALUES and (facts.evenness >= KEY_EVENNESS or facts.repeats < 2)


def _holds(facts: Facts) -> Guess | None:
    """Private facts by their values."""
    private = shapes.private_values(facts.texts) if facts.kind not in (NUMERIC, DATE) else ""
    return Guess(SENSITIVE, (f"its values look like {private}",), sure=False) if private else None


def _key(facts: Facts, twin: str) -> Guess | None:
    """Keys of things that have several rows each: many values, equally common, said again by another column."""
    if twin and facts.distinct >= KEY_VALUES and facts.evenness >= KEY_EVENNESS:
        return Guess(IDENTIFIER, (f"it names the same {facts.distinct:,} things as {twin!r}",), sure=False)
    return None


def _answers(facts: Mapping[str, Facts], guesses: Mapping[str, Guess]) -> dict[str, Guess]:
    """Numbered questions with a few answers each: what people say of themselves is theirs."""
    found = [name for name, one in facts.items() if words.is_answer(name) and one.distinct <= MANY]
    if len(found) < ANSWERS:
        return {}
    reason = f"it is one of {len(found)} numbered questions with few answers"
    return {name: Guess(SENSITIVE, (reason,)) for name in found if guesses[name].role == QUASI_IDENTIFIER}


def _birth_dates(
    facts: Mapping[str, Facts], guesses: Mapping[str, Guess], spans: Mapping[str, float]
) -> dict[str, Guess]:
    """Days of birth: with an age beside them they are not needed, and a day tells one person in a town."""
    ages = [name for name, one in guesses.items() if "an age" in one.topics]
    found = {}
    for name, one in facts.items():
        called = "a birth date" in guesses[name].topics
        unnamed = not guesses[name].topics and spans.get(name, 0.0) >= LONG_LIFE
        if one.kind != DATE or guesses[name].role != QUASI_IDENTIFIER or not (called or unnamed):
            continue
        how = "its name speaks of a birth date" if called else "its dates span a life"
        if ages or not called:
            reason = f"the age in {ages[0]!r} says enough" if ages else "a day of birth tells one person in a town"
            found[name] = Guess(IDENTIFIER, (how, reason), sure=called, topics=guesses[name].topics)
    return found


def _only_figures(facts: Mapping[str, Facts], guesses: dict[str, Guess]) -> dict[str, Guess]:
    """Where a table holds nothing but figures, these are what its records are recognised by, private or not."""
    others = [name for name, one in guesses.items() if one.role not in (IDENTIFIER, INSENSITIVE)]
    if not others or any(facts[name].kind != NUMERIC or facts[name].distinct < MANY for name in others):
        return guesses
    if any("an age" in guesses[name].topics for name in others):
        return guesses
    reason = "the table holds figures alone: whoever knows some of a record finds the others"
    return guesses | {
        name: replace(guesses[name], role=QUASI_IDENTIFIER, reasons=(*guesses[name].reasons, reason), sure=False)
        for name in others
        if guesses[name].role == SENSITIVE
    }
