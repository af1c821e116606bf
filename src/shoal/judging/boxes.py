# SPDX-License-Identifier: Apache-2.0
"""What holds for a table of boxes: (k,k)-anonymity, and how well a box hides which record lends it its private columns.

The records lie in rings. A box is said to hold its own record and those that follow it in the ring; here this is not
believed but counted, on the cells that are published and the values of the original:

* every box allows at least k records, so a row cannot be pinned to fewer than k people;
* every record is allowed by at least k boxes, so a person cannot be pinned to fewer than k rows;
* the lender of a row is one of the k records of its box, and every record lends once. All pairs of a box and one of its
  records can be dealt out to k such pairings of the ring, no pair in two of them: with all k equally likely and
  unknown, each of the k records of a box is its lender with probability 1/k.

That the pairing was drawn so and is not known to the attacker cannot be seen in a table; it is said as a condition.

Paper: W. K. Wong, N. Mamoulis, D. W. Cheung, Non-homogeneous generalization in privacy preserving data publishing,
SIGMOD 2010.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.ground.arrays import Flags, Ints
from shoal.judging.checking import given_table, removed_columns_gone, require_quasi_identifiers, verdict_of
from shoal.judging.evidence import Evidence
from shoal.judging.labels.reach import reach_of
from shoal.judging.leak_search import LeakScene, find_leaks
from shoal.judging.verdicts import Finding, Verdict
from shoal.plan.plan import Plan, load_hierarchies
from shoal.tables.table import Table

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
    """Whether every row shows the private columns of one of the k records of its box."""
    n = len(rings.order)
    place_of = np.empty(n, dtype=np.int64)
    place_of[rings.order] = np.arange(n)
    ring = np.searchsorted(rings.starts, rings.places, side="right") - 1
    length = np.diff(rings.starts)[ring]
    lent = place_of[rings.lenders]
    same_ring = np.searchsorted(rings.starts, lent, side="right") - 1 == ring
    wrong = int((~same_ring | ((lent - rings.places) % length >= k)).sum())
    figures = {"rings": len(rings.starts) - 1, "smallest_ring": int(length.min()), "rows_out_of_box": wrong}
    said = (
        f"each of the {k} records of a box is equally likely to be the one behind its row: 1 in {k}, if the pairing of "
        f"each of the {figures['rings']} rings is drawn evenly from {k} without a common pair and stays unknown"
    )
    if wrong:
        said = f"{wrong} rows show the private columns of a record that is not one of the {k} of their box"
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


def check_boxes(
    released: Any,
    plan: Plan,
    original: Table | None = None,
    rings: Rings | None = None,
    *,
    files: Sequence[Path] = (),
    allow: Iterable[str] = (),
) -> Verdict:
    """Judge a table of boxes: (k,k)-anonymity, and the pairing of rows and records.

    Without the original (its quasi-identifiers are enough) and the rings, which only the maker knows, neither can be
    judged, and the verdict says so.
    """
    table = given_table(released, plan)
    require_quasi_identifiers(table, plan)
    plan = load_hierarchies(plan)
    if original is None or rings is None:
        said = "(k,k) was measured when the release was made, and cannot be from the boxes without the original"
        findings = [Finding("boxes", None, said, judged=False)]
    else:
        findings = _fitting(table, plan, original, rings)
    leaks = find_leaks(LeakScene(table, plan, files=tuple(files), by_sight=False), allow)
    return verdict_of([*findings, *removed_columns_gone(table.names, plan)], leaks)


def _fitting(table: Table, plan: Plan, original: Table, rings: Rings) -> list[Finding]:
    evidence = Evidence(original, table, plan)
    reaches = [reach_of(evidence, name) for name in plan.quasi_identifiers]
    problems = [reach.problem for reach in reaches if reach.problem]
    if not well_formed(rings, len(original)) or len(table) != len(original):
        problems.append("the rings do not fit the tables")
    if problems:
        return [Finding("boxes", False, "; ".join(problems))]
    wildcard = plan.missing == "wildcard"

    def allows(records: Ints) -> Flags:
        inside: Flags = np.all([reach.holds(records, wildcard) for reach in reaches], axis=0)
        return inside

    return [check_fit(plan.k, *counts(rings, plan.k, allows)), check_lenders(rings, plan.k)]


def row_losses(original: Table, released: Table, plan: Plan) -> NDArray[np.float64]:
    """Loss per cell of every released row: its mean share of ranges and leaves; NaN where a cell cannot be read."""
    evidence = Evidence(original, released, load_hierarchies(plan))
    reaches = [reach_of(evidence, name) for name in plan.quasi_identifiers]
    if any(reach.problem for reach in reaches):
        return np.full(len(released), math.nan)
    losses: NDArray[np.float64] = np.mean([reach.shares for reach in reaches], axis=0)
    return losses
