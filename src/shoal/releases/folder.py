# SPDX-License-Identifier: Apache-2.0
"""The release folder: written whole or not at all, read back and judged before it is moved into place.

    table.<ext>                  the table to publish (table-1.<ext>, table-2.<ext>, ... of several sub-tables)
    codebook.md  codebook.csv    for whoever receives it: what its columns are, which labels they have
    report.html  report.json     what was done, what holds, what was lost
    plan.toml  hierarchies/      complete: replaying the plan on the same input gives the same bytes
    manifest.json                SHA-256 of each file, versions, seed, guarantee, verdict

Everything is made in a private folder beside the target (see :mod:`shoal.ground.writing`); the last act
is one rename.
"""

from __future__ import annotations

import errno
import math
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from shoal.ground.errors import (
    HierarchyError,
    OutputError,
    PlanError,
    RefusedReleaseError,
    TableError,
    listed,
    without_secrets,
)
from shoal.ground.json_text import json_text
from shoal.ground.writing import NEW, private_folder, put_in_place, sweep, sync_all, unwritable
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.level_files import FOLDER, read_levels, safe_names, write_levels
from shoal.judging.bytes.reading import judged_file
from shoal.judging.gates import NO_CLASSES, NOT_BESIDE
from shoal.judging.verdicts import Verdict
from shoal.plan.plan import Plan
from shoal.plan.values import as_told, refuse_missing
from shoal.releases.codebook import codebook_files
from shoal.releases.inspection import PLAN, REPORT, problems_of, trees_outside
from shoal.releases.kinds import kind_of_method
from shoal.releases.kinds.kind import Kind
from shoal.releases.manifest import (
    MANIFEST,
    files_in,
    fingerprint,
    fingerprints,
    manifest_of,
    read_manifest,
    read_strictly,
)
from shoal.releases.release import Release
from shoal.tables import sources
from shoal.tables.databases import is_url
from shoal.tables.table import Table

ADVICE = {
    errno.ENOSPC: "free some space, or choose a folder on another disk with -o",
    errno.EDQUOT: "free some space, or choose a folder on another disk with -o",
    errno.EACCES: "choose a folder you may write to with -o",
    errno.EPERM: "choose a folder you may write to with -o",
    errno.EROFS: "choose a folder that is not read-only with -o",
    errno.ENAMETOOLONG: "choose a shorter name with -o",
    errno.ENOTDIR: "choose a place below folders, not below a file, with -o",
}
PROMISE = "a new folder, in a place that exists or can be made, with room and permission to write"


# -- before the work -----------------------------------------------------------------------------------------


def check_target(directory: str | Path, overwrite: bool = False) -> Path:
    """Refuse a folder that could not be written, before any long work; returns its real path.

    Sweeps what killed runs left beside it.
    """
    if is_url(directory) or without_secrets(str(directory)) != str(directory):
        raise OutputError(
            "The output folder is the address of a database.",
            where="output folder (-o)",
            allowed="the path of a folder",
            received="an address, which is not shown: it may hold a password",
            todo="name a folder with -o, and the database with --to",
        )
    try:
        target = Path(os.path.realpath(directory))
    except ValueError:
        raise OutputError(
            "The output folder has a name that no file system takes.",
            where="output folder (-o)",
            allowed="a path without NUL characters",
            received="a path with one",
            todo="choose another name",
        ) from None
    sweep(target)
    if os.path.lexists(target):
        _refuse_unless_replaceable(target, directory, overwrite)
    existing = target.parent
    while not os.path.lexists(existing):
        existing = existing.parent
    if not existing.is_dir():
        raise _cannot_write(OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)), directory)
    if not os.access(existing, os.W_OK | os.X_OK):
        raise _cannot_write(OSError(errno.EACCES, os.strerror(errno.EACCES)), directory)
    return target


def _refuse_unless_replaceable(target: Path, directory: str | Path, overwrite: bool) -> None:
    """Only a release of ours, or an empty folder, is ever replaced, and only when asked."""
    received, todo = "", ""
    if not target.is_dir():
        received, todo = "a file of that name", "choose another name with -o"
    elif not overwrite:
        received, todo = "a folder that exists", "choose another name, or add --overwrite to replace a release"
    elif strangers := _strangers(target):
        received = f"a folder with other things in it ({strangers})"
        todo = "choose another name, or move those things away yourself"
    if received:
        raise OutputError(
            "The output folder exists already.",
            where=f"output folder {str(directory)!r}",
            allowed="a new folder; with --overwrite also a release folder of shoal or an empty folder",
            received=received,
            todo=todo,
        )


def _strangers(folder: Path) -> str:
    """What in a folder is not part of a release of ours, in words; empty if all is ours."""
    if not any(folder.iterdir()):
        return ""
    manifest = read_manifest(folder)
    if manifest is None:
        return f"no {MANIFEST} of shoal"
    others = [name for name in files_in(folder) if name not in manifest["files"]]
    return f"{len(others)} files that its {MANIFEST} does not list" if others else ""


# -- writing -------------------------------------------------------------------------------------------------


def write_release(release: Release, directory: str | Path, overwrite: bool = False, format: str | None = None) -> Path:
    """Write a release folder, whole or not at all; the written table is judged before anything is in place."""
    target = check_target(directory, overwrite)
    release = _portrayed(release)
    with made_in_place(directory, overwrite) as folder:
        _fill(folder / NEW, release, format or release.source_format, target)
    return Path(directory)


@contextmanager
def made_in_place(directory: str | Path, overwrite: bool) -> Iterator[Path]:
    """A private folder, whose ``NEW`` takes the place of the directory if the block ends well."""
    target = check_target(directory, overwrite)
    try:
        with private_folder(target) as folder:
            new = folder / NEW
            new.mkdir()
            yield folder
            sync_all(new)
            if os.path.lexists(target):  # it may have appeared since the first look
                _refuse_unless_replaceable(target, directory, overwrite)
            put_in_place(folder, target)
    except OSError as problem:
        raise _cannot_write(problem, directory) from None


def _fill(new: Path, release: Release, format: str, target: Path) -> None:
    started = time.perf_counter()
    record = release.record.written_as(format)
    plan = record.plan
    names = release.kind.file_names(len(release.published), sources.extension(format, plan.reading))
    tables = [new / name for name in names]
    for table, path in zip(release.published, tables, strict=True):
        _write_table(table, path, plan)
    written = time.perf_counter()
    outputs = {path.name: fingerprint(path) for path in tables}
    read_back = [_as_written(path, table, plan) for path, table in zip(tables, release.published, strict=True)]
    judged = replace(release, record=record, verdict=_judged(read_back, release, plan), outputs=outputs)
    timings = {**release.timings, "write": written - started, "judge written": time.perf_counter() - written}
    texts = codebook_files(dict(zip(names, read_back)), plan, release.kind)
    write_beside(new, judged, names, target, texts, timings)


def write_beside(
    new: Path,
    judged: Release,
    tables: Sequence[str],
    target: Path,
    texts: Mapping[str, str],
    timings: Mapping[str, float],
) -> None:
    """All files of a release beside its tables, which are written and judged: plan, reports, ``texts``, manifest."""
    from shoal.releases.reports.html import html
    from shoal.releases.reports.json_report import report_json

    _write(new / PLAN, judged.record.to_toml(target, _write_hierarchies(new, judged.plan)))
    _write(new / "report.json", report_json(judged))
    _write(new / "report.html", html(judged))
    for name, text in texts.items():
        _write(new / name, text)
    manifest = manifest_of(judged, new, tables, timings)
    _write(new / MANIFEST, json_text(manifest) + "\n")


def _portrayed(release: Release) -> Release:
    """The release with its portrait, which the report shows; made here unless it was made before."""
    if release.drawn:
        return release
    if release.private is None:
        raise OutputError(
            "The report shows the release beside its original, which is gone.",
            where="release.save",
            allowed="the release as it was made, or release.publishable(), which draws that picture first",
            received="what release.publishable(portrayed=False) gave",
            todo="save the release itself, or leave out portrayed=False",
        )
    started = time.perf_counter()
    drawn = release.portrayed()
    taken = {"portray": time.perf_counter() - started} if drawn.drawn else {}
    return replace(drawn, timings={**drawn.timings, **taken})


def _write_table(released: Table, path: Path, plan: Plan) -> None:
    try:
        sources.write_table(released, path, str(plan.format), plan.reading)
    except OutputError as problem:
        problem.where = f"{path.name} of the output folder"  # it will be there, once it is whole
        raise


def _judged(tables: Sequence[Table], release: Release, plan: Plan) -> Verdict:
    """The verdict on the tables as an outsider reads them; refused unless they hold."""
    verdict = release.judge_again(tables, plan)
    if not verdict.holds:
        broken = [f"{one.model}: {one.statement}" for one in verdict.findings if one.holds is False]
        raise _refused("; ".join(broken))
    return verdict


def _as_written(path: Path, released: Table, plan: Plan) -> Table:
    try:
        table = _read_back(path, plan)
    except TableError as problem:
        raise _refused(f"the written table cannot be read back ({problem.what})") from None
    if table.names != released.names or len(table) != len(released):
        raise _refused(
            f"the written table reads back with {len(table)} rows and {len(table.names)} columns"
            f" instead of {len(released)} and {len(released.names)}, or with other names"
        )
    return table


def _read_back(path: Path, plan: Plan) -> Table:
    reading, shown = plan.reading.as_written(), plan.published_quasi_identifiers
    return as_told(judged_file([path], reading, shown, plan.format), plan)


def _refused(received: str) -> RefusedReleaseError:
    return RefusedReleaseError(
        "The written table failed the independent check, so nothing was released.",
        where="the table as read back from its file",
        allowed="a table that holds every promise of the plan",
        received=received,
        todo="please report this as a bug of shoal, with the plan and the versions that `shoal doctor` prints",
    )


def _write_hierarchies(new: Path, plan: Plan) -> dict[str, str]:
    """Write every tree that the plan names; the relative path of each column's file."""
    trees = {name: column.hierarchy for name, column in plan.columns.items() if column.hierarchy is not None}
    if not trees:
        return {}
    (new / FOLDER).mkdir()
    files = {name: f"{FOLDER}/{safe}.csv" for name, safe in safe_names(trees).items()}
    for name, tree in trees.items():
        given = tree if isinstance(tree, Hierarchy) else read_levels(tree)
        write_levels(given, new / files[name])
        if read_levels(new / files[name]).rows() != given.rows():
            raise HierarchyError(
                "The hierarchy cannot be kept in a level file, so the plan could not be replayed.",
                where=f"hierarchy of column {name!r}",
                allowed="labels that do not begin or end with blanks",
                received="labels that read back differently",
                todo="remove the blanks around the labels, and around the values of the column",
            )
    return files


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")


def _cannot_write(problem: OSError, directory: str | Path) -> OutputError:
    what, where = "The release cannot be written; nothing was left behind.", f"output folder {str(directory)!r}"
    todo = ADVICE.get(problem.errno or 0, "choose another folder with -o")
    return unwritable(problem, what, where, PROMISE, todo)


# -- reading -------------------------------------------------------------------------------------------------


class SavedRelease(NamedTuple):
    """A release folder as read from disk."""

    tables: list[Table]
    """One, or the sub-tables in their order."""
    plan: Plan
    manifest: dict[str, Any]
    """Empty where the folder has none."""
    problems: list[str]
    """What does not fit the manifest, one sentence each."""
    kind: Kind
    """What it consists of."""
    files: list[Path]
    """Where the tables were read from."""

    @property
    def learnt(self) -> dict[str, float]:
        """Weights of the quasi-identifiers that the method has learnt, as the manifest tells them."""
        told = self.manifest.get("learnt_weights")
        if not isinstance(told, dict) or not all(isinstance(weight, float) for weight in told.values()):
            return {}
        return dict(told)

    def side_by_side(self, plan: Plan) -> Table:
        """The table; of sub-tables their quasi-identifiers, for metrics that look at one column at a time."""
        return self.kind.side_by_side(self.tables, plan)

    def check(self, plan: Plan, original: Any = None, allow: Iterable[str] = ()) -> Verdict:
        """Judge what can be judged; beside the original, more leaks are found in a table of classes."""
        for table in self.tables:
            refuse_missing(table, plan, [name for name in plan.published_quasi_identifiers if name in table.names])
        verdict = self.kind.judge(self.tables, plan, None, original=original, allow=allow, files=self.files)
        if original is not None and self.kind.weaker:
            verdict = verdict.warned(NOT_BESIDE)
        return verdict.warned(NO_CLASSES) if plan.require and self.kind.weaker else verdict


def reported(directory: str | Path) -> dict[str, dict[str, Any]]:
    """The measurements whose values the report of a release tells, by metric; none where it cannot be read."""
    report = read_strictly(Path(directory) / REPORT)
    told = report.get("measurements") if isinstance(report, dict) else None
    found = [one for one in told if _is_measurement(one)] if isinstance(told, list) else []
    return {one["metric"]: one for one in found}


def _is_measurement(told: Any) -> bool:
    """Whether part of a report, which anybody may have written, is a measurement with a value."""
    if not isinstance(told, dict) or not isinstance(told.get("metric"), str) or not _is_number(told.get("value")):
        return False
    others = [told.get(name) or {} for name in ("figures", "per_column")]
    return all(
        isinstance(one, dict) and all(value is None or _is_number(value) for value in one.values()) for one in others
    )


def _is_number(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all that are measured
        return False


def made_from(directory: str | Path, places: Iterable[Path | str]) -> bool:
    """Whether the report of a release tells that it was made from these very files, by their SHA-256."""
    report = read_strictly(Path(directory) / REPORT)
    provenance = report.get("provenance") if isinstance(report, dict) else None
    told = provenance.get("input") if isinstance(provenance, dict) else None
    return bool(told) and told == [dict(one) for one in fingerprints(places)]


def read_release(directory: str | Path) -> SavedRelease:
    """Read a release folder for judging; whatever does not fit is told as a problem, not hidden.

    What it consists of follows from the plan's method, whatever its manifest says.
    """
    folder = Path(directory)
    plan, kind, files = described(folder)
    tables = [_read_back(path, plan) for path in files]
    problems = problems_of(folder, plan, kind, dict[Path, Table | int](zip(files, tables)))
    return SavedRelease(tables, plan, read_manifest(folder) or {}, problems, kind, files)


def described(folder: Path) -> tuple[Plan, Kind, list[Path]]:
    """The plan of a release folder, what it consists of, and the files of its tables; none of them is read."""
    if not (folder / PLAN).is_file() or (folder / PLAN).is_symlink():
        raise PlanError(
            "The folder has no plan, so it is not known what was promised.",
            where=f"release folder {str(folder)!r}",
            allowed=f"a release folder with its {PLAN}",
            received=f"a folder without {PLAN}" if folder.is_dir() else "no such folder",
            todo="name the table file itself, with --qi and -k or with --plan",
        )
    plan = Plan.read(folder / PLAN)
    _refuse_trees_of_others(folder, plan)
    kind = kind_of_method(plan.method)
    return plan, kind, _table_files(folder, plan, kind)


def _refuse_trees_of_others(folder: Path, plan: Plan) -> None:
    """The plan of a folder must not have files read that lie elsewhere."""
    if columns := trees_outside(folder, plan):
        raise PlanError(
            "The plan of the release folder names a hierarchy that is no part of it.",
            where=f"release folder {str(folder)!r}, column {listed(map(repr, columns))}",
            allowed=f"files in its folder {FOLDER}/",
            received="a path to elsewhere",
            todo="name the table file itself, and the plan you trust with --plan",
        )


def _table_files(folder: Path, plan: Plan, kind: Kind) -> list[Path]:
    """The tables that the release of a plan has: one, or sub-tables numbered from 1 on."""
    ending = ".*" if plan.format is None else sources.extension(plan.format, plan.reading)
    pattern = "table-*" if kind.several else "table"
    entries = [path for path in folder.glob(f"{pattern}{ending}") if path.is_file() and not path.is_symlink()]
    found = {path.name: path for path in entries}
    wanted = sorted(found) if plan.format is None else kind.file_names(max(len(found), 1), ending)
    if not found or not set(wanted) <= set(found) or (len(found) > 1 and not kind.several):
        raise TableError(
            "The release folder does not hold the table that its plan tells of.",
            where=f"release folder {str(folder)!r}",
            allowed=listed(wanted) if wanted else "one file called table.<extension>",
            received=listed(sorted(found)),
            todo="restore the folder, or name the table file itself",
        )
    return [found[name] for name in wanted]
