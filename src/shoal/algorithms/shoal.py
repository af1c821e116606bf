# SPDX-License-Identifier: Apache-2.0
"""Our own method, the default: several constructions, the best of them refined by search; the lowest loss of all.

Idea: make classes in several ways (levels of generalisation peeled off from fine to coarse, and classes grown record
by record), and take the partition of lowest loss. Then search: send the records that make a class wide elsewhere, or
pool it with a few neighbours and regroup them, keep what costs less, again and again, with a little tolerance at first
for steps that lose (as in simulated annealing). The search is an anytime one: it has a budget of steps per record
(``steps``, or ``time_budget`` in seconds), shows the loss as it falls, and may be stopped at any time with the best so
far. It heeds whatever the plan asks of a class, private values included, at every step. For ``--loss sse`` it starts
with the classes of MDAV and its search keeps the squared error low.

Paper: none; the search follows the large-neighbourhood search of P. Shaw, "Using constraint programming and local
search methods to solve vehicle routing problems", CP 1998, over hulls instead of routes.

Cost: the constructions are near-linear; the search takes ``steps`` pricings per record, so time grows in proportion to
the number of records.

When not to use it: where a second counts more than the loss; then ``k_members`` or ``hilbert``, or fewer ``steps``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms import k_members, mdav
from shoal.algorithms._peeling import peel
from shoal.algorithms._protocol import Capabilities, Partition
from shoal.encoding.encoded import Encoded
from shoal.kernels.hull import class_hulls, total_loss
from shoal.progress import Progress
from shoal.requirements import RULES, Requirement

CAPABILITIES = Capabilities(
    random=True, class_sizes="k..", rules=RULES, losses=("height", "ncp", "eloss", "lm", "sse"), refined=True
)


@dataclass(frozen=True)
class Parameters:
    """Parameters of shoal: none; the budget of the search is the plan's."""


def cluster(
    encoded: Encoded,
    requirement: Requirement,
    parameters: Parameters,
    random: np.random.Generator,
    progress: Progress,
) -> Partition:
    """Where the search begins: the construction of lowest loss."""
    if encoded.loss == "sse":
        return mdav.cluster(encoded, requirement, mdav.Parameters(), random, progress)
    peeled = peel(encoded, requirement, progress.part(0, of=2))
    grown = k_members.cluster(encoded, requirement, k_members.Parameters(), random, progress.part(1, of=2)).labels
    return Partition.of(min(peeled, grown, key=lambda labels: _loss(encoded, labels)))


def _loss(encoded: Encoded, labels: NDArray[np.int64]) -> float:
    lo, hi, sizes = class_hulls(encoded.points, labels, int(labels.max()) + 1)
    return total_loss(encoded.hulls, lo, hi, sizes)
