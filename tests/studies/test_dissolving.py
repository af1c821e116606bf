# SPDX-License-Identifier: Apache-2.0
"""Classes whose records fit cheaper among the others are dissolved before a loss is foretold."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.ground.arrays import Floats
from shoal.studies.dissolving import Parted, dissolved


class Line:
    """A column of numbers from 0 to 100."""

    def __init__(self, *points: float) -> None:
        self.points: Floats = np.array(points)

    def between(self, lows: Floats, highs: Floats) -> Floats:
        """The share of the range."""
        shares: Floats = (highs - lows) / 100
        return shares


def grouped(*members: list[int], rows: int = 1) -> list[Parted]:
    """Classes of records, each so many times."""
    return [Parted(np.array(one), np.full(len(one), rows)) for one in members]


def test_what_is_left_at_both_ends_goes_to_its_neighbours() -> None:
    """Two far records cost a whole range as a class of their own, and a little in the classes beside them."""
    column = Line(0, 10, 12, 88, 90, 100)
    loss, left = dissolved([column], grouped([1, 2], [3, 4], [0, 5]))
    assert left == 2
    assert loss == pytest.approx(3 * 0.12 + 3 * 0.12)


def test_classes_that_cost_less_than_their_parts_stay() -> None:
    """Nothing is changed where no record fits better elsewhere, rows counted."""
    column = Line(0, 1, 99, 100)
    for rows in (1, 5):
        loss, left = dissolved([column], grouped([0, 1], [2, 3], rows=rows))
        assert left == 2
        assert loss == pytest.approx(4 * rows * 0.01)


def test_a_class_that_cannot_be_placed_whole_is_left_whole() -> None:
    """The first record of it fits elsewhere, the second does not: both stay, and the others are as before."""
    columns = [Line(0, 0, 2, 50), Line(0, 0, 0, 100)]
    loss, left = dissolved(columns, grouped([0, 1], [2, 3]))
    assert left == 2
    assert loss == pytest.approx(2 * (0.48 + 1))


def test_all_rows_stay_in_some_class() -> None:
    """One class of everything costs its hull, however many are dissolved on the way."""
    column = Line(0, 100, 0, 100, 0, 100)
    loss, left = dissolved([column], grouped([0, 1], [2, 3], [4, 5]))
    assert left == 3
    whole, one = dissolved([column], grouped([0, 1, 2, 3, 4, 5]))
    assert one == 1
    assert loss == pytest.approx(6.0)
    assert whole == pytest.approx(6.0)
