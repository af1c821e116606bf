# SPDX-License-Identifier: Apache-2.0
"""What an attacker could still learn, as far as it costs little to try: without a table of the attacker's own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.attacks import homogeneity, minimality, row_order, skewness
from shoal.attacks._protocol import Attempt, Scene, not_tried
from shoal.errors import ShoalError
from shoal.metrics._protocol import BOXES
from shoal.plan import Plan
from shoal.tables.table import Table

MOST_ROWS = 1_000_000
"""Above it the attacks are left to the command that is made for them."""
ABOUT_PRIVATE_VALUES = (homogeneity, skewness)
ABOUT_ROWS = (minimality, row_order)


def attempts(
    original: Table, tables: Sequence[Table], rows: Sequence[NDArray[np.int64]], plan: Plan, releases: str
) -> tuple[Attempt, ...]:
    """Every cheap attack; one that cannot be tried says why."""
    scene = Scene(tuple(tables), plan, plan.k, rows=tuple(rows), original=original)
    found: list[Attempt] = []
    for attack in (*ABOUT_PRIVATE_VALUES, *ABOUT_ROWS):
        if len(original) > MOST_ROWS:
            found.append(not_tried(attack.NAME, f"not tried in reports on more than {MOST_ROWS:,} rows"))
        elif releases == BOXES and attack in ABOUT_PRIVATE_VALUES:
            found.append(not_tried(attack.NAME, "a box shows the private values of some record in it, not of its own"))
        else:
            found += _tried(attack.NAME, attack.attempt, scene)
    return tuple(found)


def _tried(name: str, attempt: object, scene: Scene) -> list[Attempt]:
    assert callable(attempt)
    try:
        return list(attempt(scene))
    except ShoalError as problem:  # a label or a column that the attack cannot read; the report goes on without it
        return [not_tried(name, f"{problem.what} ({problem.where})")]
