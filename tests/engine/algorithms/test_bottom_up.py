# SPDX-License-Identifier: Apache-2.0
"""bottom_up equals its slow plain twin with either way to split, and gives the classes of the worked examples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from shoal.engine.algorithms import bottom_up
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.ground.errors import PlanError
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from tests.counts import repeats
from tests.engine.algorithms.test_worked_examples import HALVES, M8, T7, TABLE_2, classes_of, released, value
from tests.reference import joining
from tests.strategies import random_case


def joined(encoded: Encoded, k: int, **given: Any) -> list[int]:
    """Labels by the method bottom_up."""
    parameters = bottom_up.Parameters(**given)
    return bottom_up.cluster(encoded, Requirement(k), parameters, np.random.default_rng(0), Progress()).labels.tolist()


@pytest.mark.parametrize("split", ["blocks", "dp"])
@pytest.mark.parametrize("seed", repeats(15, 200))
def test_bottom_up_equals_its_twin(seed: int, split: str) -> None:
    """Bounded looks choose what looking at every union chooses."""
    encoded, k = random_case(140_000 + seed, largest=60 if seed < 6 else 26)
    assert joined(encoded, k, split=split) == joining.bottom_up(encoded, k, split)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("split", ["blocks", "dp"])
def test_class_sizes(seed: int, split: str) -> None:
    """Every class has k to 2k - 1 records."""
    encoded, k = random_case(150_000 + seed, largest=300)
    sizes = np.bincount(joined(encoded, k, split=split))
    assert k <= sizes.min()
    assert sizes.max() <= 2 * k - 1


@pytest.mark.parametrize(("k", "expected"), [(2, TABLE_2), (3, HALVES)])
def test_seven_patients(k: int, expected: list[list[int]]) -> None:
    """Two columns of numbers."""
    assert classes_of(released(T7, k, "bottom_up", loss="ncp")) == expected


def test_eight_people() -> None:
    """Mixed columns with trees."""
    release = released(M8, 2, "bottom_up", loss="ncp")
    assert classes_of(release) == [[0, 1], [2, 6, 7], [3, 4, 5]]
    assert value(release, "ncp") == pytest.approx(11.8)


def test_too_many_rows_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says how many pairs that would be, and which method to use instead."""
    monkeypatch.setattr(bottom_up, "CAPABILITIES", replace(bottom_up.CAPABILITIES, largest_rows=6))
    with pytest.raises(PlanError, match="7 rows, which make 21 pairs") as raised:
        released(T7, 2, "bottom_up")
    assert "--method k_member" in str(raised.value)


def test_large_classes_are_split_as_asked() -> None:
    """Seven equal records and five others in one class: blocks of five cut through the seven, the best runs do not."""
    encoded = Encoded((EncodedColumn("x", np.repeat([0.0, 1.0], [7, 5])),))
    rows = np.arange(12)
    assert bottom_up._split(encoded, np.zeros(12, dtype=np.int64), 5, "blocks").tolist() == [0] * 5 + [5] * 7
    assert bottom_up._split(encoded, np.zeros(12, dtype=np.int64), 5, "dp").tolist() == [0] * 7 + [7] * 5
    assert bottom_up._split(encoded, rows // 6, 5, "blocks").tolist() == (rows // 6).tolist()
