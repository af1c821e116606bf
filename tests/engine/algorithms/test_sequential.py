# SPDX-License-Identifier: Apache-2.0
"""sequential equals its slow plain twin, record for record, and asks few clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from shoal.engine.algorithms import sequential
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.methods.resettling import new_clusters, resettle, tree_of
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement, Rule
from tests.counts import repeats
from tests.reference.binary_k_means import Dice
from tests.reference.rules import obeys, random_rule
from tests.reference.sequential import Sequential
from tests.strategies import random_case


def expected(encoded: Encoded, k: int, parameters: sequential.Parameters, rules: Sequence[Rule] = ()) -> list[int]:
    """The classes of the twin, from the same first clusters and the same dice."""
    n, random = len(encoded), np.random.default_rng(3)
    first = min(max(1, math.floor(n / (parameters.alpha * k))), n)
    labels = random.permutation(np.arange(n) % first).tolist()
    dice = Dice(int(random.integers(1, 2**63, 1, dtype=np.uint64)[0]))
    twin = Sequential(encoded, labels, k, parameters.omega, dice.below)
    for _ in range(parameters.rounds):
        if not twin.round():
            break
    return twin.classes(rules)


@pytest.mark.parametrize("seed", repeats(20, 200))
def test_sequential_equals_its_twin(seed: int) -> None:
    """The tree finds the cluster that a scan would, over all rounds, splits and joins."""
    encoded, k = random_case(95_000 + seed, largest=70)
    k = max(2, min(k, len(encoded) // 2))
    given = sequential.Parameters(*[(0.5, 1.5, 6), (1.0, 1.0, 3), (0.3, 2.5, 4)][seed % 3])
    made = sequential.cluster(encoded, Requirement(k), given, np.random.default_rng(3), Progress())
    assert made.labels.tolist() == expected(encoded, k, given)


@pytest.mark.parametrize("seed", repeats(20, 200))
def test_the_diverse_variant_equals_its_twin(seed: int) -> None:
    """Clusters that break a rule join as small ones do, and the classes obey wherever the whole table does."""
    encoded, k = random_case(97_000 + seed, largest=70)
    k, random = max(2, min(k, len(encoded) // 2)), np.random.default_rng(seed)
    rule = random_rule(random, ("distinct", "share", "entropy", "recursive")[seed % 4], len(encoded))
    given = sequential.Parameters(rounds=4)
    made = sequential.cluster(encoded, Requirement(k, (rule,)), given, np.random.default_rng(3), Progress())
    assert made.labels.tolist() == expected(encoded, k, given, [rule])
    kept = [obeys(rule, rule.codes[made.labels == label]) for label in range(int(made.labels.max()) + 1)]
    assert all(kept) or len(kept) == 1


def test_few_clusters_are_compared() -> None:
    """Of a thousand clusters and more, each record looks at a few dozen, once they have a shape."""
    random = np.random.default_rng(0)
    encoded = Encoded(tuple(EncodedColumn(name, random.integers(0, 1000, 5_000).astype(float)) for name in "xy"))
    hulls, points, dice = encoded.hulls, encoded.points, np.ones(1, dtype=np.uint64)
    clusters = new_clusters(points, np.lexsort(points.T).argsort() // 5, 1_000)
    for _ in range(2):
        tree, _ = resettle(hulls, tree_of(hulls, clusters), clusters, points, np.arange(5_000), 15, dice)
    queries, _, compared = tree.work.tolist()
    assert queries > 0
    assert compared < 60 * queries
