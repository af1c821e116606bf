# SPDX-License-Identifier: Apache-2.0
"""A DataFrame cut into cells: equal records counted, each given codes and a place on the curve, borders set.

Nothing here depends on how rows are spread over partitions: a record is known by what it holds, and so is its cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as fn

from shoal.engine.cells.clustering import Work
from shoal.engine.cells.cutting import LARGER, borders, cell_of, joined
from shoal.faces.spark._columns import ROWS, brought, cell, different, is_nested, named, numbered
from shoal.faces.spark.keeping import Keeping
from shoal.ground.arrays import Ints, Words
from shoal.ground.errors import TableError
from shoal.large.settling import columns_to_digest, settled
from shoal.plan.plan import Plan
from shoal.tables.digest import DifferentCells
from shoal.tables.frames import take_in
from shoal.tables.table import Table

MOST_DIFFERENT = 1_000_000
"""Different values of a column that are known to the driver and to every worker."""
MOST_KEYS = 1_000_000
"""Places on the curve that the driver sets borders by; of more, it sees those that a hash of the place picks."""
SAMPLED = 1_000
"""Rows that the gate looks at."""
KEY, EXACT, CELL = "shoal_key", "shoal_exact", "shoal_cell"
SIGN = np.uint64(1 << 63)
"""Spark's integers have a sign: places are shifted by it, so that their order stays."""


@dataclass(frozen=True, eq=False)
class Layout:
    """What workers know of a table that is cut."""

    names: list[str]
    """The columns that classes depend on."""
    work: Work
    cells: list[int]
    """The numbers of the cells, in the order of the curve."""

    @property
    def values(self) -> list[str]:
        """The columns of the records that hold their cells."""
        return numbered("c", self.names)

    @property
    def codes(self) -> list[str]:
        """The columns that hold their codes."""
        return numbered("k", self.names)

    @property
    def shown(self) -> dict[str, str]:
        """The short name of each published column."""
        names = self.work.plan.published_quasi_identifiers
        return dict(zip(names, numbered("s", names)))


@dataclass(frozen=True, eq=False)
class Cut:
    """A table whose records have their cells."""

    layout: Layout
    records: Any
    """One row for each different record, with its codes, its cell and how many rows have it: ``shoal_rows``, and beyond
    them ``shoal_exact`` that need no company."""
    rows: int
    warnings: tuple[str, ...]


def cut(frame: Any, asked: Plan, keeping: Keeping) -> Cut:
    """Count, settle and cut."""
    names = columns_to_digest(asked, list(frame.columns))
    short = numbered("c", names)
    cells = [cell(frame, name).alias(place) for name, place in zip(names, short)]
    counted = frame.select(*cells).groupBy(*short).agg(fn.count(fn.lit(1)).alias(ROWS)) if names else frame.limit(0)
    records = keeping.kept(counted, "records")
    facts = {name: _known(records, place, name) for name, place in zip(names, short)}
    found = settled(facts, _sample(frame), asked)
    coded = keeping.kept(_coded(records, names, facts, found.work), "codes")
    cuts = borders(*_places(coded), found.work.plan.cell_rows or 1, LARGER * found.work.requirement.size)
    placed = coded.withColumn(CELL, _cell(cuts))
    first = _together(placed, names, found.work, len(cuts) + 1)
    rows = int(next(iter(facts.values())).rows.sum())
    if (first != np.arange(len(first))).any():
        placed = placed.withColumn(CELL, fn.element_at(fn.lit(first.tolist()), fn.col(CELL) + 1))
    return Cut(Layout(names, found.work, np.unique(first).tolist()), placed, rows, found.warnings)


def _known(records: Any, place: str, name: str) -> DifferentCells:
    found = different(records, place, name, MOST_DIFFERENT)
    if found is None:
        raise TableError(
            "The column has too many different values.",
            where=f"column {name!r}",
            allowed=f"at most {MOST_DIFFERENT:,} different values, which every worker can hold",
            received="more",
            todo="round its numbers, shorten its times to days, or leave it out if it is no quasi-identifier",
        )
    return found


def _sample(frame: Any) -> Table:
    """Some rows, the same however often they are asked for."""
    plain = [named(name) for name in frame.columns if not is_nested(frame, name)]
    return brought(frame.orderBy(fn.xxhash64(*plain), *plain).limit(SAMPLED))


def _coded(records: Any, names: list[str], facts: dict[str, DifferentCells], work: Work) -> Any:
    """The records with codes and places; copies beyond all need of others are counted apart."""
    short, codes = numbered("c", names), numbered("k", names)
    places = [names.index(name) for name in work.plan.quasi_identifiers]
    enough = LARGER * work.requirement.size
    kept = fn.least(fn.col(ROWS), fn.lit(enough)) if not work.requirement.rules else fn.col(ROWS)
    kept = fn.when(fn.col(ROWS) - kept >= work.requirement.size, kept).otherwise(fn.col(ROWS))

    def code(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            frame = take_in(pa.Table.from_batches([batch.select(short)])).table.frame
            found = [facts[name].codes(frame.get_column(place)) for name, place in zip(names, short)]
            keys = (work.atlas.curve.keys([found[place] for place in places]) ^ SIGN).view(np.int64)
            arrays = [*batch.columns, *(pa.array(one.astype(np.int32)) for one in found), pa.array(keys)]
            yield pa.RecordBatch.from_arrays(arrays, names=[*batch.schema.names, *codes, KEY])

    kinds = [f"{field.name} {field.dataType.simpleString()}" for field in records.schema]
    kinds += [*(f"{name} int" for name in codes), f"{KEY} long"]
    coded = records.mapInArrow(code, ", ".join(kinds))
    return coded.withColumn(EXACT, fn.col(ROWS) - kept).withColumn(ROWS, fn.col(ROWS) - fn.col(EXACT))


def _places(coded: Any) -> tuple[Words, Ints]:
    """The places on the curve, ascending, with their rows; of too many, those that a hash picks, as all would be."""
    keys = coded.groupBy(KEY).agg(fn.sum(ROWS).alias(ROWS))
    times = -(-keys.count() // MOST_KEYS)
    if times > 1:
        keys = keys.where(fn.pmod(fn.xxhash64(KEY), fn.lit(times)) == 0)
    found = brought(keys).frame.sort(KEY)
    places = found.get_column(KEY).to_numpy().view(np.uint64) ^ SIGN
    return places, found.get_column(ROWS).to_numpy() * max(times, 1)


def _cell(cuts: Words) -> Any:
    """The cell of a place."""
    return _scalar(lambda keys: cell_of(keys.view(np.uint64) ^ SIGN, cuts).astype(np.int32), "int")(fn.col(KEY))


def _scalar(work: Any, kind: str) -> Any:
    def one_column(given: pa.Array) -> pa.Array:
        return pa.array(work(given.to_numpy(zero_copy_only=False)))

    one_column.__annotations__ = {"given": pa.Array, "return": pa.Array}
    return fn.arrow_udf(one_column, kind)


def _together(placed: Any, names: list[str], work: Work, cells: int) -> Ints:
    """[cell] the first of those that are worked on together: exact counts decide, whatever the borders were set by."""
    least = LARGER * work.requirement.size
    sizes = np.zeros(cells, dtype=np.int64)
    found = brought(placed.groupBy(CELL).agg(fn.sum(ROWS).alias(ROWS))).frame
    sizes[found.get_column(CELL).to_numpy()] = found.get_column(ROWS).to_numpy()
    counts = []
    for rule in work.requirement.rules:
        code = numbered("k", names)[names.index(rule.column)]
        held = brought(placed.groupBy(CELL, code).agg(fn.sum(ROWS).alias(ROWS))).frame
        table = np.zeros((cells, int(rule.codes.max()) + 1), dtype=np.int64)
        at = held.get_column(CELL).to_numpy(), rule.codes[held.get_column(code).to_numpy()]
        np.add.at(table, at, held.get_column(ROWS).to_numpy())
        counts.append(table)
    first = joined(counts, sizes, work.requirement) if counts else np.arange(cells)
    return large_enough(first, sizes, least)


def large_enough(first: Ints, sizes: Ints, least: int) -> Ints:
    """The same, where cells that are too small take in the next ones; the last ones join those before them.

    >>> large_enough(np.array([0, 1, 2, 3]), np.array([9, 2, 9, 1]), 5).tolist()
    [0, 1, 1, 1]
    """
    chosen, begun, held = first.copy(), -1, least
    for place in range(len(first)):
        if first[place] == place and held >= least:
            begun, held = place, 0
        chosen[place], held = begun, held + int(sizes[place])
    if held < least and begun > 0:
        chosen[begun:] = chosen[begun - 1]
    return chosen
