# SPDX-License-Identifier: Apache-2.0
"""A survey with weights: they are kept for the analysis, and the risk counts the people whom each answer stands for."""

from __future__ import annotations

import numpy as np
import polars as pl

import shoal

answers = shoal.synthetic_patients(600, seed=5).select("age", "sex", "marital_status", "insurance")
draw = np.random.default_rng(5)
answers = answers.with_columns(weight=pl.Series(draw.choice([40, 80, 160], len(answers))))

release = shoal.anonymize(
    answers,
    k=5,
    quasi_identifiers=["age", "sex", "marital_status"],
    insensitive=["insurance", "weight"],
    method="k_members",
)
assert release.verdict.holds


def shares(table: pl.DataFrame) -> pl.DataFrame:
    """Weighted shares of the insurances."""
    counted = table.group_by("insurance").agg(pl.col("weight").sum())
    return counted.with_columns(share=(pl.col("weight") / pl.col("weight").sum()).round(4)).sort("insurance")


assert shares(answers).equals(shares(release.table))  # what is not recognisable is published as it is
print(shares(release.table))

risk = shoal.risk(answers, quasi_identifiers=["age", "sex", "marital_status"], population=int(answers["weight"].sum()))
print(f"before: {risk.alone} of {len(answers)} answers looked like no other")
