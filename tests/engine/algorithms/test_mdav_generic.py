# SPDX-License-Identifier: Apache-2.0
"""mdav_generic equals its slow plain twin label for label, and the worked examples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal.engine.algorithms import mdav_generic
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.missing import place_beyond
from shoal.engine.kernels.methods.remaining_centre import count_all, count_in, find_centre
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.hierarchies.hierarchy import Hierarchy
from tests.counts import repeats
from tests.engine.algorithms.test_worked_examples import HALVES, T7, classes_of, released, value
from tests.reference import centroids as twin
from tests.strategies import random_case

SCALES = ("std", "range")


def by_mdav(encoded: Encoded, k: int, scale: str = "std") -> list[int]:
    """Labels by the method."""
    given = mdav_generic.Parameters(scale=scale)
    return mdav_generic.cluster(encoded, Requirement(k), given, np.random.default_rng(0), Progress()).labels.tolist()


def ranked(encoded: Encoded) -> Encoded:
    """The same table with every second column of numbers as ranks."""
    return Encoded(tuple(_ranks(one) if place % 2 else one for place, one in enumerate(encoded.columns)), encoded.loss)


def _ranks(column: EncodedColumn) -> EncodedColumn:
    if column.tree is not None:
        return column
    present = column.points != column.missing
    values, ranks = np.unique(column.points[present], return_inverse=True)
    numbers = np.full(len(column.points), np.nan)
    numbers[present] = ranks
    points, beyond = place_beyond(numbers)
    return replace(column, points=points, missing=beyond, style="ordered", order=tuple(map(str, values)))


@pytest.mark.parametrize("seed", repeats(15, 400))
def test_mdav_generic_equals_its_twin(seed: int) -> None:
    """The box tree and the running centre change nothing but the time."""
    encoded, k = random_case(240_000 + seed)
    encoded, scale = ranked(encoded), SCALES[seed % 2]
    assert by_mdav(encoded, k, scale) == twin.mdav_generic(encoded, k, scale)


@pytest.mark.parametrize("seed", range(10))
def test_twins_agree_on_larger_tables(seed: int) -> None:
    """Trees of several levels, with many deletions, answer like a scan."""
    encoded, k = random_case(250_000 + seed, largest=400)
    assert by_mdav(ranked(encoded), k) == twin.mdav_generic(ranked(encoded), k)


@pytest.mark.parametrize("seed", repeats(10, 60))
def test_the_centre_of_the_rest_is_that_of_the_rest(seed: int) -> None:
    """However many records were taken away, mean, median and mode are to the last bit those of a fresh count."""
    random = np.random.default_rng(seed)
    encoded = ranked(random_case(260_000 + seed)[0])
    centre, found = mdav_generic._centre(encoded.columns), np.zeros(len(encoded.columns))
    count_all(centre, encoded.points)
    order = random.permutation(len(encoded))
    for place, row in enumerate(order[:-1]):
        count_in(centre, encoded.points, row, -1)
        if random.random() < 0.5:
            find_centre(centre, found)
            assert found.tolist() == twin.centre(encoded, np.sort(order[place + 1 :]))


@pytest.mark.parametrize(("k", "classes", "ncp"), [(2, [[0, 1], [2, 3, 4], [5, 6]], 4.70), (3, HALVES, 4.15)])
def test_seven_patients(k: int, classes: list[list[int]], ncp: float) -> None:
    """Numbers as shares of their range."""
    release = released(T7, k, "mdav_generic", scale="range")
    assert classes_of(release) == classes
    assert value(release, "ncp") == pytest.approx(ncp)


def test_a_scale_of_deviations_or_ranges() -> None:
    """A number of large deviation counts less in deviations than in ranges, and the classes differ."""
    random = np.random.default_rng(3)
    numbers = EncodedColumn("two heaps", random.choice([0.0, 1.0], 40) + random.normal(0, 0.01, 40))
    names = EncodedColumn("names", random.integers(0, 3, 40).astype(float), tree=Hierarchy.flat("abc"))
    encoded = Encoded((numbers, names))
    assert by_mdav(encoded, 4, "std") != by_mdav(encoded, 4, "range")


@pytest.mark.parametrize("n", range(8, 40))
def test_the_end_game(n: int) -> None:
    """Classes of k; the last takes what remains, from k to 2k - 1."""
    encoded = Encoded((EncodedColumn("number", np.random.default_rng(n).normal(size=n)),))
    sizes = np.bincount(by_mdav(encoded, 4))
    assert sorted(sizes.tolist()) == [4] * (n // 4 - 1) + [4 + n % 4]


def test_numbers_at_the_edge_of_precision() -> None:
    """Deviations of very large, very small and hardly different numbers are computed; the heaps are found."""
    heaps = np.repeat([0.0, 1.0], 5)
    for scale, shift in ((1e300, 0.0), (1e-200, 0.0), (1.0, 1e15)):
        encoded = Encoded((EncodedColumn("number", heaps * scale + shift),))
        assert by_mdav(encoded, 5) == heaps.astype(int).tolist()
