# SPDX-License-Identifier: Apache-2.0
"""Unequal combination: sub-tables of several quasi-identifiers each, with the sensitive columns.

This does not publish a k-anonymous table. Each sub-table alone hides every row among k in its own quasi-identifiers;
nothing is promised about the set of them: whoever can link the rows of the sub-tables meets the intersections of their
classes. No number or key is published with the rows, the rows of each sub-table are shuffled by themselves, and the
verdict tells k per sub-table and k joint. It runs only where the weaker promise is accepted (``--accept-weaker``).

Idea: as ``equal_combination``, but with more than one quasi-identifier in a sub-table, so that fewer of them are left
to be joined. Each is clustered by systematic clustering on its own columns. With ``groups = [0, 0, 1]`` the first two
quasi-identifiers share a sub-table and the third has its own; without it, two and two follow each other.

Paper: P. R. Bhaladhare, D. C. Jinwala, "Novel approaches for privacy preserving data mining in k-anonymity model",
Journal of Information Science and Engineering 32(1), 2016. Our reading of its first approach: which columns are grouped
there is not known to us. Models are kept in each sub-table by itself, as in ``equal_combination``.

Cost: O(n² / k) per sub-table as published; here near-linear on the usual table.

When not to use it: whenever the people in the table need protection from someone who knows columns of more than one
sub-table about them, and that is nearly always. Any other method keeps k over all columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._combination import SWAYED_BY, Combination, combine
from shoal.engine.methods import Capabilities, Encoded, Progress, Requirement, Subtables, parameter
from shoal.ground.errors import PlanError

CAPABILITIES = Capabilities(random=True, releases="subtables", paper_loss="height", swayed_by=SWAYED_BY)


@dataclass(frozen=True)
class Parameters(Combination):
    """Parameters of unequal_combination."""

    groups: tuple[int, ...] = parameter(
        (), "number of the sub-table of each quasi-identifier, in their order; none: consecutive pairs"
    )


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Subtables:
    """Sub-tables of several attributes each, with classes of k to 2k - 1 records."""
    groups = grouped(parameters.groups, len(encoded.columns))
    return combine(encoded, requirement, groups, parameters, random, progress)


def grouped(numbers: tuple[int, ...], columns: int) -> list[tuple[int, ...]]:
    """The attributes of each sub-table, sub-tables by their number.

    >>> grouped((), 5), grouped((1, 0, 1), 3)
    ([(0, 1), (2, 3), (4,)], [(1,), (0, 2)])
    """
    if numbers and len(numbers) != columns:
        raise PlanError(
            "The groups do not fit the quasi-identifiers.",
            where="parameter 'groups' of method 'unequal_combination'",
            allowed=f"{columns} whole numbers, the sub-table of each quasi-identifier",
            received=f"{len(numbers)} numbers",
            todo="name one sub-table for each quasi-identifier, or leave the groups out for consecutive pairs",
        )
    numbers = numbers or tuple(place // 2 for place in range(columns))
    return [tuple(place for place in range(columns) if numbers[place] == one) for one in sorted(set(numbers))]
