# SPDX-License-Identifier: Apache-2.0
"""The leaves of a packed R-tree: the table cut into slabs, attribute after attribute, down to k records.

Idea: an index whose leaves hold at least k records is a partition, and the bounding box of a leaf is what its records
publish. Sort the records by the first attribute and cut them into slabs; sort each slab by the second attribute and
cut it again; after the last attribute a tile holds k records. The slabs are chosen so that a tile is about as long
on every attribute: of m tiles to be made with r attributes left, the smallest s with s^r >= m slabs, each with its
near-equal share of the m tiles. Published are the hulls of the records (the paper's compaction), not the tiles.

Paper: T. Iwuchukwu, J. Naughton, "K-anonymization as spatial indexing: toward scalable and incremental
anonymization", VLDB 2007. Packing by sort-tile-recursive (Leutenegger, Lopez, Edgington 1997) is our reading of its
bulk load. Inserting and deleting records one by one is left out: releases of a changing index can be intersected by
whoever keeps the old ones. Attributes are cut in the order of the columns; weights do not matter.

Cost: O(d n log n), a sort per attribute.

When not to use it: it looks at one attribute at a time and at no loss; ``hilbert`` takes little longer and loses less.
"""

from __future__ import annotations

import numpy as np

from shoal.engine.methods import Capabilities, Encoded, NoParameters, Partition, Progress, Requirement
from shoal.ground.arrays import Ints

CAPABILITIES = Capabilities(
    losses=(),
    order_free=True,
    swayed_by={
        "column order": "columns are cut in their order",
        "halved column": "every column is cut, whatever its weight",
    },
)
Parameters = NoParameters


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k records, the last one of up to 2k - 1."""
    n, d = encoded.points.shape
    part = np.zeros(n, dtype=np.int64)
    tiles = np.array([n // requirement.size])
    for j in range(d):
        tiles = _slabs(tiles, d - j)
        sizes = tiles * requirement.size
        sizes[-1] += n % requirement.size
        order = np.lexsort((encoded.points[:, j], part))
        part[order] = np.repeat(np.arange(len(tiles)), sizes)
        progress(j + 1, d)
    return Partition.of(part)


def _slabs(tiles: Ints, attributes: int) -> Ints:
    """Tiles of each slab, when parts of so many tiles are cut with so many attributes left."""
    slabs = np.array([_root(int(m), attributes) for m in tiles])
    share, rest = np.divmod(np.repeat(tiles, slabs), np.repeat(slabs, slabs))
    place = np.arange(len(share)) - np.repeat(np.cumsum(slabs) - slabs, slabs)
    return np.asarray(share + (place < rest), dtype=np.int64)


def _root(tiles: int, attributes: int) -> int:
    """The smallest whole number whose power is at least ``tiles``."""
    if attributes == 1:
        return tiles
    root: int = max(1, round(tiles ** (1 / attributes)) - 1)
    while root**attributes < tiles:
        root += 1
    return root
