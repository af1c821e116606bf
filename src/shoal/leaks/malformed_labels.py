# SPDX-License-Identifier: Apache-2.0
"""Labels that are broken: ``[39, 35]``, ``[35, 39``, a lower bound above the upper one.

Nobody can say what such a cell stands for, so nobody can say who it hides. Looked at are quasi-identifiers in which at
least half of the labels are ranges or numbers, and pairs of bounds.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.errors import TableError
from shoal.leaks._labels import looks_like_a_range, span_of
from shoal.leaks._protocol import WARNING, Leak, Scene
from shoal.roles.roles import RANGE_KINDS

ADVICE = "mend the labels, or make the release again"


def find(scene: Scene) -> Iterator[Leak]:
    """Columns with labels that cannot be meant."""
    for name in scene.plan.quasi_identifiers:
        shown = scene.plan.published(name)
        if not set(shown) <= set(scene.names):
            continue
        broken = _reversed(scene, *shown) if len(shown) == 2 else _unreadable(scene, name)
        if broken:
            said = f"column {name!r} has {broken} rows with a range that cannot be read, or that ends before it begins"
            yield Leak("malformed_labels", WARNING, said, ADVICE, (name,))


def _unreadable(scene: Scene, name: str) -> int:
    """Rows with a broken range in a column of ranges."""
    cells = scene.cells(name)
    read = [span_of(label.strip(), scene.released.decimal) is not None for label in cells.texts]
    declared = scene.plan.columns[name].kind if name in scene.plan.columns else None
    if 2 * sum(read) < len(read) or declared not in (None, *RANGE_KINDS):
        return 0
    bad = [not fine and looks_like_a_range(label) for fine, label in zip(read, cells.texts)]
    return int(cells.counts[np.array(bad, dtype=bool)].sum())


def _reversed(scene: Scene, low: str, high: str) -> int:
    """Rows with bounds the wrong way round, or with one of the two alone."""
    try:
        first, last = scene.released.numbers(low).values, scene.released.numbers(high).values
    except TableError:
        return 0
    return int(((first > last) | (np.isnan(first) != np.isnan(last))).sum())
