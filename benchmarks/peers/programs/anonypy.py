# SPDX-License-Identifier: Apache-2.0
"""anonypy: Mondrian over a data frame. It publishes classes with counts, which are unfolded into rows again."""

from __future__ import annotations

import sys

sys.path.append(sys.path.pop(0))  # this file has the name of the package it runs

import pandas as pd
from _job import Job, respelt, run
from anonypy import Preserver

REQUIRES = ("anonypy==0.2.1", "pandas")


def anonymise(table: pd.DataFrame, job: Job) -> pd.DataFrame:
    """Categories have to be declared by their type."""
    table[list(job.categorical)] = table[list(job.categorical)].astype("category")
    rows = pd.DataFrame(Preserver(table, job.quasi_identifiers, job.sensitive).anonymize_k_anonymity(k=job.k))
    rows = rows.loc[rows.index.repeat(rows["count"])]
    return respelt(rows.map(lambda cell: cell[0] if isinstance(cell, list) else cell), job)


if __name__ == "__main__":
    run(anonymise)
