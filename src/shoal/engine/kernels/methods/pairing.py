# SPDX-License-Identifier: Apache-2.0
"""Which record of a box lends it its private columns: mixed pairings of the boxes and records of a ring.

The box of place i of a ring holds the places i .. i + k - 1. So every box has k records and every record k boxes, and
the pairs fall into k *pairings*, each with every box and every record once, no pair in two of them. They are found one
after another by random walks: a box takes one of its records at random; if that has a box already, this box must take
another of its own, and so on, until a record is free. What is left after a pairing has one record less per box and one
box less per record, so the next one is found in the same way.

One of the k pairings, whose number is drawn beforehand, is the answer; the others after it need not be found. Since no
pair is in two of them, each of the k records of a box is behind it with probability 1/k, however the walks go.
"""

from __future__ import annotations

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.ground.arrays import Codes, Ints, ShortWords


@kernel
def pair_rings(starts: Ints, size: int, chosen: Ints, words: ShortWords, first: int, lent: Ints) -> int:
    """Fill in, ring after ring from the first on, the place that lends to each place.

    Returns the first ring that the random words were too few for; none of it counts then.
    """
    longest = 0
    for ring in range(first, len(chosen)):
        longest = max(longest, starts[ring + 1] - starts[ring])
    steps = np.empty((longest, size), np.int32)
    taken, box_of = np.empty(longest, np.int64), np.empty(longest, np.int64)
    used = 0
    for ring in range(first, len(chosen)):
        begin, length = starts[ring], starts[ring + 1] - starts[ring]
        for box in range(length):
            for step in range(size):
                steps[box, step] = step
        for left in range(size, size - chosen[ring] - 1, -1):
            used = _pair(steps, length, left, words, used, taken, box_of)
            if used < 0:
                return ring
            for box in range(length):
                step = steps[box, taken[box]]
                lent[begin + box] = begin + (box + step) % length
                steps[box, taken[box]] = steps[box, left - 1]
    return len(chosen)


@kernel
def _pair(steps: Codes, length: int, left: int, words: ShortWords, used: int, taken: Ints, box_of: Ints) -> int:
    """One pairing of a ring whose boxes have ``left`` steps left; how many words are used now, -1 if they ran out."""
    box_of[:length] = -1
    for start in range(length):
        box, lost = start, -1  # a box does not take back the record that was taken from it
        while box >= 0:
            choices, pick = left - (lost >= 0), 0
            if choices > 1:
                if used == len(words):
                    return -1
                pick = int((np.int64(words[used]) * choices) >> 32)
                used += 1
            if lost >= 0 and pick >= lost:
                pick += 1
            taken[box] = pick
            record = (box + steps[box, pick]) % length
            other = box_of[record]
            box_of[record] = box
            box = other
            if box >= 0:
                lost = taken[box]
    return used
