# SPDX-License-Identifier: Apache-2.0
"""Survey weights: how many people each row stands for, by the column that the plan names (``sample_weight``)."""

from __future__ import annotations

import numpy as np

from shoal.ground.arrays import Floats
from shoal.ground.errors import TableError, column_words
from shoal.judging.evidence import Evidence
from shoal.tables.table import Table

COUNTED = ("integer", "real")
"""Styles of numbers that are no moments."""
SMALLEST, LARGEST = 1e-12, 1e12
"""Weights beyond are no numbers of people, and their sums and squares would not be either."""
NOT_SHOWN = "the release does not show the survey weights, so its rows count alike"


def survey_weights(table: Table, name: str) -> Floats:
    """[row] its weight; refused where a cell is no number above 0 that people could come to."""
    read = table.numbers(name)
    weights, days = read.values, read.style not in COUNTED
    wrong = len(weights) if days else int((~((weights >= SMALLEST) & (weights <= LARGEST))).sum())
    if wrong:
        what = "Weights are numbers, not dates." if days else "Some weights are missing, zero, negative or huge."
        allowed = f"a number above 0, from {SMALLEST:g} to {LARGEST:g}, in every row"
        todo = "mend them, or name another column"
        raise TableError(what, column_words(name), allowed, f"{wrong:,} other cells", todo)
    return weights


def of_mean_one(weights: Floats) -> Floats:
    """The same weights with a mean of 1, so that they add up to the number of rows."""
    return weights / weights.mean() if len(weights) else weights


def weighted_quantiles(values: Floats, weights: Floats | None, shares: tuple[float, ...]) -> Floats:
    """Without weights between the two nearest (type 7); with them the first value up to which such a share lies.

    >>> weighted_quantiles(np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 8.0]), (0.1, 0.5)).tolist()
    [1.0, 3.0]
    """
    if weights is None:
        return np.quantile(values, shares)
    order = np.argsort(values, kind="stable")
    up_to = np.cumsum(weights[order])
    places = np.searchsorted(up_to, np.array(shares) * up_to[-1] * (1 - 1e-12))
    found: Floats = values[order][np.minimum(places, len(values) - 1)]
    return found


def row_weights(evidence: Evidence) -> tuple[Floats, Floats] | None:
    """[row] of both tables, 1 on average; None where no weights are named, or one of them does not show them."""
    name, tables = evidence.plan.sample_weight, (evidence.original, evidence.released)
    if name is None or not all(table is not None and name in table.names for table in tables):
        return None
    first, then = (of_mean_one(survey_weights(table, name)) for table in tables if table is not None)
    return first, then
