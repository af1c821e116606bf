# SPDX-License-Identifier: Apache-2.0
"""Boxes in, publishable table out: each row a box, with the private columns of one of the records inside.

The box of a ring's i-th record is the hull of it and the next ``size`` - 1 records; the row publishes it with the
other columns of one of these, its lender. Boxes and records of a ring are paired by one of ``size`` equally likely
pairings, which are mixed by random walks and no two of which give a box the same record (see
:mod:`shoal.engine.kernels.methods.pairing`); so whoever does not know the pairing cannot say more than 1 in ``size``
about which record is whose. That rests on the draw alone: it comes from the operating system unless a seed is given,
and is kept nowhere.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.generalizing.generalize import check_new_names, rendered
from shoal.engine.generalizing.groups import ClassedColumn
from shoal.engine.kernels.methods.pairing import pair_rings
from shoal.ground import streams
from shoal.ground.arrays import Floats, Ints, ShortWords
from shoal.ground.errors import PlanError, listed
from shoal.plan.checks import DEFAULT_RENDER
from shoal.plan.plan import Plan
from shoal.tables.column_types import has_type
from shoal.tables.table import Table

WORDS = 1 << 16
"""Random words that are drawn at a time; more if they are too few for a single ring."""

HULLS = ("interval", "ancestor", "bounds")
"""Renderings that show where a box reaches; a centre or a set would say more than the box."""


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

    def further(self, steps: int) -> Ints:
        """[place] the place that many steps further on in the same ring."""
        lengths = np.diff(self.starts)
        start, length = np.repeat(self.starts[:-1], lengths), np.repeat(lengths, lengths)
        moved: Ints = start + (np.arange(self.starts[-1]) - start + steps) % length
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

    def lenders(self, seed: int | None) -> Ints:
        """[place] the place that lends to it; drawn by the operating system without a seed."""
        rings, places = len(self.starts) - 1, int(self.starts[-1])
        random = None if seed is None else np.random.default_rng([seed, streams.PAIRING])
        if random is None:
            chosen = np.array([secrets.randbelow(self.size) for _ in range(rings)], dtype=np.int64)
        else:
            chosen = random.integers(self.size, size=rings)
        lent, done, many = np.empty(places, dtype=np.int64), 0, WORDS
        while done < rings:
            reached = pair_rings(self.starts, self.size, chosen, _words(random, many), done, lent)
            many = many if reached > done else 2 * many
            done = reached
        return lent


def _words(random: np.random.Generator | None, many: int) -> ShortWords:
    """Random words, of the operating system or repeatable ones."""
    if random is None:
        return np.frombuffer(secrets.token_bytes(4 * many), dtype=np.uint32)
    return random.integers(2**32, size=many, dtype=np.uint32)


# -- publishing --------------------------------------------------------------------------------------------------


def render_boxes(table: Table, encoded: Encoded, order: Ints, boxes: Windows, lenders: Ints, plan: Plan) -> Table:
    """One row per place of the rings: its box, and the other columns of its lender; ``order`` is whose place it is."""
    new: dict[str, Mapping[str, Any]] = {}
    for column in encoded.columns:
        new[column.name] = rendered(_ends(order, boxes, column.written, table), table, plan)
    n = len(table)
    first = {name: {label: cells[:n] for label, cells in shows.items()} for name, shows in new.items()}
    dropped = [name for name in plan.removed if name in table.names]
    lent = table.take(lenders)
    check_new_names(lent, first)
    return lent.without(dropped).replace_columns(first)


def _ends(order: Ints, boxes: Windows, column: EncodedColumn, table: Table) -> ClassedColumn:
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
    return ClassedColumn(thrice, labels, len(points), has_type(table, column.name), table.notation(column.name))


def _absent(column: EncodedColumn) -> NDArray[np.bool_]:
    if column.holes is not None:
        return column.holes
    if column.missing is None:
        return np.zeros(len(column.points), dtype=bool)
    absent: NDArray[np.bool_] = column.points == column.missing
    return absent
