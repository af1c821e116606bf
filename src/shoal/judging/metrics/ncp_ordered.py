# SPDX-License-Identifier: Apache-2.0
"""Normalised certainty penalty on ordered codes: names count as places in an order, trees are not climbed.

    NCP = Σ_rows Σ_columns w · (hi - lo) / |A|

hi and lo are the last and first value of a class. Names stand in the order of their tree's leaves (without a tree, in
the order of the labels), and |A| is the number of leaves less 1, so that the whole domain costs 1; numbers, dates and
ordered categories cost as in ``ncp``. A class with missing and present cells costs 1. ``gcp`` is NCP / (rows · columns)
with all weights 1, ``per_cell`` the same with the plan's weights.

This is what ``binary_k_means`` keeps low. A published node of a tree may span more than the values below it that occur
in the class, so that ``ncp`` and ``lm``, which look at what is published, are larger.

Paper: X. He, H. Chen, Y. Chen, Y. Dong, P. Wang, Z. Huang, Clustering-based k-anonymity, PAKDD 2012, definition 1.

Limits: needs to know which original rows make a class; see ``sse``.
"""

from __future__ import annotations

import math

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.labels.lines import Line
from shoal.judging.labels.trees import LabelTree
from shoal.judging.metrics._members import members_of

FIGURES = ("gcp", "per_cell")


def measure(evidence: Evidence) -> Measurement:
    """Total penalty, and per cell."""
    members = members_of(evidence)
    if isinstance(members, str):
        return Measurement.undefined("ncp_ordered", members, (math.nan, math.nan))
    rows = len(members.classes) + members.suppressed
    weights = {name: evidence.plan.columns[name].weight for name in members.columns}
    sums = {
        name: float(_costs(column, members.classes, members.wildcard).sum()) + members.suppressed
        for name, column in members.columns.items()
    }
    largest = rows * math.fsum(weights.values())
    total = math.fsum(weights[name] * one for name, one in sums.items())
    per_column = {name: one / rows if rows else math.nan for name, one in sums.items()}
    gcp = math.fsum(per_column.values()) / len(per_column)
    figures = {"gcp": gcp, "per_cell": total / largest if largest else math.nan}
    return Measurement("ncp_ordered", total, "lower", (0.0, largest), figures, per_column)


def _costs(column: Line | LabelTree, classes: Ints, wildcard: bool) -> Floats:
    """[row] what its class costs in a column."""
    if not len(classes):
        return np.zeros(0)
    missing, places = np.isnan(column.positions), column.positions
    low, high = _ends(np.where(missing, np.inf, places), classes), -_ends(np.where(missing, np.inf, -places), classes)
    mixed = _ends(-missing.astype(np.float64), classes) < 0
    none = np.isinf(low)
    if isinstance(column, Line):
        span = column.shares(np.where(none, column.low, low), np.where(none, column.low, high))
    else:  # a leaf for missing is one more than the names have
        span = np.where(none, 0.0, high - low) / max(column.hierarchy.n_leaves - 1, 1)
    span[none] = 0.0
    if not wildcard:
        span[mixed & ~none] = 1.0
    costs: Floats = span[classes]
    return costs


def _ends(values: Floats, classes: Ints) -> Floats:
    """[class] its smallest value."""
    found = np.full(int(classes.max()) + 1, np.inf)
    np.minimum.at(found, classes, values)
    return found
