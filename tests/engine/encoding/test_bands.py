# SPDX-License-Identifier: Apache-2.0
"""Ways to cut a column into bands."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from shoal.engine.encoding.bands import BANDS, ladder
from shoal.engine.encoding.encoded import EncodedColumn
from shoal.engine.encoding.missing import place_beyond
from tests.counts import repeats
from tests.reference.bands import cheapest
from tests.strategies import random_column


@pytest.mark.parametrize("seed", repeats(20, 300))
def test_a_line_is_cut_at_the_least_cost(seed: int) -> None:
    """Of all ways to cut it into that many bands of enough records, none costs less."""
    random = np.random.default_rng(seed)
    values = np.round(random.exponential(5, int(random.integers(2, 16))), int(random.integers(0, 2)))
    least = int(random.integers(1, 4))
    found = {int(bands.max()) + 1: bands for bands in ladder(EncodedColumn("x", values), least)}
    for many in BANDS[1:]:
        expected = cheapest(values.tolist(), many, max(least, len(values) // (2 * many)))
        assert (many in found) == (expected is not None)
        if expected is not None:
            widths = [np.ptp(values[found[many] == band]) for band in found[many]]
            assert sum(widths) == pytest.approx(expected)


@pytest.mark.parametrize("seed", repeats(30, 400))
def test_bands_follow_the_column(seed: int) -> None:
    """No band is too small, none lies inside another, missing cells stand by themselves; the first way is one band."""
    random = np.random.default_rng(seed)
    n, least = int(random.integers(3, 80)), int(random.integers(1, 4))
    column = random_column(random, n, "x", 0.4)
    absent = np.zeros(n, dtype=bool) if column.missing is None else column.points == column.missing
    found = ladder(column, least)
    assert len(np.unique(found[0][~absent])) <= 1
    for bands in found:
        assert bands.min() >= 0
        assert len(np.unique(bands)) == bands.max() + 1 or absent.all() or not absent.any()
        reaches = []
        for band in np.unique(bands[~absent]):
            points = column.points[(bands == band) & ~absent]
            assert len(points) >= min(least, np.count_nonzero(~absent))
            low, high = points.min(), points.max()
            if column.tree is not None:
                node = column.tree.lca(int(low), int(high))
                low, high = column.tree.first[node], column.tree.last[node]
            reaches.append((low, high))
        reaches.sort()
        assert all(one[1] < other[0] for one, other in itertools.pairwise(reaches))
        if absent.any() and len(reaches) > 1:
            assert not set(bands[absent]) & set(bands[~absent])


def test_many_values_are_cut_where_rows_and_range_say() -> None:
    """A long line has a few hundred places to cut, and bands of about the size that was asked for."""
    points, missing = place_beyond(np.append(np.random.default_rng(0).lognormal(0, 2, 20_000), [np.nan] * 30))
    for bands in ladder(EncodedColumn("x", points, missing=missing), 10):
        rows = np.bincount(bands)
        assert rows[-1] == 30
        assert rows[:-1].min() >= 20_000 // (2 * len(rows))
