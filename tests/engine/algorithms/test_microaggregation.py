# SPDX-License-Identifier: Apache-2.0
"""microaggregation of one number is the best of all partitions, and shoal begins with it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.algorithms import mdav, microaggregation
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from tests.counts import repeats
from tests.reference.partitions import partitions


def squared_error(classes: list[list[int]], values: list[int]) -> Fraction:
    """The sum over classes of squared differences from their mean."""
    total = Fraction(0)
    for rows in classes:
        own = [Fraction(values[row]) for row in rows]
        mean = sum(own) / len(own)
        total += sum((value - mean) ** 2 for value in own)
    return total


def made(values: list[int], k: int, method: Any = microaggregation) -> list[list[int]]:
    """The classes of one column of numbers."""
    encoded = Encoded((EncodedColumn("x", np.array(values, dtype=float)),))
    given = Requirement(k), method.Parameters(), np.random.default_rng(0), Progress()
    labels = method.cluster(encoded, *given).labels
    return [np.flatnonzero(labels == label).tolist() for label in range(int(labels.max()) + 1)]


@pytest.mark.parametrize("seed", repeats(13, 200))
def test_one_number_is_grouped_best(seed: int) -> None:
    """No partition at all into classes of k and more has a smaller squared error: incomes, ages, many duplicates."""
    random = np.random.default_rng(seed)
    k, n = int(random.integers(2, 4)), int(random.integers(6, 10))
    values = [
        random.integers(18, 90, n), (10 * random.lognormal(8, 1, n)).astype(int), random.integers(0, 3, n)
    ][seed % 3].tolist()  # fmt: skip
    best = min(squared_error(classes, values) for classes in partitions(list(range(n)), k))
    assert squared_error(made(values, k), values) == best


def test_mdav_is_not_best_of_one_number() -> None:
    """It takes the k nearest of a record far out, which may leave the others worse off."""
    values = [int(value) for value in np.random.default_rng(4).lognormal(8, 1, 400)]
    assert squared_error(made(values, 5), values) < squared_error(made(values, 5, mdav), values)


def test_shoal_begins_with_it() -> None:
    """With ``--loss sse`` and one number the default method publishes the best classes."""
    pay = np.random.default_rng(2).lognormal(8, 1, 300).astype(int)
    asked = {"k": 4, "quasi_identifiers": ["pay"], "loss": "sse", "render": "mean", "steps": 10}
    one = shoal.anonymize(pl.DataFrame({"pay": pay}), **asked)
    other = shoal.anonymize(pl.DataFrame({"pay": pay}), **asked | {"method": "microaggregation"})
    assert one.table["pay"].to_list() == other.table["pay"].to_list()
