# SPDX-License-Identifier: Apache-2.0
"""Cells that say the same but are stored differently: ``5`` and `` 5``, 1 and 1.0, NaN and missing, 0.0 and -0.0.

Most programs show such cells alike, but somebody who looks at the file itself tells them apart: one bit per cell is
enough to mark every row. In quasi-identifiers they count as different labels, so that k falls; in other columns it is
a warning. What is looked at depends on the format, see ``docs/checking.md``.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.ground.wording import counted
from shoal.judging.leak_search import WARNING, Leak, LeakScene


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns in which the way a cell is written tells more than its value."""
    for name, rows in scene.released.variants.items():
        cells = counted(rows, "cell that is", "cells that are")
        said = f"column {name!r} has {cells} written in another way than cells of the same value"
        todo = "write each value in one way: the same blanks, quotes, digits and mark for missing"
        yield Leak("byte_variants", WARNING, said, todo, (name,))
