# SPDX-License-Identifier: Apache-2.0
"""Binary k-means makes what figure 4 of He et al. (2012) makes: the same results equally often, and the same loss.

The other side is written from the paper and imports nothing of shoal; what is random it draws by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from statistics import mean, stdev

import numpy as np
import pytest

from shoal.engine.algorithms import binary_k_means as method
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from tests.counts import count, repeats
from tests.reference.papers import he
from tests.reference.papers.records import labels

Points = Sequence[Sequence[int]]


def ours(points: Points, k: int, seed: int) -> list[list[int]]:
    """The groups that the engine makes."""
    columns = zip(*points, strict=True)
    encoded = Encoded(tuple(EncodedColumn(str(j), np.array(cells, dtype=float)) for j, cells in enumerate(columns)))
    random = np.random.default_rng(seed)
    found = method.cluster(encoded, Requirement(k, ()), method.Parameters(), random, Progress()).labels
    return [np.flatnonzero(found == label).tolist() for label in range(found.max() + 1)]


def exact(points: Points) -> list[list[Fraction]]:
    """The same points as fractions."""
    return [[Fraction(cell) for cell in point] for point in points]


def few_people(seed: int) -> Points:
    """A handful of people, some of whom earn the same."""
    random = Random(seed)
    n = random.randint(8, 14)
    return [(1_000 * random.randint(0, 30),) for _ in range(n)]


@pytest.mark.parametrize("seed", [92, 113, *repeats(1, 40)])
def test_every_result_comes_as_often(seed: int) -> None:
    """Each way to group a few people is found as often as by the paper's own loop, in exact fractions.

    One order of the records for all groups, instead of two new records for each, shifts the first two by a third.
    """
    points, runs = few_people(seed), count(150, 600)
    n, fractions = len(points), exact(points)
    mine = Counter(tuple(labels(ours(points, 2, run), n)) for run in range(runs))
    theirs = Counter(tuple(labels(he.clustering_based(fractions, 2, Random(run)), n)) for run in range(runs))
    for result in mine | theirs:
        likely = (mine[result] + theirs[result]) / (2 * runs)
        noise = (2 * likely * (1 - likely) / runs) ** 0.5
        assert abs(mine[result] - theirs[result]) / runs < 4 * noise + 2 / runs


def losses(groups: Callable[[int], list[list[int]]], points: Points, runs: int) -> list[float]:
    """Penalty per cell of some runs."""
    return [float(he.certainty_penalty(points, groups(run))) for run in range(runs)]


def compare(points: Points, k: int, runs: int) -> None:
    """The mean loss of our runs lies within three standard errors of the paper's, and varies no more."""
    floats = [[float(cell) for cell in point] for point in points]
    theirs = losses(lambda run: he.clustering_based(floats, k, Random(run)), points, runs)
    mine = losses(lambda run: ours(points, k, run), points, 4 * runs)
    error = (stdev(theirs) ** 2 / runs + stdev(mine) ** 2 / (4 * runs)) ** 0.5
    assert abs(mean(mine) - mean(theirs)) < 3 * error
    assert stdev(mine) < 2 * stdev(theirs)


def test_as_little_is_lost_where_many_are_alike() -> None:
    """Answers in few steps, so that records are often as far from one centre as from the other."""
    random = Random(3)
    compare([[min(random.randint(0, 3), random.randint(0, 3)) for _ in range(5)] for _ in range(200)], 2, 10)


@pytest.mark.data
@pytest.mark.long
def test_as_little_is_lost_on_adult(shared_data: Path) -> None:
    """Twenty runs on 3,000 rows at k = 3, names in alphabetical order."""
    reading = Reading(header=False, na=("?",))
    table = read_table(shared_data / "adult" / "adult.data", reading).table
    names = [table.names[place] for place in (0, 1, 3, 5, 8, 9)]  # age, work, education, marital status, race, sex
    columns = [np.unique(table.texts(name).fill_null("").to_numpy(), return_inverse=True)[1] for name in names[1:]]
    points = np.column_stack([table.numbers(names[0]).values, *columns]).astype(int)
    chosen = np.random.default_rng(0).permutation(len(points))[:3_000]
    compare(points[chosen].tolist(), 3, 20)
