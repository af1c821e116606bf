# SPDX-License-Identifier: Apache-2.0
"""Notes in the file of the table: properties, comments, metadata, labels, lines above the table.

Notes travel with every copy and may hold names, paths, or a description of the original. Labels of columns, which
statistical packages show instead of names, are information: they are to be read before publishing.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.judging.containers.extras import NOTE, extras_in
from shoal.judging.leak_search import Leak, LeakScene

ADVICE = "read them; write the file without them unless they are meant to be published"


def find(scene: LeakScene) -> Iterator[Leak]:
    """Notes in the files of a table."""
    for path, extra in extras_in(scene, NOTE):
        yield Leak("container_notes", extra.severity, f"file {path.name!r} {extra.said}", ADVICE, extra.columns)
