# SPDX-License-Identifier: Apache-2.0
"""The bound for groupings in which no private value may have more than a share of a class."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.bounds.bound import lower_bound
from shoal.engine.bounds.boxes import listed_boxes
from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.certificate import Certificate
from shoal.engine.bounds.lattice import Caps, LineAndBins, Points, build_lattice, counted
from shoal.engine.bounds.prices import best_prices
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.ground.progress import Progress
from shoal.ground.requirements import Rule
from shoal.releases.reports.text import summary
from tests.counts import repeats
from tests.reference import boxes
from tests.reference.losses import Loss
from tests.reference.partitions import optimum
from tests.strategies import random_encoded, thinned


def case(seed: int) -> tuple[Encoded, int, Rule, np.ndarray]:
    """A table of at most nine records, a k, a rule about a private value, and the shares it allows."""
    random = np.random.default_rng(seed)
    k, values = int(random.integers(2, 5)), int(random.integers(2, 5))
    n = int(random.integers(k, 10))
    encoded = random_encoded(random, n, columns=int(random.integers(1, 4)))
    encoded = thinned(random, encoded) if random.random() < 0.4 else encoded
    codes = np.unique(random.integers(0, values, n), return_inverse=True)[1].astype(np.int64)
    if seed % 2:
        shares = np.full(codes.max() + 1, 1 / random.choice([1.5, 2, 2.5, 3]))
        return encoded, k, Rule("share", codes, float(shares[0])), shares
    shares = random.choice([0.3, 0.5, 0.7, 1.0], codes.max() + 1)
    return encoded, k, Rule("bounds", codes, lower=np.zeros(len(shares)), upper=shares), shares


def obeying(codes: np.ndarray, shares: np.ndarray, rows: list[int]) -> bool:
    """Whether some rows may be a class."""
    return boxes.obeys(codes[rows], shares)


@pytest.mark.parametrize("part", repeats(1, 10))
def test_never_above_the_optimum(part: int) -> None:
    """On many tables no bound exceeds the best partition that obeys; it is above the one without the rule at times."""
    rose, heeded = 0, 0
    for seed in range(50 * part, 50 * part + 50):
        encoded, k, rule, shares = case(seed)
        best, _ = optimum(encoded, k, partial(obeying, rule.codes, shares))
        bounds = [lower_bound(encoded, k, method=method, rules=(rule,)) for method in ("nearest", "boxes", None)]
        assert all(one.total <= best for one in bounds), seed
        rose += math.isfinite(best) and bounds[-1].total > 1.01 * lower_bound(encoded, k).total
        heeded += bounds[-1].heeds
    assert rose > 0
    assert heeded > 10


def test_prices_are_valid() -> None:
    """No class that obeys is priced above what it loses, and the cheapest box around a record is one that may obey."""
    compared = 0
    for seed in range(60):
        encoded, k, rule, shares = case(seed)
        useful = counted(encoded)
        caps = Caps.of((rule,))
        if not useful.columns or caps is None or not boxes.obeys(rule.codes, shares):
            continue
        points = Points.of(useful, caps)
        plotted = LineAndBins.of(useful, points)
        plotted = replace(plotted, bins=dict.fromkeys(plotted.bins, len(useful)))
        lattice = build_lattice(useful, points, plotted, k, Progress())
        cheapest = listed_boxes(lattice, k * lattice.unit)
        plain = build_lattice(useful, alone := Points.of(useful), plotted, k, Progress())
        assert (cheapest[points.point_of] >= listed_boxes(plain, k)[alone.point_of] - 1e-12).all()
        for prices in (cheapest, best_prices(lattice, cheapest, k * lattice.unit, StepBudget(10**7)).price):
            each = prices[points.point_of]
            assert boxes.most_broken_class(Loss(useful), useful.points, each, k, rule.codes, shares) <= 1e-9
        compared += 1
    assert compared > 12


def test_by_hand() -> None:
    """Three at 0 with one value, three at 1 with the other: pairs cost nothing, halves of each cost all."""
    codes = np.array([0, 0, 0, 1, 1, 1])
    encoded = Encoded((EncodedColumn("a", codes.astype(float)),))
    assert lower_bound(encoded, 2).total == 0
    found = lower_bound(encoded, 2, rules=(Rule("share", codes, 0.5),))
    assert found.total == pytest.approx(6)
    assert found.heeds


def test_other_rules_are_not_heeded() -> None:
    """Rules that are not about shares leave the bound as it is without them."""
    random = np.random.default_rng(1)
    encoded, codes = random_encoded(random, 30, columns=2), random.integers(0, 3, 30)
    found = lower_bound(encoded, 3, rules=(Rule("distinct", codes, 2),))
    assert found == lower_bound(encoded, 3)


def test_the_sentence_says_what_is_kept() -> None:
    """It compares with groupings that keep the model, if the bound knows of it."""
    random = np.random.default_rng(2)
    table = pl.DataFrame(
        {"a": random.integers(0, 50, 200), "b": random.choice(list("xyz"), 200), "s": random.choice(list("pqrs"), 200)}
    )
    asked = {"k": 4, "quasi_identifiers": ["a", "b"], "sensitive": ["s"], "method": "mondrian"}
    for kind, said in (("frequency", "that keep l_diversity ("), ("entropy", "that need not keep l_diversity (")):
        models = {"l_diversity": {"kind": kind, "l": 2}}
        release = shoal.anonymize(table, models=models, **asked)
        assert f"smallest possible with groups of at least 4 {said}all rows kept" in summary(release)
    best = Certificate(0.1, 0.1, 4, 99, 99, "prices", "ncp", 4, ("l_diversity",), heeds=True).sentence()
    assert best.startswith("No grouping could lose less with groups of at least 4 that keep l_diversity (all rows kept")
