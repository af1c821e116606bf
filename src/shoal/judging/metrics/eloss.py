# SPDX-License-Identifier: Apache-2.0
"""Generalisation loss by depth: how near to the root each published node is.

    Eloss = Σ_classes |C| · ( Σ_numeric (hi - lo) / R + Σ_categorical (h(Λ) - 1) / (levels - 1) )

h(v) = levels - depth(v), counted from the root down; a single leaf counts as height 1 wherever it hangs, so it costs
nothing. Differs from ``il`` only on unbalanced trees. ``precision`` is 1 - Eloss per cell: 1 unchanged, 0 nothing left.

Paper: Wang, He and Zhu, KACPC (2022), equations 1 and 2.

Limits: a value set is charged with its lowest common ancestor.
"""

from __future__ import annotations

from shoal.judging.evidence import EVERY_RELEASE, Evidence, Measurement
from shoal.judging.metrics._loss import loss_of

APPLIES = EVERY_RELEASE
BY_COUNTS = True
FIGURES = ("precision", "per_cell")


def measure(evidence: Evidence) -> Measurement:
    """Total depth loss, per cell, and precision."""
    loss = loss_of(evidence, lambda tree, nodes, leaves: 1.0 - tree.depths[nodes] / max(tree.levels - 1, 1))
    figures = {"precision": 1.0 - loss.per_cell, "per_cell": loss.per_cell}
    return Measurement("eloss", loss.total, "lower", (0.0, loss.largest), figures, loss.per_column, loss.note)
