# SPDX-License-Identifier: Apache-2.0
"""``check`` and ``measure`` as users call them: they also take releases, which carry their own plan.

A release is one in memory or the path of a folder. Whatever else is given is a table, and judged as anybody's.
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from shoal.ground.errors import PlanError, PrivacyWarning, Refusal, listed
from shoal.judging import checking
from shoal.judging.evidence import Measurement
from shoal.judging.gates import NO_CLASSES, NOT_BESIDE
from shoal.judging.verdicts import Finding, Verdict
from shoal.plan.plan import Plan, load_hierarchies
from shoal.releases.inspection import PLAN
from shoal.releases.manifest import MANIFEST
from shoal.releases.release import Release
from shoal.tables.frames import as_table
from shoal.tables.sources import read_table
from shoal.tables.table import Table

if TYPE_CHECKING:
    from shoal.releases.folder import SavedRelease

FROM_REPORT = "as report.json says of when the release was made; a manifest is no signature"
NO_ORIGINAL = Refusal(
    PlanError,
    "A release is not what something was made from.",
    allowed="the table before, that the release was made from",
    todo="name the table before",
)
CHANGED = "The release folder is not as it was released: {}"

F = TypeVar("F", bound=Callable[..., Any])


def _like(judge: F) -> Callable[[Callable[..., Any]], F]:
    """A function with the signature and the description of another."""
    return lambda function: cast(F, wraps(judge)(function))


@_like(checking.check)
def check(table: Any, **told: Any) -> Verdict:
    """Judge a release by its own plan, or a table."""
    refuse_as_original(told.get("original"), "--original / original")
    if not (isinstance(table, Release) or is_folder(table)):
        return checking.check(table, **told)
    plan, original, allow = told.pop("plan", None), told.pop("original", None), told.pop("allow", ())
    _refuse_keywords([name for name, value in told.items() if value is not None and np.size(value)], "shoal.check")
    if isinstance(table, Release):
        return _check_release(table, plan or table.plan, original, allow)
    from shoal.releases.folder import read_release

    saved = read_release(table)
    verdict = saved.check(plan or saved.plan, original, allow)
    problems = [Finding("release_folder", False, said) for said in saved.problems]
    return replace(verdict, findings=(*verdict.findings, *problems))


def _check_release(release: Release, plan: Plan, original: Any, allow: Iterable[str]) -> Verdict:
    """The verdict on a release in memory, with what its maker knows of persons, rows and rings."""
    release.require_rows("shoal.check")
    known = release.private
    if release.kind.weaker:
        verdict = release.kind.judge(release.published, plan, known, allow=allow)
        said = [NOT_BESIDE] * (original is not None) + [NO_CLASSES] * bool(plan.require)
        return verdict.warned(*said)
    told: dict[str, Any] = {}
    if known is not None:
        own = None if known.own_k is None else known.own_k[known.rows[0]]
        told = {"persons": known.persons, "own_k": own}
    return checking.check(release.released, plan=plan, original=original, allow=allow, **told)


@_like(checking.measure)
def measure(original: Any, released: Any, plan: Plan | None = None, **told: Any) -> tuple[Measurement, ...]:
    """Measure a release by its own plan, or a table."""
    refuse_as_original(original, "shoal.measure, original")
    if isinstance(released, Release):
        return _measure_release(original, released, plan or released.plan, told)
    if is_folder(released):
        from shoal.releases.folder import read_release

        saved, asked_of = read_release(released), plan
        warn_of(saved.problems, stacklevel=2)
        plan = load_hierarchies(asked_of or saved.plan)
        told = {"releases": saved.kind.name, "learnt": saved.learnt, **told}
        places: tuple[Path | str, ...] = ()
        if isinstance(original, str | Path):
            source = read_table(original, plan.reading)
            original, places = source.table, source.places
        measured = checking.measure(original, saved.side_by_side(plan), plan, **told)
        return retold(measured, released, saved, asked_of or saved.plan, places)
    return checking.measure(original, released, plan, **told)


def warn_of(problems: Iterable[str], stacklevel: int = 1) -> None:
    """Say the way Python does what about a release folder does not fit its manifest."""
    for said in problems:
        warnings.warn(CHANGED.format(said), PrivacyWarning, stacklevel=stacklevel + 1)


def retold(
    measured: Iterable[Measurement],
    directory: str | Path,
    saved: SavedRelease,
    plan: Plan,
    places: Iterable[Path | str],
) -> tuple[Measurement, ...]:
    """Measurements; where one cannot be made any more, the one in the report, or a word about where it is.

    The report is believed where nothing in the folder was changed, it is measured by its own plan, and the original was
    read from the very files that it was made from.
    """
    from shoal.releases.folder import made_from, reported

    known = reported(directory)
    told = not saved.problems and plan == saved.plan and made_from(directory, places)
    return tuple(_beside(one, known, told) for one in measured)


def _beside(one: Measurement, known: Mapping[str, Mapping[str, Any]], told: bool) -> Measurement:
    """A measurement, or what the report knows about it; ``told``: the report is believed."""
    if math.isfinite(one.value) or one.metric not in known:
        return one
    if told:
        found = known[one.metric]
        figures, by_column = (_numbers(found.get(name)) for name in ("figures", "per_column"))
        return replace(one, value=float(found["value"]), figures=figures, per_column=by_column, note=FROM_REPORT)
    said = f"{one.note}; report.json of the release has the figure, measured when it was made"
    return replace(one, note=said.removeprefix("; "))


def _measure_release(original: Any, release: Release, plan: Plan, told: dict[str, Any]) -> tuple[Measurement, ...]:
    """The measurements of a release in memory, with the classes that its maker knows."""
    release.require_rows("shoal.measure")
    plan = load_hierarchies(plan)
    if original is not None and not isinstance(original, Table):
        original = as_table(original, plan.reading)
    known = release.private
    asked = {"releases": release.kind.name, "learnt": release.record.learnt, **told}
    if known is not None and not release.kind.weaker and original is not None and len(original) == len(known.classes):
        asked = {"classes": known.classes, "rows": known.rows[0], **asked}
    return checking.measure(original, release.kind.side_by_side(release.published, plan), plan, **asked)


def _numbers(told: Mapping[str, float | None] | None) -> dict[str, float]:
    """Figures of a report, in which what is undefined is None."""
    return {name: math.nan if value is None else float(value) for name, value in (told or {}).items()}


def refuse_as_original(original: Any, where: str) -> None:
    """Refuse a release where the table that it was made from is asked for."""
    if isinstance(original, Release) or is_folder(original):
        raise NO_ORIGINAL(where, "a release" if isinstance(original, Release) else "a release folder")


def is_folder(place: Any) -> bool:
    """Whether a path is a folder that says what it promises."""
    return isinstance(place, str | Path) and any(os.path.isfile(Path(place, name)) for name in (PLAN, MANIFEST))


def _refuse_keywords(given: list[str], where: str) -> None:
    if given:
        raise PlanError(
            "A release that carries its own plan was given together with keywords of one.",
            where=where,
            allowed="a release, with plan=, original= and allow= at most",
            received=f"a release and {listed(given)}",
            todo="leave the keywords out, or judge the table itself: release.table",
        )
