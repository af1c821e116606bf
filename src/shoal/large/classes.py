# SPDX-License-Identifier: Apache-2.0
"""The classes of a long table, cell by cell on all cores, and what each of them publishes.

Records are coded and set down by cell; cells are worked on side by side, and what they find is taken in their order, so
that the classes have the same numbers on any number of cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from shoal.engine.cells.clustering import (
    CellRecords,
    Work,
    cluster_cell,
    column_losses,
    left_out,
    mend_shifted,
    published,
)
from shoal.engine.cells.cutting import LARGER, borders, cell_of, halves, joined
from shoal.engine.threads import in_threads
from shoal.ground.arrays import Floats, Ints
from shoal.ground.progress import Progress
from shoal.large.sorting import LABEL, LEFT_OUT, Column, SortedRecords
from shoal.tables.digest import DifferentCells
from shoal.tables.streaming import LongTable
from shoal.tables.table import Table

BINS = 22
"""Bits of a key that are counted: cells end where these change."""
KEY = "\0key"
"""Beside the columns of a record; nobody has a column of that name."""
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class ClassTable:
    """Some classes of the table, all that are made of some neighbouring records."""

    labels: Ints
    """[record] its class, from 0 on; -1 if it is left out."""
    shown: Table
    """[class] what it publishes, a row each."""
    losses: Floats
    """[quasi-identifier] what its cells cost together."""


# -- cutting -------------------------------------------------------------------------------------------------


def sorted_by_cell(
    work: Work, table: LongTable, different: Mapping[str, DifferentCells], folder: Path, progress: Progress
) -> SortedRecords:
    """The records of a long table, coded, cut along the curve and set down by cell."""
    names = [*work.plan.quasi_identifiers, *work.private]
    types = {name: different[name].dtype for name in names}
    coded = Column(folder / "codes", np.dtype([*types.items(), (KEY, np.uint64)]))
    shift = np.uint64(max(work.atlas.curve.key_bits - BINS, 0))
    rows, row = np.zeros(1 << min(work.atlas.curve.key_bits, BINS), dtype=np.int64), 0
    for number, stretch in enumerate(table.stretches):
        part = table.read(stretch, names).frame
        entries = np.empty(stretch.rows, dtype=coded.kind)
        for name in names:
            entries[name] = different[name].codes(part[name])
        entries[KEY] = work.atlas.curve.keys([entries[name] for name in work.plan.quasi_identifiers])
        rows += np.bincount((entries[KEY] >> shift).astype(np.int64), minlength=len(rows))
        coded.write(row, entries)
        row += stretch.rows
        progress(number + 1, 2 * len(table.stretches))
    met = np.flatnonzero(rows)
    cuts = borders(met.astype(np.uint64) << shift, rows[met], work.cell_rows, LARGER * work.requirement.size)
    sizes = np.add.reduceat(rows, np.concatenate([[0], (cuts >> shift).astype(np.int64)]))
    records, row = SortedRecords(folder, types, sizes), 0
    for number, stretch in enumerate(table.stretches):
        entries = coded.read(row, stretch.rows)
        records.add(row, {name: entries[name] for name in names}, cell_of(entries[KEY], cuts))
        row += stretch.rows
        progress(len(table.stretches) + number + 1, 2 * len(table.stretches))
    coded.close()
    (folder / "codes").unlink()
    return records


# -- cells ---------------------------------------------------------------------------------------------------


class Cells:
    """The cells of a table at work."""

    def __init__(self, work: Work, records: SortedRecords, folder: Path) -> None:
        self._work, self._records = work, records
        first = np.unique(self._joined()) if work.requirement.rules else np.arange(len(records.starts) - 1)
        self._cells = first.tolist()
        self._starts = [*records.starts[first].tolist(), int(records.starts[-1])]
        self._begun = Column(folder / "begun", LABEL)
        self.losses = np.zeros(len(work.plan.quasi_identifiers))
        self.classes = 0
        self.left_out = 0

    def __len__(self) -> int:
        return len(self._cells)

    @property
    def largest(self) -> int:
        """Records of the largest cell."""
        return int(np.diff(self._starts).max())

    def close(self) -> None:
        """Nothing more is asked."""
        self._records.close()
        self._begun.close()

    def classes_made(self, progress: Progress) -> Iterator[tuple[int, Table]]:
        """Make all classes and set down which each record is in: number of the first, and what they publish."""
        steps = len(self) * (2 if self._work.searched else 1) + self._work.searched
        if not self._work.searched:
            for number, made in enumerate(_side_by_side([partial(self._finished, one) for one in range(len(self))])):
                self._records.labels.write(self._starts[number], self._numbered(made))
                yield self._taken(made)
                progress(number + 1, steps)
            return
        for number, begun in enumerate(_side_by_side([partial(self._first, one) for one in range(len(self))])):
            self._begun.write(self._starts[number], begun.astype(LABEL))
            progress(number + 1, steps)
        for number, (made, places) in enumerate(
            _side_by_side([partial(self._mended, one) for one in range(len(self) + 1)])
        ):
            progress(len(self) + number + 1, steps)
            if len(places):
                self._set_down(number, places, self._numbered(made))
                yield self._taken(made)

    def _numbered(self, made: ClassTable) -> NDArray[Any]:
        """[record] the number of its class among all classes of the table."""
        return np.where(made.labels < 0, LEFT_OUT, made.labels + self.classes).astype(LABEL)

    def _taken(self, made: ClassTable) -> tuple[int, Table]:
        first, self.classes = self.classes, self.classes + len(made.shown)
        self.losses += made.losses
        self.left_out += int(np.count_nonzero(made.labels < 0))
        return first, made.shown

    def _set_down(self, number: int, places: Ints, labels: NDArray[Any]) -> None:
        """Set down the classes of the records at some places of two neighbouring cells."""
        begin, end = self._starts[max(number - 1, 0)], self._starts[min(number + 1, len(self))]
        held = self._records.labels.read(begin, end - begin)
        held[places - begin] = labels
        self._records.labels.write(begin, held)

    # -- jobs, side by side -------------------------------------------------------------------------------

    def _finished(self, number: int) -> ClassTable:
        records = self._read(number)
        return self._class_table(records, cluster_cell(self._work, self._cells[number], records))

    def _first(self, number: int) -> Ints:
        """Twice the class of each record of a cell, and one more in its upper half."""
        records = self._read(number)
        labels = cluster_cell(self._work, self._cells[number], records)
        return 2 * labels + halves(records.keys, labels)

    def _mended(self, number: int) -> tuple[ClassTable, Ints]:
        """The classes of the upper half of a cell and the lower half of the next, searched; and where they are."""
        parts, labels, places = [], [], []
        for cell, half in ((number - 1, 1), (number, 0)):
            if 0 <= cell < len(self):
                begin, end = self._starts[cell : cell + 2]
                begun = self._begun.read(begin, end - begin).astype(np.int64)
                mine = np.flatnonzero(begun % 2 == half)
                parts.append(self._records.records.read(begin, end - begin)[mine])
                labels.append(2 * (begun[mine] // 2) + half)
                places.append(mine + begin)
        where = np.concatenate(places)
        if not len(where):
            return ClassTable(where, Table.from_columns({}), self.losses * 0), where
        records = self._as_records(np.concatenate(parts))
        found = mend_shifted(self._work, number, records, np.concatenate(labels))
        return self._class_table(records, found), where

    def _class_table(self, records: CellRecords, found: Ints) -> ClassTable:
        labels = left_out(self._work, records, found) if self._work.plan.suppression else found
        here = np.flatnonzero(labels >= 0)
        kept, of_kept = records.take(here), labels[here]
        shown = published(self._work, kept.codes, of_kept)
        first = np.unique(of_kept, return_index=True)[1]
        cells = {name: column for columns in shown.values() for name, column in columns.items()}
        losses = column_losses(self._work, kept, of_kept) + len(labels) - len(here)  # who is left out is lost in full
        return ClassTable(labels, Table.from_columns(cells).take(first), losses)

    # -- reading ------------------------------------------------------------------------------------------

    def _read(self, number: int) -> CellRecords:
        begin, end = self._starts[number : number + 2]
        return self._as_records(self._records.records.read(begin, end - begin))

    def _as_records(self, entries: NDArray[Any]) -> CellRecords:
        work = self._work
        codes = [np.ascontiguousarray(entries[name]) for name in work.plan.quasi_identifiers]
        return CellRecords(work.atlas.curve.keys(codes), codes, {name: entries[name] for name in work.private})

    def _joined(self) -> Ints:
        """[cell] the first of the cells that it is worked on with, so that they can obey the rules."""
        starts, rules = self._records.starts.tolist(), self._work.requirement.rules
        counts: list[list[Ints]] = [[] for _ in rules]
        for begin, end in pairwise(starts):
            entries = self._records.records.read(begin, end - begin)
            for held, rule in zip(counts, rules, strict=True):
                values = rule.codes[entries[rule.column]]
                held.append(np.bincount(values, minlength=int(rule.codes.max()) + 1))
        return joined([np.array(held) for held in counts], np.diff(self._records.starts), self._work.requirement)


def _side_by_side(jobs: Sequence[Callable[[], T]]) -> Iterator[T]:
    """All jobs on all cores, results in their order; the first alone, so that what is compiled is compiled once."""
    first = jobs[0]()
    return chain([first], in_threads(jobs[1:]))
