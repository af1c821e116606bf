# SPDX-License-Identifier: Apache-2.0
"""Cells: a large table cut into parts that keep neighbours together, so that classes can be made in each by itself.

Growing a class asks a tree for the cheapest next record. With few attributes the tree leaves most records out; with
many it looks at nearly all of them, and time grows with the square of the rows. Peeling visits every record for each
combination of levels that is worth it, which of a long table are too many. Cells are as large as the work allows, and
are worked on side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain

import numpy as np

from shoal.engine.algorithms import k_members
from shoal.engine.algorithms._peeling import MOST_VISITS, VISITS_PER_RECORD, peel
from shoal.engine.encoding.curve import Curve
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.methods.hilbert import hilbert_order
from shoal.engine.methods import Progress
from shoal.engine.threads import in_threads
from shoal.ground.arrays import Ints
from shoal.ground.requirements import Requirement

FEW_COLUMNS = 16
"""Up to so many attributes the trees are of use, whatever the table."""
WORK = 20_000_000_000
"""Pairs of records of a cell, times attributes: about 25 processor seconds."""
FEWEST, LARGER = 500, 20
"""Records of a cell at least, and how many times the size of a class."""
PEELED, PEELED_CLASSES = 20_000, 2_000
"""Records of a cell that is peeled, or classes of it, where a table has too many for the visits of peeling."""
VISITS_PER_SIZE, MOST_VISITS_EACH, VISITS = 150, 6_000, 4_000_000_000
"""Visits of each record of these cells, by the size of a class, and at most; and of all, about 30 processor seconds."""
BITS = 8
"""The curve runs through 2 ** BITS places per attribute."""


def cells_of(encoded: Encoded, size: int) -> list[Ints]:
    """The rows of each cell; one cell where the whole table can be worked on at once."""
    rows, columns = encoded.points.shape
    largest = max(WORK // max(rows * columns, 1), FEWEST, LARGER * size)
    if columns <= FEW_COLUMNS or rows <= largest:
        return [np.arange(rows)]
    order = hilbert_order(encoded.points, BITS)
    return [np.sort(part) for part in np.array_split(order, -(-rows // largest))]


def grown_in_cells(
    encoded: Encoded, cells: list[Ints], requirement: Requirement, random: np.random.Generator, progress: Progress
) -> Ints:
    """The class of each record; classes are grown inside the cells, which cover all records."""
    seeds = random.integers(0, 2**62, len(cells)).tolist()
    jobs = [partial(_grown, encoded, rows, requirement, seed) for rows, seed in zip(cells, seeds, strict=True)]
    return _put_together(cells, jobs, progress)


def peeled_in_cells(encoded: Encoded, requirement: Requirement, progress: Progress) -> Ints:
    """The class of each record, by peeling; a long table in cells, whose records are neighbours."""
    rows, size = len(encoded), max(PEELED, PEELED_CLASSES * requirement.size)
    if rows * VISITS_PER_RECORD <= MOST_VISITS or rows <= size:
        return peel(encoded, requirement, progress)
    curve = Curve.through(encoded, rows // (LARGER * requirement.size))
    every = np.arange(rows, dtype=np.uint64)
    order = np.argsort(curve.keys([every] * len(encoded.columns)), kind="stable")
    cells = [np.sort(part) for part in np.array_split(order, -(-rows // size))]
    return _put_together(cells, [partial(_peeled, encoded, part, requirement) for part in cells], progress)


def _put_together(cells: list[Ints], jobs: Sequence[Callable[[], Ints]], progress: Progress) -> Ints:
    """The class of each record of all cells; each job labels the records of its cell."""
    labels, classes = np.empty(sum(map(len, cells)), dtype=np.int64), 0
    first = jobs[0]()  # what has to be compiled is, and tells so, in the thread that is watched
    for done, (rows, part) in enumerate(zip(cells, chain([first], in_threads(jobs[1:]))), start=1):
        labels[rows] = part + classes
        classes += int(part.max()) + 1
        progress(done, len(cells))
    return labels


def _grown(encoded: Encoded, rows: Ints, requirement: Requirement, seed: int) -> Ints:
    own = np.random.default_rng(seed)
    part, asked = encoded.take(rows), requirement.of(rows)
    return k_members.cluster(part, asked, k_members.Parameters(), own, Progress()).labels


def _peeled(encoded: Encoded, rows: Ints, requirement: Requirement) -> Ints:
    each = min(VISITS_PER_SIZE * requirement.size, MOST_VISITS_EACH, VISITS // len(encoded))
    return peel(encoded.within(rows), requirement.of(rows), Progress(), each * len(rows))
