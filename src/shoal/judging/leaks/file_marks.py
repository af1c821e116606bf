# SPDX-License-Identifier: Apache-2.0
"""What the file carries besides the table: a byte-order mark, notes of the program that wrote it.

A byte-order mark becomes part of the first column's name in readers that do not expect it, and a check by that name
then looks elsewhere. Notes in Parquet files (their key-value metadata) travel with every copy, and may hold paths,
names, comments or a description of the original; those that Arrow and pandas write to restore types are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.judging.leak_search import WARNING, Leak, LeakScene
from shoal.tables.stowaways import begins_with_a_mark, notes_in


def find(scene: LeakScene) -> Iterator[Leak]:
    """Marks and notes of the files."""
    for path in scene.files:
        if begins_with_a_mark(path):
            said = f"file {path.name!r} begins with a byte-order mark, which some readers take for a part of its header"
            yield Leak("file_marks", WARNING, said, "write the file as plain UTF-8")
        if notes := notes_in(path):
            said = f"file {path.name!r} carries {notes} notes besides the table, which are published with it"
            yield Leak("file_marks", WARNING, said, "write the file without metadata")
