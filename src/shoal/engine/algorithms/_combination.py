# SPDX-License-Identifier: Apache-2.0
"""What the combination methods share: every group of quasi-identifiers clustered by itself into a sub-table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms import hilbert, systematic
from shoal.engine.methods import Encoded, Partition, Progress, Requirement, Subtables, choice, parameter

SWAYED_BY = {
    "column order": "sub-tables are drawn for one after another, in the order of the columns",
    "halved column": "each half goes into a sub-table of its own",
}


@dataclass(frozen=True)
class Combination:
    """Parameters that the combination methods share."""

    partition: str = choice(
        "how a sub-table is clustered: as in systematic, or by the best runs of its order (one tree: exactly)",
        "systematic",
        "dp",
    )
    rebalance: str = choice(
        "how systematic fills classes that are too small: by the cheapest single move each time, or by placing late "
        "arrivals again",
        "net",
        "arrival",
    )
    sensitive: str = choice(
        "all sensitive columns in every sub-table, or a sub-table for each of them", "together", "apart"
    )
    offset: str = choice(
        "which record of a block systematic starts from: drawn for each block, or once for all of a sub-table",
        "independent",
        "common",
    )
    offsets: tuple[int, ...] = parameter(
        (),
        "that record's place, 0 to k - 1, in every sub-table: one for all blocks, or one per block; drawn if not given",
        advanced=True,
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
        part = encoded.part(group)
        share = progress.part(number, of=len(groups))
        partitions.append(_cluster(part, requirement, given, random, share))
        share(1, 1)
    return Subtables(tuple(groups), tuple(partitions), apart=given.sensitive == "apart")


def _cluster(
    part: Encoded, requirement: Requirement, given: Combination, random: np.random.Generator, progress: Progress
) -> Partition:
    if given.partition == "dp":
        runs = hilbert.Parameters(order="lexicographic" if len(part.columns) == 1 else "hilbert")
        return hilbert.cluster(part, requirement, runs, random, progress)
    blocks = systematic.Parameters(rebalance=given.rebalance, offset=given.offset, offsets=given.offsets)
    return systematic.cluster(part, requirement, blocks, random, progress)
