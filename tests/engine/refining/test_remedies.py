# SPDX-License-Identifier: Apache-2.0
"""About what it would cost if no value filled a class: as a plain scan has it, bounded in work, honest at its ends."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.hull import loss
from shoal.engine.refining import remedies
from shoal.engine.refining.enforce import enforce
from shoal.engine.refining.hull_losses import hull_losses
from shoal.engine.refining.remedies import estimate
from shoal.ground import catalog
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement, Rule
from tests.counts import repeats
from tests.reference.partitions import total_loss
from tests.strategies import random_encoded


def never_all(sizes: np.ndarray) -> np.ndarray:
    """At least two values per class."""
    return sizes - 1


def line(*points: float) -> Encoded:
    """One column of numbers."""
    return Encoded((EncodedColumn("x", np.array(points, dtype=np.float64)),), "ncp")


@pytest.mark.parametrize("seed", repeats(10, 100))
@pytest.mark.parametrize("name", ["ncp", "lm", "height"])
def test_many_hulls_cost_what_each_costs(seed: int, name: str) -> None:
    """Ranges, flat names, small trees and large ones, as the kernel has them."""
    random = np.random.default_rng(seed)
    encoded = random_encoded(random, 30)
    encoded = Encoded(encoded.columns, name)
    pairs = random.integers(0, 30, (40, 2))
    low, high = (end(encoded.points[pairs[:, 0]], encoded.points[pairs[:, 1]]) for end in (np.minimum, np.maximum))
    expected = [loss(encoded.hulls, one, two) for one, two in zip(low, high, strict=True)]
    assert hull_losses(encoded.hulls, low, high) == pytest.approx(expected)


def test_by_hand() -> None:
    """Numbers 0 to 10: {0, 1} of one value joins {2, 3}, its neighbour, not {9, 10}; the range grows from 1 to 3."""
    encoded, alike = line(0, 1, 2, 3, 9, 10), np.array([0, 0, 1, 1, 2, 2])
    found = estimate(encoded, alike, [np.array([7, 7, 7, 8, 7, 8])], never_all, Progress())
    assert found.joined == 1
    assert found.extra == pytest.approx((4 * 3 - 2 * 1 - 2 * 1) / 10 / 6)


def test_nothing_broken_costs_nothing() -> None:
    """Classes that keep the limit are left as they are."""
    found = estimate(line(0, 1, 5, 6), np.array([0, 0, 1, 1]), [np.array([1, 2, 1, 2])], never_all, Progress())
    assert (found.extra, found.joined) == (0.0, 0)


def test_what_cannot_be_had_is_infinite() -> None:
    """One value in all rows: no classes keep the limit, and no number is made up."""
    found = estimate(line(0, 1, 5, 6), np.array([0, 0, 1, 1]), [np.zeros(4, dtype=np.int64)], never_all, Progress())
    assert found.extra == math.inf


def plainly(encoded: Encoded, alike: list[int], values: list[int], share: float) -> float:
    """The same by scanning sets of rows; of values that fill no half of a class the largest counts are added up."""
    groups = {label: [row for row, own in enumerate(alike) if own == label] for label in sorted(set(alike))}
    telling = {
        value
        for rows in groups.values()
        for value, count in Counter(values[row] for row in rows).items()
        if 2 * count > len(rows)
    }
    others = {
        label: max([0, *(n for value, n in Counter(values[r] for r in rows).items() if value not in telling)])
        for label, rows in groups.items()
    }

    def breaks(rows: list[int], other: int) -> bool:
        counted = Counter(values[row] for row in rows if values[row] in telling)
        return max([other, *counted.values()]) > math.floor(share * len(rows) + 1e-9)

    before = total_loss(encoded, list(groups.values()))
    waiting = list(groups)
    while waiting and len(groups) > 1:
        label = waiting.pop(0)
        if label not in groups or not breaks(groups[label], others[label]):
            continue
        rows, other = groups.pop(label), others.pop(label)
        fitting = [one for one in groups if not breaks(groups[one] + rows, others[one] + other)]

        def price(one: int, rows: list[int] = rows) -> tuple[float, int]:
            return round(total_loss(encoded, [groups[one] + rows]) - total_loss(encoded, [groups[one]]), 9), one

        partner = min(fitting or list(groups), key=price)
        groups[partner], others[partner] = groups[partner] + rows, others[partner] + other
        waiting.append(partner)
    if any(breaks(rows, others[label]) for label, rows in groups.items()):
        return math.inf
    return total_loss(encoded, list(groups.values())) - before


@pytest.mark.parametrize("seed", repeats(13, 150))
def test_like_a_plain_scan(seed: int) -> None:
    """Small random tables of all kinds of columns, whose private values fill many classes."""
    random = np.random.default_rng(seed)
    n = int(random.integers(6, 50))
    encoded = random_encoded(random, n)
    alike = np.unique(random.integers(0, max(2, n // 4), n), return_inverse=True)[1].astype(np.int64)
    values = random.choice(4, n, p=[0.5, 0.3, 0.1, 0.1]).astype(np.int64)
    share = float(random.choice([0.6, 0.75, 0.9]))
    found = estimate(encoded, alike, [values], lambda sizes: np.floor(share * sizes + 1e-9), Progress())
    expected = plainly(encoded, alike.tolist(), values.tolist(), share)
    largest = n * sum(column.weight for column in encoded.columns)
    assert found.extra == pytest.approx(expected / largest if largest else 0.0, abs=1e-9)


def two_values(n: int) -> tuple[Encoded, np.ndarray, np.ndarray]:
    """Random points in classes of neighbours, a third of which have one value only."""
    random = np.random.default_rng(5)
    points = random.random((n, 2))
    columns = tuple(EncodedColumn(name, points[:, j]) for j, name in enumerate("xy"))
    order = np.lexsort((points[:, 1], np.floor(points[:, 0] * math.sqrt(n / 5))))
    alike = np.empty(n, dtype=np.int64)
    alike[order] = np.arange(n) // 5
    values = random.integers(0, 2, n)
    values[alike % 3 == 0] = 0
    return Encoded(columns, "ncp"), alike, values.astype(np.int64)


def test_mending_the_same_classes_costs_no_more() -> None:
    """Who may also exchange records pays less than what is told, and something."""
    encoded, _, values = two_values(1_500)
    method = catalog.load("algorithms", "hilbert")
    good = method.cluster(encoded, Requirement(5), method.Parameters(), np.random.default_rng(0), Progress()).labels
    found = estimate(encoded, good, [values], never_all, Progress())
    mended = enforce(encoded, good, Requirement(5, (Rule("distinct", values, 2),)), Progress())
    before, after = (total_loss(encoded, [np.flatnonzero(of == one) for one in np.unique(of)]) for of in (good, mended))
    real = (after - before) / encoded.points.size
    assert 0 < real <= found.extra <= 10 * real


def test_the_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many classes there are, so many are looked at; and they say about the same as all of them."""
    encoded, alike, values = two_values(8_000)
    few = estimate(encoded, alike, [values], never_all, Progress())
    monkeypatch.setattr(remedies, "LOOKED_AT", 10_000)
    every = estimate(encoded, alike, [values], never_all, Progress())
    assert few.classes <= 1_200 < every.classes == 1_600
    assert few.extra == pytest.approx(every.extra, rel=0.3)
