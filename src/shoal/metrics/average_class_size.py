# SPDX-License-Identifier: Apache-2.0
"""Average class size: how much larger than k the classes are on average.

    C_avg = (rows / classes) / k

1 is ideal: every class has exactly k rows. Below 1 some class is smaller than k. Suppressed rows are in no class and
do not count. Where no k was claimed, k is 1 and the value is the plain mean size. With ``missing = "wildcard"``
classes overlap, and their number is the sum of 1 / matches over all rows.

Paper: K. LeFevre, D. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006.
"""

from __future__ import annotations

import math

from shoal.metrics._class_sizes import number_of_classes, row_sizes
from shoal.metrics._protocol import Evidence, Measurement


def measure(evidence: Evidence) -> Measurement:
    """The average class size over k."""
    sizes, k = row_sizes(evidence), evidence.plan.k
    rows = len(sizes)
    if not rows:
        return Measurement(
            "average_class_size", math.nan, "lower", (0.0, math.nan), note="no rows: an average is undefined"
        )
    classes = number_of_classes(sizes)
    figures = {
        "classes": classes,
        "mean_size": rows / classes,
        "smallest": float(sizes.min()),
        "largest": float(sizes.max()),
    }
    return Measurement("average_class_size", rows / classes / k, "lower", (1 / k, rows / k), figures)
