# SPDX-License-Identifier: Apache-2.0
"""mdav and v_mdav: equal to their slow plain twins, right on worked examples and on the literature's reference data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.algorithms import mdav, v_mdav
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.features import SCALES, features
from shoal.ground.errors import PlanError
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.counts import count, repeats
from tests.reference import mdav as twin
from tests.strategies import random_case, random_encoded

TABLES = 210
GAMMAS = (0.0, 0.2, 0.5, 1.0, 1.1, 3.0)

# Table 1 of He et al. (2012), and the two clusters with which Zhang and Zheng explain V-MDAV.
T7 = pl.DataFrame({"age": [20, 20, 30, 40, 50, 60, 60], "zip": [25, 30, 25, 30, 10, 5, 10]})
S9 = pl.DataFrame(
    {
        "x": [2.4, 1.68, 3.18, 5.32, 18.68, 20.14, 19.85, 21.28, 23.0],
        "y": [3.0, 4.9, 5.54, 3.6, 11.49, 9.56, 10.33, 10.9, 11.5],
    }
)


def numbers(frame: pl.DataFrame) -> Encoded:
    """A table of numbers only, encoded."""
    table = Table.of(frame)
    plan = Plan.of(1, quasi_identifiers=frame.columns, kinds=dict.fromkeys(frame.columns, "numeric"))
    return encode(table, complete(plan, table))


def labels_of(method: Any, encoded: Encoded, k: int, **given: Any) -> list[int]:
    """Labels by one of the two methods."""
    parameters = method.Parameters(**given)
    made = method.cluster(encoded, Requirement(k), parameters, np.random.default_rng(0), Progress())
    return made.labels.tolist()


def classes(labels: list[int]) -> list[list[int]]:
    """Labels as lists of rows."""
    return [[row for row, label in enumerate(labels) if label == one] for one in range(max(labels) + 1)]


def within(matrix: np.ndarray, labels: list[int]) -> float:
    """Squared error within classes, in per cent of the whole."""
    centres = np.array([matrix[rows].mean(axis=0) for rows in classes(labels)])
    return 100 * ((matrix - centres[labels]) ** 2).sum() / ((matrix - matrix.mean(axis=0)) ** 2).sum()


# -- twins -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", repeats(45, TABLES))
def test_mdav_equals_its_twin(seed: int) -> None:
    """Trees and a running mean change nothing but the time."""
    encoded, k = random_case(seed)
    scale = SCALES[seed % 3]
    assert labels_of(mdav, encoded, k, scale=scale) == twin.mdav(encoded, k, scale)


@pytest.mark.parametrize("seed", range(TABLES, TABLES + count(45, TABLES)))
def test_v_mdav_equals_its_twin(seed: int) -> None:
    """Trees, and nearest records remembered, change nothing but the time."""
    encoded, k = random_case(seed, largest=40)
    scale, gamma = SCALES[seed % 3], GAMMAS[seed % len(GAMMAS)]
    assert labels_of(v_mdav, encoded, k, scale=scale, gamma=gamma) == twin.v_mdav(encoded, k, scale, gamma)


@pytest.mark.parametrize("seed", range(6))
def test_twins_agree_on_larger_tables(seed: int) -> None:
    """Trees of several levels, with many deletions and many names, answer like a scan."""
    random = np.random.default_rng(seed)
    whole, k = random_encoded(random, 180, columns=3), int(random.integers(2, 8))
    tree = Hierarchy.flat([f"leaf {number}" for number in range(60)])
    names = EncodedColumn("names", np.floor(random.exponential(9.0, 180)).clip(0, 59), 0.7, tree)
    encoded = Encoded((*whole.columns, names))
    assert labels_of(mdav, encoded, k) == twin.mdav(encoded, k, "std")
    assert labels_of(v_mdav, encoded, k, gamma=1.1) == twin.v_mdav(encoded, k, "std", 1.1)


# -- worked examples ---------------------------------------------------------------------------------------------


def released(k: int, method: str, **given: Any) -> tuple[list[list[int]], float]:
    """Classes and loss of the seven patients through the whole flow, published as ranges."""
    release = shoal.anonymize(
        T7, k=k, quasi_identifiers=T7.columns, method=method, parameters=given, render="generalise", keep_order=True
    )
    ncp = next(one.value for one in release.measurements if one.metric == "ncp")
    return classes(release.classes.tolist()), ncp


def test_mdav_on_seven_patients() -> None:
    """Range-scaled, k = 2 and 3."""
    assert released(2, "mdav", scale="range") == ([[0, 1], [2, 3, 4], [5, 6]], pytest.approx(4.70))
    assert released(3, "mdav", scale="range") == ([[0, 1, 2, 3], [4, 5, 6]], pytest.approx(4.15))


@pytest.mark.parametrize(
    ("gamma", "expected"),
    [
        (0.2, [[0, 1], [2, 3, 4], [5, 6]]),
        (0.5, [[0, 1], [2, 3], [4, 5, 6]]),
        (1.0, [[0, 1, 2, 3], [4, 5, 6]]),
        (1.1, [[0, 1, 2, 3], [4, 5, 6]]),
    ],
)
def test_v_mdav_on_seven_patients(gamma: float, expected: list[list[int]]) -> None:
    """Range-scaled, k = 2: the larger gamma, the larger the classes."""
    assert released(2, "v_mdav", scale="range", gamma=gamma)[0] == expected


def test_two_clusters_of_nine_records() -> None:
    """Fixed class sizes cut across clusters, variable ones follow them."""
    encoded = numbers(S9)
    fixed = labels_of(mdav, encoded, 3, scale="none")
    assert classes(fixed) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert within(encoded.points, fixed) == pytest.approx(22.3312, abs=5e-5)
    for gamma in (0.2, 1.1):
        variable = labels_of(v_mdav, encoded, 3, scale="none", gamma=gamma)
        assert classes(variable) == [[0, 1, 2, 3], [4, 5, 6, 7, 8]]
        assert within(encoded.points, variable) == pytest.approx(3.13366, abs=5e-6)


@pytest.mark.data
@pytest.mark.parametrize(
    ("path", "columns", "expected"),
    [
        ("casc-census/CASCrefmicrodata.csv", 13, 5.6922),
        ("casc-tarragona/Tarragona.csv", 13, 16.9326),
        ("casc-eia/EIA.csv", 11, 0.4829),
    ],
)
def test_squared_error_on_reference_data(shared_data: Path, path: str, columns: int, expected: float) -> None:
    """The figures that the microaggregation literature gives for MDAV, k = 3, standardised columns."""
    frame = pl.read_csv(shared_data / path)
    frame = frame.drop([name for name in ("UTILNAME", "STATE", "YEAR", "MONTH") if name in frame.columns])
    encoded = numbers(frame)
    assert len(encoded.columns) == columns
    assert within(features(encoded, "std"), labels_of(mdav, encoded, 3)) == pytest.approx(expected, abs=5e-5)


# -- promises ----------------------------------------------------------------------------------------------------


def test_means_are_published_unless_asked_otherwise() -> None:
    """Both are microaggregation: a class shows its centre, or ranges on request."""
    for method in ("mdav", "v_mdav"):
        given = {"k": 3, "quasi_identifiers": T7.columns, "method": method, "keep_order": True}
        assert shoal.anonymize(T7, **given).table["age"].to_list()[:4] == [27.5] * 4
        assert shoal.anonymize(T7, **given, render="generalise").table["age"].to_list()[:4] == ["[20, 40]"] * 4


def test_gamma_zero_keeps_classes_at_k() -> None:
    """No class grows, except by the few that are left over."""
    encoded, _ = random_case(5)
    sizes = np.bincount(labels_of(v_mdav, encoded, 3, gamma=0.0))
    assert np.sum(sizes > 3) <= 2


@pytest.mark.parametrize("given", [{"gamma": -0.1}, {"scale": "rank"}])
def test_wrong_parameters_are_refused(given: dict[str, Any]) -> None:
    """A negative gamma, or an unknown scale, is an error of the plan."""
    with pytest.raises(PlanError):
        shoal.anonymize(T7, k=2, quasi_identifiers=T7.columns, method="v_mdav", parameters=given)
