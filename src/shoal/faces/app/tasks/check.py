# SPDX-License-Identifier: Apache-2.0
"""Judges a released file of anybody: what holds, and what gives people away."""

from __future__ import annotations

import zipfile
from pathlib import Path

from shoal.faces.app.bench import Bench
from shoal.faces.app.facts import Checked
from shoal.ground.errors import InputError, TableError
from shoal.ground.progress import ProgressCallback, Step
from shoal.judging.bytes.reading import judged_file
from shoal.judging.checking import check
from shoal.judging.verdicts import Verdict
from shoal.releases.folder import read_release
from shoal.suggesting.looking import look_at
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table

MOST_FILES, LARGEST, RATIO = 2_000, 8 << 30, 200
"""Of an archive: files, bytes unpacked, and how many times that is of what it is packed."""
BLOCK = 1 << 20


def run(
    _bench: Bench,
    progress: ProgressCallback,
    *,
    place: Path,
    names: tuple[str, ...] | None,
    private: tuple[str, ...],
    k: int | None,
    original: str | None,
) -> Checked:
    """A release folder by its own plan; a table by the columns that are named, or look recognisable."""
    progress(Step("read"))
    if place.is_dir() or (zipfile.is_zipfile(place) and place.suffix.lower() == ".zip"):
        folder = place if place.is_dir() else unpacked(place, place.with_suffix(""))
        saved = read_release(folder)
        progress(Step("check"))
        beside = None if original is None else read_table(original, saved.plan.reading).table
        return _told(saved.check(saved.plan, beside), tuple(saved.problems), (), ())
    table = read_table(place).table
    guesses = look_at(table)
    seeming = tuple(name for name, one in guesses.items() if one.role == "quasi-identifier")
    chosen = seeming if names is None else names
    if not chosen:
        return Checked(None, (), (), (), (), tuple(table.names), ())
    progress(Step("check"))
    judged = judged_file((place,), Reading(), chosen)
    hidden = tuple(name for name, one in guesses.items() if one.role == "sensitive" and name not in chosen)
    about = private or (hidden if names is None else ())
    beside = None if original is None else read_table(original).table
    verdict = check(judged, quasi_identifiers=chosen, sensitive=about, k=k, original=beside, files=[place])
    return _told(verdict, (), tuple(table.names), chosen, about)


def _told(
    verdict: Verdict,
    problems: tuple[str, ...],
    columns: tuple[str, ...],
    chosen: tuple[str, ...],
    private: tuple[str, ...] = (),
) -> Checked:
    findings = tuple((one.mark, one.model, one.statement) for one in verdict.findings)
    leaks = tuple((one.severity, one.kind.replace("_", " "), one.statement, one.todo) for one in verdict.leaks)
    claimed = any(one.holds is not None for one in verdict.findings) or bool(problems)
    holds = (verdict.holds and not problems) if claimed else None
    return Checked(holds, findings, leaks, problems, chosen, columns, private)


def unpacked(archive: Path, target: Path) -> Path:
    """The files of an archive in a new folder; refused if it is too large, or a name leads elsewhere."""
    with zipfile.ZipFile(archive) as packed:
        entries = [one for one in packed.infolist() if not one.is_dir()]
        whole = sum(one.file_size for one in entries)
        if len(entries) > MOST_FILES or whole > LARGEST or whole > RATIO * max(archive.stat().st_size, 1 << 20):
            raise _refused("The archive is too large once it is unpacked.", f"{len(entries):,} files")
        target.mkdir(mode=0o700)
        for one in entries:
            parts = one.filename.split("/")
            strange = "\\" in one.filename or ":" in one.filename or any(part in ("", ".", "..") for part in parts)
            if strange:
                raise _refused("The archive holds a name that leads elsewhere.", "a path outside the archive")
            _write(packed, one, target.joinpath(*parts))
    inside = [one for one in target.iterdir() if one.is_dir()]
    alone = len(inside) == 1 and not (target / "manifest.json").exists() and not (target / "plan.toml").exists()
    return inside[0] if alone else target


def _write(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path) -> None:
    """One file, and no more bytes of it than its archive promised."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    left = entry.file_size
    with packed.open(entry) as source, path.open("xb") as target:
        for block in iter(lambda: source.read(BLOCK), b""):
            left -= len(block)
            if left < 0:
                raise _refused("The archive is larger than it says.", "more bytes than promised")
            target.write(block)


def _refused(what: str, received: str) -> InputError:
    return TableError(
        what,
        where="archive",
        allowed=f"a release folder of at most {MOST_FILES:,} files",
        received=received,
        todo="unpack it yourself, and check the folder by its path",
    )
