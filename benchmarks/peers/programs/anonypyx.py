# SPDX-License-Identifier: Apache-2.0
"""anonypyx: Mondrian and MDAV-generic."""

from __future__ import annotations

import sys

sys.path.append(sys.path.pop(0))  # this file has the name of the package it runs

import anonypyx
import pandas as pd
from _job import Job, respelt, run

REQUIRES = ("anonypyx==0.2.11", "pandas<3")  # MDAV-generic ends with an error under pandas 3
OPTIONS = ("Mondrian", "MDAV-generic")


def anonymise(table: pd.DataFrame, job: Job) -> pd.DataFrame:
    """Categories have to be declared by their type."""
    table = table[[*job.quasi_identifiers, job.sensitive]]
    table[list(job.categorical)] = table[list(job.categorical)].astype("category")
    asked = {"k": job.k, "algorithm": job.option, "generalisation_strategy": "human-readable"}
    rows = anonypyx.Anonymiser(table, feature_columns=job.quasi_identifiers, **asked).anonymise()
    if "count" in rows:
        rows = rows.loc[rows.index.repeat(rows["count"])]
    return respelt(rows, job)


if __name__ == "__main__":
    run(anonymise)
