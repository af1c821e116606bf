# SPDX-License-Identifier: Apache-2.0
"""Coarsening: classes at fault join their nearest neighbours until what was asked holds, or all rows are one class."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.enforcing.doubling import double_classes
from shoal.engine.kernels.trees.group_tree import labels_of_groups, new_groups
from shoal.engine.methods import Partition
from shoal.engine.refining.coarsen import coarsened
from shoal.ground.progress import Progress
from tests.counts import repeats
from tests.reference.losses import ticks
from tests.reference.partitions import total_loss
from tests.strategies import random_encoded

Flags = np.ndarray


def plain_doubling(encoded: Encoded, labels: list[int], waiting: set[int]) -> list[set[int]]:
    """The same by scanning all classes: who waits takes in the cheapest neighbour until it has doubled."""
    groups = {label: {row for row, own in enumerate(labels) if own == label} for label in set(labels)}
    for label in sorted(groups):
        wanted = 2 * len(groups.get(label, ()))
        while label in waiting and len(groups[label]) < wanted and len(groups) > 1:

            def price(other: int, own: int = label) -> tuple[int, int]:
                one, two = groups[own], groups[other]
                before = total_loss(encoded, [sorted(one), sorted(two)])
                return ticks(total_loss(encoded, [sorted(one | two)]) - before), other

            nearest = min((other for other in groups if other != label), key=price)
            groups[label] |= groups.pop(nearest)
            waiting.discard(nearest)
    return [groups[label] for label in sorted(groups)]


@pytest.mark.parametrize("seed", repeats(10, 80))
def test_doubling_like_a_plain_scan(seed: int) -> None:
    """The kernel joins the same classes as a scan over all of them."""
    random = np.random.default_rng(seed)
    n = int(random.integers(4, 40))
    encoded = random_encoded(random, n)
    labels = np.unique(random.integers(0, max(2, n // 3), n), return_inverse=True)[1].astype(np.int64)
    many = int(labels.max()) + 1
    waiting = random.random(many) < 0.4
    groups = new_groups(encoded.hulls, encoded.points, labels, many)
    expected = plain_doubling(encoded, labels.tolist(), set(np.flatnonzero(waiting).tolist()))
    double_classes(encoded.hulls, groups, waiting, 0, many)
    found = labels_of_groups(groups)
    assert [set(np.flatnonzero(found == label).tolist()) for label in np.unique(found)] == expected


def until(largest: int) -> tuple[list[Partition], object]:
    """Classes are at fault while they have fewer records; also what was looked at."""
    looked: list[Partition] = []

    def at_fault(partition: Partition) -> Flags:
        looked.append(partition)
        sizes = np.bincount(partition.labels[partition.labels >= 0])
        faulty = np.zeros(len(partition.labels), dtype=np.bool_)
        kept = partition.labels >= 0
        faulty[kept] = sizes[partition.labels[kept]] < largest
        return faulty

    return looked, at_fault


@pytest.mark.parametrize(("n", "largest"), [(40, 5), (40, 17), (40, 40), (3, 2), (100, 60)])
def test_it_ends_with_what_holds(n: int, largest: int) -> None:
    """Classes grow until none is at fault; no record is lost, and nothing that held was coarsened further."""
    encoded = random_encoded(np.random.default_rng(n), n)
    looked, at_fault = until(largest)
    found = coarsened(encoded, Partition.of(np.arange(n) // 2), at_fault, Progress())  # type: ignore[arg-type]
    assert found is not None
    assert found.sizes.min() >= largest
    assert len(found.labels) == n
    assert found.labels.min() == 0
    assert len(looked) < 12


def test_what_one_class_cannot_keep() -> None:
    """Then there is nothing to try."""
    encoded = random_encoded(np.random.default_rng(1), 10)
    looked, at_fault = until(11)
    assert coarsened(encoded, Partition.of(np.arange(10) // 2), at_fault, Progress()) is None  # type: ignore[arg-type]
    assert len(looked) == 1


def test_records_left_out_come_back_only_at_the_end() -> None:
    """They stay out while the others can hold without them."""
    encoded = random_encoded(np.random.default_rng(2), 20)
    labels = np.where(np.arange(20) < 4, -1, np.arange(20) // 2)
    kept = coarsened(encoded, Partition.of(labels), until(8)[1], Progress())  # type: ignore[arg-type]
    assert kept is not None
    assert (kept.labels[:4] == -1).all()
    whole = coarsened(encoded, Partition.of(labels), until(20)[1], Progress())  # type: ignore[arg-type]
    assert whole is not None
    assert whole.labels.tolist() == [0] * 20


def test_a_few_at_a_time_do_not_take_for_ever() -> None:
    """A promise that finds one more class at fault each time is given all classes after some rounds."""
    encoded = random_encoded(np.random.default_rng(3), 400)
    asked = 0

    def picky(partition: Partition) -> Flags:
        nonlocal asked
        asked += 1
        return (partition.labels == 0) & (len(partition.sizes) > 1)

    assert coarsened(encoded, Partition.of(np.arange(400) // 2), picky, Progress()) is not None
    assert asked < 40
