# SPDX-License-Identifier: Apache-2.0
"""linkage equals its slow plain twin for all links and both ways to stop."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import shoal
from shoal.engine.algorithms import linkage
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.ground.errors import PlanError
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from tests.counts import repeats
from tests.engine.algorithms.test_worked_examples import HALVES, T7, classes_of, released
from tests.reference import linking
from tests.strategies import random_case

WAYS = list(product(["single", "complete", "average"], ["restricted", "cut"]))
SCALES = ("range", "none", "std")
DISTANCES = ("euclidean", "manhattan")


def linked(encoded: Encoded, k: int, **given: Any) -> list[int]:
    """Labels by the method linkage."""
    parameters = linkage.Parameters(**given)
    return linkage.cluster(encoded, Requirement(k), parameters, np.random.default_rng(0), Progress()).labels.tolist()


@pytest.mark.parametrize("seed", repeats(15, 200))
def test_linkage_equals_its_twin(seed: int) -> None:
    """Remembered nearest classes and collapsed equal records change nothing but the time."""
    encoded, k = random_case(160_000 + seed, largest=60 if seed < 6 else 25)
    scale, distance = SCALES[seed % 3], DISTANCES[seed % 2]
    for link, stop in WAYS:
        found = linked(encoded, k, link=link, stop=stop, scale=scale, distance=distance)
        assert found == linking.linkage(encoded, k, link, stop, scale, distance), (link, stop)


@pytest.mark.parametrize(("link", "stop"), WAYS)
@pytest.mark.parametrize("k", [2, 3])
def test_seven_patients(k: int, link: str, stop: str) -> None:
    """Shares of the range, differences added up: all links and both ways to stop agree."""
    release = released(T7, k, "linkage", link=link, stop=stop, distance="manhattan")
    assert classes_of(release) == HALVES


def test_centres_are_published_by_default() -> None:
    """Means of the classes, or ranges if asked for."""
    asked = {"k": 3, "quasi_identifiers": T7.columns, "method": "linkage", "keep_order": True}
    assert shoal.anonymize(T7, **asked).table["age"].to_list()[:2] == [27.5, 27.5]
    assert shoal.anonymize(T7, **asked, render="generalise").table["age"].to_list()[:2] == ["[20, 40]"] * 2


@pytest.mark.parametrize(("link", "stop"), WAYS)
def test_class_sizes(link: str, stop: str) -> None:
    """At least k records in every class, whatever the table."""
    for seed in range(20):
        encoded, k = random_case(170_000 + seed, largest=300)
        assert np.bincount(linked(encoded, k, link=link, stop=stop)).min() >= k


@pytest.mark.parametrize("link", ["single", "complete", "average"])
def test_a_full_class_takes_in_others_but_is_not_joined_with_another_full_one(link: str) -> None:
    """Two full classes side by side and a far pair: restricted keeps three classes, the cut joins the two."""
    encoded = Encoded((EncodedColumn("x", np.array([0.0, 1, 2, 4, 5, 6, 90, 100])),))
    assert linked(encoded, 2, link=link, scale="none") == [0, 0, 0, 1, 1, 1, 2, 2]
    assert linked(encoded, 2, link=link, scale="none", stop="cut") == [0, 0, 0, 0, 0, 0, 1, 1]


@pytest.mark.parametrize("link", ["single", "complete", "average"])
def test_slices_do_not_change_the_result(link: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """How often progress is reported never shows in the classes."""
    encoded, k = random_case(180_001, largest=200)
    whole = linked(encoded, k, link=link)

    def one_by_one(step: Any, total: int, progress: Progress) -> int:
        return [step(goal) for goal in range(1, total + 1)][-1]

    monkeypatch.setattr(linkage, "in_slices", one_by_one)
    assert linked(encoded, k, link=link) == whole


def test_too_many_different_records_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what it would need, and which method to use instead; equal records do not count."""
    monkeypatch.setattr(linkage, "CAPABILITIES", replace(linkage.CAPABILITIES, largest_distinct=6))
    with pytest.raises(PlanError, match="7 different records, which make 21 pairs") as raised:
        released(T7, 2, "linkage")
    assert "--method mdav_generic" in str(raised.value)
    assert len(raised.value.parts()) == 5
    released(T7[[0, 0, 1, 2, 3, 4, 5]], 2, "linkage")
