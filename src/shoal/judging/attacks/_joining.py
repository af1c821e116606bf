# SPDX-License-Identifier: Apache-2.0
"""Sub-tables put together again, row by row: by a key that was left in, by their order, or by the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from shoal.ground.arrays import Ints
from shoal.judging.attempts import Scene
from shoal.tables.equivalence_classes import classes
from shoal.tables.row_marks import tells_rows_apart
from shoal.tables.row_order import sorted_rows
from shoal.tables.table import Table
from shoal.tables.together import side_by_side, stacked

KEY, ORDER, TRUTH = "key", "order", "truth"


@dataclass(frozen=True)
class Joined:
    """All sub-tables as one table, and what put them together."""

    scene: Scene
    how: str
    """``key``, ``order`` or ``truth``."""
    key: str = ""


def joined(scene: Scene) -> Joined | None:
    """The sub-tables as one table; None if nothing that is published links their rows, nor is the truth known."""
    tables = scene.tables
    if len({len(table) for table in tables}) > 1:
        return None
    key = next((name for name in shared_columns(scene) if _is_key(tables, name)), "")
    if key:
        return Joined(_put_together(scene, [sorted_rows(table.select([key])) for table in tables]), KEY, key)
    if _same_order(scene):
        return Joined(_put_together(scene, [np.arange(len(table)) for table in tables]), ORDER)
    if scene.rows is not None and all((np.sort(rows) == np.arange(len(rows))).all() for rows in scene.rows):
        return Joined(_put_together(scene, [np.argsort(rows, kind="stable") for rows in scene.rows]), TRUTH)
    return None


def shared_columns(scene: Scene) -> list[str]:
    """Columns that stand in every table and are not generalised."""
    hidden = set(scene.plan.published_quasi_identifiers)
    return [
        name
        for name in scene.tables[0].names
        if name not in hidden and all(name in table.names for table in scene.tables)
    ]


def _is_key(tables: Sequence[Table], name: str) -> bool:
    """Whether a column tells the rows of every table apart, with the same values in all of them."""
    if not all(tells_rows_apart(table, name) and not table.missing(name).any() for table in tables):
        return False
    first = set(tables[0].codes(name)[1])
    return all(set(table.codes(name)[1]) == first for table in tables[1:])


def _same_order(scene: Scene) -> bool:
    """Whether the shared columns agree row by row, other than by being sorted."""
    names = shared_columns(scene)
    if not names:
        return False
    cells = numbered_alike(scene.tables, names)
    runs = 1 + int((np.diff(cells[0]) != 0).sum())
    return all(np.array_equal(one, cells[0]) for one in cells[1:]) and runs > len(np.unique(cells[0]))


def numbered_alike(tables: Sequence[Table], names: Sequence[str]) -> list[Ints]:
    """[table][row] number of the combination of cells in some columns, the same number for the same cells."""
    ends = np.cumsum([len(table) for table in tables])
    return np.split(classes(stacked(tables, names), names), ends[:-1])


def _put_together(scene: Scene, orders: Sequence[Ints]) -> Scene:
    tables = [table.take(order) for table, order in zip(scene.tables, orders, strict=True)]
    names = list(dict.fromkeys(name for table in tables for name in table.names))
    rows = None if scene.rows is None else (scene.rows[0][orders[0]],)
    return replace(scene, tables=(side_by_side(tables, names),), rows=rows, read={})
