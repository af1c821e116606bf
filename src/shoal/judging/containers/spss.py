# SPDX-License-Identifier: Apache-2.0
"""SPSS: notes and documents, value labels and declared missing codes that no cell shows, sets of answers."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from shoal.judging.containers._labelled import described, look_at_labels, undeclared
from shoal.judging.containers.extras import CONTENT, NOTE, Extra, OpenedFile

END = b"\xe7\x03\0\0\0\0\0\0"
"""Where the description of the columns ends and the cells begin."""
ATTRIBUTES = (b"\x07\0\0\0\x11\0\0\0", b"\x07\0\0\0\x12\0\0\0")
"""Records of attributes, which users may define."""

PROGRAMS = re.compile(
    rb"@\(#\) (?:IBM )?SPSS (?:STATISTICS )?DATA FILE|@\(#\).*(?:ReadStat|PSPP|Stat/Transfer)", re.IGNORECASE
)


def look(opened: OpenedFile) -> Iterator[Extra]:
    """Labels, notes and declarations."""
    meta = described(opened, "read_sav", user_missing=True)
    yield from look_at_labels(opened, meta)
    yield from undeclared(opened, meta.missing_ranges)
    if getattr(meta, "mr_sets", None):
        yield Extra(NOTE, "carries sets of answers")
    if not PROGRAMS.match(opened.stored[4:64]):
        yield Extra(NOTE, "carries a text instead of the name of the program that wrote it")
    if _behind(opened.stored):
        yield Extra(CONTENT, "holds further bytes behind its cells")
    described_part = opened.stored.partition(END)[0]
    if any(mark in described_part for mark in ATTRIBUTES):
        yield Extra(NOTE, "carries attributes of the file or of its columns")


def _behind(stored: bytes) -> bool:
    """Whether bytes stand behind the cells; their number is known where cells are not packed."""
    order = "<" if stored[64:68] in (b"\2\0\0\0", b"\3\0\0\0") else ">"
    width, packed, _, rows = struct.unpack(f"{order}4i", stored[68:84])
    start = stored.find(struct.pack(f"{order}2i", 999, 0))
    if stored[:4] != b"$FL2" or packed or min(width, rows, start) < 1:
        return False
    return len(stored) > start + 8 + 8 * int(width) * int(rows)
