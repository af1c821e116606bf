# SPDX-License-Identifier: Apache-2.0
"""Special uniques: the search equals the definition, and scores are those of the papers."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.judging import special_uniques as searched
from shoal.judging.special_uniques import SpecialUniques, largest_within, special_uniques
from tests.counts import repeats
from tests.reference import special_uniques as twin

EIGHT = [("a", 1, "x"), ("a", 1, "y"), ("a", 2, "x"), ("b", 2, "y"), ("b", 2, "y"), ("c", 2, "x"), ("a", 1, "x")]
"""The third row is alone with its first two cells, the second with 1 and y, the sixth with c."""


def of(rows: list[tuple[object, ...]], largest: int | None = None) -> SpecialUniques:
    """The search over rows of any cells."""
    columns = [[row[place] for row in rows] for place in range(len(rows[0]))]
    return special_uniques([np.unique(list(map(str, one)), return_inverse=True)[1] for one in columns], largest)


def test_a_table_by_hand() -> None:
    """Sets, scores and contributions as one works them out on paper."""
    found = of(EIGHT)
    sets = {bits: rows.tolist() for bits, rows in found.minimal.items()}
    assert sets == {0b001: [5], 0b011: [2], 0b101: [1], 0b110: [1]}
    assert found.scores.tolist() == [0, 2, 1, 0, 0, 2, 0]
    assert found.contributions == [4 / 5, 2 / 5, 2 / 5]
    assert found.sizes.tolist() == [0, 2, 2, 0, 0, 1, 0]
    assert (found.sets_of(1), found.sets_of(0)) == ([0b101, 0b110], [])
    assert found.alone[0b111] == 3


@pytest.mark.parametrize("seed", repeats(30, 200))
def test_random_tables_equal_the_exhaustive_twin(seed: int) -> None:
    """Scores, contributions and what columns add, for all sizes of sets."""
    random = np.random.default_rng(seed)
    columns, rows = int(random.integers(1, 6)), int(random.integers(1, 13))
    cells = random.integers(0, random.integers(1, 5, columns) + 1, (rows, columns))
    table = [tuple(row) for row in cells.tolist()]
    largest = int(random.integers(1, columns + 1))
    found = of(table, largest)
    assert found.scores.tolist() == twin.scores(table, largest)
    assert found.contributions == pytest.approx(twin.contributions(table, largest))
    whole = of(table)
    assert whole.largest == columns
    assert whole.adds == pytest.approx(twin.shapley(table))
    every = range(columns)
    assert whole.alone[max(whole.alone)] == twin.alone(table, every)


def test_numbers_too_large_for_the_quick_sort_are_sorted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and places that do not fit into one number give the same classes."""
    random = np.random.default_rng(0)
    keys = random.integers(0, 50, 200)
    quick = searched._sorted(keys, np.arange(200))
    slow = searched._sorted(keys + 2**60, np.arange(200))
    assert (quick[0] == slow[0] - 2**60).all()
    assert (quick[1] == slow[1]).all()


def test_the_search_is_as_large_as_its_work_allows() -> None:
    """Small tables are searched whole, wide ones by sets of at least three columns; nobody waits for 2^40 sets."""
    assert largest_within(1_000, 12) == 12
    assert largest_within(5_000_000, 30) == 3
    assert largest_within(0, 20) == 6
    assert largest_within(10**9, 2) == 2
    assert of([(1, 2), (1, 3)], 9).largest == 2


def test_rows_without_columns_and_columns_without_rows() -> None:
    """Nothing to search is nothing found."""
    assert special_uniques([]).adds == []
    none = special_uniques([np.zeros(0, dtype=np.int64)] * 2)
    assert (none.scores.tolist(), none.contributions, none.adds) == ([], [0.0, 0.0], [0.0, 0.0])
