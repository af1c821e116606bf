# SPDX-License-Identifier: Apache-2.0
"""A column that holds the values of an identifier under another name, plain or hashed.

Needs the original. Renaming ``name`` to ``ref``, or publishing its MD5, SHA-1 or SHA-256, leaves the identifier in:
anybody with a list of names can do the same and join. Told if at least half of the cells are values of the
identifier, and hardly repeat (few numbers would meet by accident).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator

from shoal.leaks._protocol import BREAKS, Leak, Scene

SHARE = 0.5
_HEX = re.compile(r"^[0-9a-fA-F]+$")


def _digest(algorithm: str) -> Callable[[str], str]:
    return lambda text: hashlib.new(algorithm, text.encode(), usedforsecurity=False).hexdigest()


DIGESTS = {32: ("MD5", _digest("md5")), 40: ("SHA-1", _digest("sha1")), 64: ("SHA-256", _digest("sha256"))}


def find(scene: Scene) -> Iterator[Leak]:
    """Identifiers that were left in under another name."""
    for name in scene.others if scene.hidden else []:
        cells = scene.cells(name)
        if 2 * len(cells.texts) < cells.present or len(cells.texts) < 2:
            continue
        length = len(cells.texts[0])
        hashed = length in DIGESTS and all(len(one) == length and _HEX.match(one) for one in cells.texts)
        how, change = DIGESTS[length] if hashed else ("", str)
        for identifier in scene.hidden:
            known = {change(text) for text in scene.original_cells(identifier).texts}
            met = sum((text.lower() if hashed else text) in known for text in cells.texts)
            if met >= SHARE * len(cells.texts):
                what = f"the {how} of the values" if hashed else "the values"
                said = f"column {name!r} holds {what} of the identifier {identifier!r}"
                yield Leak("renamed_identifiers", BREAKS, said, "leave the column out", (name, identifier))
                break
