# SPDX-License-Identifier: Apache-2.0
"""Datafly: the column with the most different values is made coarser, until few enough rows are too few.

Idea: every column begins at its finest level. While more rows than ``suppression`` allows have fewer than k
look-alikes, the column with the most different values (of several, the first) goes one level up, for the whole table.
The rows that are still too few are left out. Levels are those of ``full_domain``, which looks for the best of them.

Paper: L. Sweeney, Achieving k-anonymity privacy protection using generalization and suppression, IJUFKS 10(5), 2002.
There, at most k rows may be left out; here, as many as the plan allows.

Cost: one count of the different records per level.

When not to use it: when loss matters; ``full_domain`` finds a better table of the same kind in seconds.
"""

from __future__ import annotations

import numpy as np

from shoal.engine.algorithms._domains import Domains, Node, raised
from shoal.engine.methods import Capabilities, Encoded, NoParameters, Partition, Progress, Requirement
from shoal.ground.requirements import RULES

CAPABILITIES = Capabilities(
    class_sizes="k..",
    rules=RULES,
    losses=(),
    order_free=True,
    suppresses=True,
    one_level=True,
    swayed_by={
        "column order": "of columns with equally many values the first goes up",
        "halved column": "it counts values, and a column that stands twice goes up twice",
    },
)
Parameters = NoParameters


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes at one level per column."""
    domains = Domains(encoded, requirement)
    node: Node = (0,) * len(domains.top)
    while node != domains.top and domains.left_out(node) > requirement.spare:
        progress(sum(node), sum(domains.top))
        open_places = [place for place, level in enumerate(node) if level < domains.top[place]]
        node = raised(node, max(open_places, key=lambda place: domains.distinct(place, node[place])))
    progress(sum(domains.top), sum(domains.top))
    return domains.partition(node)
