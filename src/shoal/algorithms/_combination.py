# SPDX-License-Identifier: Apache-2.0
"""What the combination methods share: every group of quasi-identifiers clustered by itself into a sub-table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.algorithms import hilbert, systematic
from shoal.algorithms._protocol import Partition, Subtables
from shoal.encoding.encoded import Encoded
from shoal.parameters import parameter
from shoal.progress import Progress
from shoal.requirements import Requirement

PARTS = 1_000
"""Steps of progress per sub-table."""


@dataclass(frozen=True)
class Combination:
    """Parameters that the combination methods share."""

    partition: str = parameter(
        "systematic",
        "how a sub-table is clustered: as in systematic, or by the best runs of its order (one tree: exactly)",
        choices=("systematic", "dp"),
    )
    rebalance: str = parameter("net", "how systematic fills classes that are too small", choices=("net", "arrival"))
    sensitive: str = parameter(
        "together",
        "all sensitive columns in every sub-table, or a sub-table for each of them",
        choices=("together", "apart"),
    )
    offset: int | None = parameter(
        None, "which record of each block systematic starts from; drawn if not given", least=0, advanced=True
    )


def combine(
    encoded: Encoded,
    requirement: Requirement,
    groups: Sequence[tuple[int, ...]],
    given: Combination,
    random: np.random.Generator,
    progress: Progress,
) -> Subtables:
    """A sub-table for each group of attributes, clustered without regard to the others."""
    partitions = []
    for number, group in enumerate(groups):
        part = Encoded(tuple(encoded.columns[place] for place in group), encoded.loss)
        share = Share(progress, number, len(groups))
        partitions.append(_cluster(part, requirement, given, random, share))
        progress((number + 1) * PARTS, len(groups) * PARTS)
    return Subtables(tuple(groups), tuple(partitions), apart=given.sensitive == "apart")


def _cluster(
    part: Encoded, requirement: Requirement, given: Combination, random: np.random.Generator, progress: Progress
) -> Partition:
    if given.partition == "dp":
        runs = hilbert.Parameters(order="lexicographic" if len(part.columns) == 1 else "hilbert")
        return hilbert.cluster(part, requirement, runs, random, progress)
    offsets = () if given.offset is None else (given.offset,)
    blocks = systematic.Parameters(rebalance=given.rebalance, offsets=offsets)
    return systematic.cluster(part, requirement, blocks, random, progress)


class Share(Progress):
    """Progress of one of several equal pieces of work, reported as a share of the whole."""

    def __init__(self, whole: Progress, number: int, pieces: int) -> None:
        super().__init__()
        self._whole, self._number, self._pieces = whole, number, pieces

    def __call__(self, done: int, total: int, loss: float | None = None) -> None:
        """Report work done on this piece."""
        here = PARTS * done // total if total else 0
        self._whole(self._number * PARTS + here, self._pieces * PARTS)
