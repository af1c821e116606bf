# SPDX-License-Identifier: Apache-2.0
"""The release folder: written whole or not at all, read back and judged before it is moved into place.

    table.<ext>                  the only file to publish (table-1.<ext>, table-2.<ext>, ... of several sub-tables)
    report.html  report.json     what was done, what holds, what was lost
    plan.toml  hierarchies/      complete: replaying the plan on the same input gives the same bytes
    manifest.json                SHA-256 of each file, versions, seed, guarantee, verdict

Everything is made in a private folder beside the target (see :mod:`shoal.releases.private_folder`); the last act
is one rename.
"""

from __future__ import annotations

import errno
import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from shoal.errors import HierarchyError, OutputError, PlanError, RefusedReleaseError, TableError, listed
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.level_files import read_levels, write_levels
from shoal.plan import Plan
from shoal.privacy_models._protocol import Verdict
from shoal.releases.manifest import MANIFEST, files_in, fingerprint, manifest_of, read_manifest
from shoal.releases.private_folder import NEW, private_folder, put_in_place, sweep, sync_folder
from shoal.releases.release import Release
from shoal.tables.table import Table, side_by_side

PLAN = "plan.toml"
HIERARCHIES = "hierarchies"
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
    with _clear_errors(directory), private_folder(target) as folder:
        new = folder / NEW
        new.mkdir()
        _fill(new, release, format or release.source_format, target)
        _sync(new)
        if os.path.lexists(target):  # it may have appeared since the first look
            _refuse_unless_replaceable(target, directory, overwrite)
        put_in_place(folder, target)
    return Path(directory)


def _fill(new: Path, release: Release, format: str, target: Path) -> None:
    from shoal.reports.html import html
    from shoal.reports.json_report import report_json
    from shoal.tables.sources import extension

    started = time.perf_counter()
    plan = replace(release.plan, format=format)
    ending = extension(format, plan.reading)
    numbers = [f"-{number}" for number in range(1, len(release.subtables) + 1)] or [""]
    tables = [new / f"table{number}{ending}" for number in numbers]
    for part, path in zip(release.parts, tables, strict=True):
        _write_table(part.released, path, plan)
    written = time.perf_counter()
    judged = replace(release, plan=plan, verdict=_judge_written(tables, release, plan))
    timings = {**release.timings, "write": written - started, "judge written": time.perf_counter() - written}
    _write(new / PLAN, _as_seen_from(target, plan).to_toml(_write_hierarchies(new, plan)))
    _write(new / "report.json", report_json(judged))
    _write(new / "report.html", html(judged))
    manifest = manifest_of(judged, new, [path.name for path in tables], timings)
    _write(new / MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def _as_seen_from(target: Path, plan: Plan) -> Plan:
    """The plan with the path of the population, which stays where it is, from the release folder."""
    if not isinstance(plan.population, Path):
        return plan
    return replace(plan, population=Path(os.path.relpath(os.path.realpath(plan.population), target)))


def _write_table(released: Table, path: Path, plan: Plan) -> None:
    from shoal.tables.sources import write_table

    try:
        write_table(released, path, str(plan.format), plan.reading)
    except OutputError as problem:
        problem.where = f"{path.name} of the output folder"  # it will be there, once it is whole
        raise


def _judge_written(paths: Sequence[Path], release: Release, plan: Plan) -> Verdict:
    """Read the written tables back, the way an outsider will, and refuse them unless they hold."""
    from shoal.judging import check_again

    tables = [_as_written(path, part.released, plan) for path, part in zip(paths, release.parts, strict=True)]
    if release.judge:
        verdict = release.judge(tables)
    else:
        verdict = check_again(tables[0], plan, release.released, release.verdict)
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
    from shoal.tables.sources import read_table

    return read_table([path], plan.reading.as_written(), format=plan.format).table


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
    (new / HIERARCHIES).mkdir()
    files = {name: f"{HIERARCHIES}/{safe}.csv" for name, safe in safe_names(trees).items()}
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


def safe_names(names: Iterable[str]) -> dict[str, str]:
    """A file name for each column name, whatever characters it has; no two differ in case only.

    >>> safe_names(["age", "Age", "a/b", "..", ""])
    {'age': 'age', 'Age': 'Age-2', 'a/b': 'a_b', '..': 'column', '': 'column-2'}
    """
    safe: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        stem = re.sub(r"[^\w-]+", "_", name)[:60].strip("_") or "column"
        found, number = stem, 1
        while found.casefold() in taken:
            number += 1
            found = f"{stem}-{number}"
        taken.add(found.casefold())
        safe[name] = found
    return safe


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")


def _sync(folder: Path) -> None:
    """Make every file survive a power cut before the rename makes it visible."""
    for path in sorted(folder.rglob("*")):
        if path.is_dir():
            sync_folder(path)
        else:
            with path.open("rb") as file:
                os.fsync(file.fileno())
    sync_folder(folder)


@contextmanager
def _clear_errors(directory: str | Path) -> Iterator[None]:
    """Turn what the operating system says into our own words."""
    try:
        yield
    except OSError as problem:
        raise _cannot_write(problem, directory) from None


def _cannot_write(problem: OSError, directory: str | Path) -> OutputError:
    return OutputError(
        "The release cannot be written; nothing was left behind.",
        where=f"output folder {str(directory)!r}",
        allowed=PROMISE,
        received=os.strerror(problem.errno) if problem.errno else "an error of the operating system",
        todo=ADVICE.get(problem.errno or 0, "choose another folder with -o"),
    )


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
    releases: str
    """``classes``, ``subtables`` or ``boxes``."""
    files: list[Path]
    """Where the tables were read from."""

    @property
    def table(self) -> Table:
        """The table; of sub-tables the first."""
        return self.tables[0]

    def side_by_side(self, plan: Plan) -> Table:
        """The table; of sub-tables their quasi-identifiers, for metrics that look at one column at a time."""
        if self.releases != "subtables":
            return self.table
        return side_by_side(self.tables, plan.published_quasi_identifiers)

    def check(self, plan: Plan, original: Any = None, allow: Iterable[str] = ()) -> Verdict:
        """Judge what can be judged; beside the original, more leaks are found in a table of classes."""
        from shoal.judging import check, check_boxes, check_subtables

        if self.releases == "subtables":
            return check_subtables(self.tables, plan)
        if self.releases == "boxes":
            return check_boxes(self.table, plan)
        return check(self.table, plan=plan, original=original, allow=allow, files=self.files)


def is_release(directory: str | Path) -> bool:
    """Whether a path is a folder with a manifest of ours."""
    return Path(directory).is_dir() and read_manifest(Path(directory)) is not None


def read_release(directory: str | Path) -> SavedRelease:
    """Read a release folder for judging; changed or missing files are told as problems, not hidden."""
    folder = Path(directory)
    manifest = read_manifest(folder)
    if not (folder / PLAN).is_file():
        raise PlanError(
            "The folder has no plan, so it is not known what was promised.",
            where=f"release folder {str(directory)!r}",
            allowed=f"a release folder with its {PLAN}",
            received=f"a folder without {PLAN}" if folder.is_dir() else "no such folder",
            todo="name the table file itself, with --qi and -k or with --plan",
        )
    plan = Plan.read(folder / PLAN)
    files = _table_files(folder, manifest)
    tables = [_read_back(path, plan) for path in files]
    releases = (manifest or {}).get("releases", "classes")
    return SavedRelease(tables, plan, manifest or {}, _problems(folder, manifest), releases, files)


def _table_files(folder: Path, manifest: dict[str, Any] | None) -> list[Path]:
    named = (manifest or {}).get("tables") or [(manifest or {}).get("table")]
    if all(isinstance(one, str) and Path(one).name == one and (folder / one).is_file() for one in named):
        return [folder / one for one in named]
    found = sorted(path for path in folder.glob("table.*") if path.is_file())
    if len(found) != 1:
        raise TableError(
            "The release folder does not hold exactly one table.",
            where=f"release folder {str(folder)!r}",
            allowed="one file called table.<extension>",
            received=listed([path.name for path in found]),
            todo="restore the folder, or name the table file itself",
        )
    return found


def _problems(folder: Path, manifest: dict[str, Any] | None) -> list[str]:
    if manifest is None:
        return [f"The folder has no {MANIFEST} of shoal; whether its files were changed cannot be told."]
    problems = []
    for name, expected in sorted(manifest["files"].items()):
        path = folder / name
        if not path.resolve().is_relative_to(folder.resolve()):
            problems.append(f"{MANIFEST} lists a file outside the folder.")
        elif not path.is_file():
            problems.append(f"{name} is missing.")
        elif not isinstance(expected, dict) or fingerprint(path)["sha256"] != expected.get("sha256"):
            problems.append(f"{name} is not the file that was released: its SHA-256 differs from {MANIFEST}.")
    return problems
