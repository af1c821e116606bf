# SPDX-License-Identifier: Apache-2.0
"""Parts of records as rings: each part in the order of a line, bent so that its two ends are neighbours.

>>> import numpy as np
>>> zig_zag(np.arange(7), np.zeros(7, dtype=np.int64))[0].tolist()
[0, 2, 4, 6, 5, 3, 1]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def zig_zag(line: Ints, parts: Ints) -> tuple[Ints, Ints]:
    """Rings of the parts, ring after ring, and where each begins.

    ``line`` holds all records in one order, ``parts`` the part of each record, numbered from 0 without gaps. A ring
    takes every second record of its part forth and the others back, so that neighbours are at most two places apart
    on the line, at the turns too.
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
