# SPDX-License-Identifier: Apache-2.0
"""A small table with all that is hard about large ones, and a plan for it."""

from __future__ import annotations

from typing import Any

import polars as pl

import shoal
from shoal import Plan


def people(rows: int = 600, seed: int = 1) -> pl.DataFrame:
    """Invented patients: some cells missing, one record very common, a column whose name needs quotes."""
    table = shoal.synthetic_patients(rows, seed=seed).select("name", "age", "sex", "cost", "diagnosis")
    place = pl.int_range(pl.len())
    usual = place % 4 == 0
    cost = pl.when(usual).then(99.5).otherwise(pl.col("cost") // 100)
    return table.with_columns(
        pl.when(usual).then(40).when(place % 17 != 0).then("age").alias("age"),
        pl.when(usual).then(pl.lit("female")).otherwise("sex").alias("sex"),
        pl.when(place % 29 == 0).then(float("nan")).otherwise(cost).alias("cost"),
        (place % 3).alias("ward.no `1`"),
    )


def plan(**more: Any) -> Plan:
    roles: dict[str, Any] = {"quasi_identifiers": ["age", "sex", "cost"], "sensitive": ["diagnosis"]}
    roles |= {"identifiers": ["name"], "insensitive": ["ward.no `1`"]}
    return Plan.of(5, **roles, **({"method": "k_members", "cell_rows": 150} | more))
