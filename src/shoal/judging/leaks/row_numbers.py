# SPDX-License-Identifier: Apache-2.0
"""A column that counts the rows, or that a program added as an index.

Row numbers link the release to every other table in the same order: the original, an earlier release, a list of names.
Found are 0..n-1 and 1..n in any order, as numbers or text, counting that begins elsewhere or goes in even steps or
behind a prefix (``P0001``), such numbers with gaps where rows were left out, and columns with a name that programs give
to an index they write (``Unnamed: 0``, ``__index_level_0__``, ``rownames``) whose numbers hardly repeat.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.judging.leak_search import WARNING, Leak, LeakScene
from shoal.tables.row_marks import fills_its_range, nearly_tells_rows_apart, numbers_rows

INDEX_NAMES = ("", "index", "level_0", "rownames", "row_names", "rowid", "row_id", "rownum", "row_number", "row")
ADVICE = "leave the column out; a pandas index is kept out with index=False"


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns that number the rows."""
    for name in scene.others:
        if numbers_rows(scene.released, name) or fills_its_range(scene.released, name):
            said = f"column {name!r} numbers the rows, which links them to any table in the same order"
            yield Leak("row_numbers", WARNING, said, ADVICE, (name,))
        elif is_index_name(name) and nearly_tells_rows_apart(scene.released, name):
            said = f"column {name!r} has the name of an index that a program added, and tells nearly all rows apart"
            yield Leak("row_numbers", WARNING, said, ADVICE, (name,))


def is_index_name(name: str) -> bool:
    """Whether a column has a name that programs give to an index they write."""
    plain = name.strip().lower()
    return plain in INDEX_NAMES or plain.startswith(("unnamed:", "__index_level_"))
