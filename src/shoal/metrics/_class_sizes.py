# SPDX-License-Identifier: Apache-2.0
"""How many look-alikes each row of the release has, under the plan's reading of missing cells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.metrics._protocol import Evidence
from shoal.tables.equivalence_classes import class_sizes, has_missing, wildcard_class_sizes

_ALREADY = "look-alikes of each row"


def row_sizes(evidence: Evidence) -> NDArray[np.int64]:
    """Size of the class of each released row; with ``missing = "wildcard"``, the number of rows it matches.

    Where there are no classes: the number of records among which each hides, as it was told.
    """
    if evidence.look_alikes is not None:
        return evidence.look_alikes
    if (_ALREADY,) not in evidence.read:
        columns = evidence.plan.published_quasi_identifiers
        wildcard = evidence.plan.missing == "wildcard" and has_missing(evidence.released, columns)
        sizes = wildcard_class_sizes if wildcard else class_sizes
        evidence.read[(_ALREADY,)] = sizes(evidence.released, columns)
    found: NDArray[np.int64] = evidence.read[(_ALREADY,)]
    return found


def number_of_classes(sizes: NDArray[np.int64]) -> float:
    """Each row of a class of f brings 1/f, so that rows which match without being alike still add up."""
    size, rows = np.unique(sizes, return_counts=True)
    return float((rows / size).sum())
