# SPDX-License-Identifier: Apache-2.0
"""Every kind of release answers everything that the rest of the code asks."""

from __future__ import annotations

import warnings
from dataclasses import fields

import polars as pl
import pytest

import shoal
from shoal.engine.methods import RESULTS
from shoal.ground import catalog
from shoal.judging.evidence import EVERY_RELEASE
from shoal.releases.kinds import KINDS, kind_named, kind_of_method
from shoal.releases.kinds.kind import Kind
from shoal.releases.release import Release

METHODS = {"classes": "k_member", "subtables": "equal_combination", "boxes": "non_homogeneous"}
PEOPLE = pl.DataFrame(
    {
        "age": [20 + 7 * row % 50 for row in range(30)],
        "sex": ["mf"[row % 2] for row in range(30)],
        "disease": [("flu", "cold", "gout")[row % 3] for row in range(30)],
    }
)
each_kind = pytest.mark.parametrize("name", list(KINDS))


def released(name: str) -> Release:
    """A release of one kind."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        roles = {"quasi_identifiers": ["age", "sex"], "sensitive": ["disease"], "accept_weaker": True}
        return shoal.anonymize(PEOPLE, k=3, method=METHODS[name], seed=1, **roles)


def test_engine_judge_and_releases_know_the_same_kinds() -> None:
    """A kind has an object here, a result in the engine and a name for the judge; every method declares one of them."""
    assert list(KINDS) == list(EVERY_RELEASE) == list(RESULTS)
    assert {kind_of_method(name).name for name in catalog.names("algorithms")} == set(KINDS)


@each_kind
def test_a_kind_answers_every_question(name: str) -> None:
    """What it is called, made of, judged by and told with: everything is there, and nothing is left to be filled in."""
    kind, release = kind_named(name), released(name)
    assert release.kind is kind
    assert kind.name == name
    assert kind.words
    assert kind.promise
    assert set(kind.promised(release)) == set(kind.figures)
    assert all(isinstance(number, int) for number in kind.promised(release).values())
    texts = [kind.statement(release.plan), kind.letters.format(**kind.numbers(release))]
    texts += [kind.headline.format(**kind.numbers(release)), kind.attacker]
    texts += [said for words in (kind.rows, kind.lines) for pair in kind.told(words, release) for said in pair]
    assert all(text and "{" not in text for text in texts)
    assert bool(kind.findings) is kind.weaker
    assert set(kind.findings) <= {finding.model for finding in release.verdict.findings}
    judged = kind.judge(release.published, release.plan, release.private)
    assert judged == release.verdict
    outside = kind.judge(release.published, release.plan, None)
    assert outside.holds is not kind.secret  # a promise that rests on a secret can be judged by its maker alone
    assert kind.side_by_side(release.published, release.plan).names
    assert len(kind.file_names(len(release.published), ".csv")) == len(release.published)


@each_kind
def test_less_is_said_and_must_be_accepted(name: str) -> None:
    """A kind that keeps less than k-anonymity says what, judges with its maker, and never runs unasked."""
    kind, plan = kind_named(name), released(name).plan
    unasked = shoal.Plan.of(3, quasi_identifiers=["age"], method=METHODS[name])
    assert kind.weaker is (name != "classes")
    assert bool(kind.announcement(plan)) is kind.weaker
    assert kind.needs_maker(unasked) is kind.weaker
    assert (kind.groups is None) is not kind.weaker
    if kind.weaker:
        with pytest.raises(shoal.ShoalError, match="does not publish a k-anonymous"):
            kind.announcement(unasked)
    else:
        assert kind.announcement(unasked) == ""


def test_a_kind_cannot_leave_a_question_open() -> None:
    """A new kind without a way to be made or judged, or without its words, cannot be made."""
    words = {one.name: getattr(KINDS["classes"], one.name) for one in fields(Kind)}
    with pytest.raises(TypeError, match="abstract"):
        Kind(**words)
    with pytest.raises(TypeError, match="headline"):
        type(KINDS["classes"])(**{name: said for name, said in words.items() if name != "headline"})
