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

Paper: X. He, H. Chen, Y. Chen, Y. Dong, P. Wang, Z. Huang, "Clustering-based k-anonymity", PAKDD 2012. As in its figure
4, the first two centres are drawn for every group, and its records are shuffled in every round. Our reading of what it
leaves open: rounds continue from one start (``restarts`` adds further ones); a side borrows by least regret; the mean
of missing and present numbers is a centre, too, far from all of them. With ``order`` nothing is drawn: all rounds
visit the records in that order, and the first two of a group in it are its first centres. The paper deals into n/l
hands rounded up, which can leave hands too small to be diverse; rounded down its theorem holds. Where k > l, or for
several columns, its deal may break a rule; then hands of l are dealt and neighbours joined.

Cost: O(r n log(n/k)) on average, as published and here; O(r n²/k) where every split cuts off just k records. Rounds end
early where they would repeat themselves (no ties, and no record changed sides), which changes nothing.

When not to use it: for low loss ``k_member`` is better. The centres of ``"taxonomy"`` soon span the whole tree, so that
continued rounds decide by the numbers alone; use it with ``rounds=1`` and some ``restarts``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._given import given_first, order_parameter
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.losses import HullTerm, for_totals, hull_kernel_arrays
from shoal.engine.kernels.hull import RANGE, Hulls
from shoal.engine.kernels.methods.dealing import dealt
from shoal.engine.kernels.methods.hilbert import hilbert_order
from shoal.engine.kernels.methods.two_means import halve, new_halving
from shoal.engine.kernels.rules import as_arrays, if_any
from shoal.engine.methods import Capabilities, Partition, Progress, choice, parameter
from shoal.ground.arrays import Ints
from shoal.ground.requirements import PRIVATE_RULES, Requirement, Rule

CAPABILITIES = Capabilities(random=True, losses=(), rules=PRIVATE_RULES)

VISITS = 200_000
"""Records visited between two reports."""


@dataclass(frozen=True)
class Parameters:
    """Parameters of binary_k_means."""

    names: str = choice("names are numbers in leaf order, or leaves of their tree", "ordered", "taxonomy")
    rounds: int = parameter(15, "rounds per start, of which the best is kept", least=1)
    restarts: int = parameter(0, "how often a split starts afresh, from two other records", least=0)
    seeds: str = choice("the first centres: two random records, or two far apart", "random", "far")
    order: tuple[int, ...] = order_parameter("they are visited", "shuffled in every round")


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 1 records; of k and more if there are rules."""
    n, size = len(encoded), requirement.size
    order = given_first(parameters.order, n, "binary_k_means")
    dice = np.zeros(1, np.uint64) if parameters.order else random.integers(1, 2**63, 1, dtype=np.uint64)
    measure = for_totals(encoded.hulls if parameters.names == "taxonomy" else ordered_hulls(encoded), 1)
    rules = if_any(as_arrays(requirement.rules, n))
    starts, far = parameters.restarts + 1, parameters.seeds == "far"
    work = new_halving(encoded.points, order, size, dice)
    labels = np.full(n, -1, dtype=np.int64)
    while work.parts.waiting[0] > 0:
        halve(measure, work, rules, size, parameters.rounds, starts, far, VISITS, labels)
        progress(int(work.parts.settled[0]), n)
    if requirement.about_private_values:
        _deal(encoded, labels, requirement.size, requirement.about_private_values)
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


def _deal(encoded: Encoded, labels: Ints, size: int, asked: tuple[Rule, ...]) -> None:
    """Deal out the classes that are still large enough for two; the first part keeps the class's number."""
    n = len(labels)
    rules, first = as_arrays(asked, n), as_arrays(asked[:1], n)
    sizes = np.bincount(labels)
    place = np.empty(n, dtype=np.int64)
    place[hilbert_order(encoded.points)] = np.arange(n)
    by_class = np.split(np.argsort(labels, kind="stable"), np.cumsum(sizes)[:-1])
    fresh = len(sizes)
    for number in np.flatnonzero(sizes >= 2 * size):
        rows = by_class[number]
        parts = dealt(rules, first, rows, place, size, _fewest(asked[0]))
        labels[rows] = np.where(parts == 0, number, fresh + parts - 1)
        fresh += int(parts.max())
