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
of the paper is not published. Several sensitive columns, left to future work there, stand together in every sub-table,
or with ``sensitive="apart"`` in sub-tables of their own. With ``partition="dp"`` a sub-table has the best classes that
its column's order allows, the best of all if the column is a tree.

Cost: O(d n² / k) as published; here near-linear per column.

When not to use it: whenever the people in the table need protection from someone who knows more than one column about
them, and that is nearly always. Any other method keeps k over all columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.algorithms._combination import Combination, combine
from shoal.algorithms._protocol import Capabilities, Subtables
from shoal.encoding.encoded import Encoded
from shoal.progress import Progress
from shoal.requirements import Requirement

CAPABILITIES = Capabilities(random=True, releases="subtables")


@dataclass(frozen=True)
class Parameters(Combination):
    """Parameters of equal_combination."""


def cluster(
    encoded: Encoded,
    requirement: Requirement,
    parameters: Parameters,
    random: np.random.Generator,
    progress: Progress,
) -> Subtables:
    """One sub-table per attribute, with classes of k to 2k - 1 records."""
    groups = [(place,) for place in range(len(encoded.columns))]
    return combine(encoded, requirement, groups, parameters, random, progress)
