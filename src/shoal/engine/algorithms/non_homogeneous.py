# SPDX-License-Identifier: Apache-2.0
"""NH, boxes instead of classes: every record gets its own box of k records, paired by a secret draw.

This does not publish a k-anonymous table. Every row shows a box of its own, so two rows need not look alike. What
holds is (k,k)-anonymity: every box fits at least k records, and every record fits at least k boxes. Which record lends
a row its private columns is hidden by a secret draw alone; it comes from the operating system unless a seed is given.
It runs only where the weaker promise is accepted (``--accept-weaker``).

Idea: split the table from the top down into parts of k to 4k - 1 records. Bring each part into one line along a Hilbert
curve and bend the line into a ring, every second record forth and the others back, so that neighbours in the ring
are close. The box of a record is the hull of it and the next k - 1 records of the ring. When the boxes are published,
the boxes and records of a ring are paired in k ways that have no pair in common, mixed by random walks; one of the k is
drawn, and each row shows its box with the private columns of the record that it is paired with. Each of the k records
of a box is then equally likely, 1 in k, to be the one behind the row.

Paper: W. K. Wong, N. Mamoulis, D. W. Cheung, "Non-homogeneous generalization in privacy preserving data publishing",
SIGMOD 2010. Our reading of it: how the parts are split (as in ``top_down``; ``partition="hilbert"`` cuts the curve
instead, faster and often cheaper), their size (at least k, fewer than ``largest`` times k), and the order inside a
ring. The k pairings are mixed as published, by random walks; how the walks choose is ours and changes no probability.

Cost: O(n² d) as published; here O(n log n) on the usual table.

When not to use it: where a table of look-alike groups is expected, and that is nearly everywhere; where an attacker may
learn true rows of some persons, which narrow down the rows of their rings: in rings of 25, at k = 10, one true row
lifts the best guess about another from 10 to 12 in 100, and with k = 2, where a ring has only two pairings, it reveals
the ring whole; where l-diversity or any other promise about classes is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms import hilbert, top_down
from shoal.engine.algorithms._given import order_parameter
from shoal.engine.kernels.methods.hilbert import hilbert_order
from shoal.engine.methods import Boxes, Capabilities, Encoded, Partition, Progress, Requirement, choice, parameter
from shoal.ground.arrays import Ints
from shoal.ground.errors import PlanError

CAPABILITIES = Capabilities(
    random=True,
    class_sizes="k..",
    releases="boxes",
    paper_loss="ncp",
    swayed_by=hilbert.CAPABILITIES.swayed_by,
)


@dataclass(frozen=True)
class Parameters:
    """Parameters of non_homogeneous."""

    partition: str = choice(
        "how the table is split into parts: as in top_down, or along the curve as in hilbert", "top_down", "hilbert"
    )
    largest: int = parameter(4, "every part has fewer than so many times k records", least=3, most=1_000)
    bits: int = parameter(8, "the Hilbert curve runs through 2 ** bits cells per attribute", least=1, most=32)
    parts: tuple[int, ...] = parameter((), "the part of each row, instead of splitting the table", advanced=True)
    order: tuple[int, ...] = order_parameter("top_down visits them")


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Boxes:
    """Rings of at least k records, and boxes of k."""
    size = requirement.size
    parts = _given(parameters.parts, len(encoded), size)
    if parts is None:
        parts = _split(encoded, size, parameters, random, progress)
    order, starts = zig_zag(hilbert_order(encoded.points, parameters.bits), parts)
    return Boxes(order, starts, size)


def _given(parts: tuple[int, ...], n: int, size: int) -> Ints | None:
    if not parts:
        return None
    labels = Partition.of(np.array(parts, dtype=np.int64))
    if len(parts) != n or min(parts) < 0 or labels.sizes.min() < size:
        raise PlanError(
            "The parts do not fit the table.",
            where="parameter 'parts' of method 'non_homogeneous'",
            allowed=f"{n} whole numbers from 0, each at least {size} times",
            received=f"{len(parts)} numbers",
            todo="leave them out to have the table split",
        )
    return labels.labels


def _split(
    encoded: Encoded, size: int, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Ints:
    """Parts of at least k records and fewer than ``largest`` times k."""
    limit = parameters.largest * size
    if len(encoded) < limit:
        return np.zeros(len(encoded), dtype=np.int64)
    if parameters.partition == "hilbert":
        runs = hilbert.Parameters(bits=parameters.bits, partition="contiguous")
        return hilbert.cluster(encoded, Requirement(limit // 2), runs, random, progress).labels
    least = (limit + 1) // 3  # classes of top_down have up to three times their least size, less two
    given = top_down.Parameters(order=parameters.order)
    return top_down.cluster(encoded, Requirement(least), given, random, progress).labels


def zig_zag(line: Ints, parts: Ints) -> tuple[Ints, Ints]:
    """Rings of the parts, ring after ring, and where each begins.

    ``line`` holds all records in one order, ``parts`` the part of each record, numbered from 0 without gaps. A ring
    takes every second record of its part forth and the others back, so that neighbours are at most two places apart
    on the line, at the turns too.

    >>> zig_zag(np.arange(7), np.zeros(7, dtype=np.int64))[0].tolist()
    [0, 2, 4, 6, 5, 3, 1]
    """
    inside = line[np.argsort(parts[line], kind="stable")]
    lengths = np.bincount(parts)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    ring = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(line)) - starts[ring]
    bent = np.where(place % 2 == 0, place // 2, lengths[ring] - 1 - place // 2)
    order = np.empty_like(inside)
    order[starts[ring] + bent] = inside
    return order, starts
