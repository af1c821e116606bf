# SPDX-License-Identifier: Apache-2.0
"""NH: rings and boxes equal their slow plain twins, worked examples cost what they must, and the draw hides evenly."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.algorithms import non_homogeneous
from shoal.engine.algorithms.non_homogeneous import zig_zag
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.generalizing.boxes import Windows
from shoal.engine.kernels.methods.pairing import pair_rings
from shoal.engine.methods import Boxes
from shoal.ground.errors import PlanError
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.pipeline import run
from shoal.tables.table import Table
from tests.counts import repeats
from tests.reference import hilbert as hilbert_twin
from tests.reference import rings
from tests.reference import top_down as top_down_twin
from tests.strategies import random_case

# Table 1 of He et al. (2012).
T7 = pl.DataFrame(
    {
        "age": [20, 20, 30, 40, 50, 60, 60],
        "zip": [25, 30, 25, 30, 10, 5, 10],
        "disease": ["Flu", "Bronchitis", "Gastritis", "Pneumonia", "Flu", "Bronchitis", "Gastritis"],
    }
)
TWO_PARTS = (0, 0, 0, 0, 1, 1, 1)
ONE_PART = (0,) * 7


def found(encoded: Encoded, k: int, **given: Any) -> Boxes:
    """The rings by the method."""
    parameters = non_homogeneous.Parameters(**given)
    return non_homogeneous.cluster(encoded, Requirement(k), parameters, np.random.default_rng(0), Progress())


def as_lists(boxes: Boxes) -> list[list[int]]:
    """Each ring as a list of records."""
    return [part.tolist() for part in np.split(boxes.order, boxes.starts[1:-1])]


@pytest.mark.parametrize("seed", repeats(15, 200))
def test_rings_equal_their_twin(seed: int) -> None:
    """Parts split from the top down or along the curve, brought into line and bent: the rings of the plain way."""
    encoded, k = random_case(60_000 + seed, largest=80)
    n = len(encoded)
    order = np.random.default_rng(seed).permutation(n).tolist()
    line = hilbert_twin.order_of(encoded, "hilbert", 8, 0)
    split, curve = [0] * n, [0] * n
    if n >= 4 * k:
        split = top_down_twin.top_down(encoded, (4 * k + 1) // 3, order)
        curve = hilbert_twin.runs(encoded, 2 * k, line)
    assert as_lists(found(encoded, k, order=tuple(order))) == rings.rings(line, split)
    assert as_lists(found(encoded, k, partition="hilbert")) == rings.rings(line, curve)


@pytest.mark.parametrize("seed", repeats(10, 60))
def test_no_part_is_too_small_or_too_large(seed: int) -> None:
    """Every ring has k records at least, and fewer than the limit unless the table itself is smaller than that."""
    encoded, k = random_case(61_000 + seed, largest=200)
    for largest, partition in product((3, 4, 6), ("top_down", "hilbert")):
        lengths = np.diff(found(encoded, k, largest=largest, partition=partition).starts)
        assert lengths.min() >= k
        assert lengths.max() < largest * k or len(lengths) == 1


@pytest.mark.parametrize("seed", repeats(15, 200))
def test_windows_equal_their_twin(seed: int) -> None:
    """The smallest and largest value of k neighbours of a ring, as a plain scan finds them."""
    random = np.random.default_rng(62_000 + seed)
    k = int(random.integers(1, 12))
    lengths = random.integers(k, 3 * k + 2, size=int(random.integers(1, 6)))
    parts = random.permutation(np.repeat(np.arange(len(lengths)), lengths))
    order, starts = zig_zag(random.permutation(len(parts)), parts)
    values = random.integers(-9, 9, len(parts)).astype(float)
    windows = Windows(starts, k)
    expected = [
        [values[row] for row in rings.box(ring, place, k)]
        for ring in as_lists(Boxes(order, starts, k))
        for place in range(len(ring))
    ]
    assert windows.smallest(values[order]).tolist() == [min(one) for one in expected]
    assert windows.largest(values[order]).tolist() == [max(one) for one in expected]


@pytest.mark.parametrize(
    ("k", "parts", "total"), [(2, TWO_PARTS, 2.3), (3, TWO_PARTS, 3.9), (2, ONE_PART, 4.0), (3, ONE_PART, 7.8)]
)
def test_worked_example(k: int, parts: tuple[int, ...], total: float) -> None:
    """Two rings of Table 1 cost less than its best classes (2.65 and 4.15); one ring over all of it costs more."""
    with pytest.warns(UserWarning, match="does not publish groups"):
        release = shoal.anonymize(
            T7,
            k=k,
            quasi_identifiers=["age", "zip"],
            sensitive=["disease"],
            method="non_homogeneous",
            parameters={"parts": parts},
            accept_weaker=True,
        )
    losses = {one.metric: one.value for one in release.measurements}
    assert losses["ncp"] == pytest.approx(total, abs=1e-9)
    assert losses["prosecutor_risk"] == pytest.approx(1 / k)


def paired(length: int, k: int, chosen: int, words: np.ndarray) -> list[int]:
    """The lender of each place of one ring, by the kernel."""
    lent = np.empty(length, dtype=np.int64)
    assert pair_rings(np.array([0, length]), k, np.array([chosen]), words, 0, lent) == 1
    return lent.tolist()


@pytest.mark.parametrize("length", [4, 5, 7, 12, 25])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_marginals_are_even(k: int, length: int) -> None:
    """Over all equally likely pairings, each of the k records of a box is behind its row in exactly 1 of k.

    They are those of the plain walk.
    """
    words = np.random.default_rng([k, length]).integers(2**32, size=10_000, dtype=np.uint32)
    plain = rings.pairings(length, k, iter(words.tolist()))
    behind: Counter[tuple[int, int]] = Counter()
    for chosen in range(k):
        lenders = paired(length, k, chosen, words)
        assert lenders == [place for _, place in sorted(next(plain).items())]
        assert sorted(lenders) == list(range(length))
        behind.update(enumerate(lenders))
    assert set(behind) == {(box, (box + step) % length) for box in range(length) for step in range(k)}
    assert set(behind.values()) == {1}


def test_pairings_are_mixed() -> None:
    """Rows of one ring lend from different places; one true row does not tell the others.

    With k = 2 there is nothing to mix: a ring has two pairings.
    """
    starts = np.arange(0, 12_001, 12)
    for k, mixed in ((2, 0), (4, 0.9)):
        lent = Windows(starts, k).lenders(7)
        steps = ((lent - np.arange(12_000)) % 12).reshape(-1, 12)
        assert steps.max() == k - 1
        assert np.mean([len(set(ring)) > 1 for ring in steps.tolist()]) >= mixed
        known = steps[steps[:, 0] == 1]
        assert (np.mean(known[:, 1] == 1) < 0.6) == (k > 2)


def test_words_that_are_too_few_are_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rings that need more random words than one draw gives are paired all the same, each record once."""
    monkeypatch.setattr("shoal.engine.generalizing.boxes.WORDS", 16)
    starts = np.array([0, 9, 40, 52])
    lent = Windows(starts, 6).lenders(3)
    for begin, end in pairwise(starts.tolist()):
        assert sorted(lent[begin:end].tolist()) == list(range(begin, end))


def test_pairings_are_drawn_by_the_system_unless_a_seed_is_given() -> None:
    """Without a seed two draws differ and every step occurs; with one they are the same."""
    windows = Windows(np.arange(0, 4001, 4), 4)
    first, second = windows.lenders(None), windows.lenders(None)
    assert set(((first - np.arange(4000)) % 4).tolist()) == {0, 1, 2, 3}
    assert first.tolist() != second.tolist()
    assert windows.lenders(5).tolist() == windows.lenders(5).tolist() != windows.lenders(6).tolist()


@pytest.mark.parametrize("parts", [(0, 1, 1), (0, 0, 0, 0, 0, 0, 1), (0, 0, 0, 0, -1, -1, -1)])
def test_parts_must_fit(parts: tuple[int, ...]) -> None:
    """Parts that leave out rows or are too small are refused."""
    plan = shoal.Plan.of(
        2,
        quasi_identifiers=["age"],
        rest="drop",
        method="non_homogeneous",
        parameters={"parts": parts},
        accept_weaker=True,
    )
    with pytest.raises(PlanError, match="parts do not fit"):
        run(Table(T7), plan)
