# SPDX-License-Identifier: Apache-2.0
"""Where one class of all rows keeps what was asked for, no method refuses."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.ground import catalog
from shoal.ground.errors import CannotHoldError
from tests.counts import repeats

METHODS = [
    name for name in catalog.names("algorithms") if catalog.load("algorithms", name).CAPABILITIES.releases == "classes"
]
QUICK = {"steps": 20}


def random_table(random: np.random.Generator, n: int, *, missing: bool) -> pl.DataFrame:
    """People with an age, a place and a private value, some cells missing."""
    columns: dict[str, Any] = {
        "age": random.integers(20, 20 + int(random.integers(3, 40)), n),
        "place": random.choice(list("abcde"), n),
        "private": random.choice(list("xyzuv"), n),
    }
    frame = pl.DataFrame(columns)
    if missing:
        gaps = {name: pl.Series(random.random(n) < 0.15) for name in ("age", "place")}
        frame = frame.with_columns(
            pl.when(gap).then(None).otherwise(pl.col(name)).alias(name) for name, gap in gaps.items()
        )
    return frame


def random_request(seed: int) -> tuple[pl.DataFrame, dict[str, Any]]:
    """A table of which some people of a population are, and models with bounds that may or may not be kept."""
    random = np.random.default_rng(seed)
    missing = bool(seed % 2)
    population = random_table(random, int(random.integers(30, 90)), missing=missing)
    n = int(random.integers(12, len(population)))
    table = population[random.permutation(len(population))[:n].tolist()]
    share = n / len(population)
    models: dict[str, Any] = {
        "delta_presence": {"delta_min": share * random.choice([0, 0.5, 0.9]), "delta_max": min(1.0, share * 1.3)},
        "k_map": {"k": int(random.integers(2, 12))},
        "l_diversity": {"l": int(random.integers(2, 4)), "kind": str(random.choice(["distinct", "entropy"]))},
        "t_closeness": {"t": float(random.choice([0.1, 0.2, 0.4]))},
        "alpha_k": {"alpha": float(random.choice([0.4, 0.6]))},
        "beta_likeness": {"beta": float(random.choice([0.5, 2.0]))},
    }
    chosen = random.choice(list(models), int(random.integers(1, 4)), replace=False)
    asked = {"k": int(random.integers(2, 5)), "models": {str(name): models[name] for name in chosen}}
    asked |= {"population": population, "missing": "wildcard" if missing and seed % 4 == 1 else "own"}
    asked |= {"quasi_identifiers": ["age", "place"], "sensitive": ["private"], "render": "generalise"}
    return table, asked | ({"suppression": 0.1} if seed % 5 == 0 else {})


@cache
def one_class_keeps(seed: int, *quasi_identifiers: str) -> bool:
    """Whether all rows as one class keep what is asked: k is made so large that there is but one."""
    table, asked = random_request(seed)
    asked["quasi_identifiers"] = list(quasi_identifiers)
    try:
        return bool(shoal.anonymize(table, **asked | {"k": len(table), "suppression": 0.0}).verdict)
    except CannotHoldError:
        return False


@pytest.mark.thin(5)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", repeats(4, 60))
def test_nobody_refuses_what_one_class_keeps(seed: int, method: str) -> None:
    """Random tables, models and methods: a refusal means that no release of all rows could do it."""
    table, asked = random_request(seed)
    able = catalog.load("algorithms", method).CAPABILITIES
    if "categorical" not in able.kinds:
        asked["quasi_identifiers"] = ["age"]
    kept = one_class_keeps(seed, *asked["quasi_identifiers"])
    try:
        release = shoal.anonymize(table, method=method, **asked, **(QUICK if able.refined else {}))
    except CannotHoldError:
        assert not kept
    else:
        assert release.verdict.holds
        assert len(release.table) == len(table) or "suppression" in asked or able.suppresses
