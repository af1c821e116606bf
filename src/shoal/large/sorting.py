# SPDX-License-Identifier: Apache-2.0
"""Records on disk, cell after cell: set down in the order of the table, taken up by cell, and the other way round.

A record is its row number and its codes, packed. As every cell takes in records in the order of their rows, those of
one stretch of the table lie together in it. So both ways go by whole runs, and nothing is held in memory but the
places of the runs. Plain reads and writes at places of a file, no mapping: what is cached is the system's, not ours.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.ground.arrays import Ints, SmallCodes

ROW = "\0row"
"""Beside the columns of a record; nobody has a column of that name."""
LABEL = np.dtype(np.uint32)
"""The type of class numbers; nobody makes four thousand million classes on one machine."""
LEFT_OUT = np.iinfo(np.uint32).max
"""The number of those who are in no class."""


class Column:
    """A file of equal entries, each at its place."""

    def __init__(self, path: Path, kind: np.dtype[Any]) -> None:
        self.kind = kind
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)

    def write(self, place: int, entries: NDArray[Any]) -> None:
        """Set down entries from a place on."""
        view, at = _bytes(entries), place * self.kind.itemsize
        while view:  # the system may take a part at a time
            done = os.pwrite(self._file, view, at)
            view, at = view[done:], at + done

    def read(self, place: int, length: int) -> NDArray[Any]:
        """So many entries from a place on; those that were never set down are 0."""
        into = np.zeros(length, dtype=self.kind)
        view, at = _bytes(into), place * self.kind.itemsize
        while view and (done := os.preadv(self._file, [view], at)):
            view, at = view[done:], at + done
        return into

    def close(self) -> None:
        """Nothing more is read or written."""
        os.close(self._file)


def _bytes(entries: NDArray[Any]) -> memoryview:
    return entries.view(np.uint8).data


class SortedRecords:
    """All records of a table by cell, and the class of each once it is known."""

    def __init__(self, folder: Path, types: Mapping[str, Any], sizes: Ints) -> None:
        self.starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        row = np.int64 if self.starts[-1] >= 2**32 else np.uint32
        self.records = Column(folder / "records", np.dtype([(ROW, row), *types.items()]))
        self.labels = Column(folder / "labels", LABEL)
        self._filled = self.starts[:-1].copy()
        self._runs: list[tuple[Ints, Ints]] = []

    def add(self, first_row: int, codes: Mapping[str, SmallCodes], cell: Ints) -> None:
        """Set down the next records of the table, each in its cell."""
        order = np.argsort(cell, kind="stable")
        records = np.empty(len(cell), dtype=self.records.kind)
        records[ROW] = first_row + order
        for name, values in codes.items():
            records[name] = values[order]
        met, lengths = np.unique(cell, return_counts=True)
        places = self._filled[met]
        begin = 0
        for place, length in zip(places.tolist(), lengths.tolist(), strict=True):
            self.records.write(place, records[begin : begin + length])
            begin += length
        self._filled[met] += lengths
        self._runs.append((places, lengths))

    def labels_of(self, number: int, first_row: int) -> Ints:
        """[row] the class of records that were added together, the ``number``-th time, in the order of the table."""
        runs = list(zip(*(one.tolist() for one in self._runs[number]), strict=True))
        rows = np.concatenate([self.records.read(*run)[ROW] for run in runs]).astype(np.int64)
        labels = np.empty(len(rows), dtype=np.int64)
        labels[rows - first_row] = np.concatenate([self.labels.read(*run) for run in runs])
        return labels

    def close(self) -> None:
        """Nothing more is read or written."""
        self.records.close()
        self.labels.close()
