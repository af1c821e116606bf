# SPDX-License-Identifier: Apache-2.0
"""Bottom-up local recoding: single records joined, round by round, until every class has k.

Idea: every record starts as a class of its own. In a round, each class of fewer than k records, by its lowest row, is
joined with the class for which the loss of the union (records times loss per record) is least; a class has one turn
per round. Then every class of 2k records or more is split into classes of at least k. Rounds go on until
no class is too small.

Paper: J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. Fu, "Utility-based anonymization using local recoding", KDD 2006. How
a large class is split is our reading of it: sorted by the attributes in column order and cut into blocks of k
(``split="blocks"``), or cut into the cheapest runs along a Hilbert curve (``split="dp"``).

Cost: O(d n² log k); every join looks at all classes, but stops at the first that costs nothing. Memory for the records
alone.

When not to use it: on more than some 50,000 rows; ``k_member`` and ``top_down`` are near-linear.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._growing import in_slices
from shoal.engine.kernels.methods.hilbert import hilbert_order, lexicographic_order
from shoal.engine.kernels.methods.joining import join_in_turn, new_classes
from shoal.engine.kernels.methods.runs import best_runs
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement, choice
from shoal.ground.arrays import Ints

CAPABILITIES = Capabilities(
    largest_rows=50_000,
    paper_loss="ncp",
    swayed_by={"column order": "a large class is split by its first column first"},
)


@dataclass(frozen=True)
class Parameters:
    """Parameters of bottom_up."""

    split: str = choice(
        "split large classes into blocks of k sorted records, or into the cheapest runs along a Hilbert curve",
        "blocks",
        "dp",
    )


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 1 records."""
    n, size = len(encoded), requirement.size
    classes = new_classes(encoded.hulls, encoded.points, np.arange(n), n, size)
    turn = 0

    def join(until: int) -> int:
        nonlocal classes, turn
        while classes.small[0] > n - until:
            turn = join_in_turn(encoded.hulls, classes, size, turn, n - until)
            if turn == n and classes.small[0] > n - until:
                class_of = _split(encoded, classes.class_of, size, parameters.split)
                classes, turn = new_classes(encoded.hulls, encoded.points, class_of, n, size), 0
        return n - int(classes.small[0])

    in_slices(join, n, progress)
    return Partition.of(_split(encoded, classes.class_of, size, parameters.split))


def _split(encoded: Encoded, class_of: Ints, size: int, how: str) -> Ints:
    """Class of each record after every class of 2k or more is split; a class has the number of its lowest row."""
    order = np.argsort(class_of, kind="stable")
    begins = np.flatnonzero(np.diff(class_of[order], prepend=-1))
    ends = np.append(begins[1:], len(order))
    parted = class_of.copy()
    for begin, end in zip(begins, ends):
        if end - begin >= 2 * size:
            rows = order[begin:end]
            part = _parts(encoded, rows, size, how)
            lowest = np.full(int(part.max()) + 1, len(order))
            np.minimum.at(lowest, part, rows)
            parted[rows] = lowest[part]
    return parted


def _parts(encoded: Encoded, rows: Ints, size: int, how: str) -> Ints:
    """Part of each of the rows of a large class."""
    points = encoded.points[rows]
    part = np.empty(len(rows), dtype=np.int64)
    if how == "dp":
        line = hilbert_order(points)
        part[line] = best_runs(encoded.hulls, points, line, size)
    else:
        part[lexicographic_order(points)] = np.minimum(np.arange(len(rows)) // size, len(rows) // size - 1)
    return part
