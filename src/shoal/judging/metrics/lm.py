# SPDX-License-Identifier: Apache-2.0
"""Loss metric: the mean share of other values that a cell could also have been.

    LM = mean over cells of (hi - lo) / R  or  (leaves(Λ) - 1) / (L - 1)

L counts the leaves of the column's tree, present or not, plus one if the column has missing values. A value set
counts its own members. 0 means unchanged, 1 nothing is left. Weights multiply, and the mean divides by their sum.

Paper: V. Iyengar, Transforming data to satisfy privacy constraints, KDD 2002.
"""

from __future__ import annotations

from shoal.judging.evidence import EVERY_RELEASE, Evidence, Measurement
from shoal.judging.metrics._loss import loss_of

APPLIES = EVERY_RELEASE
BY_COUNTS = True
LIMITS = (0.0, 1.0)
FIGURES = ("total",)


def measure(evidence: Evidence) -> Measurement:
    """Mean loss per cell, and in total."""
    loss = loss_of(evidence, lambda tree, nodes, leaves: (leaves - 1) / (tree.n_leaves - 1))
    figures = {"total": loss.total}
    return Measurement("lm", loss.per_cell, "lower", LIMITS, figures, loss.per_column, loss.note)
