# SPDX-License-Identifier: Apache-2.0
"""Where compiled kernels are kept, and when they are too old.

Beside the source, if that can be written to; else in the user's cache folder; ``NUMBA_CACHE_DIR`` sends them elsewhere.
An installation that is read-only, for a user without a home, keeps them until the machine is started again: in a folder
of the user's own among the temporary files. Compiled code is executed, so that folder must belong to the user and be
closed to all others. What was damaged is compiled anew (:mod:`shoal.engine.kernels.compiler.checked_cache`).

The compiler refreshes its cache of a kernel when that kernel's own file changes, but not when a kernel it calls
changes, and then mixes old and new code. So the cache of each folder carries a fingerprint of each kernel file and of
those it imports, and what was made from other sources is removed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba

from shoal.engine.kernels.compiler.checked_cache import check
from shoal.engine.kernels.compiler.choosing import Kernel
from shoal.engine.kernels.compiler.lending import COMPILED

ROOM = Path(__file__).parents[1]
IMPORT = re.compile(r"from shoal\.engine\.kernels\.([\w.]+) import")
MODE = 0o700
"""Of the folder among the temporary files."""


def keep(made: Any) -> None:
    """Let a kernel be cached on disk, where there is a place."""
    try:
        if _homeless() and not os.access(Path(made.py_func.__code__.co_filename).parent, os.W_OK):
            raise RuntimeError("the compiler would make a folder called ~ here")
        made.enable_caching()
    except RuntimeError:  # neither the package folder nor the user's cache folder can be written
        with suppress(RuntimeError), _sent_to(temporary_folder()):
            made.enable_caching()
    check(made)


def _homeless() -> bool:
    settings: Any = numba.config
    asked = settings.CACHE_DIR or os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~")
    return not os.path.isabs(asked)


@cache
def temporary_folder() -> Path | None:
    """A folder for compiled kernels that lasts until the machine is started again; None if there is no safe one."""
    if not hasattr(os, "getuid"):
        return None
    for above in (os.environ.get("XDG_RUNTIME_DIR", ""), tempfile.gettempdir()):
        folder = Path(above) / f"shoal-kernels-{os.getuid()}"
        if above and _is_ours(folder):
            return folder
    return None


def _is_ours(folder: Path) -> bool:
    """Whether a folder, made if need be, belongs to this user and is closed to all others; links do not count."""
    try:
        with suppress(FileExistsError):
            folder.mkdir(mode=MODE)
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == MODE


@contextmanager
def _sent_to(folder: Path | None) -> Iterator[None]:
    """Send what is cached meanwhile to a folder."""
    if folder is None:
        raise RuntimeError("there is no place")
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before


def cache_folder(room: Path = ROOM) -> Path | None:
    """Where compiled kernels of a folder are kept, as the compiler says; None if nowhere."""
    if not COMPILED:
        return None
    named: dict[str, Any] = {}
    exec(compile("def probe(): pass", str(room / "__init__.py"), "exec"), named)
    probe: Any = Kernel(named["probe"])
    keep(probe)
    return Path(probe.stats.cache_path) if probe.stats.cache_path else None


def rooms() -> list[Path]:
    """All folders with kernels."""
    return sorted({path.parent for path in ROOM.rglob("*.py")})


def is_kept(made: Any) -> bool:
    """Whether a kernel was compiled before and starts at once."""
    path, function = made.stats.cache_path, made.py_func
    name = f"{Path(function.__code__.co_filename).stem}.{function.__qualname__}-*.nbi"
    return bool(made.overloads) or (path is not None and any(Path(path).glob(name)))


def any_kept() -> bool:
    """Whether any kernel was compiled before."""
    return any(any(folder.glob("*.nbi")) for folder in map(cache_folder, rooms()) if folder is not None)


def fingerprints(sources: Mapping[str, str]) -> dict[str, str]:
    """A fingerprint of each kernel file together with all kernel files it imports, directly or not.

    >>> before = fingerprints({"a": "1", "trees.b": "from shoal.engine.kernels.a import x", "trees.c": "2"})
    >>> after = fingerprints({"a": "3", "trees.b": "from shoal.engine.kernels.a import x", "trees.c": "2"})
    >>> [name for name in before if before[name] != after[name]]
    ['a', 'trees.b']
    """
    imports = {name: set(IMPORT.findall(text)) & set(sources) for name, text in sources.items()}
    prints = {}
    for name in sources:
        needed, todo = {name}, [name]
        while todo:
            new = imports[todo.pop()] - needed
            needed |= new
            todo += new
        whole = "".join(sources[each] for each in sorted(needed))
        prints[name] = hashlib.sha256(whole.encode()).hexdigest()
    return prints


def forget_old_kernels(top: Path = ROOM, folder_of: Callable[[Path], Path | None] = cache_folder) -> None:
    """Remove cached kernels that were made from other sources than today's."""
    paths = {".".join(path.relative_to(top).with_suffix("").parts): path for path in sorted(top.rglob("*.py"))}
    today = fingerprints({name: path.read_text(encoding="utf-8") for name, path in paths.items()})
    for room in sorted({path.parent for path in paths.values()}):
        _forget(folder_of(room), {path.stem: today[name] for name, path in paths.items() if path.parent == room})


def _forget(folder: Path | None, today: dict[str, str]) -> None:
    if folder is None:
        return
    stamp = folder / "kernels.json"
    try:
        known = json.loads(stamp.read_text()) if stamp.exists() else {}
        if known == today:
            return
        for path in folder.glob("*.nb[ic]"):
            name = path.name.partition(".")[0]
            if known.get(name) != today.get(name):
                path.unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        stamp.write_text(json.dumps(today))
    except (OSError, ValueError):  # a read-only cache: whoever installed it keeps it in step
        return
