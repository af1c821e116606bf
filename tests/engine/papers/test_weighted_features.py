# SPDX-License-Identifier: Apache-2.0
"""WF-C-means makes the classes and learns the weights of figures 2 and 3 of Chiu and Tsai (2007).

The other side is written from the paper, in exact fractions, and imports nothing of shoal.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from shoal.engine.algorithms.wf_c_means import Parameters, fit
from shoal.engine.methods import Partition
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from tests.counts import repeats
from tests.engine.papers.tables import case
from tests.reference.papers.chiu_tsai import merge, wf_c_means
from tests.reference.papers.records import how_many, labels

NUMBERS = ("age", "income", "born", "rent", "children")


def numbered(found: np.ndarray) -> list[int]:
    """Classes numbered by their first record."""
    return Partition.of(found).labels.tolist()


@pytest.mark.parametrize(
    ("kinds", "scale"),
    [(NUMBERS, "range"), (NUMBERS, "none"), ((*NUMBERS, "work", "sex"), "range")],
    ids=["numbers by range", "raw numbers", "names by their trees"],
)
@pytest.mark.parametrize("seed", repeats(10, 120))
def test_wf_c_means_is_chiu_and_tsais(seed: int, kinds: tuple[str, ...], scale: str) -> None:
    """Classes before and after merging, and the weights, which the last pass moves once more."""
    given = case(6_000 + seed, kinds)
    n = how_many(given.records)
    init = Random(seed).sample(range(n), n // given.k)
    expected = wf_c_means(given.records, given.k, init, scale)
    how = Parameters(scale=scale, init=tuple(init))
    found = fit(given.encoded(), Requirement(given.k), how, np.random.default_rng(0), Progress())
    assert numbered(found.unmerged) == labels(expected.classes, n)
    assert found.weights.tolist() == pytest.approx([float(weight) for weight in expected.weights], abs=1e-6)
    assert numbered(found.labels) == labels(merge(expected, given.k), n)
