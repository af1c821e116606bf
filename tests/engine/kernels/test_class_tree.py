# SPDX-License-Identifier: Apache-2.0
"""The tree of classes answers like a scan over all classes, however they grow, move and leave."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.methods.choosing import widen
from shoal.engine.kernels.trees.box_tree import build, delete, restore
from shoal.engine.kernels.trees.class_tree import ClassTree, best_class, build_classes, drop, mend
from shoal.engine.kernels.trees.hull_queries import cheapest
from shoal.hierarchies.hierarchy import Hierarchy
from tests.counts import repeats
from tests.reference import growing
from tests.reference.losses import Loss, ticks
from tests.strategies import random_encoded, random_tree, thinned


def classes(seed: int, n: int = 80) -> tuple[Encoded, np.ndarray, np.ndarray, np.ndarray]:
    """A table, and hulls of a few of its records each, with sizes from 1 to a million."""
    random = np.random.default_rng(seed)
    encoded = random_encoded(random, n)
    encoded = thinned(random, encoded) if seed % 2 else encoded
    some = [encoded.points[random.integers(0, n, random.integers(1, 4))] for _ in range(60)]
    lo, hi = np.array([one.min(axis=0) for one in some]), np.array([one.max(axis=0) for one in some])
    return encoded, lo, hi, 10 ** random.integers(0, 7, 60)


def scan(encoded: Encoded, tree: ClassTree, live: set[int], row: int, by_growth: bool) -> tuple[int, float]:
    """The class with the least cost and the lowest number, by looking at all."""
    loss, point = Loss(encoded), encoded.points[row].tolist()
    values = []
    for label in sorted(live):
        lo, hi = tree.lo[label].tolist(), tree.hi[label].tolist()
        size = int(tree.sizes[label]) if by_growth else 0
        values.append((float(ticks(growing.increase(loss, lo, hi, size, point))), label))
    value, label = min(values)
    return label, value


@pytest.mark.parametrize("by_growth", [True, False])
@pytest.mark.parametrize("seed", repeats(5, 30))
def test_the_best_class_is_that_of_a_scan(seed: int, by_growth: bool) -> None:
    """Classes of all sizes grow, are dropped, and are asked with and without a guess."""
    encoded, lo, hi, sizes = classes(seed)
    random = np.random.default_rng(seed)
    tree, live = build_classes(encoded.hulls, lo, hi, sizes, np.arange(60)), set(range(60))
    for row in random.integers(0, len(encoded), 80).tolist():
        guess = int(random.integers(-1, 60))
        found = best_class(encoded.hulls, tree, encoded.points, row, by_growth, guess)
        assert found == scan(encoded, tree, live, row, by_growth)
        if random.random() < 0.5 and len(live) > 1:
            drop(tree, found[0])
            live.remove(found[0])
        else:
            widen(tree.lo, tree.hi, tree.sizes, encoded.points, row, found[0])
            mend(encoded.hulls, tree, found[0])


def test_an_empty_tree_has_no_best_class() -> None:
    """When the last class has left, the answer is none."""
    encoded, lo, hi, sizes = classes(0)
    tree = build_classes(encoded.hulls, lo, hi, sizes, np.array([7]))
    drop(tree, 7)
    assert best_class(encoded.hulls, tree, encoded.points, 0, True, 7) == (-1, np.inf)


def test_a_record_asks_a_small_part_of_many_classes() -> None:
    """Counted, so that no clock is needed: of 16,000 classes, a record compares itself with a hundredth."""
    random, n = np.random.default_rng(1), 16_000
    encoded = Encoded(
        (
            EncodedColumn("age", random.integers(17, 91, n).astype(float)),
            EncodedColumn("income", random.lognormal(10, 0.7, n)),
            EncodedColumn("work", random.integers(0, 8, n).astype(float), tree=random_tree(random, 8)),
            EncodedColumn("sex", random.integers(0, 2, n).astype(float), tree=Hierarchy.flat("mf")),
        )
    )
    lo, hi, sizes = encoded.points.copy(), encoded.points.copy(), random.integers(1, 20, n)
    tree = build_classes(encoded.hulls, lo, hi, sizes, np.arange(n))
    for row in range(500):
        best_class(encoded.hulls, tree, encoded.points + 0.25 * (np.arange(4) < 2), row, True, -1)
    assert tree.work[0] == 500
    assert tree.work[2] / tree.work[0] < n / 100


@pytest.mark.parametrize("seed", repeats(5, 25))
def test_rows_come_back_as_if_they_had_never_left(seed: int) -> None:
    """Deleting and restoring in any order, the box tree answers like a scan over the live rows."""
    random = np.random.default_rng(seed)
    encoded = random_encoded(random, 90)
    encoded = thinned(random, encoded) if seed % 2 else encoded
    points, plain = encoded.points, Loss(encoded)
    tree, live = build(encoded.hulls, points, False), set(range(90))
    for _ in range(200):
        row = int(random.integers(90))
        if row in live:
            delete(tree, row)
            live.remove(row)
        else:
            restore(tree, row)
            live.add(row)
        lo, hi = points[row], points[row]
        assert cheapest(encoded.hulls, tree, lo, hi) == growing.cheapest(plain, points.tolist(), live, lo, hi)
        assert tree.live[0] == len(live)
