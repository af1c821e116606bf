# SPDX-License-Identifier: Apache-2.0
"""Delimited text: lines above and below the table, which readers skip and everybody can read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shoal.judging.bytes.stored import text_of
from shoal.judging.containers.extras import NOTE, Extra, OpenedFile, counted

LAST = 4096
"""Bytes at the end in which blank lines are looked for."""


def look(opened: OpenedFile) -> Iterator[Extra]:
    """Lines that the reading skips; all others are cells, and judged as such.

    The plan of a release tells how many lines stood above its input; above its table there are none.
    """
    reading = opened.plan.reading
    if re.search(rb"\n[ \t\r]*\n\s*$|\n[ \t]+$", text_of(opened.path, reading.encoding)[-LAST:]):
        yield Extra(NOTE, "has blank lines below the table")
    skipped = reading.skip_lines
    found = skipped is None and reading.header  # nobody said how many, so the reader looked for itself
    if (skipped or found) and not _begins_with_names(opened):
        lines = counted(skipped, "line") if skipped else "lines"
        yield Extra(NOTE, f"has {lines} above the table, which are published with it")


def _begins_with_names(opened: OpenedFile) -> bool:
    first = text_of(opened.path, opened.plan.reading.encoding).partition(b"\n")[0].decode(errors="replace")
    return all(name.replace('"', '""') in first for name in opened.table.names)
