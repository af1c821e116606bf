# SPDX-License-Identifier: Apache-2.0
"""Pairs of columns: known values of the three measures, and what must not look like a loss."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shoal.judging.associations import CRAMER, RANKS, RATIO, Side, association, categories, places
from shoal.judging.portraits.pairs import ComparedColumn, pairs_of


def on_line(*values: float) -> Side:
    return Side(True, np.array(values, dtype=float))


def named(*codes: int) -> Side:
    return Side(False, np.array(codes, dtype=np.int64))


def test_ranks_as_worked_out_by_hand() -> None:
    """Spearman with ties: ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4 give 4.5 / sqrt(4.5 · 5)."""
    assert association(on_line(1, 2, 2, 9), on_line(1, 2, 3, 4), 0) == pytest.approx(4.5 / math.sqrt(22.5))
    assert association(on_line(1, 2, 3, 4), on_line(9, 7, 5, 3), 0) == pytest.approx(-1)


def test_rows_with_a_missing_cell_do_not_count() -> None:
    """A missing cell on either side takes its row out, whatever stands on the other."""
    whole = association(on_line(1, 2, 3), on_line(2, 1, 3), 0)
    assert association(on_line(1, 2, 3, math.nan, 5), on_line(2, 1, 3, -9, math.nan), 0) == whole


def test_a_table_of_names_by_its_definition() -> None:
    """Cramér's V of a 2 x 2 table, 30, 10 / 10, 30, corrected for chance by Bergsma's formula."""
    one, other = named(*([0] * 40 + [1] * 40)), named(*([0] * 30 + [1] * 10 + [0] * 10 + [1] * 30))
    phi = 0.5**2 - 1 / 79
    assert association(one, other, 2) == pytest.approx(math.sqrt(phi / (2 - 1 / 79 - 1)))


def test_groups_that_part_the_ranks() -> None:
    """Nearly everything explained, nothing explained, and a group for each row, of which nothing can be said."""
    assert association(on_line(*range(100)), named(*([0] * 50 + [1] * 50)), 0) == pytest.approx(0.866, abs=0.01)
    random = np.random.default_rng(0)
    assert association(Side(True, random.random(5000)), Side(False, random.integers(0, 40, 5000)), 0) < 0.1
    assert math.isnan(association(on_line(1, 2, 3), named(0, 1, 2), 0))


@pytest.mark.parametrize("sides", [(named(0, 0, 0, 0), named(0, 1, 0, 1)), (on_line(1, 1, 1, 1), on_line(1, 2, 3, 4))])
def test_a_column_that_does_not_vary_goes_with_nothing(sides: tuple[Side, Side]) -> None:
    """Undefined, and such a pair is not told."""
    assert math.isnan(association(*sides, fewest=1))
    columns = [ComparedColumn(name, side, side) for name, side in zip("ab", sides)]
    assert pairs_of(columns) == []


def test_one_more_label_does_not_look_like_a_loss() -> None:
    """Of 1,000 rows one is blurred to a third label: the measure hardly moves."""
    random = np.random.default_rng(1)
    sex = random.integers(0, 2, 1000)
    other = np.where(random.random(1000) < 0.8, sex, 1 - sex)
    blurred = sex.copy()
    blurred[0] = 2
    before, after = categories(sex), categories(blurred)
    (pair,) = pairs_of(
        [ComparedColumn("sex", before, after), ComparedColumn("job", categories(other), categories(other))]
    )
    assert pair.measure == CRAMER
    assert pair.change < 0.01


def test_pairs_are_named_by_their_measure_and_sorted() -> None:
    """Each pair once, the strongest before first."""
    random = np.random.default_rng(2)
    a, c = random.random(300), random.integers(0, 3, 300)
    columns = [
        ComparedColumn("noise", Side(True, random.random(300)), Side(True, random.random(300))),
        ComparedColumn("a", Side(True, a), Side(True, a)),
        ComparedColumn("b", Side(True, a**2), Side(True, -a)),
        ComparedColumn("c", Side(False, c), Side(False, c)),
    ]
    pairs = pairs_of(columns)
    assert len(pairs) == 6
    assert (pairs[0].one, pairs[0].other, pairs[0].measure) == ("a", "b", RANKS)
    assert (pairs[0].before, pairs[0].after) == (pytest.approx(1), pytest.approx(-1))
    assert {pair.measure for pair in pairs if "c" in (pair.one, pair.other)} == {RATIO}


def test_ranges_count_by_their_middles() -> None:
    """Missing stays missing, and a cell that allows anything lies in the middle."""
    side = places(np.array([0.0, 4.0, -np.inf, np.nan]), np.array([2.0, 4.0, np.inf, np.nan]))
    assert side.values[:3].tolist() == [1.0, 4.0, 2.5]
    assert side.present.tolist() == [True, True, True, False]


def test_rare_categories_count_as_one() -> None:
    """However many names there are, few are told apart."""
    codes = np.append(np.repeat(np.arange(200), 2), [-1, 7])
    side = categories(codes)
    assert len(set(side.values.tolist())) == 51
    assert side.values[-2] == -1
