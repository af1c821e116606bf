# SPDX-License-Identifier: Apache-2.0
"""What a column is said to be about: by its label, else its name, and by its values.

Labels say more than names, and names more than values. Values speak where most of them do: codes by their labels, words
by the topics' lists, and codes and names of public classifications.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from shoal.ground.missing_words import says_nothing
from shoal.hierarchies.kinds import ages, countries, education, icd10, us_states
from shoal.plan.roles import DATE, NUMERIC
from shoal.suggesting import shapes, words
from shoal.suggesting.facts import Facts
from shoal.suggesting.words import Heard, Topic, topics

MOST = 0.6
"""Share of the values from which on they speak of a topic."""
MOST_VALUES = 60
"""Values that are listened to; lists of more are looked up in classifications alone."""
MOST_LISTED = 400
NOTHING = re.compile(
    r"^(?:|[-?.*]+|n/?a|nan|none of (?:these|the above)|missing|unknown|unk|not known|refused?|refusal|don'?t know.*|"
    r"not stated|no answer|other.*|not applicable|inapplicable|not in universe.*|system missing|unspecified|"
    r"undetermined|autre.*|otro.*|altro.*|outro.*|anders.*|inne|sonstige.*|keine angabe|wei(?:ss|ß) nicht|ne sait pas|"
    r"no sabe|not ascertained|children|oos)$",
    re.IGNORECASE,
)
"""Values that say nothing about what a column is."""
YES_NO = frozenset("yes no y n ja nein oui non si sim nao nee tak nie true false t f marked not".split())
NEITHER = {"u", "x", "o", "d", "divers", "diverse", "other", "non-binary", "nonbinary", "inter"}
"""What may stand beside them."""
LETTERS = (set("mf"), set("mw"), set("mk"), set("mv"), set("hm"), set("hf"))
"""Letters for men and women."""


@dataclass(frozen=True)
class Meaning:
    """What a column seems to be about."""

    topics: tuple[Topic, ...]
    """Of its label or name."""
    source: str
    """``label`` or ``name``; empty if neither speaks of anything."""
    heard: Heard
    values: tuple[Topic, ...]
    """Of its values."""


def meaning_of(facts: Facts) -> Meaning:
    """What label, name and values of a column say."""
    label, name = words.hear(facts.label), words.hear(facts.name)
    source, heard = _clearer(label, name)
    spoken = _spoken(facts)
    found = tuple(topic for topic in heard.topics if not topic.alone or (heard.alone and len(heard.topics) == 1))
    return Meaning(_sexes_apart(found, facts, spoken), source, heard, spoken)


def _clearer(label: Heard, name: Heard) -> tuple[str, Heard]:
    """The label, unless it only sounds like a question and the name says more."""
    for source, heard in (("label", label), ("name", name)):
        if any(not topic.weak for topic in heard.topics):
            return source, heard
    return ("label", label) if label else ("name", name) if name else ("", label if label.words else name)


def _sexes_apart(found: tuple[Topic, ...], facts: Facts, spoken: tuple[Topic, ...]) -> tuple[Topic, ...]:
    """A sex is one if its values are; with words of another kind, or many numbers, it is about sexual life."""
    known = topics()
    if known["sex"] not in found or known["sex"] in spoken:
        return found
    letters = (word for text in facts.said[:MOST_VALUES] for word in words.split(text))
    if facts.distinct <= len(LETTERS) and not any(len(word) > 1 and word.isalpha() for word in letters):
        return found
    return tuple(known["sexuality"] if topic.name == "sex" else topic for topic in found)


def _spoken(facts: Facts) -> tuple[Topic, ...]:
    """What most values speak of; the surest first."""
    if facts.kind == DATE or not facts.said:
        return ()
    if len(facts.said) > MOST_LISTED or (facts.said == facts.texts and facts.kind == NUMERIC):
        return ()
    telling = [text for text in facts.said if _tells(text)]
    if not telling:
        return ()
    known = topics()
    listed = _listed(telling)
    if listed:
        return (known[listed],)
    if _letters(telling):
        return (known["sex"],)
    if len(telling) > MOST_VALUES:
        return ()
    heard = Counter(topic for text in telling for topic in _of_value(text))
    least = max(MOST * len(telling), 2)
    common = [topic for topic, count in heard.most_common() if count >= least]
    return tuple(sorted(common, key=lambda topic: (topic.weak, -heard[topic])))


def _tells(text: str) -> bool:
    """Whether a value says something about what its column is."""
    return not NOTHING.match(text.strip()) and not says_nothing(text)


@lru_cache(maxsize=10_000)
def _of_value(text: str) -> tuple[Topic, ...]:
    return words.hear_value(text).topics


def _listed(telling: Sequence[str]) -> str:
    """The topic of codes and names that a public classification or a shape knows; empty if none does."""
    bands = [text for text in telling if not text.strip().isdigit() and ages.span_of(text) is not None]
    if len(bands) >= 0.8 * len(telling) and len(bands) > 2:
        return "age"
    private = shapes.private_values(telling)
    if private:
        return {"bands of money": "income", "occupations": "occupation"}.get(private, "illness")
    tests = (("place", us_states, 0.8), ("birthplace", countries, 0.8), ("education", education, 0.7))
    for topic, kind, least in tests:
        known = sum(groups is not None for groups in kind.groups_of(telling))
        if len(telling) > 2 and known >= least * len(telling) and not all(text.strip().isdigit() for text in telling):
            return topic
    chapters = {text[:1] for text in telling}
    known = sum(groups is not None for groups in icd10.groups_of(telling))
    return "illness" if len(chapters) >= shapes.CHAPTERS and known >= 0.8 * len(telling) else ""


def _letters(telling: Sequence[str]) -> bool:
    """Whether values are the letters for men and women."""
    small = {text.strip().casefold() for text in telling}
    return any(small - NEITHER == pair for pair in LETTERS)


def answers_yes_or_no(facts: Facts) -> bool:
    """Whether the values of a column are yes and no."""
    telling = [text for text in facts.said[:MOST_VALUES] if _tells(text)]
    firsts = (words.split(text)[:1] for text in telling)
    return 0 < len(telling) <= 4 and all(first and first[0] in YES_NO for first in firsts)
