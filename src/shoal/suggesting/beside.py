# SPDX-License-Identifier: Apache-2.0
"""What columns are beside the others: answers among answers, ages at events, figures of firms, and those unknown.

A column of which nothing is known is judged by its company. Where names and labels have described people well, it is an
answer of the survey. In a narrow table that says little it is a quasi-identifier: that costs some precision, while
publishing it as it is could cost a secret. In a wide table that says little only a codebook helps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from shoal.plan.roles import DATE, DROP, IDENTIFIER, INSENSITIVE, NUMERIC, QUASI_IDENTIFIER, SENSITIVE
from shoal.suggesting import words
from shoal.suggesting.deciding import MANY, Guess, guess, happened
from shoal.suggesting.facts import Facts
from shoal.suggesting.hearing import Meaning, answers_yes_or_no, meaning_of
from shoal.suggesting.ranking import limited
from shoal.suggesting.words import topics

MOST_KEYS = 2
"""Columns of numbers that never repeat in one table; if there are more, somebody has removed repeats from figures."""
LONG_LIFE = 40 * 365.25
"""Days that the dates of a column span if they are dates of birth."""
ANSWERS = 3
BATTERY, SCALE = 5, (4, 12)
"""So many columns with the same values, of which there are so many, are answers on one scale."""
AGES = (60, 120)
"""Between which the oldest of many people is."""
MEASURED, LARGE, SKEW = 0.05, 1000, 20
DESCRIBED = 4
"""Quasi-identifiers that names and labels tell, from which on they describe people well."""
NARROW = 20
"""Quasi-identifiers up to which unknown columns can be blurred, too."""
FEW_ROWS = 200
"""Rows up to which that costs nothing."""
LONGEST_LIST = 50
"""Values up to which a column of a wide table may be an answer; of more it could be a place."""
PERSONS = (
    "age birth_date sex family_status ethnicity birthplace nationality language religion education household "
    "occupation military"
).split()
"""Topics that are about people and not about firms."""

Guesses = dict[str, Guess]


def decide_roles(facts: Mapping[str, Facts], spans: Mapping[str, float], pairs: Mapping[str, str]) -> Guesses:
    """A guess per column. ``spans``: days that the dates of a column span; ``pairs``: columns that say the same."""
    meanings = {name: meaning_of(column) for name, column in facts.items()}
    without_repeats = sum(column.spread is not None and column.never_repeats for column in facts.values())
    keys = without_repeats <= MOST_KEYS
    guessed = {name: guess(column, meanings[name], pairs.get(name, ""), keys) for name, column in facts.items()}
    known = {name: found for name, found in guessed.items() if found is not None}
    known |= _ages_at_events(known, meanings)
    known |= _birth_dates(facts, known, spans)
    known |= _answers(facts, known)
    known |= _by_figures(facts, known)
    known |= _figures_of_firms(facts, known)
    known |= _unknown(facts, known)
    return limited({name: known[name] for name in facts}, facts)


def _ages_at_events(known: Guesses, meanings: Mapping[str, Meaning]) -> Guesses:
    """Ages at which something happened tell an age where there is no other, else they tell of what happened."""
    ages = [name for name, found in known.items() if found.about in ("age", "birth_date")]
    events = [name for name in ages if known[name].source != "values" and happened(meanings[name])]
    if len(ages) == len(events):
        return {}
    return {name: replace(known[name], role=SENSITIVE) for name in events}


def _birth_dates(facts: Mapping[str, Facts], known: Guesses, spans: Mapping[str, float]) -> Guesses:
    """Days of birth: with an age beside them they are not needed, and a day tells one person in a town."""
    ages = [name for name, found in known.items() if found.about == "age" and found.role == QUASI_IDENTIFIER]
    births = {}
    for name, column in facts.items():
        called = name in known and known[name].about in ("birth_date", "birthplace")  # born: a day, not a place
        unnamed = name not in known and spans.get(name, 0.0) >= LONG_LIFE
        if column.kind != DATE or not (called or unnamed):
            continue
        how = known[name].reasons[0].partition(":")[0] if called else "its dates span a life"
        if ages or not called:
            reason = f"the age in {ages[0]!r} says enough" if ages else "a day of birth tells one person in a town"
            births[name] = Guess(
                IDENTIFIER, (how, reason), called, topics()["birth_date"], "name" if called else "cells"
            )
    return births


def _answers(facts: Mapping[str, Facts], known: Guesses) -> Guesses:
    """Numbered questions, and columns that share a scale: what people say of themselves is theirs."""
    questions = [name for name, column in facts.items() if words.is_answer(name) and column.distinct <= MANY]
    scales = Counter(frozenset(one.said) for one in facts.values() if SCALE[0] <= one.distinct <= SCALE[1])
    found = {}
    for name in facts:
        if name in known or facts[name].distinct > MANY:
            continue
        alike = scales[frozenset(facts[name].said)]
        if len(questions) >= ANSWERS and name in questions:
            reason = f"it is one of {len(questions)} numbered questions with few answers"
            found[name] = Guess(SENSITIVE, (reason,), source="name")
        elif alike >= BATTERY:
            found[name] = Guess(SENSITIVE, (f"{alike} columns share its values, as answers do",), False, source="cells")
        elif answers_yes_or_no(facts[name]):
            found[name] = Guess(SENSITIVE, ("its values are yes and no, as answers are",), False, source="cells")
    return found


def _by_figures(facts: Mapping[str, Facts], known: Guesses) -> Guesses:
    """Numbers that look measured, or like amounts; and those that look most like ages."""
    found = {}
    ages = []
    for name, column in facts.items():
        figures = column.figures
        if name in known or column.kind != NUMERIC or figures is None or column.distinct < MANY:
            continue
        skewed = figures.zeros >= 0.1 or figures.high >= SKEW * max(abs(figures.middle), 1.0)
        if figures.broken >= MEASURED:
            found[name] = Guess(SENSITIVE, ("its numbers look measured",), False, source="cells")
        elif figures.high >= LARGE and skewed:
            found[name] = Guess(SENSITIVE, ("its numbers look like amounts",), False, source="cells")
        elif AGES[0] <= figures.high <= AGES[1] and figures.low >= 0 and not skewed and column.distinct >= 2 * MANY:
            ages.append(name)
    if ages and not any(one.about in ("age", "birth_date") for one in known.values()):
        oldest = max(ages, key=lambda name: facts[name].distinct)
        found[oldest] = Guess(QUASI_IDENTIFIER, ("its numbers look like ages",), False, topics()["age"], "cells")
    return found


def _figures_of_firms(facts: Mapping[str, Facts], known: Guesses) -> Guesses:
    """Where a table tells nothing about people and nearly only figures, its records are recognised by these."""
    left = (IDENTIFIER, INSENSITIVE, DROP)
    others = [name for name in facts if name not in known or known[name].role not in left]
    others += [name for name, found in known.items() if found.about == "survey_weight"]
    figures = [name for name in others if facts[name].kind == NUMERIC and facts[name].distinct >= MANY]
    if len(figures) < 0.7 * len(others) or any(found.about in PERSONS for found in known.values()):
        return {}
    reason = "the table holds figures of no persons: whoever knows some of a record finds the others"
    return {name: Guess(QUASI_IDENTIFIER, (reason,), False, source="cells") for name in figures}


def _unknown(facts: Mapping[str, Facts], known: Guesses) -> Guesses:
    """What nothing is known of, by what is known of the others."""
    unknown = [name for name in facts if name not in known]
    quasi = [found for found in known.values() if found.role == QUASI_IDENTIFIER]
    told = sum(found.source in ("label", "name") for found in quasi)
    few = len(unknown) + len(quasi) <= NARROW or any(facts[name].rows <= FEW_ROWS for name in unknown[:1])
    if told < DESCRIBED and few:
        reason = "nothing says that outsiders cannot know it"
        return {name: Guess(QUASI_IDENTIFIER, (reason,), sure=False) for name in unknown}
    return {name: _answer(facts[name], told >= DESCRIBED) for name in unknown}


def _answer(facts: Facts, described: bool) -> Guess:
    """An unknown column of a table whose others are told, or of one that needs a codebook."""
    if facts.distinct > LONGEST_LIST and facts.kind == DATE:
        return Guess(DROP, ("nothing says what its dates are, and who knows one may find the row",), sure=False)
    if facts.distinct > LONGEST_LIST and facts.kind != NUMERIC:
        return Guess(DROP, ("nothing says what it is, and it has too many values for an answer",), sure=False)
    if described or facts.label:
        return Guess(SENSITIVE, ("nothing says that outsiders could know it",), sure=False)
    return Guess(SENSITIVE, (NEEDS_CODEBOOK,), sure=False)


NEEDS_CODEBOOK = "its name says nothing and it has no label: taken for an answer until a codebook tells"
