# SPDX-License-Identifier: Apache-2.0
"""Two spellings of one range, number or set in a quasi-identifier: ``[35, 39]`` and ``[35,39]``.

They mean the same but look different, so a class falls apart by spelling: it tells which rows came from where, and k
is counted in smaller groups than the values make.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from shoal.ground.wording import counted
from shoal.judging.leak_search import WARNING, Leak, LeakScene
from shoal.judging.leaks._labels import meaning, reader


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns in which one range is written in several ways."""
    for name in scene.quasi_identifiers:
        read = reader(scene, name)
        said = [meaning(label, read) for label in scene.cells(name).texts]
        twice = [count for what, count in Counter(said).items() if count > 1 and what is not None]
        if twice:
            told = f"column {name!r} spells {counted(len(twice), 'value')} in several ways, which splits look-alikes"
            yield Leak("interval_spellings", WARNING, told, "write each range in one way", (name,))
