# SPDX-License-Identifier: Apache-2.0
"""Labels that do not hold the values they stand for, and other cells that the original does not have.

Needs the original. A label must hold at least as many original values as rows show it; and where the columns that are
published as they are single out one row in both tables, the row's label must hold the value of that very record. A
release that fails is no generalisation of this original: it was damaged, or made from something else. Columns that
show centres, or labels that cannot be read, are left alone. A column that is published as it is shows values of the
original and no others, however spelled: whatever was put behind or into them may stand for a person. Rows that stand
there more often than in the original were doubled or made up: nobody hides among them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.ground.arrays import Ints
from shoal.ground.wording import counted
from shoal.judging.labels.reach import RowReach
from shoal.judging.leak_search import WARNING, Leak, LeakScene
from shoal.judging.leaks._alignment import reaches, row_keys, shows_centres
from shoal.judging.private_values import grouped

ADVICE = "make the release again from this original, or give the original it was made from"

MADE_UP = "some were doubled or made up, and count as look-alikes all the same"


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns with labels beside the truth."""
    if scene.original is None:
        return
    if len(scene.released) > len(scene.original):
        more = len(scene.released) - len(scene.original)
        yield Leak(
            "values_outside", WARNING, f"the table has {counted(more, 'row')} more than the original: {MADE_UP}", ADVICE
        )
        return
    others = {name: _other_values(scene, name) for name in scene.untouched}
    for name, other in others.items():
        if other:
            said = f"column {name!r} shows values that the original does not have, in {counted(other, 'row')}"
            yield Leak("values_outside", WARNING, said, ADVICE, (name,))
    if not any(others.values()) and (more := _made_up(scene)):
        made = counted(more, "row shows", "rows show")
        said = f"{made} in the columns published as they are what the original has not, or not so often"
        yield Leak("values_outside", WARNING, f"{said}: {MADE_UP}", ADVICE, tuple(others))
    rows, records = _matched(scene)
    for name, reach in reaches(scene).items():
        if shows_centres(scene, name, reach):
            continue
        wrong = max(_too_often(reach), _beside(reach, rows, records, scene.plan.missing == "wildcard"))
        if wrong:
            said = (
                f"column {name!r} shows labels that do not hold the original values in at least {counted(wrong, 'row')}"
            )
            yield Leak("values_outside", WARNING, said, ADVICE, (name,))


def _other_values(scene: LeakScene, name: str) -> int:
    """Rows that show what no record has, in whatever spelling."""
    shown, known = scene.cells(name), scene.original_cells(name)
    before = set(known.texts)
    other = [place for place, text in enumerate(shown.texts) if text not in before]
    if not other:
        return 0
    texts = [shown.texts[place] for place in other]
    plain = [text.removeprefix("'") if scene.plan.formulas == "prefix" else text for text in texts]
    first = grouped([*known.texts, *plain], scene.released.notation(name))
    meant = set(first[: len(known.texts)].tolist())
    new = [
        place for place, value in zip(other, first[len(known.texts) :].tolist()) if value not in meant and value >= 0
    ]
    return int(shown.counts[new].sum())


def _made_up(scene: LeakScene) -> int:
    """Rows beyond those that the original has of the same cells in all columns that are published as they are."""
    if not scene.untouched or not all(_spelt_alike(scene, name) for name in scene.untouched):
        return 0
    source, shown = row_keys(scene)
    most = int(max(source.max(initial=0), shown.max(initial=0))) + 1
    more = np.bincount(shown, minlength=most) - np.bincount(source, minlength=most)
    return int(np.maximum(more, 0).sum())


def _spelt_alike(scene: LeakScene, name: str) -> bool:
    """Whether cells can be compared as they are written: a format may write a day as a moment, nothing as missing."""
    shown, known = scene.cells(name), scene.original_cells(name)
    missing = [len(one.codes) - one.present for one in (shown, known)]
    return missing[0] <= missing[1] and set(shown.texts) <= set(known.texts)


def _too_often(reach: RowReach) -> int:
    """Rows that show a label beyond the number of original values inside it."""
    labelled = ~np.isnan(reach.low) & ~np.isinf(reach.low)
    ends, rows = np.unique(reach.low[labelled] + 1j * reach.high[labelled], return_counts=True)
    values = np.sort(reach.positions[~np.isnan(reach.positions)])
    inside = np.searchsorted(values, ends.imag, side="right") - np.searchsorted(values, ends.real, side="left")
    return int(np.maximum(rows - inside, 0).sum())


def _beside(reach: RowReach, rows: Ints, records: Ints, wildcard: bool) -> int:
    """Rows whose label misses the value of the record they are known to be."""
    owner = np.zeros(len(reach.low), dtype=np.int64)
    owner[rows] = records
    return int((~reach.holds(owner, wildcard))[rows].sum()) if len(reach.positions) else 0


def _matched(scene: LeakScene) -> tuple[Ints, Ints]:
    """Released rows and the original records that they must be, by columns published as they are."""
    nothing = np.zeros(0, dtype=np.int64)
    if not scene.untouched:
        return nothing, nothing
    source, shown = row_keys(scene)
    most = int(max(source.max(initial=0), shown.max(initial=0))) + 1
    once = (np.bincount(source, minlength=most) == 1) & (np.bincount(shown, minlength=most) == 1)
    record_of = np.zeros(most, dtype=np.int64)
    record_of[source] = np.arange(len(source))
    rows = np.flatnonzero(once[shown])
    return rows, record_of[shown[rows]]
