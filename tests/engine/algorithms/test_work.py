# SPDX-License-Identifier: Apache-2.0
"""How much of the box tree a query looks at, as the table grows: counted, so that no clock is needed."""

from __future__ import annotations

from functools import cache
from math import log2

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.methods.growing import grow_from_furthest
from shoal.engine.kernels.trees.box_tree import build
from shoal.engine.kernels.trees.sign_patterns import reach_of
from shoal.hierarchies.hierarchy import Hierarchy
from tests.strategies import random_tree

ROWS = (2_000, 8_000, 32_000, 128_000)
K = 10

# Measured: 1.8 to 3.2 nodes per log2(n) over a whole run, one query in ten for the furthest record.
PER_QUERY = 4.5


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
def nodes_per_query(n: int) -> float:
    """Nodes visited per query in a whole run of k_member, cheapest and furthest taken together."""
    encoded = people(n)
    tree = build(encoded.hulls, encoded.points, False)
    reach = reach_of(encoded.hulls, tree)
    labels, members = np.full(n, -1, dtype=np.int64), np.empty(K, dtype=np.int64)
    grow_from_furthest(encoded.hulls, tree, reach, encoded.points, K, 0, n // K, 0, False, labels, members)
    assert np.bincount(labels).tolist() == [K] * (n // K)
    assert tree.work[0] == (n // K) * K - 1
    return float(tree.work[1] / tree.work[0])


@pytest.mark.parametrize("n", ROWS)
def test_a_query_looks_at_a_logarithm_of_the_tree(n: int) -> None:
    """Each query costs some multiple of log2(n) nodes, over a whole run with all its deletions."""
    assert nodes_per_query(n) <= PER_QUERY * log2(n)


def test_work_grows_no_faster_than_the_logarithm() -> None:
    """Sixteen times the records may cost each query at most what log2 grows by."""
    assert nodes_per_query(128_000) <= nodes_per_query(8_000) * log2(128_000) / log2(8_000)
