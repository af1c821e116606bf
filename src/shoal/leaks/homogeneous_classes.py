# SPDX-License-Identifier: Apache-2.0
"""Classes in which every row has the same sensitive value.

Whoever finds the class of a person then knows the value, whichever of the k rows is theirs. k-anonymity promises
nothing about it, so it is information; to promise it away, ask for l-diversity.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.leaks._protocol import INFORMATION, Leak, Scene
from shoal.roles.roles import SENSITIVE


def find(scene: Scene) -> Iterator[Leak]:
    """Sensitive columns that some classes disclose."""
    if scene.classes is None or not len(scene.released):
        return
    order, sizes = np.argsort(scene.classes, kind="stable"), np.bincount(scene.classes)
    begin = np.cumsum(sizes) - sizes
    for name in scene.having(SENSITIVE):
        cells = scene.cells(name)
        if cells.different < 2:
            continue
        values = cells.groups[order]
        alone = np.minimum.reduceat(values, begin) == np.maximum.reduceat(values, begin)
        if alone.any():
            rows = int(sizes[alone].sum())
            said = f"{rows} rows are in classes whose rows all have one value of {name!r}, which discloses it"
            yield Leak("homogeneous_classes", INFORMATION, said, "ask for --l-diversity 2 or more", (name,))
