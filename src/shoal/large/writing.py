# SPDX-License-Identifier: Apache-2.0
"""Rows of a long table on their way to its release: labels in place of quasi-identifiers, in an order of their own.

Rows that publish the same labels meet in one *bucket*, which their labels and the seed decide; each bucket is sorted by
content and then shuffled, as a whole table would be. So the order depends on nothing but what is published, and no
more than a bucket is ever in memory.
"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from pathlib import Path

import numpy as np

from shoal.ground import streams
from shoal.ground.arrays import ShortWords, Words
from shoal.ground.progress import Progress
from shoal.large.sorting import LEFT_OUT, SortedRecords
from shoal.plan.plan import Plan
from shoal.releases.kinds.kind import guarded, shuffled
from shoal.tables.shown_categories import ShownCategories
from shoal.tables.stowaways import formula_cells
from shoal.tables.streaming import Buckets, LongTable, side_by_side, write_part
from shoal.tables.table import Table

ROWS_PER_BUCKET = 500_000
"""About; it decides the order of the rows, so it is no matter of memory."""


class ReleasedRows:
    """The released rows, bucket by bucket."""

    def __init__(self, folder: Path, table: LongTable, plan: Plan) -> None:
        self._table, self._plan, self._folder = table, plan, folder
        self._many = -(-len(table) // ROWS_PER_BUCKET)
        self._labels = Buckets(folder, "labels", self._many)
        self._rows = Buckets(folder, "rows", self._many)
        self._bucket_of: list[ShortWords] = []
        self._shows = self._published()
        types = table.first.frame.schema
        self._categories = ShownCategories({shown: types[name] for shown, name in self._shows.items()})
        self.formulas: Counter[str] = Counter()
        """Cells of each released column that would run as a formula, of the parts that were made."""

    def add_classes(self, first: int, shown: Table) -> None:
        """Take in what some classes publish; they are numbered from ``first`` on."""
        shown = self._categories.noted(shown)
        bucket = (_hashed(shown, self._plan.seed or 0) % np.uint64(self._many)).astype(np.int64)
        self._labels.add(shown, np.arange(first, first + len(shown)), bucket)
        self._bucket_of.append(bucket.astype(np.uint32))

    def add_rows(self, records: SortedRecords, progress: Progress) -> None:
        """Take in all rows of the table, without the columns that are removed or replaced."""
        bucket_of, row = np.concatenate(self._bucket_of), 0
        gone = {*self._plan.removed, *self._plan.quasi_identifiers}
        kept = [name for name in self._table.first.names if name not in gone]
        for number, stretch in enumerate(self._table.stretches):
            labels = records.labels_of(number, row)
            part = self._table.read(stretch, kept) if kept else Table.from_columns({})
            here = np.flatnonzero(labels != LEFT_OUT)
            if len(here) < len(labels):
                part, labels = part.take(here) if kept else part, labels[here]
            part = self._categories.noted(part)
            self._rows.add(part, labels, bucket_of[labels].astype(np.int64))
            row += stretch.rows
            progress(number + 1, len(self._table.stretches))

    def parts(self, progress: Progress) -> list[Path]:
        """Files of the released rows, in their order."""
        written: list[Path] = []
        for number in range(self._many):
            rows, labels = self._rows.take(number), self._labels.take(number)
            progress(number + 1, self._many)
            if rows is None or labels is None:
                continue
            (kept, label_of), (shown, numbers) = rows, labels
            order = np.argsort(numbers)
            shown = shown.take(order[np.searchsorted(numbers[order], label_of)])
            released = guarded(side_by_side([kept, shown], list(self._shows)), self._plan)
            released = self._categories.as_shown(released)
            self.formulas.update(formula_cells(released))
            moved = shuffled(released, [self._plan.seed or 0, streams.ORDER, number])
            written.append(self._folder / f"released-{number:06}")
            write_part(released.take(moved), written[-1])
        return written

    def _published(self) -> dict[str, str]:
        """The columns of the release, where they stood, and which column of the table each shows."""
        kept = [name for name in self._table.first.names if name not in self._plan.removed]
        quasi = self._plan.quasi_identifiers
        return {shown: name for name in kept for shown in (self._plan.published(name) if name in quasi else [name])}


def _hashed(shown: Table, seed: int) -> Words:
    """[row] a number that all cells of the row decide; the same on any machine."""
    total = np.zeros(len(shown), dtype=np.uint64)
    for place, name in enumerate(shown.names):
        key = f"{seed} {place}".encode()
        codes, texts = shown.codes(name)  # missing is -1, and takes the last one
        digests = [blake2b(text.encode(), digest_size=8, key=key).digest() for text in [*texts, "\0missing"]]
        total += np.frombuffer(b"".join(digests), dtype="<u8")[codes]
    return total
