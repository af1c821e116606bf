# SPDX-License-Identifier: Apache-2.0
"""Loukides and Shao's clustering in our reading equals its slow plain twin, and what it leaves out is counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.algorithms import loukides_shao
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.ground.errors import CannotHoldError, PlanError
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement, Rule
from tests.counts import repeats
from tests.reference import grouping
from tests.strategies import random_case, random_encoded


def made(encoded: Encoded, k: int, rules: tuple[Rule, ...] = (), seed: int = 0, **given: Any) -> list[int]:
    """Labels by the method loukides_shao."""
    parameters = loukides_shao.Parameters(**given)
    random = np.random.default_rng(seed)
    return loukides_shao.cluster(encoded, Requirement(k, rules), parameters, random, Progress()).labels.tolist()


def case(seed: int, largest: int) -> tuple[Encoded, int, list[int]]:
    """A random table of at least 2k rows, and an order of its rows."""
    encoded, k = random_case(seed, largest)
    if len(encoded) < 2 * k:
        return case(seed + 1_000_000, largest)
    return encoded, k, np.random.default_rng(seed).permutation(len(encoded)).tolist()


def twin(
    encoded: Encoded, k: int, order: list[int], threshold: float | None, suppress: str, **others: Any
) -> list[int]:
    """Labels by the twin, with the threshold chosen from the table if it is None."""
    score = grouping.Score(encoded, **others)
    limit = grouping.chosen_limit(score, k, order, 100, 0.9) if threshold is None else np.floor(threshold * 1e12 + 0.5)
    return grouping.loukides_shao(score, k, order, limit, suppress)


@pytest.mark.parametrize("suppress", ["class", "seed"])
@pytest.mark.parametrize("seed", repeats(15, 200))
def test_loukides_shao_equals_its_twin(seed: int, suppress: str) -> None:
    """Deleting from the box tree, and putting back, changes nothing but the time."""
    encoded, k, order = case(130_000 + seed, 120 if seed % 25 == 0 else 32)
    threshold = (None, 0.1, 0.3, 0.7)[seed % 4]
    expected = twin(encoded, k, order, threshold, suppress)
    if max(expected) < 0:
        with pytest.raises(CannotHoldError):
            made(encoded, k, order=tuple(order), threshold=threshold, suppress=suppress)
        return
    assert made(encoded, k, order=tuple(order), threshold=threshold, suppress=suppress) == expected


@pytest.mark.parametrize("share", [0.0, 0.3, 0.8])
@pytest.mark.parametrize("seed", range(30))
def test_private_values_count_where_a_model_names_them(seed: int, share: float) -> None:
    """With a share of the loss below 1, repeated private values raise the score."""
    encoded, k, order = case(140_000 + seed, 30)
    codes = np.random.default_rng(seed).integers(0, 4, len(encoded))
    rules = (Rule("distinct", codes, 2.0),)
    expected = twin(encoded, k, order, None, "class", share=share, private=codes.tolist())
    assert made(encoded, k, rules, order=tuple(order), loss_share=share) == expected


def test_the_tables_leave_out_some_records_and_keep_some() -> None:
    """The comparison is about classes and about records that are in none."""
    found = []
    for seed in range(0, 200, 4):
        encoded, k, order = case(130_000 + seed, 32)
        found.append(made(encoded, k, order=tuple(order)))
    assert sum(min(labels) < 0 for labels in found) > 10
    assert sum(max(labels) > 0 for labels in found) > 10


@pytest.mark.parametrize("suppress", ["class", "seed"])
def test_slices_do_not_change_the_result(suppress: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """How often progress is reported never shows in the classes, not even in the middle of one."""
    encoded = random_encoded(np.random.default_rng(5), 200, columns=3)
    whole = made(encoded, 4, suppress=suppress)
    monkeypatch.setattr(loukides_shao, "TRIED_PER_SLICE", 3)
    assert made(encoded, 4, suppress=suppress) == whole


@pytest.mark.parametrize("seed", range(20))
def test_without_a_threshold_some_class_is_found(seed: int) -> None:
    """The chosen threshold lets the first seed reach k, so a release is always made, in classes of at least k."""
    encoded, k, _ = case(150_000 + seed, 200)
    labels = np.array(made(encoded, k, seed=seed))
    assert np.bincount(labels[labels >= 0]).min() >= k


@pytest.mark.parametrize("seed", range(10))
def test_kept_classes_stay_within_the_threshold(seed: int) -> None:
    """No class has a higher score than asked."""
    encoded, k = random_encoded(np.random.default_rng(seed), 200, columns=2), 2
    labels = np.array(made(encoded, k, seed=seed, threshold=0.2, suppress="seed"))
    score = grouping.Score(encoded)
    assert max(score.of(np.flatnonzero(labels == one).tolist()) for one in range(labels.max() + 1)) <= 0.2 * 1e12


def test_a_threshold_that_no_class_stays_within_is_refused() -> None:
    """Nothing to release is an error with all five parts, and no bug of the method."""
    encoded = Encoded((EncodedColumn("x", np.arange(10.0)),))
    with pytest.raises(CannotHoldError) as raised:
        made(encoded, 3, threshold=0.1)
    assert len(raised.value.parts()) == 5


@pytest.mark.parametrize(
    ("suppress", "expected"), [("class", [-1, -1, 0, 0, -1, 0, 0, 0]), ("seed", [-1, 0, 0, 0, -1, 1, 1, 1])]
)
def test_less_is_left_out_if_only_the_seed_is(suppress: str, expected: list[int]) -> None:
    """The first class, {4, 2.5}, stays too small: 2.5 goes with it, or may still join 1 and 0.5."""
    encoded = Encoded((EncodedColumn("x", np.array([4.0, 2.5, 1.0, 0.5, 10.0, 0.0, 0.0, 0.0])),))
    assert made(encoded, 3, order=tuple(range(8)), threshold=0.2, suppress=suppress) == expected


def test_private_values_without_a_model_are_refused() -> None:
    """The method sees no private values unless a model is about them; it says so in five parts."""
    with pytest.raises(PlanError) as raised:
        made(random_encoded(np.random.default_rng(0), 20), 2, loss_share=0.5)
    assert len(raised.value.parts()) == 5


# -- through the whole flow --------------------------------------------------------------------------------------

AGES = pl.DataFrame({"age": [20, 21, 22, 60, 61, 62, 100], "disease": list("abcabca")})


def released() -> shoal.Release:
    """Seven people, of whom the oldest is left out."""
    return shoal.anonymize(
        AGES,
        k=3,
        quasi_identifiers=["age"],
        sensitive=["disease"],
        method="loukides_shao",
        parameters={"threshold": 0.1, "order": [0, 3]},
        keep_order=True,
    )


def test_what_is_left_out_is_counted_everywhere() -> None:
    """Facts, classes, losses, text and page all know the record that is not in the table."""
    release = released()
    assert release.classes.tolist() == [0, 0, 0, 1, 1, 1, -1]
    assert len(release.released) == 6
    assert (release.facts["rows"], release.facts["released_rows"], release.facts["suppressed"]) == (7, 6, 1)
    ncp = next(one for one in release.measurements if one.metric == "ncp")
    assert ncp.value == pytest.approx(6 * 2 / 42 + 1), "of the range of the released rows"
    assert ncp.figures["gcp"] == pytest.approx((6 * 2 / 42 + 1) / 7)
    discernibility = next(one for one in release.measurements if one.metric == "discernibility")
    assert discernibility.value == pytest.approx(2 * 9 + 7)
    assert "7 read, 6 released, 1 left out" in release.report()
