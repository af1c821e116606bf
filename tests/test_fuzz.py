# SPDX-License-Identifier: Apache-2.0
"""A few hundred random tables and plans through the whole flow; ``make fuzz`` runs thousands."""

from __future__ import annotations

import pytest

from tests.counts import count
from tests.fuzz import RELEASED, fuzz


@pytest.mark.parametrize("first", range(0, count(50, 300), 10))
def test_whatever_is_released_holds(first: int) -> None:
    """Ten pairs: refused in five parts, or, some of them at least, released with every promise kept and no row lost."""
    outcomes = [fuzz(seed) for seed in range(first, first + 10)]
    assert any(outcome.startswith(RELEASED) for outcome in outcomes), outcomes
