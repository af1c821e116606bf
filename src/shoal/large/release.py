# SPDX-License-Identifier: Apache-2.0
"""A release folder of a table that is too large for memory: the same files, but the codebook and what needs all rows.

The written table is judged where it lies, before the folder is in place. The report has no portraits, no certificate
and no remedies; leaks are not looked for, and it says so.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from shoal.ground.errors import RefusedReleaseError
from shoal.ground.progress import Progress
from shoal.ground.sizes import bytes_of
from shoal.ground.writing import NEW, SCRATCH
from shoal.judging.by_counts import Sizes, judged, measured
from shoal.judging.gates import require_quality
from shoal.judging.verdicts import Verdict
from shoal.large.checking import read_back
from shoal.large.counting import CountedParquet
from shoal.large.flow import Written, write_released
from shoal.plan.plan import Plan, load_hierarchies
from shoal.plan.roles import DROP, IDENTIFIER
from shoal.plan.values import reading_notes
from shoal.releases.folder import check_target, made_in_place, write_beside
from shoal.releases.manifest import fingerprint, fingerprints
from shoal.releases.record import Record
from shoal.releases.release import Release
from shoal.tables.parquet_queries import questions_to
from shoal.tables.sources import Paths
from shoal.tables.table import Table

USUAL_MEMORY = 4 << 30
"""Where a plan is cut that says nothing of memory."""


def release_long(paths: Paths, asked: Plan, directory: Path, progress: Progress, *, overwrite: bool = False) -> Release:
    """Anonymise a table cell by cell into a release folder, whole or not at all."""
    memory = USUAL_MEMORY if asked.memory is None else bytes_of(asked.memory, "--memory")
    target = check_target(directory, overwrite)
    with made_in_place(directory, overwrite) as folder:
        scratch = folder / SCRATCH
        scratch.mkdir()
        made = write_released(paths, load_hierarchies(asked), memory, scratch, folder / NEW, progress)
        written = time.perf_counter()
        progress.phase("check")
        release = _judged(made, asked, memory, scratch)
        timings = {**made.timings, "judge written": time.perf_counter() - written}
        write_beside(folder / NEW, release, [made.path.name], target, {}, timings)
    return replace(release, timings=timings)


def _judged(made: Written, asked: Plan, memory: int, scratch: Path) -> Release:
    """The release of a table that was written, if it holds what was promised."""
    plan = made.plan
    table = read_back(made.path, plan, scratch)
    with questions_to(table.files, memory, scratch) as files:
        counted = table.counted(files)
        verdict = judged(counted, replace(plan, require=()), plan.k)  # gates need the original beside it
        sizes = counted.sizes(plan.published_quasi_identifiers)
        names = counted.names
        with questions_to(made.table.files, memory, scratch) as before:
            given = CountedParquet(before, untyped=made.table.first.untyped)
            measurements = measured(given, counted, plan)
    left = len(made.table) - made.left_out
    if not verdict.holds or sizes.rows != left or made.left_out > plan.rows_spared(len(made.table)):
        raise RefusedReleaseError(
            "The written table failed the independent check, so nothing was released.",
            where="the table as read back from its file",
            allowed="a table of all rows but those that may be left out, which holds every promise of the plan",
            received=_broken(verdict) or f"{sizes.rows} rows instead of {left}",
            todo="please report this as a bug of shoal, with the plan and the versions that `shoal doctor` prints",
        )
    require_quality(plan, measurements)
    notes = (*made.settled.notes, *reading_notes(plan), _cut_note(made))
    return Release(
        Table.from_columns({name: [] for name in names}),
        Record.of(asked, plan, None, notes),
        verdict,
        measurements,
        _facts(made, sizes, names),
        inputs=fingerprints(made.table.source.places),
        outputs={made.path.name: fingerprint(made.path)},
    )


def _broken(verdict: Verdict) -> str:
    return "; ".join(f"{one.model}: {one.statement}" for one in verdict.findings if one.holds is not True)


def _cut_note(made: Written) -> str:
    return (
        f"the table was cut into {made.cells:,} cells of about {made.plan.cell_rows:,} rows, and classes were made in "
        "each by itself; what needs all rows at once was not done: no bound of the smallest possible loss (so no "
        "certificate), no search for leaks, no count of private values that are given away, no codebook and no "
        "pictures of columns before and after"
    )


def _facts(made: Written, sizes: Sizes, names: Sequence[str]) -> dict[str, object]:
    plan = made.plan
    return {
        "rows": len(made.table),
        "released_rows": sizes.rows,
        "suppressed": made.left_out,
        "columns": len(names),
        "identifiers_removed": plan.having(IDENTIFIER),
        "columns_dropped": plan.having(DROP),
        "classes": int(sizes.classes.sum()),
        "smallest_class": int(sizes.sizes.min()),
        "largest_class": int(sizes.sizes.max()),
        "class_sizes": {int(size): int(many) for size, many in zip(sizes.sizes, sizes.classes, strict=True)},
        "order": "shuffled",
        "formula_cells": {name: made.formulas[name] for name in names if name in made.formulas},
        "cells": made.cells,
        "warnings": list(made.settled.warnings),
    }
