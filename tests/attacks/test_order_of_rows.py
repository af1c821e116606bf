# SPDX-License-Identifier: Apache-2.0
"""Somebody reads true ages off a release whose rows were sorted by them; the checker says so first."""

from __future__ import annotations

import numpy as np
import polars as pl

import shoal


def test_true_ages_behind_their_ranges() -> None:
    """The attacker knows how many people of each age there are (a census tells) and lays them along the rows."""
    random = np.random.default_rng(1)
    people = pl.DataFrame(
        {
            "age": random.integers(18, 90, 300),
            "sex": random.choice(["f", "m"], 300),
            "disease": random.choice(["asthma", "cold", "flu", "gout"], 300),
        }
    )
    made = shoal.anonymize(people, k=10, quasi_identifiers=["age", "sex"], sensitive=["disease"], method="mondrian")
    true = people["age"].to_numpy()[made.rows]
    sorted_rows = np.argsort(true, kind="stable")

    guessed = np.sort(people["age"].to_numpy())
    assert (guessed == true[sorted_rows]).all(), "every single age is recovered"
    assert (guessed == true).mean() < 0.1, "from shuffled rows none but by chance"

    verdict = shoal.check(made.table[sorted_rows], plan=made.plan, original=people)
    assert [leak.kind for leak in verdict.leaks if leak.severity == "warning"] == ["source_order"]
    assert [
        leak.kind
        for leak in shoal.check(made.table, plan=made.plan, original=people).leaks
        if leak.severity == "warning"
    ] == []
