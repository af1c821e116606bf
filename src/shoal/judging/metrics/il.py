# SPDX-License-Identifier: Apache-2.0
"""Information loss by height: how far up its tree each value had to go.

    IL = Σ_classes |C| · ( Σ_numeric (hi - lo) / R + Σ_categorical height(Λ) / height(root) )

Λ is the published node, its height the number of edges down to its deepest leaf; R the range of the original column.
0 means unchanged. ``per_cell`` divides by rows times (weighted) quasi-identifiers, so that 1 means nothing is left.

Paper: J.-W. Byun, A. Kamra, E. Bertino, N. Li, Efficient k-anonymization using clustering techniques, DASFAA 2007.

Limits: a value set is charged with its lowest common ancestor, since heights know nothing of sets.
"""

from __future__ import annotations

from shoal.judging.evidence import EVERY_RELEASE, Evidence, Measurement
from shoal.judging.metrics._loss import loss_of

APPLIES = EVERY_RELEASE
BY_COUNTS = True
FIGURES = ("per_cell",)


def measure(evidence: Evidence) -> Measurement:
    """Total height loss, and per cell."""
    loss = loss_of(evidence, lambda tree, nodes, leaves: tree.heights[nodes] / max(int(tree.heights[0]), 1))
    figures = {"per_cell": loss.per_cell}
    return Measurement("il", loss.total, "lower", (0.0, loss.largest), figures, loss.per_column, loss.note)
