# SPDX-License-Identifier: Apache-2.0
"""anjana: coarsens whole columns, the one with most values first, until k is reached."""

from __future__ import annotations

import sys

sys.path.append(sys.path.pop(0))  # this file has the name of the package it runs

import numpy as np
import pandas as pd
from _job import Job, run, tree_of_numbers
from anjana.anonymity import k_anonymity

REQUIRES = ("anjana==1.2.3",)


def anonymise(table: pd.DataFrame, job: Job) -> pd.DataFrame:
    """Hierarchies are dictionaries of levels; each level lists what its leaves become."""
    trees = {name: tree_of_numbers(table[name]) for name in job.numeric}
    trees |= {name: dict(enumerate(map(np.array, job.levels(name)))) for name in job.categorical}
    columns = [*job.quasi_identifiers, job.sensitive]
    rows = k_anonymity(table[columns], [], job.quasi_identifiers, job.k, job.suppression * 100, trees)
    return rows[job.quasi_identifiers] if len(rows) else rows


if __name__ == "__main__":
    run(anonymise)
