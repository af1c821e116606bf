# SPDX-License-Identifier: Apache-2.0
"""How much of the box tree a query looks at, as the table grows: counted, so that no clock is needed."""

from __future__ import annotations

from functools import cache
from math import log2, sqrt

import numpy as np
import pytest

from shoal.encoding.encoded import Encoded, EncodedColumn
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.kernels.box_tree import build
from shoal.kernels.growing import grow_from_furthest
from tests.strategies import random_tree

ROWS = (2_000, 8_000, 32_000, 128_000)
K = 10

# Measured: cheapest visits 1.4 to 2.8 nodes per log2(n). Furthest, one query in ten, visits 1.2 to 1.5 per sqrt(n).
CHEAPEST = 4.2
FURTHEST = 2.3


def people(n: int) -> Encoded:
    """Adult-like records: whole and continuous numbers, skewed names with and without trees."""
    random, shapes = np.random.default_rng(n), np.random.default_rng(99)

    def skewed(names: int, power: float) -> np.ndarray:
        share = 1 / np.arange(1, names + 1) ** power
        return random.choice(names, n, p=share / share.sum()).astype(float)

    return Encoded(
        (
            EncodedColumn("age", np.clip(np.round(random.gamma(6, 6.5, n) + 17), 17, 90)),
            EncodedColumn("income", random.lognormal(10, 0.7, n)),
            EncodedColumn("hours", np.clip(np.round(random.normal(40, 12, n)), 1, 99)),
            EncodedColumn("work", skewed(8, 1.5), tree=random_tree(shapes, 8)),
            EncodedColumn("education", skewed(16, 0.8), tree=random_tree(shapes, 16)),
            EncodedColumn("race", skewed(5, 2.0), tree=Hierarchy.flat("abcde")),
            EncodedColumn("sex", skewed(2, 0.5), tree=Hierarchy.flat("mf")),
        )
    )


@cache
def nodes_per_query(n: int) -> tuple[float, float]:
    """Nodes visited per cheapest and per furthest query in a whole run of k_member."""
    encoded = people(n)
    near, far = (build(encoded.hulls, encoded.points, outward) for outward in (False, True))
    labels, members = np.full(n, -1, dtype=np.int64), np.empty(K, dtype=np.int64)
    grow_from_furthest(encoded.hulls, near, far, encoded.points, K, 0, n // K, 0, False, labels, members)
    assert np.bincount(labels).tolist() == [K] * (n // K)
    assert near.work[0] == (n // K) * (K - 1)
    assert far.work[0] == n // K - 1
    return near.work[1] / near.work[0], far.work[1] / far.work[0]


@pytest.mark.parametrize("n", ROWS)
def test_cheapest_looks_at_a_logarithm_of_the_tree(n: int) -> None:
    """Each added record costs some multiple of log2(n) nodes, over a whole run with all its deletions."""
    assert nodes_per_query(n)[0] <= CHEAPEST * log2(n)


def test_cheapest_grows_no_faster_than_the_logarithm() -> None:
    """Sixteen times the records may cost each query at most what log2 grows by."""
    assert nodes_per_query(128_000)[0] <= nodes_per_query(8_000)[0] * log2(128_000) / log2(8_000)


@pytest.mark.parametrize("n", ROWS)
def test_furthest_stays_far_below_a_scan(n: int) -> None:
    """Each seed, one record in k, costs some multiple of sqrt(n) nodes."""
    assert nodes_per_query(n)[1] <= FURTHEST * sqrt(n)
