# SPDX-License-Identifier: Apache-2.0
"""Delimited text: lines above and below the table, which readers skip and everybody can read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from shoal.ground.wording import counted
from shoal.judging.bytes.stored import text_of
from shoal.judging.containers.extras import NOTE, Extra, OpenedFile

LAST = 4096
"""Bytes at the end in which blank lines are looked for."""


def look(opened: OpenedFile) -> Iterator[Extra]:
    """Lines that the reading skips; all others are cells, and judged as such.

    The plan of a release tells how many lines stood above its input; above its table there are none.
    """
    reading, text = opened.plan.reading, _text(opened)
    if re.search(rb"\n[ \t\r]*\n\s*$|\n[ \t]+$", text[-LAST:]):
        yield Extra(NOTE, "has blank lines below the table")
    skipped = reading.skip_lines
    found = skipped is None and reading.header  # nobody said how many, so the reader looked for itself
    if (skipped or found) and not _begins_with_names(text, opened.table.names):
        lines = counted(skipped, "line") if skipped else "lines"
        yield Extra(NOTE, f"has {lines} above the table, which {'is' if skipped == 1 else 'are'} published with it")


def _text(opened: OpenedFile) -> bytes:
    """The text in UTF-8, which is read as such or not at all, or else in the encoding that is named.

    The plan of a release names that of its input, which need not be that of its table.
    """
    content = text_of(opened.path, None)
    try:
        plain = "\0" not in content.decode()  # as UTF-16 has it
    except UnicodeDecodeError:
        plain = False
    return content if plain else text_of(opened.path, opened.plan.reading.encoding)


def _begins_with_names(text: bytes, names: Sequence[str]) -> bool:
    first = text.partition(b"\n")[0].decode(errors="replace")
    return all(name.replace('"', '""') in first for name in names)
