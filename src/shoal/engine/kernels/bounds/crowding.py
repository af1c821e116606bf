# SPDX-License-Identifier: Apache-2.0
"""Windows in which more classes are used than can be there at once.

A window of m records holds k or more records of at most m // k classes. A fitted list of boxes may use more, as each
of them may be used in part. See docs/certificate.md.
"""

from __future__ import annotations

import numpy as np

from shoal.engine.kernels.bounds.lattice import Lattice
from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.ground.arrays import Floats, Ints


@kernel
def crowded_windows(
    lattice: Lattice, size: int, most: int, begin: Ints, points: Ints, use: Floats, over: Floats, until: Ints
) -> int:
    """For each bin of each cell the most crowded window from there on that holds up to ``most`` records.

    ``begin``, ``points`` and ``use`` tell listed boxes, and how often each is used as a class. At the place of the
    first member of the bin, ``over`` is set to how many classes are too many, and ``until`` to the last bin. Returns
    the steps taken.
    """
    lattice = lent(lattice)
    bins, longest, steps = lattice.bins, len(lattice.left), 0
    first, following, low, high = _spans(bins, begin, points)
    inside = np.full(len(lattice.copies), -1, np.int64)
    from_bin = np.full(longest, -1, np.int64)
    chain = np.empty(len(use), np.int64)
    records, used = np.zeros(longest, np.int64), np.zeros(longest)
    for cell in range(len(lattice.base)):
        start, end = lattice.start[cell], lattice.start[cell + 1]
        for i in range(start, end):
            inside[lattice.members[i]] = cell
            from_bin[bins[lattice.members[i]]] = -1
            records[bins[lattice.members[i]]] = 0
            used[bins[lattice.members[i]]] = 0.0
        for i in range(start, end):
            records[bins[lattice.members[i]]] += lattice.copies[lattice.members[i]]
            box = first[lattice.members[i]]
            while box >= 0:
                at = begin[box]
                while at < begin[box + 1] and inside[points[at]] == cell:
                    at += 1
                steps += at - begin[box] + 1
                if at == begin[box + 1]:
                    chain[box] = from_bin[low[box]]
                    from_bin[low[box]] = box
                box = following[box]
        steps += _most_crowded(lattice, size, most, start, end, from_bin, chain, high, use, records, used, over, until)
    return steps


@inlined
def _spans(bins: Ints, begin: Ints, points: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """[point] a box that begins with it, [box] the next such box; [box] its first and its last bin."""
    first = np.full(len(bins), -1, np.int64)
    following = np.full(len(begin) - 1, -1, np.int64)
    low, high = following.copy(), following.copy()
    for box in range(len(begin) - 1):
        low[box] = high[box] = bins[points[begin[box]]]
        for i in range(begin[box], begin[box + 1]):
            low[box], high[box] = min(low[box], bins[points[i]]), max(high[box], bins[points[i]])
        following[box] = first[points[begin[box]]]
        first[points[begin[box]]] = box
    return first, following, low, high


@inlined
def _most_crowded(
    lattice: Lattice, size: int, most: int, start: int, end: int, from_bin: Ints, chain: Ints, high: Ints, use: Floats,
    records: Ints, used: Floats, over: Floats, until: Ints,
) -> int:  # fmt: skip
    """The same for one cell; ``from_bin`` and ``chain`` list the boxes inside it by their first bins."""
    lattice = lent(lattice)
    bins, members, at, steps = lattice.bins, lattice.members, end, 0
    while at > start:
        here = bins[members[at - 1]]
        while at > start and bins[members[at - 1]] == here:
            at -= 1
        box = from_bin[here]
        while box >= 0:
            used[high[box]] += use[box]
            box = chain[box]
        held, classes, i = 0, 0.0, at
        over[at] = 0.0
        while i < end:
            last = bins[members[i]]
            held, classes = held + records[last], classes + used[last]
            if held > most:
                break
            if classes - held // size > over[at]:
                over[at], until[at] = classes - held // size, last
            while i < end and bins[members[i]] == last:
                i += 1
        steps += i - at
    return steps


@kernel
def paid_by(begin: Ints, points: Ints, counts: Ints, region: Ints, size: int) -> Ints:
    """[box] the region that holds ``size`` or more of its records; -1 if there is none.

    A box ends with a place that is not one of its records. Of fewer than twice ``size`` records one region has most.
    """
    paid = np.full(len(begin) - 1, -1, np.int64)
    for box in range(len(paid)):
        found, lead = -1, 0
        for i in range(begin[box], begin[box + 1] - 1):
            if lead == 0:
                found = region[points[i]]
            lead = lead + counts[i] if region[points[i]] == found else lead - counts[i]
            if lead < 0:
                found, lead = region[points[i]], -lead
        held = 0
        for i in range(begin[box], begin[box + 1] - 1):
            held += counts[i] if region[points[i]] == found else 0
        if held >= size:
            paid[box] = found
    return paid
