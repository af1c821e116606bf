# SPDX-License-Identifier: Apache-2.0
"""Sensitive values that occur in one row only.

Whoever learns that a person in the table has a rare disease finds the row by it, and reads the rest of the row: k
look-alikes do not hide a value that nobody shares. A warning for columns of names that otherwise repeat; where numbers,
dates or free text differ in most rows anyway, it is information: the whole column works like a fingerprint.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.ground.wording import counted
from shoal.judging.leak_search import INFORMATION, WARNING, Leak, LeakScene
from shoal.plan.roles import DATE, NUMERIC, SENSITIVE

FEWEST_ROWS = 6


def find(scene: LeakScene) -> Iterator[Leak]:
    """Sensitive columns with values of one row."""
    if len(scene.released) < FEWEST_ROWS:
        return
    for name in scene.having(SENSITIVE):
        cells = scene.cells(name)
        once = int((cells.counts == 1).sum())
        if not once:
            continue
        declared = scene.plan.columns[name].kind if name in scene.plan.columns else None
        counts = (declared or scene.released.natural_kind(name)) in (NUMERIC, DATE)
        repeats = 2 * once <= cells.present and not counts
        occur, give = ("occurs", "it gives") if once == 1 else ("occur", "they give")
        said = f"{counted(once, 'value')} of the sensitive column {name!r} {occur} in one row only, which {give} away"
        todo = "join rare values under a common name, or leave their rows out"
        yield Leak("singular_values", WARNING if repeats else INFORMATION, said, todo, (name,))
