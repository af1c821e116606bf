# SPDX-License-Identifier: Apache-2.0
"""Classes that lie across common bands, parted along them; parts that are too small join others of their bands."""

from __future__ import annotations

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.methods import Partition
from shoal.engine.refining.enforce import obeying
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement


def within_bands(encoded: Encoded, partition: Partition, size: int, spare: int, progress: Progress) -> Partition:
    """Classes of at least ``size`` records that keep within common bands, as far as these have records enough.

    Records that are too few in their bands are left out, if they are no more than ``spare``.
    """
    labels, strata = partition.labels, encoded.strata
    if strata is None:
        return partition
    lonely = np.bincount(strata)[strata] < size
    if 0 < np.count_nonzero(lonely) <= spare:
        labels = np.where(lonely, -1, labels)
    parted = np.where(labels < 0, -1, labels * (int(strata.max()) + 1) + strata)
    return obeying(encoded, Partition.of(parted), Requirement(size), progress)
