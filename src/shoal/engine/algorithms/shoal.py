# SPDX-License-Identifier: Apache-2.0
"""Our own method, the default: several constructions, the best of them refined by search; the lowest loss of all.

Idea: make classes in several ways (levels of generalisation peeled off from fine to coarse, and classes grown record
by record), and take the partition of lowest loss. Then search: send the records that make a class wide elsewhere, or
pool it with a few neighbours and regroup them, keep what costs less, again and again, with a little tolerance at first
for steps that lose (as in simulated annealing). Where all columns are names without levels, a class is a pattern of
values shown and lost, and most steps open a new pattern for all whom it costs less. The search is an anytime one: it
has a budget of steps per record (``steps``, or ``time_budget`` in seconds), shows the loss as it falls, and may be
stopped at any time with the best so far. It heeds whatever the plan asks of a class, private values included, at every
step. Records that ask for larger classes than others begin in classes of their own. For ``--loss sse`` it starts
with the classes of MDAV, of one column of numbers with the best there are, and its search keeps the squared error low.

Paper: none; the search follows the large-neighbourhood search of P. Shaw, "Using constraint programming and local
search methods to solve vehicle routing problems", CP 1998, over hulls instead of routes.

Cost: the constructions are near-linear; tables of more than 16 quasi-identifiers, where they would not be, are cut into
cells along the Hilbert curve first. The search takes ``steps`` pricings per record, by default as many as take about
a minute at most (``effort``).

When not to use it: where a second counts more than the loss; then ``k_members`` or ``hilbert``, or fewer ``steps``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.engine.algorithms import k_members, mdav, microaggregation
from shoal.engine.algorithms._cells import cells_of, grown_in_cells, peeled_in_cells
from shoal.engine.encoding.encoded import total_of
from shoal.engine.kernels.enforcing.lacking import alike_in_size
from shoal.engine.kernels.hull import has_patterns
from shoal.engine.kernels.rules import as_arrays
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress
from shoal.ground.arrays import Ints
from shoal.ground.requirements import RULES, Requirement

CAPABILITIES = Capabilities(
    random=True,
    class_sizes="k..",
    rules=RULES,
    losses=("height", "ncp", "eloss", "lm", "sse"),
    refined=True,
    swayed_by={"halved column": "the cells that are closed first may be coarser in one half than in the other"},
)


@dataclass(frozen=True)
class Parameters:
    """Parameters of shoal: none; the budget of the search is the plan's."""


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Where the search begins: the construction of lowest loss."""
    if encoded.loss == "sse":
        along = len(encoded.columns) == 1 and encoded.columns[0].tree is None
        method: Any = microaggregation if along else mdav
        return Partition.of(method.cluster(encoded, requirement, method.Parameters(), random, progress).labels)
    alike = alike_in_size(as_arrays(requirement.rules, len(encoded)), requirement.size)
    groups = int(alike.max()) + 1
    if groups == 1:
        return Partition.of(_begun(encoded, requirement, random, progress))
    labels = np.zeros(len(encoded), dtype=np.int64)
    for group in range(groups):
        rows = np.flatnonzero(alike == group)
        found = _begun(encoded.take(rows), requirement.of(rows), random, progress.part(group, of=groups))
        labels[rows] = found * groups + group
    return Partition.of(labels)


def _begun(encoded: Encoded, requirement: Requirement, random: np.random.Generator, progress: Progress) -> Ints:
    """The better of two constructions; fewer than 2k records are one class, wide and long tables are cut into cells.

    Where classes are patterns, cells that are peeled off are the better ones: Adult at k = 100, 0.361 instead of 0.450.
    """
    if len(encoded) < 2 * requirement.size:
        return np.zeros(len(encoded), dtype=np.int64)
    cells = cells_of(encoded, requirement.size)
    if len(cells) > 1:
        return grown_in_cells(encoded, cells, requirement, random, progress)
    if not requirement.rules and has_patterns(encoded.hulls):
        return peeled_in_cells(encoded, requirement, progress)
    peeled = peeled_in_cells(encoded, requirement, progress.part(0, of=2))
    grown = k_members.cluster(encoded, requirement, k_members.Parameters(), random, progress.part(1, of=2)).labels
    return min(peeled, grown, key=lambda labels: total_of(encoded, labels))
