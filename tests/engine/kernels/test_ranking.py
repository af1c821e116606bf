# SPDX-License-Identifier: Apache-2.0
"""The value of a rank, numbers in order, and the least of them: as sorting gives them."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.ranking import first_least as part_first_least
from shoal.engine.kernels.ranking import ranked, sort
from shoal.ground.arrays import Ints
from tests.counts import repeats
from tests.reference import pools


@kernel
def first_least(bits: Ints, many: int) -> int:
    """Only kernels can call it."""
    return part_first_least(bits, many)


@pytest.mark.parametrize("seed", repeats(20, 300))
def test_the_value_of_a_rank(seed: int) -> None:
    """Any rank of any numbers, with and without ties, sorted before or not."""
    random = np.random.default_rng(seed)
    values = random.integers(0, random.choice([2, 5, 1000]), random.integers(1, 60)).astype(np.float64)
    values = [values, np.sort(values), np.sort(values)[::-1].copy()][seed % 3]
    for rank in range(len(values)):
        assert ranked(values.copy(), rank) == np.sort(values)[rank]


@pytest.mark.parametrize("seed", repeats(20, 300))
def test_numbers_in_order(seed: int) -> None:
    """Only the first ones are sorted; the others stay where they are."""
    random = np.random.default_rng(seed)
    numbers = random.integers(-5, random.choice([3, 2**62]), random.integers(0, 80))
    many = int(random.integers(0, len(numbers) + 1))
    expected = [*sorted(numbers[:many].tolist()), *numbers[many:].tolist()]
    sort(numbers, many)
    assert numbers.tolist() == expected


@pytest.mark.parametrize("seed", repeats(20, 300))
def test_the_first_least_of_floats_seen_as_whole_numbers(seed: int) -> None:
    """Below zero, zeros and infinities too, which are ordered otherwise as whole numbers; of equals the first."""
    random = np.random.default_rng(seed)
    few = np.array([-np.inf, -3.5, -1e-300, 0.0, 1e-300, 2.0, np.inf])[random.integers(0, 3) :]
    drawn = random.choice(few, random.integers(1, 60)) if seed % 2 else random.normal(size=random.integers(1, 60))
    values = np.round(drawn, int(random.integers(0, 4))) + 0.0  # rounding makes ties, and zeros below zero
    many = int(random.integers(1, len(values) + 1))
    assert first_least(values.view(np.int64), many) == pools.first_least(values[:many].tolist())
