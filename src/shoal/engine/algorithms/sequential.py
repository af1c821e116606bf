# SPDX-License-Identifier: Apache-2.0
"""Sequential clustering: from a random partition, every record in turn moves where the total loss is least.

Idea: the records are dealt at random into ⌊n / αk⌋ clusters. Then, in row order, each record leaves its cluster and
joins the one in which the total loss (size times loss per record, over all clusters) grows least; if that is no better
than its own, it stays. A record that is alone always moves, and its cluster is gone. A cluster of more than ωk records
is parted into two halves at random. This is repeated until nothing moves. Then each cluster of fewer than k records,
the lowest number first, is joined with the one for which the total loss grows least; in the variant for l-diversity so
is each whose private values are not diverse enough, until it is both large and diverse.

Paper: J. Goldberger, T. Tassa, Efficient anonymizations with enhanced utility, Transactions on Data Privacy 3(2), 2010.
What is left open there is our reading: ties stay, else go to the lowest cluster; at most ``rounds`` rounds; any rule
about private values is kept as l-diversity is.

Cost: O(n²/k) per round as published; here every record asks a tree of the clusters, exactly.

When not to use it: when time matters; ``shoal`` loses less.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._growing import in_slices
from shoal.engine.kernels.methods.joining import NO_RECORD, JoinedClasses, cheapest_partner, join, new_classes
from shoal.engine.kernels.methods.resettling import new_clusters, resettle, tree_of
from shoal.engine.kernels.rules import Rules, as_arrays, if_any, obeyed_by
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement, parameter
from shoal.ground.arrays import Ints, Words
from shoal.ground.requirements import PRIVATE_RULES

CAPABILITIES = Capabilities(
    random=True, class_sizes="k..", largest_rows=500_000, paper_loss="lm", instead="shoal", rules=PRIVATE_RULES
)


@dataclass(frozen=True)
class Parameters:
    """Parameters of sequential."""

    alpha: float = parameter(0.5, "records of a first cluster, as a share of k", least=0.01, most=1.0)
    omega: float = parameter(1.5, "clusters of more than so many times k are parted", least=1.0, most=100.0)
    rounds: int = parameter(30, "most rounds through all records", least=1)


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k and more records."""
    n, size = len(encoded), requirement.size
    if size == 1 and not requirement.about_private_values:
        return Partition(np.arange(n))
    first = min(max(1, math.floor(n / (parameters.alpha * size))), n)
    labels = random.permutation(np.arange(n) % first)
    dice = random.integers(1, 2**63, 1, dtype=np.uint64)
    labels = _settled(encoded, labels, first, size, parameters, dice, progress)
    return Partition.of(_joined(encoded, labels, requirement))


def _settled(
    encoded: Encoded, labels: Ints, n_clusters: int, size: int, parameters: Parameters, dice: Words, progress: Progress
) -> Ints:
    """[record] its cluster when nothing moves any more, or after all rounds."""
    n, hulls, points = len(encoded), encoded.hulls, encoded.points
    clusters, every = new_clusters(points, labels, n_clusters), n * parameters.rounds
    tree, most = tree_of(hulls, clusters), max(math.floor(parameters.omega * size), 2)
    past = done = moved = 0

    def step(until: int) -> int:
        nonlocal tree, done, moved
        tree, some = resettle(hulls, tree, clusters, points, np.arange(done, until), most, dice)
        done, moved = until, moved + some
        return done

    def report(now: int, _: int) -> None:
        progress(past + now, every)

    while past < every:
        done = moved = 0
        in_slices(step, n, report)
        past += n if moved else every
    progress(every, every)
    return clusters.cluster_of


def _joined(encoded: Encoded, labels: Ints, requirement: Requirement) -> Ints:
    """[record] its class, clusters that are too small or break a rule joined with the cheapest others."""
    labels, size = Partition.of(labels).labels, requirement.size
    rules = if_any(as_arrays(requirement.about_private_values, len(labels)))
    hulls, many = encoded.hulls, int(labels.max()) + 1
    classes = new_classes(hulls, encoded.points, labels, many, size)
    for one in range(many):
        at = one
        while classes.many[0] > 1 and _unfit(classes, at, size, rules):
            at = join(hulls, classes, at, cheapest_partner(hulls, classes, at, True), size)
    return classes.class_of


def _unfit(classes: JoinedClasses, one: int, size: int, rules: Rules | None) -> bool:
    """Whether a class that is still there must not stay as it is."""
    if classes.sizes[one] < size or rules is None:
        return bool(0 < classes.sizes[one] < size)
    rows, row = [], classes.head[one]
    while row != NO_RECORD:
        rows.append(row)
        row = classes.next[row]
    return not obeyed_by(rules, np.array(rows), np.ones(len(rows), np.int64), len(rows))
