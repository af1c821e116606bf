# SPDX-License-Identifier: Apache-2.0
"""Somebody with a list of names undoes a hash, and somebody with birth dates finds rows; the checker says so first."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import shoal

NAMES = [
    f"{first} {last}" for first in ("Ann", "Ben", "Cleo", "Dan", "Eve") for last in map("Family {}".format, range(40))
]


def _people() -> pl.DataFrame:
    random = np.random.default_rng(2)
    return pl.DataFrame(
        {
            "name": random.permutation(NAMES),
            "born": pl.Series(random.integers(-9000, 12_000, len(NAMES))).cast(pl.Date),
            "age": random.integers(18, 90, len(NAMES)),
            "disease": random.choice(["asthma", "cold", "flu", "gout"], len(NAMES)),
        }
    )


def test_a_hashed_name_is_a_name() -> None:
    """Hashing all names of a telephone book takes a moment, also where the digest was cut."""
    people = _people()
    made = shoal.anonymize(people, k=5, quasi_identifiers=["age"], sensitive=["disease"], identifiers=["name", "born"])
    digests = [hashlib.sha256(name.encode()).hexdigest()[:12] for name in people["name"].to_numpy()[made.rows]]
    table = made.table.with_columns(token=pl.Series(digests))

    book = {hashlib.sha256(name.encode()).hexdigest()[:12]: name for name in NAMES}
    diseases = dict(zip(map(book.get, table["token"]), table["disease"]))
    assert diseases == dict(zip(people["name"], people["disease"])), "everybody's disease is known"

    verdict = shoal.check(table, plan=made.plan, original=people)
    assert not verdict.holds
    assert "renamed_identifiers" in [finding.model for finding in verdict.findings if finding.holds is False]


def test_a_birth_date_called_insensitive_finds_the_row() -> None:
    """Neighbours know birthdays; beside the label of a class, one row is left. Only who accepts it publishes it."""
    people = _people()
    roles = {"sensitive": ["disease"], "identifiers": ["name"], "insensitive": ["born"], "accept": ["born"]}
    plan = shoal.Plan.of(5, quasi_identifiers=["age"], **roles)
    with pytest.raises(shoal.ShoalError, match="seems to point to persons"):
        shoal.anonymize(people, plan=replace(plan, accept=()))
    made = shoal.anonymize(people, plan=plan)

    found = people.join(made.table.select("born", shown="disease"), on="born").unique("name", keep="none")
    assert (found["disease"] == found["shown"]).mean() > 0.9
    assert len(found) >= 0.9 * len(people), "nearly everybody has a birthday of their own"

    told = [leak for leak in shoal.check(made.table, plan=made.plan).leaks if leak.severity == "warning"]
    assert [leak.kind for leak in told] == ["insensitive_columns"]
    assert "column 'born' singles out 100 % of the rows" in told[0].statement
