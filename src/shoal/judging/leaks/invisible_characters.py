# SPDX-License-Identifier: Apache-2.0
"""Characters that nobody sees: zero-width spaces, control characters, marks of writing direction.

They can carry a mark for every row, and with it the row's origin, through any inspection by eye.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from shoal.ground.wording import counted
from shoal.judging.leak_search import WARNING, Leak, LeakScene

VISIBLE = "\t\n\r"


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns with characters that nobody sees."""
    for name in scene.names:
        cells = scene.cells(name)
        if _is_plain("".join(cells.texts)):  # all at once, for there may be millions
            continue
        rows = int(sum(count for text, count in zip(cells.texts, cells.counts) if has_invisible(text)))
        if rows:
            said = (
                f"column {name!r} holds invisible characters in {counted(rows, 'row')}, which can carry a hidden mark"
            )
            yield Leak("invisible_characters", WARNING, said, "remove the characters", (name,))


def has_invisible(text: str) -> bool:
    """Whether a text holds control or format characters, line ends and tabs aside."""
    return not _is_plain(text) and any(unicodedata.category(one) in ("Cf", "Cc") and one not in VISIBLE for one in text)


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()
