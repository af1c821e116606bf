# SPDX-License-Identifier: Apache-2.0
"""Values that no cell shows, in types and codebooks: categories, dictionaries, value labels, statistics.

A category of pandas, an Enum of Polars, a dictionary of Arrow or Parquet and the value labels of SPSS and Stata list
values whether a row has them or not. After rows were left out, or a column was made coarser, the original values may
still stand there. Looked for in frames as they were given, and in files; beside the original a list that holds values
of rows that were left out breaks the release.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.ground.wording import counted
from shoal.judging.containers.extras import TYPE, extras_in
from shoal.judging.leak_search import BREAKS, WARNING, Leak, LeakScene
from shoal.tables.unshown import notes_of, unshown_values

ADVICE = "drop what is not used before writing: remove_unused_categories() in pandas, a fresh dictionary in Arrow"


def find(scene: LeakScene) -> Iterator[Leak]:
    """Values in types that no cell shows, and notes of frames."""
    told: set[str] = set()
    for name, values in unshown_values(scene.released, scene.given).items():
        told.add(name)
        known = scene.original is not None and name in scene.original.names
        before = set(scene.original_cells(name).texts) if known else set()
        severity = BREAKS if before & set(values) else WARNING
        said = f"the type of column {name!r} lists {counted(len(values), 'value')} that no cell shows"
        more = ", some of them from the original" if severity == BREAKS else ""
        yield Leak("unseen_values", severity, said + more, ADVICE, (name,))
    for path, extra in extras_in(scene, TYPE):
        if not told & set(extra.columns):
            yield Leak("unseen_values", extra.severity, f"file {path.name!r} {extra.said}", ADVICE, extra.columns)
    if notes := notes_of(scene.given):
        said = f"the frame carries {counted(notes, 'note')} besides its cells (attrs, metadata, or an index of its own)"
        yield Leak("unseen_values", WARNING, said, "drop them before handing the frame on")
