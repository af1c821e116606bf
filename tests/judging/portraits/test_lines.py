# SPDX-License-Identifier: Apache-2.0
"""Numbers before and after: bins at released ends, ranges spread evenly, never a handful of original rows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shoal.judging.portraits.lines import MOST_BINS, Stretches, _merged, draw_line
from shoal.judging.portraits.portrait import Drawn


def line(at: list[float], low: list[float], high: list[float], k: int = 1, step: int = 1) -> Drawn:
    cells = Stretches(*(np.array(one, dtype=float) for one in (at, low, high)), step, lambda place, end: f"{place:g}")
    return draw_line(cells, k)


def test_a_hand_worked_example() -> None:
    """[20, 29] and [30, 39], two rows each; before: 21, 25, 31, 38. [20, 39] gives half to each bin."""
    drawn = line([21, 25, 31, 38, 33, 22], [20, 20, 30, 30, 20, 20], [29, 29, 39, 39, 39, 39])
    assert [one.label for one in drawn.bins] == ["20 to under 30", "30 to 39"]
    assert [one.before for one in drawn.bins] == [0.5, 0.5]
    assert [one.after for one in drawn.bins] == pytest.approx([0.5, 0.5])
    assert [(one.start, one.end) for one in drawn.bins] == [(20, 30), (30, 40)]
    assert (drawn.kept, drawn.last, drawn.bars) == (pytest.approx(1.0), "39", ())


def test_a_continuum_has_no_width_of_its_own() -> None:
    """[0, 1] and [0, 4]: a quarter of the wide range lies below 1; a single value lies where it is."""
    drawn = line([0.5, 3.0, 2.0], [0.0, 0.0, 1.0], [1.0, 4.0, 1.0], step=0)
    assert [one.label for one in drawn.bins] == ["0 to under 1", "1 to 4"]
    assert [one.after for one in drawn.bins] == pytest.approx([(1 + 0.25) / 3, (0.75 + 1) / 3])


@pytest.mark.parametrize("k", [1, 3, 10, 50])
def test_no_bin_holds_a_few_original_rows(k: int) -> None:
    """Bins of 1 to k - 1 original rows are joined; nothing is lost on the way."""
    random = np.random.default_rng(k)
    at = np.sort(random.exponential(30, 400).round())
    low, high = np.repeat(at.reshape(-1, 10).min(axis=1), 10), np.repeat(at.reshape(-1, 10).max(axis=1), 10)
    drawn = line(list(at), list(low), list(high), k)
    counts = [one.before * 400 for one in drawn.bins]
    assert all(round(count) >= k or (count == 0 and one.after < 1e-9) for count, one in zip(counts, drawn.bins))
    assert sum(counts) == pytest.approx(400)
    assert sum(one.after for one in drawn.bins) == pytest.approx(1)
    assert 0 < drawn.kept <= 1 + 1e-12


def test_bins_begin_at_released_ends_only() -> None:
    """However many different ranges there are, every bin begins where one of them does, and there are few bins."""
    random = np.random.default_rng(0)
    low = random.integers(0, 10_000, 3000).astype(float)
    drawn = line(list(low + 5), list(low), list(low + 50))
    assert len(drawn.bins) <= MOST_BINS + 2
    assert {one.start for one in drawn.bins} <= set(low)
    assert drawn.last == f"{max(low) + 50:g}"


def outlying(many: int, far: list[float]) -> tuple[list[float], list[float], list[float]]:
    """Ages in groups of five, some of them with a value far away: cells, and the ends of the ranges they are in."""
    random = np.random.default_rng(many)
    at = np.sort(np.append(random.integers(20, 90, many - len(far)), far).astype(float))
    groups = at.reshape(-1, 5)
    return list(at), list(np.repeat(groups.min(axis=1), 5)), list(np.repeat(groups.max(axis=1), 5))


@pytest.mark.parametrize("many", [100, 2000])
@pytest.mark.parametrize(
    ("far", "beyond"),
    [([1e6], [False, True]), ([-1e6], [True, False]), ([-1e6, 1e6], [True, True]), ([999.0] * 9, [False, True])],
)
def test_a_few_cells_far_away_leave_room_for_the_others(many: int, far: list[float], beyond: list[bool]) -> None:
    """They lie in an end that is named as a whole and not to scale; between stand as many bins as without them."""
    drawn = line(*outlying(many, far), k=5)
    ends = [drawn.bins[0].beyond, drawn.bins[-1].beyond]
    assert ends == beyond
    inner = [one for one in drawn.bins if not one.beyond]
    assert len(inner) >= 8
    assert not any(one.beyond for one in drawn.bins[1:-1])
    assert all(20 <= one.start < one.end <= 91 for one in inner)
    assert sum(one.before for one in drawn.bins) == pytest.approx(1)
    assert sum(one.after for one in drawn.bins) == pytest.approx(1)
    assert all(f"{one:g}" in drawn.bins[0].label + drawn.bins[-1].label for one in far)


@pytest.mark.parametrize("spread", ["normal", "uniform", "exponential"])
def test_usual_columns_are_drawn_to_scale(spread: str) -> None:
    """Without cells far away from all others no end is cut off."""
    at = np.sort(getattr(np.random.default_rng(0), spread)(size=2000) * 1000).round()
    groups = at.reshape(-1, 5)
    drawn = line(list(at), list(np.repeat(groups.min(axis=1), 5)), list(np.repeat(groups.max(axis=1), 5)), k=5)
    assert not any(one.beyond for one in drawn.bins)


@pytest.mark.parametrize("at", [[0.0] * 95 + [1e6] * 5, [0.0] * 100, [0.0] * 50 + [1e6] * 50])
def test_columns_without_a_middle_are_drawn_whole(at: list[float]) -> None:
    """Nearly all cells alike, all alike, half and half: nothing is cut off, and nothing has no width."""
    drawn = line(at, at, at, k=5)
    assert all(one.end > one.start and not one.beyond for one in drawn.bins)


def test_ranges_wider_than_their_distances_are_drawn_whole() -> None:
    """[0, 100] and [1, 101]: no end lies far from the others, however near the ranges are to each other."""
    drawn = line([50.0] * 20, [0.0, 1.0] * 10, [100.0, 101.0] * 10)
    assert [one.label for one in drawn.bins] == ["0 to 101"]


def test_values_outside_the_released_ones_are_named_by_released_ones() -> None:
    """Means 30 and 50 of values from 20 to 60: the ends of the original are not told."""
    drawn = line([20, 40, 45, 60], [30, 30, 50, 50], [30, 30, 50, 50], step=0)
    assert [one.label for one in drawn.bins] == ["all values"]
    drawn = line([20, 40, 45, 60], [30, 30, 50, 50], [30, 30, 50, 50])
    assert [one.label for one in drawn.bins] == ["under 50", "50 and more"]


def test_missing_cells_and_cells_that_say_nothing_stand_beside() -> None:
    """They are bars; of 1 to k - 1 missing cells only that there are some is told."""
    nan, inf = math.nan, math.inf
    drawn = line([1, 2, nan, nan], [1, 1, nan, -inf], [2, 2, nan, inf], k=2)
    assert [(one.label, one.before, one.after) for one in drawn.bars] == [("missing", 0.5, 0.25), ("*", 0.0, 0.25)]
    assert sum(one.before for one in drawn.bins) == 1
    few = line([1, 2, 2, nan], [1, 1, 1, -inf], [2, 2, 2, inf], k=2)
    assert few.bars[0].before is None


@pytest.mark.parametrize(
    ("at", "low"), [([], []), ([math.nan] * 3, [math.nan] * 3), ([5.0, 5.0], [5.0, 5.0]), ([1.0, 9.0], [-math.inf] * 2)]
)
@pytest.mark.parametrize("step", [0, 1])
def test_columns_with_little_in_them(at: list[float], low: list[float], step: int) -> None:
    """No rows, no values, one value, nothing but ``*``: no crash and no bin without width."""
    high = [math.inf if math.isinf(one) else one for one in low]
    assert all(one.end > one.start for one in line(at, low, high, step=step).bins)


@pytest.mark.parametrize(
    ("counts", "merged"),
    [
        ([5, 1, 3], [5, 4]),
        ([3, 1, 5], [4, 5]),
        ([3, 1, 3], [4, 3]),
        ([1, 5, 5], [6, 5]),
        ([5, 5, 1], [5, 6]),
        ([1, 1, 5], [2, 5]),
        ([0, 5, 0], [0, 5, 0]),
        ([1], [1]),
    ],
)
def test_small_bins_join_their_smaller_neighbour(counts: list[int], merged: list[int]) -> None:
    """Bins of a single cell, with two asked for; the left one in doubt, and whichever there is at the ends."""
    starts, before, after = _merged(
        np.arange(len(counts)) * 10.0, np.array(counts, float), np.array(counts, float), np.zeros(len(counts)), 2
    )
    assert before.tolist() == merged
    assert len(starts) == len(after) == len(merged)
    assert starts[0] == 0
