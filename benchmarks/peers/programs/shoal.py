# SPDX-License-Identifier: Apache-2.0
"""shoal itself, under the same rules; making a release includes checking it."""

from __future__ import annotations

import sys

sys.path.append(sys.path.pop(0))  # this file has the name of the package it runs

import pandas as pd
from _job import Job, run

import shoal

OPTIONS = ("shoal", "k_members, sets", "hilbert, sets", "full_domain")
"""Methods; those with sets publish the values of a class, as most peers do, instead of names from the trees."""


def anonymise(table: pd.DataFrame, job: Job) -> pd.DataFrame:
    """Rows are left out by full_domain alone, which is the peer of those that coarsen whole columns."""
    method, _, sets = job.option.partition(", ")
    release = shoal.anonymize(
        table[job.quasi_identifiers],
        k=job.k,
        quasi_identifiers=job.quasi_identifiers,
        hierarchies=job.trees,
        kinds=dict.fromkeys(job.numeric, "numeric") | dict.fromkeys(job.categorical, "categorical"),
        method=method,
        render=dict.fromkeys(job.categorical, "set") if sets else {},
        suppression=job.suppression if method == "full_domain" else 0,
    )
    return release.table


if __name__ == "__main__":
    run(anonymise)
