# SPDX-License-Identifier: Apache-2.0
"""The bands that a column with common levels publishes, so that any two labels are the same or have nothing in common.

Bands are chosen before the classes, and classes keep within them wherever they can. Where one cannot (a few missing
cells that nobody may be alone with, a rule that asks for company), its bands are joined for all rows, with whatever
lies between them: what a band publishes then still tells the same of everybody in it.
"""

from __future__ import annotations

import itertools

import numpy as np

from shoal.engine.encoding.encoded import EncodedColumn
from shoal.engine.generalizing.groups import ClassedColumn
from shoal.ground.arrays import Floats, Ints


def settled_bands(column: EncodedColumn, labels: Ints) -> Ints:
    """[record] its band, numbered from 0, of records that are all in a class."""
    bands = column.points.astype(np.int64)
    joined = _joined(bands, labels)
    while True:
        low, high = _reaches(column.written, joined)
        order = np.argsort(low, kind="stable")
        apart = low[order][1:] > np.maximum.accumulate(high[order])[:-1]
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.concatenate([[0], np.cumsum(apart)])
        if number.max() + 1 == len(number):
            return joined
        joined = number[joined]


def _joined(bands: Ints, labels: Ints) -> Ints:
    """Bands with those joined that some class lies across."""
    parent = np.arange(int(bands.max()) + 1)

    def root(band: int) -> int:
        while parent[band] != band:
            band = int(parent[band])
        return band

    pairs = np.unique(np.column_stack([labels, bands]), axis=0)
    for (label, band), (other_label, other) in itertools.pairwise(pairs):
        if label == other_label:
            first, second = sorted((root(int(band)), root(int(other))))
            parent[second] = first
    roots = np.array([root(band) for band in range(len(parent))])
    return np.unique(roots[bands], return_inverse=True)[1].ravel()


def _reaches(column: EncodedColumn, bands: Ints) -> tuple[Floats, Floats]:
    """First and last coordinate that what each band publishes allows."""
    groups = ClassedColumn(column, bands, int(bands.max()) + 1, True)
    low, high = groups.hull
    if column.tree is not None:
        nodes = np.array([column.tree.lca(int(lo), int(hi)) for lo, hi in zip(low, high, strict=True)])
        low, high = column.tree.first[nodes].astype(np.float64), column.tree.last[nodes].astype(np.float64)
    if column.missing is not None:  # a band of missing cells lies beyond all others
        empty = groups.n_present == 0
        low, high = np.where(empty, column.missing, low), np.where(empty, column.missing, high)
    return np.where(groups.hidden, -np.inf, low), np.where(groups.hidden, np.inf, high)
