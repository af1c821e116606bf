# SPDX-License-Identifier: Apache-2.0
"""Tell what is installed, what is missing and what to do about it."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import click

from shoal import __version__
from shoal.faces.cli import _flags as flags
from shoal.faces.cli._output import columns_of_text, say, say_json

#: Extras for people who work on shoal itself.
FOR_DEVELOPERS = ("test", "dev")
OLDEST_JAVA = 17
NEEDED = re.compile(r"^\s*([A-Za-z0-9._-]+)(?:\[[^]]*\])?[^;]*(?:;.*extra\s*==\s*['\"]([^'\"]+)['\"])?")


@click.command(help=__doc__)
@flags.json_flag
def command(as_json: bool) -> None:
    """Look around and tell; always exits 0."""
    facts = examined()
    if as_json:
        say_json(facts)
        return
    parts = []
    for title, found in facts.items():
        rows = found.items() if isinstance(found, Mapping) else [(str(one), "") for one in found]
        lines = columns_of_text([(name, str(value)) for name, value in rows]) or "  none"
        parts.append(f"{title.capitalize()}:\n{lines}")
    say("\n\n".join(parts))


def examined() -> dict[str, Any]:
    """Everything the doctor looks at, by heading."""
    required, extras = _requirements()
    return {
        "installation": {"shoal": __version__, "python": sys.version.split()[0], "system": platform.platform()},
        "packages": {name: _version(name) or "MISSING: install shoal again" for name in required},
        "extras": {extra: _extra(extra, names) for extra, names in extras.items()},
        "kernels": _kernels(),
        "spark": {"java": _java()},
        "machine": {"threads": len(os.sched_getaffinity(0)), **_memory()},
        "leftovers of killed runs here": _leftovers(Path()),
        "leftovers of the app": _leftovers_of_app(),
    }


def _requirements() -> tuple[list[str], dict[str, list[str]]]:
    """Packages that shoal needs, and those of each extra, as the installation declares them."""
    required: list[str] = []
    extras: dict[str, list[str]] = {}
    for line in metadata.requires("shoal") or []:
        found = NEEDED.match(line)
        if found and found[2] is None:
            required.append(found[1])
        elif found and found[2] not in FOR_DEVELOPERS:
            extras.setdefault(found[2], []).append(found[1])
    return required, extras


def _extra(extra: str, names: list[str]) -> str:
    absent = [name for name in names if _version(name) is None]
    if not absent:
        return "installed: " + ", ".join(f"{name} {_version(name)}" for name in names)
    return f"missing {', '.join(absent)}: pip install 'shoal[{extra}]'"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _kernels() -> dict[str, str]:
    """Whether the next run starts at once, and if not, whether the one after will."""
    from shoal.engine.kernels.compiler.keeping import any_kept, cache_folder, temporary_folder

    folder = cache_folder()
    nowhere = "nowhere: every run compiles again; set NUMBA_CACHE_DIR to a folder you may write to"
    lasts = ", until the machine is started again" if folder and temporary_folder() in folder.parents else ""
    return {
        "compiled": "yes" if any_kept() else "no: the first run compiles what it needs, for half a minute or less",
        "kept in": nowhere if folder is None else f"{folder}{lasts}",
    }


def _java() -> str:
    """The Java that Spark would start, or what to do; PySpark itself only says that its gateway has exited."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=f"{home}/bin") if home else shutil.which("java")
    if found is None:
        return (
            "JAVA_HOME names no Java: unset or mend it"
            if home
            else "none; shoal.spark needs 17 or newer where Spark starts"
        )
    done = subprocess.run([found, "-version"], capture_output=True, text=True, check=False, timeout=60)
    version = re.search(r'version "(?:1\.)?(\d+)([^"]*)"', done.stderr)
    if version is None:
        return "of unknown version"
    return f"{version[1]}{version[2]}" + (
        "" if int(version[1]) >= OLDEST_JAVA else f": Spark needs {OLDEST_JAVA} or newer"
    )


def _memory() -> dict[str, str]:
    """Total and free memory, where the system tells."""
    page = os.sysconf("SC_PAGE_SIZE")
    sizes = {"memory": os.sysconf("SC_PHYS_PAGES") * page, "free memory": os.sysconf("SC_AVPHYS_PAGES") * page}
    return {name: f"{size / 2**30:.1f} GiB" for name, size in sizes.items()}


def _leftovers_of_app() -> list[str]:
    """The same of the web app, whose next start sweeps them."""
    from shoal.faces.app.memory import state_place

    return _leftovers(state_place()) if state_place().is_dir() else []


def _leftovers(folder: Path) -> list[str]:
    """Private folders of runs that were killed (or still go on); the next run with the same -o sweeps them."""
    pattern = re.compile(r"\..+\.shoal-[0-9a-f]{8}")
    return sorted(path.name for path in folder.iterdir() if pattern.fullmatch(path.name) and path.is_dir())
