# SPDX-License-Identifier: Apache-2.0
"""Suppression: few records are left out, only where that lowers the loss, and never at the cost of a promise."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.hull import class_hulls, total_loss
from shoal.engine.refining.enforce import obeys
from shoal.engine.refining.suppress import suppress
from shoal.ground.progress import Progress
from shoal.ground.requirements import RULES, Requirement
from tests.counts import repeats
from tests.reference import rules as by_definition
from tests.strategies import random_encoded


def total(encoded: Encoded, labels: np.ndarray) -> float:
    """Loss of a partition; a record left out counts in full."""
    lo, hi, sizes = class_hulls(encoded.points, labels, int(labels.max()) + 1)
    full = sum(column.weight for column in encoded.columns)
    return total_loss(encoded.hulls, lo, hi, sizes) + full * np.count_nonzero(labels < 0)


@pytest.mark.parametrize("seed", repeats(10, 60))
def test_what_is_left_obeys_and_costs_less(seed: int) -> None:
    """At most the share is left out, classes keep k and rules, and the total falls or nothing happens."""
    random = np.random.default_rng(seed)
    n, k = int(random.integers(10, 120)), int(random.integers(1, 5))
    encoded = random_encoded(random, n)
    labels = np.unique(np.minimum(random.permutation(n) // k, n // k - 1), return_inverse=True)[1]
    rule = by_definition.random_rule(random, RULES[seed % len(RULES)], n)
    requirement = Requirement(k, (rule,) if seed % 3 else ())
    if not obeys(labels, requirement):
        labels = np.zeros(n, np.int64)
    requirement = requirement if obeys(labels, requirement) else Requirement(k)
    share = float(random.choice([0.0, 0.05, 0.3]))
    found = suppress(encoded, labels, requirement, share, Progress())
    out = np.count_nonzero(found < 0)
    assert out <= share * n
    assert obeys(found, requirement)
    if out:
        assert total(encoded, found) < total(encoded, labels)
    else:
        assert np.array_equal(found, labels)


def patients() -> pl.DataFrame:
    """Ordinary people, and two who are far from everybody."""
    random = np.random.default_rng(1)
    ages = [*random.integers(20, 60, 98).tolist(), 400, 500]
    return pl.DataFrame(
        {"age": ages, "sex": random.choice(["f", "m"], 100), "illness": random.choice(["flu", "cold"], 100)}
    )


@pytest.mark.parametrize("allowed", [1, 2, 3])
def test_as_many_are_left_out_as_are_allowed_and_worth_it(allowed: int) -> None:
    """Three classes with one far-off record each: so many of them go as may, and nobody else."""
    places = np.array([*range(6), 1000, *range(10, 16), 1010, *range(20, 26), 1020], dtype=np.float64)
    encoded = Encoded((EncodedColumn("x", places),))
    found = suppress(encoded, np.repeat([0, 1, 2], 7), Requirement(5), (allowed + 0.5) / 21, Progress())
    assert np.count_nonzero(found < 0) == allowed
    assert set(places[found < 0]) <= {1000, 1010, 1020}


def test_outliers_are_left_out_and_named() -> None:
    """The two far-off people go; facts, classes, table and every metric say so."""
    plain = shoal.anonymize(patients(), k=5, quasi_identifiers=["age", "sex"], sensitive=["illness"])
    less = shoal.anonymize(patients(), k=5, quasi_identifiers=["age", "sex"], sensitive=["illness"], suppression=0.03)
    assert less.facts["suppressed"] == 2
    assert np.flatnonzero(less.classes < 0).tolist() == [98, 99]
    assert len(less.table) == 98
    shown = [shoal.intervals(one.table["age"]) for one in (plain, less)]
    widths = [(ends["hi"] - ends["lo"]).sum() for ends in shown]
    assert widths[1] < widths[0] / 2
    loss = next(one.value for one in less.measurements if one.metric == "ncp")
    assert loss >= 2 * 2, "a row left out loses both of its cells"
    discernibility = next(one.value for one in less.measurements if one.metric == "discernibility")
    sizes = np.bincount(less.classes[less.classes >= 0])
    assert discernibility >= 2 * 100 + (sizes**2).sum() - 1e-9


def test_models_that_compare_with_the_whole_hold_for_what_is_released() -> None:
    """t-closeness is about the released rows; leaving some out never breaks it."""
    release = shoal.anonymize(
        patients(), k=5, quasi_identifiers=["age", "sex"], sensitive=["illness"], suppression=0.05,
        models={"t_closeness": {"t": 0.1}},
    )  # fmt: skip
    assert release.verdict.holds
