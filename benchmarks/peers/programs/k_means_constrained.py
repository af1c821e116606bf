# SPDX-License-Identifier: Apache-2.0
"""k-means-constrained: k-means with a smallest cluster size, by a flow of least cost. It publishes no table itself."""

from __future__ import annotations

import sys

sys.path.append(sys.path.pop(0))  # this file has the name of the package it runs

import pandas as pd
from _job import Job, hulls, run
from k_means_constrained import KMeansConstrained

REQUIRES = ("k-means-constrained==0.9.1", "pandas")


def anonymise(table: pd.DataFrame, job: Job) -> pd.DataFrame:
    """Numbers as shares of their range, names as columns of 0 and 1; what the clusters publish are their hulls."""
    numbers = table[list(job.numeric)].astype(float)
    numbers = (numbers - numbers.min()) / (numbers.max() - numbers.min())
    points = pd.concat([numbers, pd.get_dummies(table[list(job.categorical)], dtype=float)], axis=1)
    means = KMeansConstrained(max(len(table) // job.k, 1), size_min=job.k, n_init=1, random_state=0)
    return hulls(table, job, means.fit_predict(points.to_numpy()))


if __name__ == "__main__":
    run(anonymise)
