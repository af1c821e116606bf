# SPDX-License-Identifier: Apache-2.0
"""The value of a rank, and numbers in order: as sorting gives them."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.kernels.ranking import ranked, sort
from tests.counts import repeats


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
