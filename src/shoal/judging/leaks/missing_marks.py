# SPDX-License-Identifier: Apache-2.0
"""Text that stands for a missing value: ``?``, ``NA``, ``null``, an empty text.

Taken as text it is a value like any other, so k is counted as if missing were a value of its own, and the other
readings of missing values (``shoal check`` tells k under each) do not see it. Beside truly missing cells there are two
spellings of missing, which split look-alikes: then it is a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.ground.wording import counted
from shoal.judging.leak_search import INFORMATION, WARNING, Leak, LeakScene

MARKS = frozenset(
    ["", "?", "na", "n/a", "nan", "null", "none", "nil", "nat", "missing", "-", "--", ".", "#n/a", "<na>"]
)


def find(scene: LeakScene) -> Iterator[Leak]:
    """Quasi-identifiers with text that means missing."""
    for name in scene.quasi_identifiers:
        cells = scene.cells(name)
        marks = [place for place, text in enumerate(cells.texts) if text.strip().lower() in MARKS]
        rows = int(cells.counts[marks].sum())
        if not rows:
            continue
        several = len(marks) + (cells.present < len(cells.codes)) > 1
        said = (
            f"column {name!r} has {counted(rows, 'cell of text that seems', 'cells of text that seem')} to mean missing"
        )
        said += ", beside others that say it in another way" if several else ""
        todo = "name the mark with --na, so that k is told under every reading of missing values"
        yield Leak("missing_marks", WARNING if several else INFORMATION, said, todo, (name,))
