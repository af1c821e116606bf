# SPDX-License-Identifier: Apache-2.0
"""Labels that differ only in blanks, case or look-alike letters: ``Gov`` and ``gov``.

In a quasi-identifier such twins split a class and mark its rows invisibly; in a sensitive column they count as
different values and make a class look more diverse than it is. Compared are labels in Unicode's compatibility form,
without case, surplus blanks and invisible characters, Cyrillic and Greek letters taken for the Latin ones they look
like.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator

from shoal.leaks._protocol import WARNING, Leak, Scene
from shoal.roles.roles import DATE, NUMERIC, SENSITIVE

LOOK_ALIKES = str.maketrans("асеоріхуѕјԁһαοριντκ‐‑‒–—−", "aceopixysjdhaopivtk------")


def find(scene: Scene) -> Iterator[Leak]:
    """Columns with labels that a reader takes for one."""
    sensitive = [name for name in scene.having(SENSITIVE) if scene.released.natural_kind(name) not in (NUMERIC, DATE)]
    for name in [*scene.quasi_identifiers, *sensitive]:
        twins = sum(count > 1 for count in Counter(skeleton(label) for label in scene.cells(name).texts).values())
        if twins:
            told = f"column {name!r} has {twins} labels in several variants of blanks, case or look-alike letters"
            harm = "makes classes look more diverse than they are" if name in sensitive else "splits look-alikes"
            yield Leak("label_variants", WARNING, f"{told}, which {harm}", "write each label in one way", (name,))


def skeleton(label: str) -> str:
    r"""What a reader sees of a label.

    >>> skeleton("Gov\u200b ") == skeleton("GOV")
    True
    """
    plain = unicodedata.normalize("NFKC", label).casefold().translate(LOOK_ALIKES)
    seen = "".join(one for one in plain if unicodedata.category(one) != "Cf")
    return " ".join(seen.split())
