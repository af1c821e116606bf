# SPDX-License-Identifier: Apache-2.0
"""One-pass k-means: every record once to the nearest centre, then the furthest of large classes fill the small ones.

Idea: n/k random records start classes. All others, in the order of their quasi-identifiers, join the class with the
nearest centre, which moves at once; a centre is the mean of the numbers and the common ancestor of the names. Then
each class above k gives away the records furthest from its centre until k are left. These, in random order, join
the nearest class below k, and once there is none, the nearest of all.

Paper: J.-L. Lin, M.-C. Wei, "An efficient clustering method for k-anonymization", PAIS 2008 (OKA). Where it is
silent: of equally far records the lowest row is given away first; before they are placed again, centres are worked
out from the records that stayed; a number is at full distance from a class that holds missing cells, and a missing
cell from one that holds numbers.

Cost: O(n²/k) as published; here every record asks a tree of the centres, exactly, near-linear in practice.

When not to use it: when loss matters; it depends strongly on the random seeds, and ``k_member`` usually loses less.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._choosing import MovingClasses, sorted_rows
from shoal.engine.algorithms._given import first_rows
from shoal.engine.kernels.methods.choosing import own_costs
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement, choice, parameter
from shoal.ground.arrays import Ints

CAPABILITIES = Capabilities(
    random=True, paper_loss="height", swayed_by={"column order": "records are visited by their first column first"}
)


@dataclass(frozen=True)
class Parameters:
    """Parameters of one_pass_k_means."""

    order: str = choice(
        "records that a class gives away are placed again in random order, or in row order", "random", "row"
    )
    init: tuple[int, ...] = parameter(
        (), "rows that start the n/k classes; drawn with the seed if not given", advanced=True
    )


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 1 records."""
    n, size = len(encoded), requirement.size
    n_classes = n // size
    what = "The first records of the classes"
    seeds = first_rows(parameters.init, n, n_classes, random, what, "one_pass_k_means")
    labels = np.full(n, -1, dtype=np.int64)
    labels[seeds] = np.arange(n_classes)
    order = sorted_rows(encoded)
    classes = MovingClasses.of(encoded, labels, n_classes, by_growth=False)
    classes.join(order[labels[order] < 0], labels, lambda done, _: progress(done, 2 * n))

    given = _furthest(classes, labels, size)
    if parameters.order == "random":
        given = random.permutation(given)
    labels[given] = -1
    classes = MovingClasses.of(encoded, labels, n_classes, by_growth=False)
    placed = classes.join(given, labels, lambda done, _: progress(n + done, 2 * n), full=size)
    classes.join(given[placed:], labels, lambda done, _: progress(n + placed + done, 2 * n))
    return Partition.of(labels)


def _furthest(classes: MovingClasses, labels: Ints, size: int) -> Ints:
    """Records of classes above ``size`` that are furthest from their centre, ascending; ``size`` stay."""
    encoded, sizes = classes.encoded, classes.sizes
    tree = classes.tree(np.arange(len(sizes)))
    distances = own_costs(encoded.hulls, tree, False, encoded.points, labels)
    furthest_first = np.lexsort([-distances, labels])
    starts = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    rank = np.arange(len(labels)) - np.repeat(starts, sizes)
    given: Ints = np.sort(furthest_first[rank < np.repeat(sizes - size, sizes)])
    return given
