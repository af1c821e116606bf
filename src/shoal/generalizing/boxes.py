# SPDX-License-Identifier: Apache-2.0
"""Boxes in, publishable table out: each row a box, with the private columns of one of the records inside.

The box of a ring's i-th record is the hull of it and the next ``size`` - 1 records; the row publishes it with the
other columns of the record ``shift`` places further on, the same shift for the whole ring. There are ``size`` equally
likely shifts and no two of them give a box the same record, so whoever does not know the shift cannot say more than
1 in ``size`` about which record is whose. That rests on the draw alone: it comes from the operating system unless a
seed is given, and is kept nowhere.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.encoding.encoded import Encoded, EncodedColumn
from shoal.errors import PlanError, listed
from shoal.generalizing.generalize import check_new_names, rendered
from shoal.generalizing.groups import Groups
from shoal.plan import Plan
from shoal.plan_checks import DEFAULT_RENDER
from shoal.roles.roles import IDENTIFIER
from shoal.tables.table import Table

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

HULLS = ("interval", "ancestor", "bounds")
"""Renderings that show where a box reaches; a centre or a set would say more than the box."""
SHIFT_STREAM = 2
"""Number of the random stream of the shifts where a seed is given."""


def check_renderings(plan: Plan) -> None:
    """Refuse renderings that do not show boxes."""
    wrong = [name for name in plan.quasi_identifiers if plan.rendering(name) not in HULLS]
    if wrong:
        raise PlanError(
            "A column of boxes cannot be published that way.",
            where=f"columns {listed(wrong)}",
            allowed=listed([DEFAULT_RENDER, *HULLS]),
            received=listed(f"{name}: {plan.rendering(name)}" for name in wrong),
            todo=f"leave out the rendering, or choose another method than {plan.method!r}",
        )


# -- rings -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Windows:
    """The boxes as runs of places: each begins at its own place and goes on round its ring."""

    starts: Ints
    """Where each ring begins, and at the end the number of places."""
    size: int
    """Places per box."""

    def further(self, steps: Ints | int) -> Ints:
        """[place] the place that many steps further on in the same ring; ``steps`` is one number, or one per ring."""
        lengths = np.diff(self.starts)
        ring = np.repeat(np.arange(len(lengths)), lengths)
        start = self.starts[ring]
        step = np.broadcast_to(np.asarray(steps, dtype=np.int64), len(lengths))[ring]
        moved: Ints = start + (np.arange(self.starts[-1]) - start + step) % lengths[ring]
        return moved

    def smallest(self, values: Floats) -> Floats:
        """[place] the smallest of the values inside its box.

        By doubling: two neighbouring runs make one of twice the length, so log2(size) passes are enough.
        """
        found, covered = values, 1
        run, length = values, 1
        while covered < self.size:
            if (self.size - 1) & length:
                found = np.minimum(found, run[self.further(covered)])
                covered += length
            run, length = np.minimum(run, run[self.further(length)]), 2 * length
        return found

    def largest(self, values: Floats) -> Floats:
        """[place] the largest of the values inside its box."""
        return -self.smallest(-values)

    def shifts(self, seed: int | None) -> Ints:
        """One shift per ring, each of 0 .. size - 1 equally likely; drawn by the operating system without a seed."""
        rings = len(self.starts) - 1
        if seed is None:
            return np.array([secrets.randbelow(self.size) for _ in range(rings)], dtype=np.int64)
        return np.random.default_rng([seed, SHIFT_STREAM]).integers(self.size, size=rings)


# -- publishing --------------------------------------------------------------------------------------------------


def render_boxes(table: Table, encoded: Encoded, order: Ints, boxes: Windows, lenders: Ints, plan: Plan) -> Table:
    """One row per place of the rings: its box, and the other columns of its lender; ``order`` is whose place it is."""
    new: dict[str, Mapping[str, Any]] = {}
    for column in encoded.columns:
        new[column.name] = rendered(_ends(order, boxes, column, table), table, plan)
    n = len(table)
    first = {name: {label: cells[:n] for label, cells in shows.items()} for name, shows in new.items()}
    dropped = [name for name in plan.having(IDENTIFIER) if name in table.names]
    lent = table.take(lenders)
    check_new_names(lent, first)
    return lent.without(dropped).replace_columns(first)


def _ends(order: Ints, boxes: Windows, column: EncodedColumn, table: Table) -> Groups:
    """Every box as a class of three: its smallest and its largest present cell, and a missing one if it has any.

    Where missing matches anything, it neither widens a box nor leaves a gap in its row: a gap would tell that the
    record behind the row is one of those with a missing cell.
    """
    points = column.points[order]
    absent = _absent(column)[order]
    lo = boxes.smallest(np.where(absent, np.inf, points))
    hi = boxes.largest(np.where(absent, -np.inf, points))
    none = np.isinf(lo)
    some = boxes.largest(absent.astype(np.float64)) > 0
    gap = (none if column.holes is not None else some).astype(bool)
    filler = 0.0 if column.missing is None else column.missing
    ends = [np.where(none, filler, lo), np.where(none, filler, hi), np.where(gap, filler, np.where(none, filler, lo))]
    holes = None if column.holes is None else np.concatenate([none, none, none])
    labels = np.tile(np.arange(len(points)), 3)
    thrice = replace(column, points=np.concatenate(ends), holes=holes)
    return Groups(thrice, labels, len(points), not table.untyped, table.decimal)


def _absent(column: EncodedColumn) -> NDArray[np.bool_]:
    if column.holes is not None:
        return column.holes
    if column.missing is None:
        return np.zeros(len(column.points), dtype=bool)
    absent: NDArray[np.bool_] = column.points == column.missing
    return absent
