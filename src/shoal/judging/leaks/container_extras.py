# SPDX-License-Identifier: Apache-2.0
"""Other content in the file of the table: sheets, hidden rows, other tables, free pages, bytes behind the end.

A file is published whole. What a reader of the table does not see, such as a hidden sheet, a second table of a
database, texts that no cell shows, or frames that unpacking skips, is in it all the same; see
:mod:`shoal.judging.containers` for what is looked into in each format.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.judging.containers.extras import CONTENT, extras_in
from shoal.judging.leak_search import Leak, LeakScene

ADVICE = "write the released table alone to a new file, and publish that"


def find(scene: LeakScene) -> Iterator[Leak]:
    """Content besides the table in its files."""
    for path, extra in extras_in(scene, CONTENT):
        yield Leak("container_extras", extra.severity, f"file {path.name!r} {extra.said}", ADVICE, extra.columns)
