# SPDX-License-Identifier: Apache-2.0
"""Full-domain generalisation: one level per column for the whole table, the best of all such tables.

Idea: every column is coded at one level of its tree (numbers without a tree in 64, 32, … 2, 1 equal parts of their
range), the same in all rows, so that analysts meet one coding per column. Of all combinations of levels, the lattice,
the one with the least loss is taken at which no more rows than ``suppression`` allows have fewer than k look-alikes;
those rows are left out and count as wholly lost. Groups that break a rule about private values are treated the same,
and rows that too few others share some columns with (``subset_k``, which needs no larger groups here).
This is the table that Datafly, Samarati's search, Incognito, OLA and Flash look for. Combinations are tried in the
order of what their levels alone lose, until those cost more than the best table; where too many rows are too few, all
finer combinations are struck out. It is exact up to two million combinations; where there are more, levels are made
finer, one column at a time, as long as that pays.

Paper: L. Sweeney, Achieving k-anonymity privacy protection using generalization and suppression, IJUFKS 10(5), 2002;
P. Samarati, Protecting respondents' identities in microdata release, IEEE TKDE 13(6), 2001; K. LeFevre, D. DeWitt,
R. Ramakrishnan, Incognito: efficient full-domain k-anonymity, SIGMOD 2005; K. El Emam et al., A globally optimal
k-anonymity method for the de-identification of health data, JAMIA 16(5), 2009; F. Kohlmayer et al., Flash: efficient,
stable and optimal k-anonymity, PASSAT 2012.

Cost: a count of the different records for every combination that is tried, usually some hundreds.

When not to use it: when loss matters more than one coding per column; classes that may differ lose far less.
"""

from __future__ import annotations

import math
from functools import reduce

import numpy as np

from shoal.engine.algorithms._domains import Domains, Node, finer, raised
from shoal.engine.methods import Capabilities, Encoded, NoParameters, Partition, Progress, Requirement
from shoal.ground.requirements import RULES

CAPABILITIES = Capabilities(
    class_sizes="k..",
    rules=RULES,
    order_free=True,
    suppresses=True,
    one_level=True,
    swayed_by={"column order": "of equally good tables the one with the finer first columns is taken"},
)
Parameters = NoParameters
MOST_NODES = 2_000_000


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes at one level per column."""
    domains = Domains(encoded, requirement)
    nodes = np.prod([level + 1.0 for level in domains.top])
    search = _best if nodes <= MOST_NODES else _descended
    return domains.partition(search(domains, requirement.spare, progress))


def _best(domains: Domains, spare: int, progress: Progress) -> Node:
    """The best node of the whole lattice; of equally good ones that with the finest levels, the first columns first."""
    whole = reduce(np.add.outer, domains.bases)
    base = domains.shares(whole).ravel()
    dead = np.zeros(whole.shape, dtype=bool)
    best, least = domains.top, math.inf
    for done, place in enumerate(np.argsort(base, kind="stable")):
        if base[place] >= least:
            break
        if dead.ravel()[place]:
            continue
        progress(done, len(base))
        node: Node = tuple(int(level) for level in np.unravel_index(place, whole.shape))
        if domains.left_out(node, ruled=False) > spare:
            failing = _highest_failing(domains, node, spare)
            dead[tuple(slice(level + 1) for level in failing)] = True
        elif (loss := domains.loss(node, spare)) < least:
            best, least = node, loss
    progress(len(base), len(base))
    return best


def _highest_failing(domains: Domains, node: Node, spare: int) -> Node:
    """A node as coarse as possible, on a way from here to the top, at which too many rows are still too few."""
    way = [node]
    while way[-1] != domains.top:
        for place, top in enumerate(domains.top):
            if way[-1][place] < top:
                way.append(raised(way[-1], place))
    low, high = 0, len(way) - 1  # fails, and holds
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if domains.left_out(way[middle], ruled=False) > spare else (low, middle)
    return way[low]


def _descended(domains: Domains, spare: int, progress: Progress) -> Node:
    """From the top, the finer node that loses least, as long as it loses less."""
    node, least, steps = domains.top, domains.loss(domains.top, spare), sum(domains.top)
    while True:
        progress(steps - sum(node), steps)
        loss, best = min(((domains.loss(one, spare), one) for one in finer(node)), default=(math.inf, node))
        if loss >= least:
            progress(steps, steps)
            return node
        least, node = loss, best
