# SPDX-License-Identifier: Apache-2.0
"""Numbers are counted in steps, weights in multiples: methods see the same bits whatever the unit."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.missing import place_beyond
from shoal.engine.encoding.steps import in_steps
from tests.counts import repeats
from tests.strategies import random_encoded

UNITS = (1, 1000, 10**6, 1e-6, 1e-12, 0.01, 2.54, 0.45359237, 7, 1 / 3, np.pi, 2.0**40, 2.0**-40, 1e15, 1e-200)


def column(numbers: list[float], weight: float = 1.0) -> EncodedColumn:
    """A column of numbers; NaN is missing."""
    points, beyond = place_beyond(np.array(numbers))
    return EncodedColumn("number", points, weight, missing=beyond)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("seed", repeats(5, 40))
def test_a_unit_changes_no_bit(seed: int, unit: float) -> None:
    """Whole numbers are as many steps apart in any unit."""
    random = np.random.default_rng(seed)
    numbers = random.integers(0, 10 ** random.integers(1, 6), 50) * float(random.choice([1, 5, 500]))
    steps, step = in_steps(numbers)
    other, other_step = in_steps(numbers * unit)
    assert other.tolist() == steps.tolist()
    assert other_step == pytest.approx(step * unit)


@pytest.mark.parametrize("zero", [-1970, 10**6, 1e9, 0.1, -273.15])
def test_a_zero_changes_no_bit(zero: float) -> None:
    """Amounts with two decimals are as many cents apart wherever they are counted from."""
    numbers = np.random.default_rng(0).integers(0, 10**6, 200) / 100
    steps, _ = in_steps(numbers)
    assert in_steps(numbers + zero)[0].tolist() == steps.tolist()
    assert steps.min() == 0
    assert np.gcd.reduce(steps.astype(np.int64)) == 1


@pytest.mark.parametrize("unit", [1, 1000, 1e-6])
def test_fine_grids_are_counted_by_their_decimals(unit: float) -> None:
    """Ten million cents, or a day in microseconds: more steps than shares of the range can tell."""
    numbers = np.append([0, 1], np.random.default_rng(1).integers(0, 10**10, 300)).astype(float)
    assert in_steps(numbers * unit)[0].tolist() == numbers.tolist()


@pytest.mark.parametrize(
    "numbers",
    [
        [np.pi, np.e, np.sqrt(2), np.sqrt(3)],
        [0.0, 2.0**60, 2.0**60 + 2**20],
        [0.1 + 0.2, 0.3],  # as far apart as two ways to compute the same number
        [1e9 + 1e-7, 1e9],
    ],
)
def test_numbers_without_a_grid_stay_as_they_are(numbers: list[float]) -> None:
    """What cannot be counted is not rounded."""
    assert in_steps(np.array(numbers))[0].tolist() == numbers


def test_no_numbers_and_equal_numbers() -> None:
    """Nothing to count is no trouble."""
    assert in_steps(np.zeros(0))[0].tolist() == []
    assert in_steps(np.array([7.5, 7.5]))[0].tolist() == [0, 0]


@pytest.mark.parametrize("seed", repeats(10, 100))
def test_a_table_without_units_loses_the_same(seed: int) -> None:
    """Steps and multiples change no share of a range, so every hull costs as many times more as weights are divided."""
    random = np.random.default_rng(seed)
    encoded = random_encoded(random, 30)
    unitless = encoded.unitless
    weights = [one.weight for one in encoded.columns if one.weight > 0]
    for before, after in zip(encoded.columns, unitless.columns):
        assert after.weight == before.weight / min(weights, default=1.0)
        assert after.step * after.span == pytest.approx(before.span)
        assert np.array_equal(np.argsort(before.points, kind="stable"), np.argsort(after.points, kind="stable"))
        assert ((before.points == before.missing) == (after.points == after.missing)).all()
    again = unitless.unitless
    assert again.points.tobytes() == unitless.points.tobytes()
    assert [one.weight for one in again.columns] == [one.weight for one in unitless.columns]


@pytest.mark.parametrize("factor", [3, 8, 100, 1e-3, 1e6])
def test_a_common_factor_of_weights_is_gone(factor: float) -> None:
    """Only proportions of weights reach a method."""
    weights = [[one.weight for one in Encoded(columns).unitless.columns] for columns in _tables(factor)]
    assert weights[0] == weights[1] == [4, 0, 1]


def _tables(factor: float) -> list[tuple[EncodedColumn, ...]]:
    return [tuple(column([1, 2], weight * times) for weight in (2, 0, 0.5)) for times in (1, factor)]


def test_missing_stays_two_ranges_beyond() -> None:
    """A missing number is as far from every number as before, and a constant column still tells it apart."""
    told = Encoded((column([1000, np.nan, 3000]), column([5, 5, np.nan]))).unitless
    assert told.points.tolist() == [[0, 0], [3, 0], [1, 1]]
    assert [one.missing for one in told.columns] == [3, 1]


def test_ranks_and_leaves_are_no_numbers_with_a_unit() -> None:
    """Ranks of an order are looked up by number, so they are never counted anew."""
    ranks = EncodedColumn("grade", np.array([2.0, 4, 2]), style="ordered", order=("a", "b", "c", "d", "e"))
    assert Encoded((ranks,)).unitless.points[:, 0].tolist() == [2, 4, 2]
