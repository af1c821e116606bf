# SPDX-License-Identifier: Apache-2.0
"""r_tree equals its slow plain twin, and its tiles are as many and as large as they should be."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.algorithms import r_tree
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from tests.counts import repeats
from tests.reference import r_tree as twin
from tests.strategies import random_case


def tiled(encoded: Encoded, k: int) -> list[int]:
    """Labels by the method r_tree."""
    made = r_tree.cluster(encoded, Requirement(k), r_tree.Parameters(), np.random.default_rng(0), Progress())
    return made.labels.tolist()


@pytest.mark.parametrize("seed", repeats(15, 250))
def test_r_tree_equals_its_twin(seed: int) -> None:
    """Cutting all parts of a level at once is cutting them one by one."""
    encoded, k = random_case(90_000 + seed, largest=400 if seed < 50 else 60)
    assert tiled(encoded, k) == twin.r_tree(encoded, k)


@pytest.mark.parametrize("seed", range(30))
def test_all_tiles_hold_k_but_the_last(seed: int) -> None:
    """There are n // k tiles; what is left over joins one of them."""
    encoded, k = random_case(91_000 + seed, largest=300)
    sizes = np.bincount(tiled(encoded, k))
    assert len(sizes) == len(encoded) // k
    assert sorted(sizes)[:-1] == [k] * (len(sizes) - 1)
    assert max(sizes) == k + len(encoded) % k


def test_a_grid_is_cut_into_its_squares() -> None:
    """Sixteen points on a 4 x 4 grid with k = 4: two slabs of two tiles each."""
    across, up = np.divmod(np.arange(16), 4)
    encoded = Encoded((EncodedColumn("x", across.astype(float)), EncodedColumn("y", up.astype(float))))
    assert np.reshape(tiled(encoded, 4), (4, 4)).tolist() == [[0, 0, 1, 1]] * 2 + [[2, 2, 3, 3]] * 2


@pytest.mark.parametrize(
    ("tiles", "attributes", "slabs"), [(27, 3, 3), (28, 3, 4), (1, 30, 1), (2, 30, 2), (64, 1, 64)]
)
def test_the_number_of_slabs_is_an_exact_root(tiles: int, attributes: int, slabs: int) -> None:
    """The cube root of 27 is 3, though 27 ** (1 / 3) is a little more in floating point."""
    assert r_tree._root(tiles, attributes) == slabs
