# SPDX-License-Identifier: Apache-2.0
"""A column that shows the original values of a quasi-identifier under another name.

Needs the original. ``age_raw`` beside a generalised ``age`` undoes the release. Told is a column whose cells are
exactly the values of a quasi-identifier of the original, each as often, or a part of them where rows were left out.
Columns of fewer than five different values are passed over: they can be alike by accident.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.judging.leak_search import BREAKS, Leak, LeakScene, TextCells

FEWEST_VALUES = 5


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns with the values that were to be hidden."""
    if scene.original is None:
        return
    hidden = [name for name in scene.plan.quasi_identifiers if name in scene.original.names]
    for name in scene.names:
        cells = scene.cells(name)
        if len(cells.texts) < FEWEST_VALUES:
            continue
        for one in hidden:
            if one != name and name not in scene.plan.published(one) and _part_of(cells, scene.original_cells(one)):
                said = f"column {name!r} shows the original values of the quasi-identifier {one!r}"
                yield Leak("original_values", BREAKS, said, "leave the column out", (name, one))


def _part_of(shown: TextCells, original: TextCells) -> bool:
    """Whether cells are those of an original column, or all but the rows that were left out."""
    if 2 * len(shown.codes) < len(original.codes) or len(shown.texts) > len(original.texts):
        return False
    known = dict(zip(original.texts, original.counts.tolist()))
    enough = all(known.get(text, 0) >= count for text, count in zip(shown.texts, shown.counts.tolist()))
    return enough and (len(shown.codes) < len(original.codes) or shown.present == original.present)
