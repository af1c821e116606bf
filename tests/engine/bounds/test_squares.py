# SPDX-License-Identifier: Apache-2.0
"""The bound for squared errors: never above the truth, close to it, and said as what it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.bounds.bound import certify, lower_bound
from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.squares import square_prices, squares_of
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.features import features
from shoal.engine.kernels.bounds.squares import cut_sets, list_sets, spaced
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.releases.reports.text import summary
from tests.counts import repeats
from tests.reference import squares
from tests.strategies import random_encoded, thinned


def case(seed: int) -> tuple[Encoded, int]:
    """A table of at most nine records under squared errors, and a k."""
    random = np.random.default_rng(seed)
    k = int(random.integers(2, 5))
    encoded = random_encoded(random, int(random.integers(k, 10)))
    encoded = thinned(random, encoded) if random.random() < 0.3 else encoded
    return Encoded(encoded.columns, "sse"), k


@pytest.mark.parametrize("part", repeats(1, 10))
def test_never_above_the_optimum(part: int) -> None:
    """On many tables of up to nine records, neither bound exceeds the best of all partitions; prices raise it."""
    rose, exact = 0, 0
    for seed in range(50 * part, 50 * part + 50):
        encoded, k = case(seed)
        points = features(encoded, "std")
        best = squares.optimum(points, k)
        nearest, prices = (lower_bound(encoded, k, method=method).total for method in ("nearest", None))
        assert nearest <= prices <= best * (1 + 1e-12) + 1e-12, seed
        rose += prices > 1.01 * nearest
        exact += prices > 0.99 * best
    assert rose > 15
    assert exact > 5


def test_sets_are_those_of_the_twin() -> None:
    """The worst set around a record is the worst of all; after a cut none is priced too high, however short it was."""
    for seed in range(40):
        random = np.random.default_rng(seed)
        k, n = int(random.integers(2, 6)), int(random.integers(6, 10))
        points = np.round(random.lognormal(1, 1, (n, int(random.integers(1, 4)))), 1)
        space = spaced(points, k)
        price = random.uniform(0, 2, n) * space.near[:, k - 1]
        sets = np.empty((n, k), dtype=np.int64)
        many, reached, _ = list_sets(space, price, k, 0, 10**9, 10**9, 1e-9, sets)
        assert reached == n
        told = {int(one[-1]): price[one].sum() - squares.squared_error(points, one.tolist()) for one in sets[:many]}
        for row in range(n):
            worst = squares.most_broken(points, price, k, row)
            assert told.get(row, 0.0) == pytest.approx(max(worst, 0.0), abs=1e-8)
        for steps in (10**9, 0):
            cut = price.copy()
            cut_sets(space, cut, k, np.argsort(-price), 0, 10**9, steps)
            assert squares.most_broken(points, cut, k) <= 1e-9
            assert (cut <= price).all()


def test_by_hand() -> None:
    """1, 2, 3, 10 and k = 2: {1, 2} and {3, 10} have 0.5 and 24.5; a pair of neighbours has 1/2."""
    encoded = Encoded((EncodedColumn("a", np.array([1.0, 2.0, 3.0, 10.0])),), "sse")
    whole = squares_of(encoded, np.zeros(4, dtype=np.int64))
    assert whole == pytest.approx(4)
    unit = whole / 50  # the numbers' own squares add up to 50
    assert lower_bound(encoded, 2, method="nearest").total == pytest.approx(unit * (3 * 0.25 + 49 / 4))
    assert lower_bound(encoded, 2).total == pytest.approx(unit * 25, rel=1e-3)
    found = certify(encoded, np.array([0, 0, 1, 1]), Requirement(2))
    assert found is not None
    assert found.loss == pytest.approx(0.5)
    assert found.gap == pytest.approx(1, rel=1e-3)


def test_larger_classes_are_classes_of_six_too() -> None:
    """Sets of more than six are not searched; the prices of six hold for them."""
    random = np.random.default_rng(3)
    points = random.normal(size=(200, 2))
    totals = [square_prices(points, k, StepBudget(10**8), None)[0].sum() for k in (5, 6, 7, 20)]
    assert totals == sorted(totals)


def test_more_effort_never_lowers_it() -> None:
    """It is still a bound when stopped, and going on never makes it worse."""
    encoded = Encoded(random_encoded(np.random.default_rng(4), 120, columns=3).columns, "sse")
    totals = [lower_bound(encoded, 4, effort=effort).total for effort in (0, 1e-3, 1e-2, 0.1, 1)]
    assert totals == sorted(totals)
    assert totals[0] < totals[-1]


def test_progress() -> None:
    """Work is reported as it goes."""
    seen: list[object] = []
    lower_bound(Encoded(random_encoded(np.random.default_rng(4), 60).columns, "sse"), 3, Progress(seen.append))
    assert seen


def test_a_release_says_it() -> None:
    """The loss of the certificate is the one that the judge measured; the sentence speaks of no ranges."""
    random = np.random.default_rng(0)
    numbers = {name: random.normal(size=90).round(2) for name in "ab"}
    table = pl.DataFrame({**numbers, "c": random.choice(["x", "y", "z"], 90), "d": [None, *range(89)]})
    release = shoal.anonymize(table, k=3, quasi_identifiers=list("abcd"), loss="sse", weights={"b": 3.0}, steps=50)
    assert release.certificate is not None
    (judged,) = (one for one in release.measurements if one.metric == "sse")
    assert release.certificate.loss == pytest.approx(judged.figures["per_cell"])
    assert 0 < release.certificate.bound <= release.certificate.loss
    assert "times the smallest possible with groups of at least 3 (all rows kept, loss sse)" in summary(release)


@pytest.mark.data
def test_census(shared_data: Path) -> None:
    """CASC's census table, k = 3: within 0.1 % of what the linear programme can say (4.643 %)."""
    table = pl.read_csv(shared_data / "casc-census" / "CASCrefmicrodata.csv")
    columns = tuple(EncodedColumn(name, table[name].to_numpy().astype(float)) for name in table.columns)
    assert 0.04640 < lower_bound(Encoded(columns, "sse"), 3).per_cell < 0.04645
