# SPDX-License-Identifier: Apache-2.0
"""Raw numbers, large weights, many rows: sums neither overflow nor lose the rule for ties."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.hull import class_hulls, total_loss
from shoal.engine.methods import Partition
from shoal.ground import catalog
from shoal.ground.parameters import build
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.hierarchies.hierarchy import Hierarchy

INCOMES = [10_000, 11_000, 50_000, 52_000, 90_000, 91_000]
WEIGHTS = (1.0, 8.0, 100.0, 1e6)


@pytest.mark.thin(3)
@pytest.mark.parametrize("unit", [1, 1000, 10**9, 1e-6, 1e-12, 1e100])
@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("wf_c_means", {"init": (0, 2, 4)}),
        ("mdav", {}),
        ("v_mdav", {}),
        ("linkage", {"link": "single"}),
        ("linkage", {"link": "complete"}),
        ("linkage", {"link": "average"}),
        ("linkage", {"distance": "manhattan"}),
    ],
)
def test_raw_incomes_stay_in_their_pairs(method: str, given: dict[str, Any], unit: float) -> None:
    """Three pairs of neighbours are three classes in every unit, though squares of raw numbers are huge or tiny."""
    frame = pl.DataFrame({"income": [income * unit for income in INCOMES]})
    release = shoal.anonymize(
        frame, k=2, quasi_identifiers=["income"], method=method, parameters={"scale": "none", **given}, keep_order=True
    )
    assert release.classes.tolist() == [0, 0, 1, 1, 2, 2]


def table(rows: int, weight: float, distinct: int) -> Encoded:
    """Six columns: incomes, days, ages, and names with and without a tree; all of the same weight."""
    random = np.random.default_rng(5)
    kinds = random.integers(0, distinct, rows)
    towns = Hierarchy.flat([f"town {number}" for number in range(30)])
    trades = Hierarchy.from_rows([[f"trade {number}", f"branch {number % 4}", "*"] for number in range(12)])
    lines = [random.integers(0, top, distinct).astype(float) for top in (250_000, 20_000, 70, 40)]
    names = [random.integers(0, top, distinct).astype(float) for top in (30, 12)]
    columns = [EncodedColumn(f"line {j}", line[kinds], weight) for j, line in enumerate(lines)]
    columns += [EncodedColumn(f"name {j}", one[kinds], weight, (towns, trades)[j]) for j, one in enumerate(names)]
    return Encoded(tuple(columns))


def loss_per_weight(method: str, rows: int, k: int, weight: float, distinct: int) -> float:
    """What a method loses per cell and unit of weight, given the weights as they are."""
    encoded, module = table(rows, weight, distinct), catalog.load("algorithms", method)
    given = build(module.Parameters, {}, where=method)
    made = module.cluster(encoded, Requirement(k), given, np.random.default_rng(0), Progress())
    assert isinstance(made, Partition)
    lo, hi, sizes = class_hulls(encoded.points, made.labels, len(made.sizes))
    return total_loss(encoded.hulls, lo, hi, sizes) / (weight * int(sizes.sum()) * len(encoded.columns))


def classes_by(name: str) -> bool:
    """Whether a method makes classes of all records."""
    able = catalog.load("algorithms", name).CAPABILITIES
    return able.releases == "classes" and not able.suppresses


@pytest.mark.thin(3)
@pytest.mark.parametrize("method", [name for name in catalog.names("algorithms") if classes_by(name)])
def test_large_weights_change_nothing(method: str) -> None:
    """The loss per unit of weight is the same at every weight, for 2,000 rows whose totals exceed 64-bit ticks."""
    losses = [loss_per_weight(method, 2_000, 20, weight, 1_500) for weight in WEIGHTS]
    assert losses == pytest.approx([losses[0]] * len(losses), rel=1e-6)


@pytest.mark.long
@pytest.mark.parametrize(
    ("method", "rows"),
    [("mdav", 2_000_000), ("kacpc", 2_000_000), ("binary_k_means", 2_000_000), ("systematic", 200_000)],
)  # systematic levels its classes one move at a time, which takes minutes for more
def test_two_million_rows_do_not_overflow(method: str, rows: int) -> None:
    """The same for two million rows: totals over all of them are compared by the largest, not by 64 bits."""
    losses = [loss_per_weight(method, rows, rows // 1_000, weight, 100_000) for weight in WEIGHTS]
    assert losses == pytest.approx([losses[0]] * len(losses), rel=1e-6)
