# SPDX-License-Identifier: Apache-2.0
"""What holds for a table of boxes: (k,k)-anonymity, and how well a box hides which record lends it its private columns.

The records lie in rings. A box is said to hold its own record and those that follow it in the ring; here this is not
believed but counted, on the cells that are published and the values of the original:

* every box allows at least k records, so a row cannot be pinned to fewer than k people;
* every record is allowed by at least k boxes, so a person cannot be pinned to fewer than k rows;
* row and lender are the same number of places apart in the whole ring, 0 to k - 1. For each such number the ring has
  exactly one way to pair boxes and records, and no pair occurs in two of them: with all k equally likely and unknown,
  each of the k records of a box is its lender with probability 1/k.

That the number was drawn evenly and is not known to the attacker cannot be seen in a table; it is said as a condition.

Paper: W. K. Wong, N. Mamoulis, D. W. Cheung, Non-homogeneous generalization in privacy preserving data publishing,
SIGMOD 2010.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.privacy_models._protocol import Finding

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Allows = Callable[[Ints], Flags]
"""(an original row for each released row) -> whether the released row allows it."""

BLOCK = 10_000_000
"""Cells that are looked at together."""


@dataclass(frozen=True)
class Rings:
    """Whose row is whose, in plain arrays; known to the custodian alone."""

    order: Ints
    """All original rows, ring after ring, each ring in its cyclic order."""
    starts: Ints
    """Where each ring begins in ``order``, and at the end the number of rows."""
    places: Ints
    """[released row] its place in ``order``."""
    lenders: Ints
    """[released row] the original row whose private columns it shows."""

    def further(self, steps: int) -> Ints:
        """[released row] the original row that many places further on in its ring."""
        ring = np.searchsorted(self.starts, self.places, side="right") - 1
        start = self.starts[ring]
        length = self.starts[ring + 1] - start
        return self.order[start + (self.places - start + steps) % length]


def well_formed(rings: Rings, rows: int) -> bool:
    """Whether every original row stands in exactly one ring, and every place and every lender is used once."""
    every = np.arange(rows)
    whole = all(
        len(one) == rows and np.array_equal(np.sort(one), every) for one in (rings.order, rings.places, rings.lenders)
    )
    starts = rings.starts
    return whole and starts[0] == 0 and starts[-1] == rows and bool((np.diff(starts) > 0).all())


def counts(rings: Rings, k: int, allows: Allows) -> tuple[Ints, Ints]:
    """How many of the k records of its ring each released row allows, and by how many rows each record is allowed.

    A ring shorter than k is walked round once, so that no record is counted twice.
    """
    ring = np.searchsorted(rings.starts, rings.places, side="right") - 1
    length = np.diff(rings.starts)[ring]
    per_row = np.zeros(len(rings.places), dtype=np.int64)
    per_record = np.zeros(len(rings.places), dtype=np.int64)
    for step in range(k):
        records = rings.further(step)
        inside = allows(records) & (step < length)
        per_row += inside
        per_record += np.bincount(records[inside], minlength=len(per_record))
    return per_row, per_record


def check_fit(k: int, per_row: Ints, per_record: Ints) -> Finding:
    """(k,k)-anonymity from the counts."""
    rows, records = int((per_row < k).sum()), int((per_record < k).sum())
    figures = {
        "k": k,
        "records_per_box": int(per_row.min()),
        "boxes_per_record": int(per_record.min()),
        "boxes_below_k": rows,
        "records_below_k": records,
    }
    said = f"every box fits at least {k} records, and every record fits at least {k} boxes"
    if rows or records:
        said = f"{rows} boxes fit fewer than {k} records, and {records} records fit fewer than {k} boxes"
    return Finding("boxes", not rows and not records, said, figures)


def check_lenders(rings: Rings, k: int) -> Finding:
    """Whether each ring pairs boxes and records by one shift of 0 to k - 1 places."""
    n = len(rings.order)
    place_of = np.empty(n, dtype=np.int64)
    place_of[rings.order] = np.arange(n)
    ring = np.searchsorted(rings.starts, rings.places, side="right") - 1
    length = np.diff(rings.starts)[ring]
    lent = place_of[rings.lenders]
    same_ring = np.searchsorted(rings.starts, lent, side="right") - 1 == ring
    shift = (lent - rings.places) % length
    first = np.full(len(rings.starts) - 1, n)
    np.minimum.at(first, ring, shift)
    fits = same_ring & (shift == first[ring]) & (shift < k)
    wrong = int((~fits).sum())
    figures = {"rings": len(rings.starts) - 1, "smallest_ring": int(length.min()), "rows_out_of_step": wrong}
    said = (
        f"each of the {k} records of a box is equally likely to be the one behind its row: 1 in {k}, if the shift of "
        f"each of the {figures['rings']} rings is drawn evenly and stays unknown"
    )
    if wrong:
        said = f"{wrong} rows show the private columns of a record that their ring does not pair them with"
    return Finding("lenders", not wrong, said, figures)


def private_values(rings: Rings, k: int, value_of: Ints) -> Ints:
    """[released row] how many different private values its k records have."""
    n = len(rings.places)
    found = np.empty(n, dtype=np.int64)
    block = max(1, BLOCK // k)
    for start in range(0, n, block):
        part = Rings(
            rings.order, rings.starts, rings.places[start : start + block], rings.lenders[start : start + block]
        )
        values = np.sort(np.column_stack([value_of[part.further(step)] for step in range(k)]), axis=1)
        found[start : start + block] = 1 + (np.diff(values, axis=1) != 0).sum(axis=1)
    return found
