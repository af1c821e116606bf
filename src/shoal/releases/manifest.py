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
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.reports.findings import promise_figures
from shoal.reports.versions import versions

if TYPE_CHECKING:
    from shoal.releases.release import Release

MANIFEST = "manifest.json"
FORMAT = "shoal release 1"
"""Marks a folder as ours; the number grows when the layout changes."""


def manifest_of(release: Release, folder: Path, tables: Sequence[str], timings: Mapping[str, float]) -> dict[str, Any]:
    """Describe the files of a finished folder and the run that made them."""
    facts = release.facts
    return {
        "format": FORMAT,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        **_tables(release, tables),
        "guarantee": {**promise_figures(release), "missing": release.plan.missing, "models": _models(release)},
        "verdict": release.verdict.to_dict(),
        "method": release.plan.method,
        "seed": release.plan.seed,
        "rows": {name: facts[name] for name in ("rows", "released_rows", "suppressed") if name in facts},
        "files": {name: fingerprint(folder / name) for name in files_in(folder)},
        "versions": versions(),
        "platform": platform.platform(),
        "threads": _threads(),
        "timings": {phase: round(seconds, 6) for phase, seconds in timings.items()},
    }


def fingerprint(path: Path) -> dict[str, Any]:
    """SHA-256 and size of a file."""
    with path.open("rb") as file:
        return {"sha256": hashlib.file_digest(file, "sha256").hexdigest(), "bytes": path.stat().st_size}


def files_in(folder: Path) -> list[str]:
    """All files below a folder, as sorted relative names with forward slashes; the manifest is not among them."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())
    return sorted(name for name in found if name != MANIFEST)


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of a folder; None where there is none that shoal wrote."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    ours = isinstance(found, dict) and found.get("format") == FORMAT and isinstance(found.get("files"), dict)
    return found if ours else None


def _tables(release: Release, tables: Sequence[str]) -> dict[str, Any]:
    kind = release.facts.get("releases", "classes")
    named: dict[str, Any] = {"tables": list(tables)} if release.subtables else {"table": tables[0]}
    return named if kind == "classes" else {"releases": kind, **named}


def _models(release: Release) -> dict[str, Any]:
    return {name: dict(parameters) for name, parameters in release.plan.models.items()}


def _threads() -> int:
    """How many threads this process may use."""
    wanted = os.environ.get("NUMBA_NUM_THREADS", "")
    if wanted.isdigit():
        return int(wanted)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
