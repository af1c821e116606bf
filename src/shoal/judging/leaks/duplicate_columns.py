# SPDX-License-Identifier: Apache-2.0
"""Two columns with the same cells.

A copy is published twice but protected once: the next edit generalises one and forgets the other. Constant
columns, and the two bounds of one range, are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.judging.leak_search import WARNING, Leak, LeakScene, quoted


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns that are copies of others."""
    alike: dict[tuple[int, ...], list[str]] = {}
    for name in scene.names:
        counts = scene.cells(name).counts
        if len(counts) > 1:
            alike.setdefault((len(counts), int(counts[0]), int(counts[-1]), int(counts.max())), []).append(name)
    for names in alike.values():
        while names:
            first = names.pop(0)
            copies = [name for name in names if _same(scene, first, name)]
            names[:] = [name for name in names if name not in copies]
            if copies:
                said = f"columns {quoted([first, *copies])} hold the same cells"
                yield Leak("duplicate_columns", WARNING, said, "publish one of them", (first, *copies))


def _same(scene: LeakScene, first: str, second: str) -> bool:
    bounds = (scene.plan.published(name) for name in scene.plan.quasi_identifiers)
    if any(first in pair and second in pair for pair in bounds):
        return False
    one, other = scene.cells(first), scene.cells(second)
    return bool(np.array_equal(one.codes, other.codes)) and one.texts == other.texts
