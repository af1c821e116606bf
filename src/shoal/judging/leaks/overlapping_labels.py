# SPDX-License-Identifier: Apache-2.0
"""Labels of one column that overlap or contain one another: ``[20, 29]`` beside ``[25, 34]``.

Usual and allowed where each class is generalised by itself (local recoding). Worth knowing, because whoever knows that
a person is 27 has to look at both, and programs that take labels for separate categories count wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.judging.leak_search import INFORMATION, Leak, LeakScene
from shoal.judging.leaks._labels import spans


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns with overlapping labels."""
    for name in scene.quasi_identifiers:
        placed = spans(scene, name)
        if placed is None or len(placed) < 3:
            continue
        ordered = placed[:-1][np.argsort(placed[:-1, 0], kind="stable")]
        reached = np.maximum.accumulate(ordered[:-1, 1])
        overlapping = int((ordered[1:, 0] <= reached).sum())
        if overlapping:
            said = f"{overlapping} of {len(ordered)} labels of column {name!r} overlap with others: local recoding"
            todo = "nothing; let whoever analyses the table know that labels are no separate categories"
            yield Leak("overlapping_labels", INFORMATION, said, todo, (name,))
