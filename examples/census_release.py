# SPDX-License-Identifier: Apache-2.0
"""A statistics office publishes a census extract: one level per column, so that everybody can tabulate it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import polars as pl

import shoal

people = shoal.synthetic_patients(3000, seed=2).select("age", "sex", "marital_status", "insurance")

ages = Path(tempfile.mkdtemp()) / "age.csv"  # each age, then coarser and coarser, as ARX writes it
lines = [";".join([f"{age}", *(f"{age // w * w}-{age // w * w + w - 1}" for w in (5, 20)), "*"]) for age in range(120)]
ages.write_text("\n".join(lines), encoding="utf-8")

release = shoal.anonymize(
    people,
    k=20,
    quasi_identifiers=["age", "sex", "marital_status"],
    insensitive=["insurance"],
    kinds={"age": "categorical"},  # by its tree, not by ranges of its own
    hierarchies={"age": ages},
    weights={"age": 2.0},  # ages are what most tables are about
    method="full_domain",
    suppression=0.05,  # at most five of a hundred rows may be left out
)
assert release.verdict.holds

print(f"{len(people) - len(release.table)} of {len(people)} rows left out")
print(release.table.group_by("age", "sex").agg(pl.len().alias("people")).sort("age", "sex").head(6))
