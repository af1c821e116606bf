# SPDX-License-Identifier: Apache-2.0
"""What the microaggregation methods share: records in Euclidean space, and trees over them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.encoding.encoded import Encoded
from shoal.encoding.features import SCALES, Axes, axes
from shoal.encoding.losses import HullTerm, hull_kernel_arrays
from shoal.kernels.box_tree import NO_ROW, BoxTree, build
from shoal.kernels.hull import FLAT, RANGE
from shoal.kernels.squared_queries import nearest_each
from shoal.parameters import parameter

Floats = NDArray[np.float64]


def scale_parameter(default: str) -> Any:
    """The parameter ``scale``, with the method's default."""
    return parameter(
        default,
        "numbers as they are, as shares of the column's range, or in standard deviations from its mean",
        choices=SCALES,
    )


def place(encoded: Encoded, scale: str) -> Axes:
    """Axes of all columns; those of weight 0 are flattened, so that more records are equal."""
    made = axes(encoded, scale)
    made.points[:, made.weight == 0] = 0.0
    return made


def tree_over(points: Floats, names: NDArray[np.bool_], weight: Floats, outward: bool = False) -> BoxTree:
    """A box tree over points, cut where squared distances are largest."""
    root = np.sqrt(weight)
    terms = [
        HullTerm(FLAT if is_name else RANGE, scale=one, cap=one if is_name else np.inf)
        for is_name, one in zip(names, root)
    ]
    return build(hull_kernel_arrays(terms), points, outward)


def nearest_rows(tree: BoxTree, names: NDArray[np.bool_], weight: Floats, points: Floats) -> NDArray[np.int64]:
    """Row of the tree nearest to each point."""
    values, rows = np.full(len(points), np.inf), np.full(len(points), NO_ROW, dtype=np.int64)
    nearest_each(tree, names, weight, points, np.arange(len(points)), values, rows)
    return rows
