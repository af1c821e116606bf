# SPDX-License-Identifier: Apache-2.0
"""Normalised certainty penalty: which share of the domain each cell leaves open.

    NCP = Σ_rows Σ_columns w · ( (hi - lo) / R  or  leaves(Λ) / L, 0 for a single leaf )

L counts the leaves of the column's tree, present or not, plus one if the column has missing values. A value set
counts its own members. ``gcp`` is the global certainty penalty NCP / (rows · columns) with all weights 1;
``per_cell`` the same with the plan's weights. 0 means unchanged, 1 per cell means nothing is left.

Papers: J. Xu et al., Utility-based anonymization using local recoding, KDD 2006; G. Ghinita, P. Karras, P. Kalnis,
N. Mamoulis, Fast data anonymization with low information loss, VLDB 2007.
"""

from __future__ import annotations

from shoal.judging.evidence import EVERY_RELEASE, Evidence, Measurement
from shoal.judging.metrics._loss import loss_of

APPLIES = EVERY_RELEASE
BY_COUNTS = True
FIGURES = ("gcp", "per_cell")


def measure(evidence: Evidence) -> Measurement:
    """Total certainty penalty, and per cell."""
    loss = loss_of(evidence, lambda tree, nodes, leaves: leaves / tree.n_leaves)
    figures = {"gcp": loss.unweighted, "per_cell": loss.per_cell}
    return Measurement("ncp", loss.total, "lower", (0.0, loss.largest), figures, loss.per_column, loss.note)
