# SPDX-License-Identifier: Apache-2.0
"""Mondrian equals its slow plain twin in all of its modes, and keeps its class sizes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from shoal.engine.algorithms import mondrian
from shoal.engine.encoding.encoded import Encoded
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from tests.counts import repeats
from tests.reference import cutting
from tests.strategies import random_case, random_encoded

MODES = list(product(["strict", "relaxed"], ["ordered", "taxonomy"]))


def cut(encoded: Encoded, k: int, mode: str, cuts: str) -> list[int]:
    """Labels by the method mondrian."""
    given = mondrian.Parameters(mode=mode, cuts=cuts)
    made = mondrian.cluster(encoded, Requirement(k), given, np.random.default_rng(0), Progress())
    return made.labels.tolist()


@pytest.mark.parametrize("seed", repeats(15, 200))
def test_mondrian_equals_its_twin(seed: int) -> None:
    """Strict and relaxed, by leaf order and by taxonomy: the same classes as the plain recursion."""
    encoded, k = random_case(40_000 + seed, largest=400 if seed < 12 else 80)
    for mode, cuts in MODES:
        assert cut(encoded, k, mode, cuts) == cutting.mondrian(encoded, k, mode, cuts), (mode, cuts)


@pytest.mark.parametrize("seed", range(30))
def test_relaxed_classes_stay_below_2k(seed: int) -> None:
    """Halving always works, so no class keeps 2k records."""
    encoded, k = random_case(50_000 + seed, largest=200)
    sizes = np.bincount(cut(encoded, k, "relaxed", "ordered"))
    assert k <= sizes.min()
    assert sizes.max() <= 2 * k - 1


@pytest.mark.parametrize("mode", ["strict", "relaxed"])
def test_slices_do_not_change_the_result(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """How often progress is reported never shows in the classes."""
    encoded = random_encoded(np.random.default_rng(5), 300, columns=4)
    whole = cut(encoded, 3, mode, "taxonomy")
    monkeypatch.setattr(mondrian, "ROWS_PER_SLICE", 7)
    assert cut(encoded, 3, mode, "taxonomy") == whole
