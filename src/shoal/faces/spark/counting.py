# SPDX-License-Identifier: Apache-2.0
"""A DataFrame whose rows Spark counts; see :mod:`shoal.judging.by_counts`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as fn

from shoal.faces.spark._columns import ROWS, brought, cell, different, numbered
from shoal.judging.by_counts import Sizes, tallied
from shoal.judging.tallying import ClassTally, Question
from shoal.tables.digest import DifferentCells
from shoal.tables.frames import take_in

HELD = "shoal_held"
TALLY = "question int, worst array<double>, classes long, rows long, broken long, rows_broken long"


@dataclass(frozen=True)
class SparkCounting:
    """A DataFrame, released or not."""

    frame: Any
    place: str = "Spark"
    untyped: bool = False

    @property
    def names(self) -> Sequence[str]:
        """Its columns."""
        return list(self.frame.columns)

    def sizes(self, alike: Sequence[str]) -> Sizes:
        """Count classes, then count the classes of each size."""
        classes = self._counted(alike)
        found = brought(classes.groupBy(ROWS).agg(fn.count(fn.lit(1)).alias("classes"))).frame
        return Sizes(found.get_column(ROWS).to_numpy(), found.get_column("classes").to_numpy())

    def different(self, name: str, most: int) -> DifferentCells | None:
        """The different cells of a column with their rows."""
        return different(self._counted([name]), numbered("c", [name])[0], name, most)

    def tallies(
        self, alike: Sequence[str], private: Mapping[str, DifferentCells], questions: Sequence[Question]
    ) -> list[tuple[ClassTally, ...]]:
        """One row per class, with all that it holds, is judged where it is; only the tallies of batches come back."""
        places = numbered("c", [*alike, *private])
        classes, values = places[: len(alike)], places[len(alike) :]
        held = fn.collect_list(fn.struct(*values, ROWS)).alias(HELD)
        by_class = self._counted([*alike, *private]).groupBy(*classes).agg(held).select(HELD)
        renamed = dict(zip(values, private))

        def judge(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                yield from _tally_rows(batch.column(0), renamed, private, questions)

        parts: list[list[ClassTally]] = [[] for _ in questions]
        for row in by_class.mapInArrow(judge, TALLY).collect():
            place, worst, *counts = row
            parts[place].append(ClassTally(dict(zip(questions[place].columns, worst)), *counts))
        return list(zip(*parts))

    def _counted(self, names: Sequence[str]) -> Any:
        """The different records of some columns, under short names, and how many rows have each."""
        short = numbered("c", names)
        cells = [cell(self.frame, name).alias(place) for name, place in zip(names, short)]
        return self.frame.select(*cells).groupBy(*short).agg(fn.count(fn.lit(1)).alias(ROWS))


def _tally_rows(
    held: pa.ListArray,
    renamed: Mapping[str, str],
    private: Mapping[str, DifferentCells],
    questions: Sequence[Question],
) -> Iterator[pa.RecordBatch]:
    """What all questions say of a batch of classes, as rows of TALLY."""
    if not len(held):
        return
    owner = np.repeat(np.arange(len(held)), np.diff(held.offsets.to_numpy()))
    columns = pa.Table.from_struct_array(held.flatten())
    rows = columns.column(ROWS).to_numpy()
    cells = take_in(columns.drop_columns([ROWS]).rename_columns([renamed[one] for one in columns.column_names[:-1]]))
    for place, one in enumerate(tallied(questions, private, owner, cells.table, rows)):
        row = {"question": place, "worst": list(one.worst.values())}
        row |= {name: getattr(one, name) for name in ("classes", "rows", "broken", "rows_broken")}
        yield pa.RecordBatch.from_pylist([row], schema=_TALLY)


_TALLY = pa.schema(
    [
        ("question", pa.int32()),
        ("worst", pa.list_(pa.float64())),
        *((name, pa.int64()) for name in ("classes", "rows", "broken", "rows_broken")),
    ]
)
