# SPDX-License-Identifier: Apache-2.0
"""What the microaggregation methods share: records in Euclidean space, and trees over them."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.encoding.features import SCALES, axes
from shoal.engine.encoding.losses import HullTerm, hull_kernel_arrays
from shoal.engine.kernels.hull import FLAT, RANGE
from shoal.engine.kernels.trees.box_tree import NO_ROW, BoxTree, build
from shoal.engine.kernels.trees.squared_queries import nearest_each
from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.parameters import parameter


def scale_parameter(default: str) -> Any:
    """The parameter ``scale``, with the method's default."""
    return parameter(
        default,
        "numbers as they are, as shares of the column's range, or in standard deviations from its mean",
        choices=SCALES,
    )


def place(encoded: Encoded, scale: str, power: int = 2) -> tuple[Floats, Flags, Floats]:
    """Points, which axes hold names, and the weights of axes; those of weight 0 are flat: more records are equal.

    Distances add up weight times the difference to this power, or times 1 where names differ.
    """
    made = axes(encoded, scale)
    made.points[:, made.weight == 0] = 0.0
    return made.points, made.names, np.where(made.names, made.weight * (1 / made.unit) ** power, made.weight)


def tree_over(points: Floats, names: Flags, weight: Floats, outward: bool = False) -> BoxTree:
    """A box tree over points, cut where squared distances are largest."""
    root = np.sqrt(weight)
    terms = [
        HullTerm(FLAT if is_name else RANGE, scale=unit, cap=unit if is_name else np.inf)
        for is_name, unit in zip(names, root)
    ]
    return build(hull_kernel_arrays(terms), points, outward)


def nearest_rows(tree: BoxTree, names: Flags, weight: Floats, points: Floats) -> Ints:
    """Row of the tree nearest to each point."""
    values, rows = np.full(len(points), np.inf), np.full(len(points), NO_ROW, dtype=np.int64)
    nearest_each(tree, names, weight, points, np.arange(len(points)), values, rows)
    return rows
