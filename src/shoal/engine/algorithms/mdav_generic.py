# SPDX-License-Identifier: Apache-2.0
"""MDAV-generic: classes around the records furthest from the middle, for numbers, ranks and names.

Idea: find the record furthest from the centre of all that remain, and put it with its k - 1 nearest into a class;
then the record furthest from that one, with its k - 1 nearest; and so on. When fewer than 3k remain, one more class
is made at the edge and the rest is the last one; fewer than 2k are one class.

Squared distances add up: numbers in standard deviations (or ranges), ranks of ordered columns as shares of all
ranks, names 0 or 1; trees are not looked at. The centre takes the mean of numbers, the lower median rank, the
commonest name (ties: the lowest). Missing numbers do not count in a mean and lie a whole range from every number.

Paper: J. Domingo-Ferrer, V. Torra, "Ordinal, continuous and heterogeneous k-anonymity through microaggregation",
Data Mining and Knowledge Discovery 11, 2005. Standard deviations are those of the whole table, divided by n.

Cost: O(n²/k) as published; here furthest and nearest are exact queries of box trees, near-linear in practice.

When not to use it: where names have trees: names that differ are all equally far, so classes climb high in their
trees. ``k_member`` and ``kacpc`` look at the trees.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from shoal.engine.algorithms._growing import in_slices
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.losses import SMALLEST_SPAN, HullTerm, hull_kernel_arrays
from shoal.engine.kernels.hull import FLAT, RANGE
from shoal.engine.kernels.methods.remaining_centre import MEAN, MEDIAN, MODE, Centre, count_all, grow_from_edge
from shoal.engine.kernels.trees.additive_queries import LINE, STEP, Additive
from shoal.engine.kernels.trees.box_tree import build
from shoal.engine.methods import Capabilities, Partition, Progress, Requirement, choice

CAPABILITIES = Capabilities(losses=(), order_free=True)


@dataclass(frozen=True)
class Parameters:
    """Parameters of mdav_generic."""

    scale: str = choice("numbers are measured in standard deviations, or in ranges", "std", "range")


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 1 records."""
    n, size = len(encoded), requirement.size
    scales = [_scale(column, parameters.scale == "range") for column in encoded.columns]
    costs = _costs(encoded.columns, scales)
    hulls = hull_kernel_arrays([_term(column, scale) for column, scale in zip(encoded.columns, scales)])
    tree = build(hulls, encoded.points, False)
    centre = _centre(encoded.columns)
    count_all(centre, encoded.points)
    labels = np.full(n, -1, dtype=np.int64)
    label, opposite = 0, 0

    def grow(until: int) -> int:
        nonlocal label, opposite
        label, opposite = grow_from_edge(tree, costs, centre, encoded.points, size, label, until, opposite, labels)
        return label

    in_slices(grow, n // size, progress)
    return Partition.of(labels)


def _scale(column: EncodedColumn, by_range: bool) -> float:
    """What one unit of a number or rank counts; its square is its weight over the squared deviation or range."""
    if column.tree is not None:
        return 0.0
    root = sqrt(column.weight)
    if column.span <= SMALLEST_SPAN:
        return root if column.missing is not None else 0.0
    if by_range or column.style == "ordered":
        return root / column.span
    present = column.points if column.missing is None else column.points[column.points != column.missing]
    shares = (present - present.min()) / column.span  # squares of the numbers themselves might overflow
    return root / (float(shares.std()) * column.span)


def _cap(column: EncodedColumn, scale: float) -> float:
    """Largest distance: between the smallest and the largest number, or any number and missing."""
    if column.tree is not None:
        return column.weight
    return (column.span * scale) ** 2 if column.span > SMALLEST_SPAN else column.weight


def _term(column: EncodedColumn, scale: float) -> HullTerm:
    """How wide a box is, for the shape of the search tree."""
    kind = RANGE if column.tree is None else FLAT
    return HullTerm(kind, scale=scale, cap=sqrt(_cap(column, scale)))


def _costs(columns: tuple[EncodedColumn, ...], scales: list[float]) -> Additive:
    zeros = np.zeros(len(columns), dtype=np.int64)
    return Additive(
        shape=np.array([LINE if column.tree is None else STEP for column in columns]),
        centre=np.zeros(len(columns)),
        scale=np.array(scales),
        cap=np.array([_cap(column, scale) for column, scale in zip(columns, scales)]),
        squared=np.ones(len(columns), dtype=np.bool_),
        start=zeros,
        size=zeros,
        low=np.zeros(0),
    )


def _centre(columns: tuple[EncodedColumn, ...]) -> Centre:
    """The centre of no records yet."""
    sizes = [_codes(column) for column in columns]
    kinds = np.array([_kind(column) for column in columns])
    zeros = np.zeros(len(columns), dtype=np.int64)
    return Centre(
        kind=kinds,
        missing=np.array([np.inf if column.tree or column.missing is None else column.missing for column in columns]),
        present=zeros.copy(),
        total=np.zeros(len(columns)),
        error=np.zeros(len(columns)),
        start=np.concatenate([[0], np.cumsum(sizes)])[: len(columns)].astype(np.int64),
        size=np.array(sizes, dtype=np.int64),
        counts=np.zeros(sum(sizes), dtype=np.int64),
        place=zeros.copy(),
        below=np.where(kinds == MODE, -1, 0),
    )


def _kind(column: EncodedColumn) -> int:
    if column.tree is not None:
        return MODE
    return MEDIAN if column.style == "ordered" else MEAN


def _codes(column: EncodedColumn) -> int:
    """How many codes are counted."""
    if column.tree is not None:
        return column.tree.n_leaves
    return len(column.order) if column.style == "ordered" else 0
