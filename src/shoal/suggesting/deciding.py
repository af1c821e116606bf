# SPDX-License-Identifier: Apache-2.0
"""The role of one column, with the reasons: who could know it about a named person.

What points to one person comes first, whatever it is called; then what label and name say; then values. What
neighbours, colleagues and registers know is a quasi-identifier; what only the person, a doctor, the tax office or the
survey knows is private; what tells of the survey and not of the person is neither. None is answered for a column of
which nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shoal.ground.person_numbers import CLEAR, numbers_persons
from shoal.plan.roles import DATE, IDENTIFIER, INSENSITIVE, NUMERIC, SENSITIVE
from shoal.suggesting import shapes, words
from shoal.suggesting.facts import FEWEST_RISING, Facts
from shoal.suggesting.hearing import Meaning
from shoal.suggesting.words import Topic, topics

NEARLY = 0.9
"""Share of different values from which on a text column tells nearly all rows apart."""
MANY = 20
"""Values from which on a name or a number may tell people apart."""
FEWEST_NAMES = 5
"""Texts from which on a column that is called a surname holds surnames."""
WRITTEN = ("name", "address")
"""Topics that are words, where keys may be numbers."""
KEY_VALUES, KEY_EVENNESS = 50, 0.9
"""A key of things with several rows each has many values, about equally common."""
BODIES = (2.5, 400.0)
"""Middle weights of people, in kilograms or pounds; other columns called weight are those of a survey."""
WEIGHTS = frozenset("weight wt gewicht poids peso waga".split())
MASSES = frozenset(
    "kg kgs kilo kilos kilogram kilograms kilogramm kilogramme g gr gram grams gramm gramme t ton tons tonne tonnes "
    "tonnen lb lbs pound pounds pfund mg oz ounce ounces stone cwt quintal libra libras".split()
)
"""Units of mass: what is weighed in them is a thing or a body, and no survey."""
SPREAD = 10
"""How many times the smallest the largest of large survey weights is at least; things of one kind weigh more alike."""
EVENTS = frozenset(
    "when first 1st started start starting began begin onset stopped quit told diagnosed retired married wed debut "
    "beim beginn erstmals lorsque premier premiere cuando primera primer quando prima primeiro eerste wanneer gdy "
    "pierwszy".split()
)
"""Words for something that happened at an age."""
MOMENTS = EVENTS | frozenset("at bei lors al a bij".split())
STRONG = ("birth_date", "age", "postcode")
"""Known by themselves, even beside a word for somebody's name or number."""
FIRM = ("flag", "survey_weight", "interview_date", "interviewer", "place_in_household")
"""About the survey whatever else is said; others only where they come first."""
TELLING = ("opinion", "mood", "sexuality", "politics", "substances", "income", "illness")
"""Values of these are private, whatever the column is called."""


@dataclass(frozen=True)
class Guess:
    """What a column seems to be."""

    role: str
    reasons: tuple[str, ...]
    sure: bool = True
    """False: a person should look at it."""
    topic: Topic | None = None
    """What it is about, as far as it says."""
    source: str = ""
    """What told: ``label``, ``name``, ``values``, ``cells``; empty if nothing did."""
    next: bool = False
    """Whether it is a quasi-identifier that is left out, for enough others come first."""

    @property
    def about(self) -> str:
        """The name of its topic; empty if it has none."""
        return self.topic.name if self.topic else ""


def guess(facts: Facts, meaning: Meaning, twin: str, keys: bool) -> Guess | None:
    """What a column seems to be; None if nothing says so.

    ``twin``: another column that names the same things; ``keys``: whether numbers that never repeat are rare here.
    """
    given = facts.given_out if keys else facts.runs
    numbered = _numbered(facts, meaning)
    evidence = (
        _nothing(facts),
        numbered if numbered and numbered.sure else None,
        _points(facts, meaning.topics, given),
        numbered,
        _said(facts, meaning),
        _spoken(meaning),
        _key(facts, twin),
    )
    return next((one for one in evidence if one is not None), None)


def _nothing(facts: Facts) -> Guess | None:
    if not facts.shown:
        return Guess(IDENTIFIER, ("its cells are nested or binary, so that nobody can look them over",), sure=False)
    if facts.present == 0:
        return Guess(INSENSITIVE, ("it is empty",), source="cells")
    if facts.distinct == 1 and facts.present == facts.rows:
        return Guess(INSENSITIVE, ("it says the same in every row",), source="cells")
    return None


def _numbered(facts: Facts, meaning: Meaning) -> Guess | None:
    """The number of a patient, a customer, a member, a case, ..., which may stand on several rows."""
    if facts.kind == DATE:
        return None
    for source, text in (("label", facts.label), ("name", facts.name)):
        called = numbers_persons(text, facts.texts, facts.distinct, facts.present)
        if called:
            reason = f"its {source} speaks of somebody's number, and it has {facts.distinct:,} values"
            return Guess(IDENTIFIER, (reason,), called == CLEAR, topics()["number"], source)
        if meaning.source == source:  # a label that says something says more than a name
            return None
    return None


def _points(facts: Facts, about: Sequence[Topic], given_out: bool) -> Guess | None:
    """Cells that point to one person, whatever the column is called."""
    text = facts.kind not in (NUMERIC, DATE)
    shape = shapes.identifying_shape(facts.texts, facts.repeats) if text else ""
    if shape:
        return Guess(IDENTIFIER, (f"its cells look like {shape}",), source="cells")
    if text and shapes.free_text(facts.said):
        return Guess(IDENTIFIER, ("it holds free text, which may name anybody",), source="cells")
    strong = any(topic.name in STRONG for topic in about)
    described = strong or any(not topic.identifies for topic in about)
    if facts.counts_rows and not strong:
        sure = facts.present >= FEWEST_RISING and not described  # a few figures, or salaries, may do so by accident
        return Guess(IDENTIFIER, ("it counts the rows",), sure, source="cells")
    if given_out and not described:
        return Guess(IDENTIFIER, ("every row has a number of its own, none is given twice",), source="cells")
    if text and facts.present >= MANY and facts.distinct >= NEARLY * facts.present and not described:
        how = "every row" if facts.distinct == facts.present else "nearly every row"
        return Guess(IDENTIFIER, (f"it is different in {how}",), source="cells")
    return None


def _said(facts: Facts, meaning: Meaning) -> Guess | None:
    """What label or name say."""
    about = [_massive(topic, facts) for topic in meaning.topics if not topic.identifies]
    named = [topic for topic in meaning.topics if topic.identifies and _plausible(facts, topic)]
    technical = [topic for topic in about if topic.name in FIRM or (topic.technical and topic is about[0])]
    private = [topic for topic in about if topic.private]
    known = _closest([topic for topic in about if topic.known])
    if technical and technical[0].name == "place_in_household" and facts.distinct >= KEY_VALUES:
        return _called(facts, meaning, topics()["number"])
    if technical:
        return _called(facts, meaning, technical[0])
    if named and not any(topic.name in STRONG for topic in known):
        return _called(facts, meaning, named[0])
    if known and known[0].name == "age" and happened(meaning):
        return _called(facts, meaning, known[0], f"its {meaning.source} speaks of an age at which something happened")
    if private and not (known and facts.kind == DATE):
        return _weighed(facts, meaning, private[0])
    called_class = words.is_class(facts.name) and not meaning.topics and facts.distinct <= KEY_VALUES
    if called_class and shapes.school_classes(facts.texts):
        said = "its values look like classes of a school"
        return _called(facts, replace_source(meaning, "values"), topics()["education"], said)
    if called_class and facts.kind != DATE:
        return Guess(SENSITIVE, ("its name is that of a class that others want to predict",), False, source="name")
    telling = [topic for topic in meaning.values if topic.name in TELLING]
    if known and not telling:
        return _called(facts, meaning, known[0])
    if known:
        return _called(facts, replace_source(meaning, "values"), telling[0])
    return _called(facts, meaning, about[0]) if about else None


def _closest(known: Sequence[Topic]) -> list[Topic]:
    """Known topics, the most telling first; those aside that say less than another, and dates beside anything else."""
    less = {name for topic in known for name in topic.over.split()}
    left = [topic for topic in known if topic.name not in less]
    return sorted(left, key=lambda topic: (topic.name == "event_date", topic.rank))


def replace_source(meaning: Meaning, source: str) -> Meaning:
    """The same, told by something else."""
    return replace(meaning, source=source)


def _called(facts: Facts, meaning: Meaning, topic: Topic, said: str = "") -> Guess:
    verb = "speak" if meaning.source == "values" else "speaks"
    reason = said or f"its {meaning.source} {verb} of {topic.about}"
    if topic.many:
        reason += f", and it has {facts.distinct:,} values"
    elif topic.because:
        reason += f": {topic.because}"
    sure = not (topic.weak or topic.unsure or (topic.many and not _plainly(facts, meaning, topic)))
    return Guess(topic.role, (reason,), sure, topic, meaning.source)


def _plainly(facts: Facts, meaning: Meaning, topic: Topic) -> bool:
    """Whether nothing says that a name or address is another's than the person's, or its cells look like persons."""
    if topic.name not in WRITTEN:
        return False
    return len(meaning.heard.words) == 1 or (topic.name == "name" and shapes.look_like_persons(facts.texts))


def _weighed(facts: Facts, meaning: Meaning, topic: Topic) -> Guess:
    """A private fact; but what is only called a weight is one of the body if people could weigh that."""
    figures = facts.figures
    plain = topic.name == "body" and (WEIGHTS & set(meaning.heard.words) or _in_mass(facts))
    if not plain or figures is None or BODIES[0] <= figures.middle <= BODIES[1]:
        return _called(facts, meaning, topic)
    if not _in_mass(facts) and (figures.middle < BODIES[0] or figures.high >= SPREAD * max(figures.low, 1.0)):
        return replace(_called(facts, meaning, topics()["survey_weight"]), sure=False)
    return next(
        (_called(facts, meaning, one) for one in meaning.topics if one.known),
        replace(_called(facts, meaning, topic, f"its {meaning.source} speaks of what something weighs"), sure=False),
    )


def _massive(topic: Topic, facts: Facts) -> Topic:
    """What weighs so many kilograms is no weight of a survey."""
    return topics()["body"] if topic.name == "survey_weight" and _in_mass(facts) else topic


def _in_mass(facts: Facts) -> bool:
    """Whether name or label tell a unit of mass, as in ``weight_kg`` and ``weightkg``."""
    said = [*words.split(facts.name), *words.split(facts.label)]
    return any(word in MASSES or word.removesuffix("kg") in WEIGHTS for word in said if word not in WEIGHTS)


def _plausible(facts: Facts, topic: Topic) -> bool:
    """Whether a column that is called a name or number has the values for it."""
    if not topic.many:
        least = FEWEST_NAMES if topic.name == "person_name" and facts.kind not in (NUMERIC, DATE) else MANY
        return facts.distinct > 1 and facts.distinct >= min(least, facts.present / 4)
    if topic.name in WRITTEN:
        return facts.kind not in (NUMERIC, DATE) and facts.distinct >= MANY
    whole = facts.spread is not None or facts.kind not in (NUMERIC, DATE)
    return whole and facts.distinct >= KEY_VALUES and (facts.evenness >= KEY_EVENNESS or facts.repeats < 2)


def happened(meaning: Meaning) -> bool:
    """Whether a text about an age speaks of something that happened at it."""
    said = set(meaning.heard.words)
    private = any(topic.private for topic in meaning.topics)
    return bool(said & EVENTS) or (private and (meaning.source == "name" or bool(said & MOMENTS)))


def _spoken(meaning: Meaning) -> Guess | None:
    """What the values say where label and name say nothing."""
    if not meaning.values:
        return None
    topic = meaning.values[0]
    reason = f"its values speak of {topic.about}" + (f": {topic.because}" if topic.because else "")
    return Guess(topic.role, (reason,), not (topic.weak or topic.unsure), topic, "values")


def _key(facts: Facts, twin: str) -> Guess | None:
    """Keys of things that have several rows each: many values, equally common, said again by another column."""
    if twin and facts.distinct >= KEY_VALUES and facts.evenness >= KEY_EVENNESS:
        return Guess(IDENTIFIER, (f"it names the same {facts.distinct:,} things as {twin!r}",), False, source="cells")
    if facts.grouped:
        return Guess(IDENTIFIER, ("it rises with the rows, a few of which share a number",), False, source="cells")
    return None
