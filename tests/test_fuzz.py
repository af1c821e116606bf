# SPDX-License-Identifier: Apache-2.0
"""A few hundred random tables and plans through the whole flow; ``make fuzz`` runs thousands."""

from __future__ import annotations

import pytest

from tests.fuzz import fuzz


@pytest.mark.parametrize("first", range(0, 300, 10))
def test_whatever_is_released_holds(first: int) -> None:
    """Ten pairs: refused in five parts, or released with every promise kept and no row lost."""
    for seed in range(first, first + 10):
        fuzz(seed)
