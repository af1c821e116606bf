# SPDX-License-Identifier: Apache-2.0
"""Equal combination: one sub-table per quasi-identifier, each with the sensitive columns.

This does not publish a k-anonymous table. Each sub-table alone hides every row among k in its one quasi-identifier;
nothing is promised about the set of them. Whoever can link the rows of the sub-tables meets the intersections of their
classes, often of a single record: on the paper's own example four of six patients become unique. So no number or
key is ever published with the rows, the rows of each sub-table are shuffled by themselves, and the verdict tells
k per sub-table and, by an audit of the join, k joint. The common sensitive columns link the sub-tables all the same: a
value that occurs once links exactly. It runs only where the weaker promise is accepted (``--accept-weaker``).

Idea: a single column can be generalised far less than all of them together. Give every quasi-identifier a table of its
own with the sensitive columns, and cluster each table by systematic clustering on that one column. The losses of
the sub-tables add up to a figure that can be compared with the loss of any one table.

Paper: H. C. Bharath, B. Poornima, K. Ashoka, "Methodical clustering slant for privacy preserving data mining",
International Journal of Advanced Research in Computer and Communication Engineering 6(7), 2017. Our reading of it:
"k groups" are blocks of k records, each sub-table is sorted by its own column, losses are added, and the surrogate key
of the paper is not published. As in its steps 7 and 8, a record of each block, drawn for each (``offset="common"``: at
the same place of all), begins a class. Its steps 11 and 12 are ``rebalance="arrival"``: whoever came to a class after
its k-th record is placed again, where there is room. The default, ``"net"``, is ours: on Adult it loses a tenth less
to half as much. With ``partition="dp"`` a sub-table has the best classes that its column's order allows, the best of
all if the column is a tree.

What the paper leaves to future work: several sensitive columns stand together in every sub-table, or with
``sensitive="apart"`` in sub-tables of their own; and l-diversity, t-closeness and every other model that is asked for
is kept in each sub-table by itself, by mending its classes on its own columns. The verdict tells it for each of them.
Joined, the sub-tables keep no model any more than they keep k; the audit tells for how many rows the join would show a
single private value.

Cost: O(d n² / k) as published; here near-linear per column.

When not to use it: whenever the people in the table need protection from someone who knows more than one column about
them, and that is nearly always. Any other method keeps k over all columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._combination import SWAYED_BY, Combination, combine
from shoal.engine.methods import Capabilities, Encoded, Progress, Requirement, Subtables

CAPABILITIES = Capabilities(random=True, releases="subtables", paper_loss="height", swayed_by=SWAYED_BY)


@dataclass(frozen=True)
class Parameters(Combination):
    """Parameters of equal_combination."""


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Subtables:
    """One sub-table per attribute, with classes of k to 2k - 1 records."""
    groups = [(place,) for place in range(len(encoded.columns))]
    return combine(encoded, requirement, groups, parameters, random, progress)
