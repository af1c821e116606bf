# SPDX-License-Identifier: Apache-2.0
"""A column that tells the class of each row: a class number that was left in.

Within a class the rows look alike on every quasi-identifier. A column whose every value belongs to one class, and
that repeats within it, is the number of the class, or of a part of it: a cluster number that tells apart rows which
should look alike, and that links the release to the run that made it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from shoal.judging.leak_search import CHANCE, WARNING, Leak, LeakScene, follows


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns that number the classes."""
    for name in scene.others:
        if _numbers_classes(scene, name):
            said = f"column {name!r} tells the class of every row, like a class number that was left in"
            yield Leak("class_numbers", WARNING, said, "leave the column out", (name,))


def _numbers_classes(scene: LeakScene, name: str) -> bool:
    """Whether every value of a column belongs to one class, beyond chance."""
    if scene.classes is None or not len(scene.released):
        return False
    sizes, cells = np.bincount(scene.classes), scene.cells(name)
    rows, number = len(cells.codes), cells.different
    if len(sizes) < 3 or 2 * number > rows or (rows - number) * math.log(sizes.max() / rows) >= CHANCE:
        return False
    return follows(scene.classes, cells.groups)
