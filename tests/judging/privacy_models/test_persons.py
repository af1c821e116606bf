# SPDX-License-Identifier: Apache-2.0
"""k counted in persons: no class is carried by one person's many rows."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.ground import catalog
from shoal.ground.errors import CannotHoldError, PlanError
from shoal.judging.checking import check

ROLES = {"quasi_identifiers": ["age", "zip"], "sensitive": ["illness"]}


def visits(seed: int = 0, missing: float = 0.0) -> pl.DataFrame:
    """Rows of 40 patients, some of whom came often, always of the same age and place."""
    random = np.random.default_rng(seed)
    who = np.sort(random.choice(40, 160, p=random.dirichlet(np.full(40, 0.5))))
    ages, zips = random.integers(20, 80, 40), random.choice(list("abcd"), 40)
    names = [None if random.random() < missing else f"p{one}" for one in who]
    return pl.DataFrame(
        {"patient": names, "age": ages[who], "zip": zips[who], "illness": random.choice(["flu", "cold"], 160)}
    )


def persons_in_classes(release: shoal.Release, table: pl.DataFrame) -> list[int]:
    """Different known persons of each class, counted row by row."""
    who = table.get_column("patient").to_list()
    return [
        len({who[row] for row in np.flatnonzero(release.classes == label)} - {None})
        for label in range(int(release.classes.max()) + 1)
    ]


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(6))
def test_every_class_has_rows_of_k_persons(seed: int, missing: float) -> None:
    """With k = 4, four different known persons share every class; rows of nobody known count for none."""
    table = visits(seed, missing)
    release = shoal.anonymize(table, k=4, person="patient", **ROLES)
    assert min(persons_in_classes(release, table)) >= 4
    assert "patient" not in release.table.columns
    finding = next(one for one in release.verdict.findings if one.model == "person_k")
    assert finding.holds
    assert finding.figures["persons_found"] >= 4


def test_rows_alone_do_not_do() -> None:
    """Without the person column some class is one patient's; that is what the model is for."""
    table = visits()
    release = shoal.anonymize(table, k=4, identifiers=["patient"], **ROLES)
    assert min(persons_in_classes(release, table)) < 4


@pytest.mark.thin(3)
@pytest.mark.parametrize("method", catalog.names("algorithms"))
def test_every_method_counts_persons(method: str) -> None:
    """Methods of classes keep k persons; those that make no classes refuse."""
    able = catalog.load("algorithms", method).CAPABILITIES
    table = visits(3)
    roles = {**ROLES, "quasi_identifiers": ["age"] if "categorical" not in able.kinds else ["age", "zip"]}
    if able.releases != "classes":
        with pytest.raises(PlanError):
            shoal.anonymize(table, k=3, person="patient", method=method, accept_weaker=True, **roles)
        return
    budget = {"steps": 2_500} if getattr(able, "refined", False) else {}
    release = shoal.anonymize(table, k=3, person="patient", method=method, **roles, **budget)
    assert min(persons_in_classes(release, table)) >= 3


def test_more_persons_than_there_are_is_refused() -> None:
    """The refusal says how many there are."""
    table = visits()
    persons = table.get_column("patient").n_unique()
    with pytest.raises(CannotHoldError, match=str(persons)):
        shoal.anonymize(table, k=persons + 1, person="patient", **ROLES)


def test_the_column_must_exist_and_not_be_a_quasi_identifier() -> None:
    """Misspelt or misplaced person columns are never ignored."""
    with pytest.raises(shoal.ground.errors.ShoalError):
        shoal.anonymize(visits(), k=3, person="patiant", **ROLES)
    with pytest.raises(PlanError):
        shoal.anonymize(visits(), k=3, person="age", **ROLES)


def test_a_table_that_still_has_the_column_is_judged_by_it() -> None:
    """Three look-alike rows of two persons are k = 3 in rows and 2 in persons."""
    table = pl.DataFrame({"who": ["a", "a", "b", "c", "d", "e"], "age": [1, 1, 1, 2, 2, 2]})
    verdict = check(table, quasi_identifiers=["age"], k=3, person="who")
    found = {one.model: one for one in verdict.findings}
    assert found["k_anonymity"].holds
    assert found["person_k"].holds is False
    assert found["person_k"].figures["persons_found"] == 2
