# SPDX-License-Identifier: Apache-2.0
"""The manifest of a release folder: what is in it, what made it, what it promises.

The only file of a release that differs between two equal runs: times, threads and platform stand here and nowhere
else.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.ground.errors import InputError
from shoal.ground.limits import refuse_no_file
from shoal.releases.reports.versions import versions
from shoal.releases.reports.words import NOT_FOR_PUBLICATION

if TYPE_CHECKING:
    from shoal.releases.release import Release

MANIFEST = "manifest.json"
FORMAT = "shoal release 1"
"""Marks a folder as ours; the number grows when the layout changes."""


LARGEST = 1 << 28
"""Bytes of a manifest or a report that are read; ours have a few thousand."""


def manifest_of(release: Release, folder: Path, tables: Sequence[str], timings: Mapping[str, float]) -> dict[str, Any]:
    """Describe the files of a finished folder and the run that made them."""
    facts = release.facts
    return {
        "publish": NOT_FOR_PUBLICATION,
        "format": FORMAT,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        **_tables(release, tables),
        "guarantee": {**release.kind.promised(release), "missing": release.plan.missing, "models": _models(release)},
        "verdict": release.verdict.to_dict(),
        "method": release.plan.method,
        "seed": release.plan.seed,
        **({"learnt_weights": dict(release.record.learnt)} if release.record.learnt else {}),
        "rows": {name: facts[name] for name in ("rows", "released_rows", "suppressed") if name in facts},
        "files": {name: fingerprint(folder / name) for name in files_in(folder)},
        "versions": versions(),
        "platform": platform.platform(),
        "threads": _threads(),
        "timings": {phase: round(seconds, 6) for phase, seconds in timings.items()},
    }


def fingerprint(path: Path) -> dict[str, Any]:
    """SHA-256 and size of a file."""
    refuse_no_file(path, f"file {str(path)!r}", InputError)
    with path.open("rb") as file:
        return {"sha256": hashlib.file_digest(file, "sha256").hexdigest(), "bytes": path.stat().st_size}


def fingerprints(places: Iterable[Path | str]) -> tuple[dict[str, Any], ...]:
    """Those of the files that a table was read from; a database has none."""
    return tuple(fingerprint(place) for place in places if isinstance(place, Path))


def entries_in(folder: Path) -> list[Path]:
    """Files, folders and links below a folder, hidden ones too, by name; links are not followed."""
    entries = [Path(top) / name for top, folders, files in os.walk(folder) for name in (*folders, *files)]
    return sorted(entries)


def files_in(folder: Path) -> list[str]:
    """All files below a folder, as sorted relative names with forward slashes; the manifest is not among them."""
    entries = entries_in(folder)
    found = (path.relative_to(folder).as_posix() for path in entries if path.is_symlink() or not path.is_dir())
    return sorted(name for name in found if name != MANIFEST)


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of a folder; None where there is none that shoal wrote, or one that two readers could differ on."""
    found = read_strictly(folder / MANIFEST)
    ours = isinstance(found, dict) and found.get("format") == FORMAT and isinstance(found.get("files"), dict)
    return found if ours else None


def read_strictly(path: Path) -> Any:
    """What a JSON file says; None where it is no plain file of a usual size, or no strict JSON."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
            return None
        return strict_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def strict_json(text: str) -> Any:
    """What a JSON text says; a name that is told twice is a ValueError, since readers differ on which counts."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        told = dict(pairs)
        if len(told) < len(pairs):
            raise ValueError
        return told

    return json.loads(text, object_pairs_hook=once, parse_constant=_no_number)


def _no_number(name: str) -> Any:
    raise ValueError


def _tables(release: Release, tables: Sequence[str]) -> dict[str, Any]:
    named: dict[str, Any] = {"tables": list(tables)} if release.kind.several else {"table": tables[0]}
    return {"releases": release.kind.name, **named} if release.kind.weaker else named


def _models(release: Release) -> dict[str, Any]:
    return {name: dict(parameters) for name, parameters in release.plan.models.items()}


def _threads() -> int:
    """How many threads this process may use."""
    wanted = os.environ.get("NUMBA_NUM_THREADS", "")
    if wanted.isdigit():
        return int(wanted)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
