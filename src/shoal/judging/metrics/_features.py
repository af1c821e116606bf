# SPDX-License-Identifier: Apache-2.0
"""Columns as numbers that a linear model can learn from, the same for both tables.

A column on a line brings its places, in standard deviations from the mean of the original, and where any is missing a
mark of that (they stand at the mean then). A column of names brings a share for each of its ``MOST_NAMES`` commonest
names but the first: 1 where the cell says it, 1 / n where it says a node with n leaves that has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.judging.analyst import AnalysedColumn

MOST_NAMES = 30


def features(
    columns: Sequence[AnalysedColumn], rows: tuple[int, int], *, squares: bool = False
) -> tuple[Floats, Floats]:
    """[row, feature] of the original and of the release; with ``squares``, also those of the places."""
    before: list[Floats] = []
    after: list[Floats] = []
    for column in columns:
        for was, now in _placed(column, squares) if column.line else _named(column):
            before.append(was)
            after.append(now)
    if not before:
        return np.zeros((rows[0], 0)), np.zeros((rows[1], 0))
    return np.column_stack(before), np.column_stack(after)


def _placed(column: AnalysedColumn, squares: bool) -> list[tuple[Floats, Floats]]:
    known = column.before[~np.isnan(column.before)]
    mean = float(known.mean()) if len(known) else 0.0
    scale = (float(known.std()) if len(known) else 0.0) or 1.0
    both = [(side - mean) / scale for side in (column.before, column.after)]
    missing = [np.isnan(side) for side in both]
    places = [np.where(gone, 0.0, side) for side, gone in zip(both, missing, strict=True)]
    found = [(places[0], places[1])]
    if squares:
        found.append((places[0] ** 2, places[1] ** 2))
    if any(gone.any() for gone in missing):
        found.append((missing[0].astype(np.float64), missing[1].astype(np.float64)))
    return found


def _named(column: AnalysedColumn) -> list[tuple[Floats, Floats]]:
    counts = np.bincount(column.before.astype(np.int64), minlength=column.names)
    common = np.argsort(-counts, kind="stable")[: min(MOST_NAMES, int((counts > 0).sum()))]
    each = 1.0 / (column.high - column.low + 1)
    return [
        (
            (column.before == name).astype(np.float64),
            np.where((column.low <= name) & (name <= column.high), each, 0.0),
        )
        for name in common[1:].tolist()
    ]


def independent(given: Floats) -> tuple[Floats, Ints]:
    """Features in standard deviations that vary and do not follow from those before them; and which they are."""
    if not given.size:
        return np.zeros((len(given), 0)), np.zeros(0, dtype=np.int64)
    centred = given - given.mean(axis=0)
    scale = np.sqrt((centred**2).mean(axis=0))
    varied = np.flatnonzero(scale > 1e-9)
    shown = centred[:, varied] / scale[varied]
    rank: Floats = np.abs(np.diag(np.linalg.qr(shown, mode="r")))
    kept = np.flatnonzero(rank > 1e-6 * np.sqrt(len(given)))
    return shown[:, kept], varied[kept].astype(np.int64)


@contextmanager
def one_thread() -> Iterator[None]:
    """Linear algebra on one thread, where that can be said.

    Sums are the same then on any machine, and on a busy one threads would mostly wait for each other.
    """
    try:
        limits = import_module("threadpoolctl").threadpool_limits
    except ImportError:  # it comes with scikit-learn
        yield
        return
    with limits(1):
        yield
