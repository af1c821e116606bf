# SPDX-License-Identifier: Apache-2.0
"""Where a table is cut, which cells are worked on together, and which halves meet."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.engine.cells.cutting import borders, cell_of, halves, joined, parts
from shoal.ground.requirements import Requirement, Rule


@given(st.lists(st.integers(1, 60), min_size=1, max_size=60), st.integers(1, 80), st.integers(1, 40))
def test_no_cell_is_too_small(rows: list[int], size: int, least: int) -> None:
    """Unless the whole table is; equal keys stay together, and cells are no larger than they must be."""
    keys, counts = np.arange(len(rows), dtype=np.uint64) * np.uint64(3), np.array(rows)
    cells = np.bincount(cell_of(keys, borders(keys, counts, size, least)), weights=counts)
    assert cells.min() >= min(least, counts.sum())
    assert cells.max() <= 2 * max(size, least) + 2 * counts.max()


def test_cells_that_lack_values_are_joined() -> None:
    """Each with the next; the last ones with those before them, as far as it takes."""
    counts = np.array([[5, 0], [0, 5], [3, 3], [5, 0], [2, 4]])
    share = Requirement(2, (Rule("share", np.arange(2), 0.6),))
    assert joined([counts], counts.sum(axis=1), share).tolist() == [0, 0, 2, 2, 2]
    assert joined([counts[:3]], counts[:3].sum(axis=1), share).tolist() == [0, 0, 2]
    every = np.array([[1, 1], [1, 1], [9, 0]])
    assert joined([every], every.sum(axis=1), share).tolist() == [0, 0, 0]


def test_halves_keep_classes_whole() -> None:
    """A class lies where its record of the smallest key does."""
    keys = np.array([9, 1, 5, 3, 7, 8], dtype=np.uint64)
    assert halves(keys, np.array([0, 0, 1, 2, 1, 3])).tolist() == [0, 0, 0, 0, 0, 1]


def test_a_cell_of_equal_keys_is_parted() -> None:
    """All of its records, in about equal parts, equal ones side by side."""
    codes = [np.array([2, 1, 2, 1, 2, 1, 0, 0], dtype=np.uint8)]
    found = parts(np.zeros(8, dtype=np.uint64), codes, 2)
    assert [part.tolist() for part in found] == [[6, 7, 1], [3, 5, 0], [2, 4]]
    assert len(parts(np.zeros(8, dtype=np.uint64), codes, 6)) == 1
