# SPDX-License-Identifier: Apache-2.0
"""Cells to labels: classes are made in each cell by itself, mended over shifted cells, and told record by record.

A record is a row of the counted table. Whatever comes back says how many of its rows are in which class; the rows of a
record differ in nothing that classes depend on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as fn
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from shoal.engine.cells.clustering import CellRecords, cluster_cell, mend_shifted, published
from shoal.engine.cells.cutting import halves
from shoal.faces.spark._columns import ROWS, arrow_columns
from shoal.faces.spark.cutting import CELL, EXACT, KEY, SIGN, Cut, Layout
from shoal.faces.spark.keeping import Keeping
from shoal.ground.arrays import Ints
from shoal.ground.progress import Progress

CLASS, SHIFTED = "shoal_class", "shoal_shifted"
WAVES = 10
"""Parts in which cells are worked on if somebody wants to be told how far they are."""

MOST_TASKS = 2_000
"""Tasks in one wave; each clusters a cell or a few."""

Worked = Callable[[Any, pa.Table], pa.Table]


def labelled(cut: Cut, keeping: Keeping, progress: Progress, waves: int) -> Any:
    """For every record what its rows publish: a row for each different set of labels, with the number of its rows."""
    progress.phase("cluster")
    layout = cut.layout
    if not layout.work.searched:
        return _in_waves(cut.records, layout.cells, CELL, _published_at_once(cut), keeping, "labels", progress, waves)
    classes = _in_waves(cut.records, layout.cells, CELL, _classes(cut), keeping, "classes", progress, waves)
    progress.phase("refine")
    shifted = [row[0] for row in classes.select(SHIFTED).distinct().orderBy(SHIFTED).collect()]
    return _in_waves(classes, shifted, SHIFTED, _mended(cut), keeping, "labels", progress, waves)


def _in_waves(
    records: Any,
    cells: list[int],
    by: str,
    worked: tuple[Worked, pa.Schema],
    keeping: Keeping,
    step: str,
    progress: Progress,
    waves: int,
) -> Any:
    """The work on all cells, some of them at a time, each kept when it is done."""
    work, schema = worked
    kept = None
    parts = np.array_split(np.array(cells), min(waves, len(cells)) or 1)
    done = 0
    for number, part in enumerate(parts):
        chosen = records.where(fn.col(by).between(int(part[0]), int(part[-1]))) if len(parts) > 1 else records
        spread = chosen.repartition(min(len(part), MOST_TASKS) or 1, by)  # by bytes alone, Spark would take one task
        made = keeping.kept(spread.groupBy(by).applyInArrow(work, from_arrow_schema(schema)), step, number)
        kept = made if kept is None else kept.unionAll(made)
        done += len(part)
        progress(done, len(cells))
    return kept


def _classes(cut: Cut) -> tuple[Worked, pa.Schema]:
    """Classes inside a cell; each goes on to the lower or the upper of the two cells that are shifted by half."""
    layout = cut.layout
    schema = pa.schema([*_schema_of(cut), (CLASS, pa.int64()), (SHIFTED, pa.int32())])
    next_cell = dict(zip(layout.cells, [*layout.cells[1:], layout.cells[-1] + 1]))

    def work(key: Any, table: pa.Table) -> pa.Table:
        cell = int(key[0].as_py())
        rows, records = _expanded(layout, table)
        labels = cluster_cell(layout.work, cell, records)
        upper = halves(records.keys, labels)
        row, label, many = _collapsed(rows, labels)
        side = np.zeros(int(labels.max()) + 1, dtype=np.int64)
        side[labels] = upper
        shifted = np.where(side[label] == 1, next_cell[cell], cell).astype(np.int32)
        exact = _first_only(row, table.column(EXACT).to_numpy())
        made = {name: table.column(name).take(pa.array(row)) for name in table.column_names if name != CELL}
        return arrow_columns(made | {ROWS: many, EXACT: exact, CLASS: label + (cell << 32), SHIFTED: shifted}, schema)

    return work, schema


def _mended(cut: Cut) -> tuple[Worked, pa.Schema]:
    """The search over a shifted cell, and what its classes publish."""
    publish, schema = _publisher(cut)
    layout = cut.layout

    def work(key: Any, table: pa.Table) -> pa.Table:
        rows, records = _expanded(layout, table)
        given = table.column(CLASS).to_numpy()[rows]
        return publish(table, rows, records, mend_shifted(layout.work, int(key[0].as_py()), records, given))

    return work, schema


def _published_at_once(cut: Cut) -> tuple[Worked, pa.Schema]:
    """Classes inside a cell and what they publish, for methods that no search follows."""
    publish, schema = _publisher(cut)
    layout = cut.layout

    def work(key: Any, table: pa.Table) -> pa.Table:
        rows, records = _expanded(layout, table)
        return publish(table, rows, records, cluster_cell(layout.work, int(key[0].as_py()), records))

    return work, schema


def _publisher(cut: Cut) -> tuple[Callable[[pa.Table, Ints, CellRecords, Ints], pa.Table], pa.Schema]:
    layout, shown, quasi = cut.layout, cut.layout.shown, _quasi_codes(cut.layout)
    schema = pa.schema([*_values_of(cut), *_label_fields(layout), pa.field(ROWS, pa.int64())])

    def publish(table: pa.Table, rows: Ints, records: CellRecords, labels: Ints) -> pa.Table:
        row, label, many = _collapsed(rows, labels)
        alone = np.flatnonzero(table.column(EXACT).to_numpy() > 0)
        row = np.concatenate([row, alone])
        label = np.concatenate([label, int(labels.max()) + 1 + np.arange(len(alone))])
        many = np.concatenate([many, table.column(EXACT).to_numpy()[alone]])
        codes = [table.column(name).to_numpy()[row].astype(np.uint32) for name in quasi]
        cells = {name: one for made in published(layout.work, codes, label).values() for name, one in made.items()}
        values = {name: table.column(name).take(pa.array(row)) for name in layout.values}
        return arrow_columns(values | {shown[name]: one for name, one in cells.items()} | {ROWS: many}, schema)

    return publish, schema


def _expanded(layout: Layout, table: pa.Table) -> tuple[Ints, CellRecords]:
    """The rows of a group, each record as often as it counts, in an order that only their content decides."""
    columns = {name: table.column(name).to_numpy() for name in (*layout.codes, KEY, ROWS)}
    last = [table.column(CLASS).to_numpy()] if CLASS in table.column_names else []
    order = np.lexsort((*last, *(columns[name] for name in reversed(layout.codes)), columns[KEY]))
    rows = np.repeat(order, columns[ROWS][order])
    codes = dict(zip(layout.names, (columns[name][rows].astype(np.uint32) for name in layout.codes)))
    keys = columns[KEY][rows].view(np.uint64) ^ SIGN
    private = {name: codes[name] for name in layout.work.private}
    return rows, CellRecords(keys, [codes[name] for name in layout.work.plan.quasi_identifiers], private)


def _collapsed(rows: Ints, labels: Ints) -> tuple[Ints, Ints, Ints]:
    """The different pairs of a record and a class, and how many rows each has."""
    classes = int(labels.max()) + 1
    pairs, many = np.unique(rows * classes + labels, return_counts=True)
    return pairs // classes, pairs % classes, many.astype(np.int64)


def _first_only(rows: Ints, counts: Ints) -> Ints:
    """Counts of records that may now stand in several rows, in the first of which they are told."""
    first = np.diff(rows, prepend=-1) != 0
    return np.where(first, counts[rows], 0).astype(np.int64)


def _quasi_codes(layout: Layout) -> list[str]:
    return [layout.codes[layout.names.index(name)] for name in layout.work.plan.quasi_identifiers]


def _schema_of(cut: Cut) -> pa.Schema:
    layout = cut.layout
    return to_arrow_schema(cut.records.select(*layout.values, *layout.codes, KEY, ROWS, EXACT).schema, timezone="UTC")


def _values_of(cut: Cut) -> list[pa.Field]:
    return list(to_arrow_schema(cut.records.select(*cut.layout.values).schema, timezone="UTC"))


def _label_fields(layout: Layout) -> list[pa.Field]:
    """The types of what is published, found by publishing the first records of the digest."""
    first = np.zeros(1, dtype=np.uint32)
    made = published(layout.work, [first] * len(layout.work.plan.quasi_identifiers), first.astype(np.int64))
    cells = {name: one for column in made.values() for name, one in column.items()}
    return [pa.field(layout.shown[name], _plain_type(one.to_arrow().type)) for name, one in cells.items()]


def _plain_type(kind: pa.DataType) -> pa.DataType:
    """The type as Spark has it: one kind of text, no categories."""
    if pa.types.is_null(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return pa.string()
    return _plain_type(kind.value_type) if pa.types.is_dictionary(kind) else kind
