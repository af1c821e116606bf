# SPDX-License-Identifier: Apache-2.0
"""Binary k-means (CB): split the records in two around two centres, again and again; obeys l-diversity.

Idea: take a group of 2k records or more. Two of its records are the first centres; every record goes to the centre with
which it spans the cheaper box (on a tie to the side that is smaller so far); a side of fewer than k borrows the records
that regret the move least. The means of the two sides are the centres of the next round. After ``rounds`` rounds the
cheapest split is kept, and the two sides are split in turn. With ``names="ordered"`` names count as numbers, by their
place among the leaves of their tree, and cost their share of all leaves; with ``"taxonomy"`` the centre of a group is
its hull in each tree, and the loss is the one asked for.

With rules about private values (l-diversity) a split that keeps them is preferred to a cheaper one that does not, and
a group that no round splits so is final. Of the final groups, those that are still large enough for two classes are
dealt like cards: laid out by private value, neighbours on the Hilbert curve next to each other, and dealt in turn into
as many hands as the rules allow.

Paper: X. He, H. Chen, Y. Chen, Y. Dong, P. Wang, Z. Huang, "Clustering-based k-anonymity", PAKDD 2012. Our reading of
what it leaves open: rounds continue from one start (``restarts`` adds further ones); all rounds visit the records in
one random order, which decides ties only, and the first two of a group in that order are its first centres; a side
borrows by least regret; the mean of missing and present numbers is a centre, too, far from all of them. The paper
deals into n/l hands rounded up, which can leave hands too small to be diverse; rounded down its theorem holds. Where
k > l, or for several columns, its deal may break a rule; then hands of l are dealt and neighbours joined.

Cost: O(r n log(n/k)) on average, as published and here; O(r n²/k) where every split cuts off just k records. Rounds end
early where they would repeat themselves, which changes nothing.

When not to use it: for low loss ``k_member`` is better. The centres of ``"taxonomy"`` soon span the whole tree, so that
continued rounds decide by the numbers alone; use it with ``rounds=1`` and some ``restarts``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms._order import visiting_order
from shoal.algorithms._protocol import Capabilities, Partition
from shoal.encoding.encoded import Encoded, EncodedColumn
from shoal.encoding.losses import HullTerm, hull_kernel_arrays
from shoal.kernels.dealing import dealt
from shoal.kernels.hilbert import hilbert_order
from shoal.kernels.hull import RANGE, Hulls
from shoal.kernels.rules import as_arrays
from shoal.kernels.two_means import DEPTH, SETTLED, halve, new_halving
from shoal.parameters import parameter
from shoal.progress import Progress
from shoal.requirements import RULES, Requirement, Rule

CAPABILITIES = Capabilities(random=True, losses=(), rules=RULES)

VISITS = 200_000
"""Records visited between two reports."""


@dataclass(frozen=True)
class Parameters:
    """Parameters of binary_k_means."""

    names: str = parameter(
        "ordered", "names are numbers in leaf order, or leaves of their tree", choices=("ordered", "taxonomy")
    )
    rounds: int = parameter(15, "rounds per start, of which the best is kept", least=1)
    restarts: int = parameter(0, "how often a split starts afresh, from two other records", least=0)
    seeds: str = parameter(
        "random", "the first centres: two random records, or two far apart", choices=("random", "far")
    )
    order: tuple[int, ...] = parameter(
        (), "rows in the order in which they are visited; drawn with the seed if not given", advanced=True
    )


def cluster(
    encoded: Encoded,
    requirement: Requirement,
    parameters: Parameters,
    random: np.random.Generator,
    progress: Progress,
) -> Partition:
    """Classes of k to 2k - 1 records; of k and more if there are rules."""
    n, size = len(encoded), requirement.size
    order = visiting_order(parameters.order, n, random, "binary_k_means")
    measure = encoded.hulls if parameters.names == "taxonomy" else ordered_hulls(encoded)
    rules = as_arrays(requirement.rules, n)
    starts, far = parameters.restarts + 1, parameters.seeds == "far"
    work = new_halving(encoded.points, order, size)
    labels = np.full(n, -1, dtype=np.int64)
    while work.at[DEPTH] > 0:
        halve(measure, work, rules, size, parameters.rounds, starts, far, VISITS, labels)
        progress(int(work.at[SETTLED]), n)
    if requirement.rules:
        _deal(encoded, labels, requirement)
    return Partition.of(labels)


def ordered_hulls(encoded: Encoded) -> Hulls:
    """Losses that take leaves for numbers: a span of leaves costs its share of all of them."""
    return hull_kernel_arrays([_ordered_term(column, encoded.loss) for column in encoded.columns])


def _ordered_term(column: EncodedColumn, loss: str) -> HullTerm:
    if column.tree is None:
        return column.term(loss)
    return HullTerm(RANGE, scale=column.weight / max(column.tree.n_leaves - 1, 1), cap=column.weight)


# -- rules about private values --------------------------------------------------------------------------------


def _fewest(rule: Rule) -> int:
    """Records without which no class can obey a rule."""
    if rule.kind == "share":
        return math.ceil(round(1 / rule.limit, 9))
    if rule.kind == "recursive":
        return max(1, rule.rank)
    if rule.kind in ("bounds", "closeness"):
        return 1 if rule.lower is None else max(1, int(np.count_nonzero(rule.lower)))
    return max(1, math.ceil(rule.limit))


def _deal(encoded: Encoded, labels: NDArray[np.int64], requirement: Requirement) -> None:
    """Deal out the classes that are still large enough for two; the first part keeps the class's number."""
    n, size = len(labels), requirement.size
    rules, first = as_arrays(requirement.rules, n), as_arrays(requirement.rules[:1], n)
    sizes = np.bincount(labels)
    place = np.empty(n, dtype=np.int64)
    place[hilbert_order(encoded.points)] = np.arange(n)
    by_class = np.split(np.argsort(labels, kind="stable"), np.cumsum(sizes)[:-1])
    fresh = len(sizes)
    for number in np.flatnonzero(sizes >= 2 * size):
        rows = by_class[number]
        parts = dealt(rules, first, rows, place, size, _fewest(requirement.rules[0]))
        labels[rows] = np.where(parts == 0, number, fresh + parts - 1)
        fresh += int(parts.max())
