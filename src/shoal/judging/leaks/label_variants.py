# SPDX-License-Identifier: Apache-2.0
"""Labels that mean the same in several spellings: ``Gov`` and ``gov``, ``5`` and ``5.0``, a day and its midnight.

In a quasi-identifier such twins split a class and mark its rows invisibly; in a sensitive column they would make a
class look more diverse than it is, if the models counted spellings. Compared are numbers and dates by value, and other
labels in Unicode's compatibility form, without case, surplus blanks and invisible characters, letters of other
alphabets taken for the Latin ones they look like. Spellings of missing are for ``missing_marks``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.ground.wording import counted
from shoal.judging.leak_search import WARNING, Leak, LeakScene
from shoal.judging.private_values import grouped_texts
from shoal.plan.roles import SENSITIVE


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns with labels that a reader takes for one."""
    sensitive = scene.having(SENSITIVE)
    for name in [*scene.quasi_identifiers, *sensitive]:
        if not scene.released.is_text(name):  # typed cells have one spelling each
            continue
        first = grouped_texts(scene.released, name)
        twins = int((np.bincount(first[first >= 0]) > 1).sum())
        if twins:
            which = "several variants of blanks, case, look-alike letters or digits"
            told = f"column {name!r} has {counted(twins, 'label')} in {which}"
            harm = "makes classes look more diverse than they are" if name in sensitive else "splits look-alikes"
            yield Leak("label_variants", WARNING, f"{told}, which {harm}", "write each label in one way", (name,))
