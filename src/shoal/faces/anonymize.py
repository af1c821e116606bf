# SPDX-License-Identifier: Apache-2.0
"""``shoal.anonymize``: a frame or a file goes in, a release comes out; what does not fit memory is cut into cells."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from shoal.ground.errors import PlanError, in_parts, listed
from shoal.ground.progress import Progress, ProgressCallback
from shoal.pipeline import run
from shoal.plan.keywords import WholePlan, no_k, refuse_both, shows_keywords
from shoal.plan.plan import Plan
from shoal.releases.kinds import announcement
from shoal.releases.manifest import fingerprints
from shoal.releases.release import Release
from shoal.tables.table import Table


@shows_keywords
def anonymize(
    data: Any,
    plan: Plan | None = None,
    *,
    output: str | Path | None = None,
    progress: ProgressCallback | None = None,
    **keywords: Unpack[WholePlan],
) -> Release:
    """Make a table safe to publish: every record among at least k look-alikes.

    ``data`` is a pandas, Polars or PyArrow frame, or the path of a file. Give a ``plan``, or its parts as keywords:
    ``k``, ``quasi_identifiers``, ``sensitive``, ``identifiers``, ``hierarchies``, ``method``, ``seed``, ... as
    :meth:`shoal.Plan.of` takes them. ``output`` is a release folder to make. With ``memory`` ("4GiB") a file or a
    folder of files that does not fit is cut into cells and written there, and the ``table`` of the release is a lazy
    frame of the written file. ``progress`` is called with each ``Step`` and stops the run by answering ``"cancel"``.
    """
    asked = _plan(plan, dict(keywords))
    if said := announcement(asked):
        todo = "choose a method that publishes classes if that is not enough"
        warnings.warn(in_parts(said, where=f"method {asked.method!r}", next=todo), stacklevel=2)
    is_file = isinstance(data, str | Path)
    if not is_file and (asked.cell_rows is not None or keywords.get("memory") is not None):
        raise _cut_files(asked)
    if is_file and (asked.cell_rows is not None or asked.memory is not None) and _must_be_cut(data, asked):
        release = _cut(data, asked, output, Progress(progress))
    else:
        release = _whole(data, asked, Progress(progress))
        if output is not None:
            release.save(output)
    release.warn(stacklevel=3)
    return release


def _whole(data: Any, asked: Plan, progress: Progress) -> Release:
    from shoal.tables.frames import take_in
    from shoal.tables.sources import read_table

    if isinstance(data, Table):
        return run(data, asked, progress)
    if not isinstance(data, str | Path):
        taken = take_in(data)
        return run(taken.table, asked, progress).handed_back_by(taken.hand_back)
    source = read_table(data, asked.reading)
    inputs = fingerprints(source.places)
    release = run(source.table, asked, progress, reading=source.reading)
    return replace(release, source_format=asked.format or source.released_as, inputs=inputs)


def _must_be_cut(data: str | Path, asked: Plan) -> bool:
    from shoal.large.choosing import must_be_cut

    return must_be_cut(data, asked)


def _cut(data: str | Path, asked: Plan, output: str | Path | None, progress: Progress) -> Release:
    """The release of a file that is cut: in its folder only."""
    from shoal.large.choosing import refuse_other_targets
    from shoal.large.release import release_long
    from shoal.tables.streaming import lazily

    refuse_other_targets(asked, None)
    if output is None:
        raise PlanError(
            "The table does not fit the memory that may be used, so it is written to a folder while it is worked on.",
            where="shoal.anonymize, output",
            allowed="the path of a folder that does not exist yet",
            received="nothing",
            todo='name one: output="released"',
        )
    release = release_long(data, asked, Path(output), progress)
    (table,) = release.outputs
    return replace(release, frames=(lazily(Path(output) / table, release.plan.reading),))


def _cut_files(asked: Plan) -> PlanError:
    """A frame is in memory as a whole already."""
    received = "memory" if asked.cell_rows is None else "cell_rows"
    return PlanError(
        "Only files are cut to fit memory; a frame stands in memory as a whole.",
        where=f"shoal.anonymize, {received}",
        allowed="the path of a file or of a folder of files; or a plan without memory and cell_rows",
        received=f"{received} = {getattr(asked, received)!r}",
        todo="hand over the path of the file instead of the frame, or leave it out",
    )


def _plan(plan: Plan | None, keywords: dict[str, Any]) -> Plan:
    refuse_both(plan, keywords, "shoal.anonymize", "k and quasi_identifiers", "k=5")
    if plan is None and "k" not in keywords:
        raise no_k("shoal.anonymize", "a whole number", listed(keywords))
    return plan or Plan.of(**keywords)
