# SPDX-License-Identifier: Apache-2.0
"""The box tree answers like a scan over all live rows, however many of them were deleted."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.hull import class_hulls
from shoal.engine.kernels.methods.growing import place_leftovers
from shoal.engine.kernels.trees.box_tree import DEEPEST, LEAF, NO_ROW, BoxTree, build, delete, distinct
from shoal.engine.kernels.trees.hull_queries import cheapest
from shoal.engine.kernels.trees.sign_patterns import furthest_from, mend_reach, reach_of
from shoal.engine.kernels.trees.walks import STACK
from shoal.hierarchies.hierarchy import Hierarchy
from tests.counts import repeats
from tests.reference import growing
from tests.reference.losses import Loss
from tests.strategies import random_encoded, thinned

SEEDS = repeats(5, 25)


def table(seed: int, n: int = 90) -> Encoded:
    """A random table; every second one is full of duplicates."""
    random = np.random.default_rng(seed)
    encoded = random_encoded(random, n)
    return thinned(random, encoded) if seed % 2 else encoded


@pytest.mark.parametrize("outward", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_queries_answer_like_a_scan_while_rows_are_deleted(seed: int, outward: bool) -> None:
    """The cheapest record to take into hulls of one or several records, down to the last row and beyond."""
    encoded, random = table(seed), np.random.default_rng(seed)
    points, plain = encoded.points, Loss(encoded)
    tree = build(encoded.hulls, points, outward)
    live = set(range(len(points)))
    for row in random.permutation(len(points)):
        some = random.integers(0, len(points), int(random.integers(1, 4)))
        lo, hi = points[some].min(axis=0), points[some].max(axis=0)
        assert cheapest(encoded.hulls, tree, lo, hi) == growing.cheapest(plain, points, live, lo, hi)
        delete(tree, row)
        live.remove(int(row))
    assert cheapest(encoded.hulls, tree, points[0], points[0]) == -1


@pytest.mark.parametrize("seed", repeats(10, 60))
def test_reach_answers_like_a_scan_while_rows_are_deleted(seed: int) -> None:
    """The furthest record from a record, with exact bounds on numbers, ties to the lowest row, to the last row."""
    encoded, random = table(seed), np.random.default_rng(seed)
    points, plain = encoded.points, Loss(encoded)
    tree = build(encoded.hulls, points, bool(seed % 3 == 0))
    reach = reach_of(encoded.hulls, tree)
    live = set(range(len(points)))
    for row in random.permutation(len(points)):
        asked = int(random.integers(len(points)))
        found = furthest_from(encoded.hulls, tree, reach, points, asked)
        assert found == growing.furthest(plain, points, live, points[asked], points[asked])
        delete(tree, row)
        mend_reach(tree, reach, row)
        live.remove(int(row))
    assert furthest_from(encoded.hulls, tree, reach, points, 0) == -1


@pytest.mark.parametrize("outward", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_tree_stays_true_to_its_live_rows(seed: int, outward: bool) -> None:
    """Counts, lowest rows and boxes of every node are exactly those of the live rows below it."""
    encoded, random = table(seed), np.random.default_rng(seed)
    tree = build(encoded.hulls, encoded.points, outward)
    order = random.permutation(len(encoded))
    for done, row in enumerate(order):
        if done % 15 == 0:
            check_nodes(tree, encoded.points, set(order[done:].tolist()))
        delete(tree, row)
    check_nodes(tree, encoded.points, set())


def check_nodes(tree: BoxTree, points: np.ndarray, live: set[int]) -> None:
    """Compare each node with the rows below it."""
    assert {row for row in range(len(points)) if not tree.taken[row]} == live
    below: list[list[int]] = [[] for _ in tree.left]
    for row in sorted(live):
        node = tree.leaf[tree.point_of[row]]
        assert tree.begin[node] <= tree.slot[tree.point_of[row]] < tree.end[node]
        while node >= 0:
            below[node].append(row)
            node = tree.parent[node]
    for node, rows in enumerate(below):
        assert tree.live[node] == len(rows)
        assert tree.low_row[node] == (rows[0] if rows else NO_ROW)
        if rows:
            assert tree.lo[node].tolist() == points[rows].min(axis=0).tolist()
            assert tree.hi[node].tolist() == points[rows].max(axis=0).tolist()


@pytest.mark.parametrize("outward", [False, True])
def test_leaves_are_small(outward: bool) -> None:
    """No leaf holds more than LEAF distinct points, and every split has two sides."""
    encoded = table(4, n=300)
    tree = build(encoded.hulls, encoded.points, outward)
    assert len(tree.left) > 1
    for node in range(len(tree.left)):
        if tree.left[node] < 0:
            assert 0 < tree.end[node] - tree.begin[node] <= LEAF


@pytest.mark.parametrize("seed", SEEDS)
def test_equal_records_are_one_point(seed: int) -> None:
    """Points are the distinct records, numbered by first appearance."""
    points = table(seed).points
    point_of, representative, found = distinct(points)
    first: dict[tuple[float, ...], int] = {}
    expected = [first.setdefault(tuple(record), len(first)) for record in points.tolist()]
    assert point_of.tolist() == expected
    assert found == len(first)
    assert points[representative].tolist() == [list(record) for record in first]


def test_ties_go_to_the_lowest_row() -> None:
    """Among records that cost the same, wherever they stand in the tree, the first row wins."""
    encoded = Encoded(tuple(column.take(np.zeros(100, dtype=np.int64)) for column in table(0).columns), "ncp")
    tree = build(encoded.hulls, encoded.points, False)
    at = encoded.points[0]
    for row in range(100):
        assert cheapest(encoded.hulls, tree, at, at) == row
        delete(tree, row)


def test_work_is_counted() -> None:
    """Each query adds itself, the nodes it visited and the points it compared."""
    encoded = table(2, n=200)
    tree = build(encoded.hulls, encoded.points, False)
    cheapest(encoded.hulls, tree, encoded.points[0], encoded.points[0])
    first = tree.work.tolist()
    cheapest(encoded.hulls, tree, encoded.points[1], encoded.points[1])
    assert first[0] == 1
    assert first[1] >= 1
    assert first[2] >= 1
    assert tree.work[0] == 2
    assert tree.work[1] > first[1]
    assert tree.work[2] > first[2]


@pytest.mark.parametrize("seed", SEEDS)
def test_leftovers_go_where_the_loss_grows_least(seed: int) -> None:
    """Each in the given order, with the classes as they have grown by then."""
    encoded, random = table(seed, n=40), np.random.default_rng(seed)
    labels = random.integers(0, 5, 40)
    labels[:5] = np.arange(5)
    labels[30:] = -1
    order = random.permutation(40)
    classes = [np.flatnonzero(labels == label).tolist() for label in range(5)]
    left = [int(row) for row in order if labels[row] < 0]
    growing.place_leftovers(Loss(encoded), encoded.points.tolist(), classes, left)
    lo, hi, sizes = class_hulls(encoded.points, labels, 5)
    place_leftovers(encoded.hulls, encoded.points, order, lo, hi, sizes, labels)
    assert [np.flatnonzero(labels == label).tolist() for label in range(5)] == [sorted(one) for one in classes]
    assert sizes.tolist() == [len(one) for one in classes]


ODD = float(np.nextafter(1.0, 2.0))
EVEN = float(np.nextafter(ODD, 2.0))


@pytest.mark.parametrize(("low", "high"), [(ODD, EVEN), (1.2e308, 1.7e308), (-5e-324, 0.0)])
@pytest.mark.parametrize("outward", [False, True])
def test_numbers_at_the_edge_of_precision_can_be_parted(low: float, high: float, outward: bool) -> None:
    """Neighbouring floats, whose mean rounds to the larger one, and numbers whose sum overflows still make a tree."""
    assert (ODD + EVEN) / 2 == EVEN
    n = 4 * LEAF
    numbers = EncodedColumn("number", np.where(np.arange(n) % 2, low, high))
    names = EncodedColumn("name", np.arange(n, dtype=float), 0.0, Hierarchy.flat(map(str, range(n))))
    encoded = Encoded((numbers, names))
    tree = build(encoded.hulls, encoded.points, outward)
    check_nodes(tree, encoded.points, set(range(n)))


@pytest.mark.thin(3)
@pytest.mark.parametrize("outward", [False, True])
@pytest.mark.parametrize("shape", ["doubling", "sparse"])
def test_a_tree_is_never_deeper_than_a_walk_can_go(shape: str, outward: bool) -> None:
    """Numbers that double, and hundreds of sparse columns, would be cut off one by one; answers stay the scan's."""
    records = 2.0 ** np.arange(900)[:, None] if shape == "doubling" else np.ascontiguousarray(np.eye(230))
    columns = tuple(EncodedColumn(f"c{j}", records[:, j]) for j in range(records.shape[1]))
    encoded = Encoded(columns)
    tree = build(encoded.hulls, encoded.points, outward)
    depth = np.zeros(len(tree.left), dtype=int)
    for node in range(1, len(depth)):
        depth[node] = depth[tree.parent[node]] + 1
    assert depth.max() <= DEEPEST < STACK - 1
    at, plain, live = encoded.points[-1], Loss(encoded), range(len(records))
    assert cheapest(encoded.hulls, tree, at, at) == growing.cheapest(plain, encoded.points, live, at, at)
    far = furthest_from(encoded.hulls, tree, reach_of(encoded.hulls, tree), encoded.points, len(records) - 1)
    assert far == growing.furthest(plain, encoded.points, live, at, at)
