# SPDX-License-Identifier: Apache-2.0
"""Files and folders that are written whole or not at all.

A file is written under another name first and then takes the place of the old one.

A folder is made in a private folder beside it, called ``.<output name>.shoal-<random>``. That has mode 0700 and holds
a lock file that the process keeps locked for as long as it lives. The kernel drops the lock of a killed process, so
the next run can tell a dead folder from a live one and sweep it. What is being replaced exchanges names with the new
one where the system can do that in one act. Elsewhere it waits in ``old`` until the new one stands in its place;
whoever cleans up, the run itself or a later sweep, puts it back if nothing does.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import re
import secrets
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

from shoal.ground.errors import OutputError
from shoal.ground.interrupts import STOPS

LOCK = "lock"
NEW = "new"
OLD = "old"
SCRATCH = "scratch"
"""For what a run needs on its way; gone afterwards, like all of the private folder."""
RANDOM = re.compile(r"[0-9a-f]{8}")
ATTEMPTS = 100
AT_WORKING_FOLDER, EXCHANGE = -100, 2
"""Numbers of Linux: AT_FDCWD and RENAME_EXCHANGE."""


def write_files(contents: Mapping[Path, str]) -> None:
    """Write texts as they are; none takes its place before all of them are on the disk."""
    drafts = {path: path.with_name(f".{path.name}.{secrets.token_hex(4)}") for path in contents}
    try:
        for path, text in contents.items():
            drafts[path].write_text(text, encoding="utf-8", newline="")
            sync(drafts[path])
        with held_back():
            for path, draft in drafts.items():
                os.replace(draft, path)
    finally:
        for draft in drafts.values():
            with suppress(OSError):
                draft.unlink()


def unwritable(problem: OSError, what: str, where: str, allowed: str, todo: str) -> OutputError:
    """What the operating system says, in our own words."""
    received = os.strerror(problem.errno) if problem.errno else "an error of the operating system"
    return OutputError(what, where=where, allowed=allowed, received=received, todo=todo)


def sync(path: Path) -> None:
    """Make a file, or the entries of a folder, survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_all(folder: Path) -> None:
    """The same for all that is in a folder."""
    for path in sorted(folder.rglob("*")):
        sync(path)
    sync(folder)


@contextmanager
def private_folder(target: Path) -> Iterator[Path]:
    """A locked private folder beside ``target``; afterwards it is gone, whatever happened.

    Missing parent folders are made, and removed again if they stay empty.
    """
    made = _make_parents(target.parent)
    folder, lock = None, -1
    try:
        with held_back():
            folder, lock = _create(target)
        yield folder
    finally:
        with held_back():
            if folder is not None:
                _clear(folder, target)
                os.close(lock)
            for parent in reversed(made):
                with suppress(OSError):  # holds the release now
                    parent.rmdir()


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A private folder where the system has its temporary files; gone afterwards, with those that killed runs left."""
    target = Path(os.path.realpath(tempfile.gettempdir())) / f"scratch-{os.geteuid()}"
    sweep(target)
    with private_folder(target) as folder:
        scratch = folder / SCRATCH
        scratch.mkdir()
        yield scratch


@contextmanager
def held_back() -> Iterator[None]:
    """Stop signals wait until the block is left, so that none comes between making a thing and noting it down."""
    waiting: list[tuple[int, FrameType | None]] = []
    before: dict[int, Any] = {}
    try:
        if threading.current_thread() is threading.main_thread():  # only there do signals raise, and may be held
            for stop in STOPS:
                before[stop] = signal.getsignal(stop)
                if callable(before[stop]):
                    signal.signal(stop, lambda number, frame: waiting.append((number, frame)))
        yield
    finally:
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, handler)
        for number, frame in waiting[:1]:
            before[number](number, frame)


def put_in_place(folder: Path, target: Path) -> None:
    """Move the finished release to its place.

    An old one there exchanges names with it, so that there is a release at any moment. Where the system cannot do
    that, the old one is set aside first.
    """
    if not (os.path.lexists(target) and exchange_names(folder / NEW, target)):
        if os.path.lexists(target):
            os.rename(target, folder / OLD)
        os.rename(folder / NEW, target)
    with suppress(OSError):  # the release is in place and whole; not every file system can sync a folder
        sync(target.parent)


def exchange_names(one: Path, other: Path) -> bool:
    """Let two files or folders exchange their names in one act; False, and nothing done, where that is not possible."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):  # not Linux, or a C library that does not have it
        return False
    names = (os.fsencode(one), os.fsencode(other))
    rename.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    return bool(rename(AT_WORKING_FOLDER, names[0], AT_WORKING_FOLDER, names[1], EXCHANGE) == 0)


def sweep(directory: str | Path) -> None:
    """Remove the private folders that killed runs left beside a folder, and put back a release set aside there."""
    target = Path(os.path.realpath(directory))
    with suppress(OSError):
        for found in sorted(target.parent.iterdir()):
            if _is_private(found, target):
                with suppress(OSError):
                    _sweep_one(found, target)


def _is_private(found: Path, target: Path) -> bool:
    start = _prefix(target)
    named = found.name.startswith(start) and RANDOM.fullmatch(found.name[len(start) :]) is not None
    if not named or found.is_symlink() or not found.is_dir():
        return False
    return found.stat().st_uid == os.geteuid()  # what others put there, they sweep


def _prefix(target: Path) -> str:
    return f".{target.name}.shoal-"


def _sweep_one(found: Path, target: Path) -> None:
    if not os.path.lexists(found / LOCK):
        found.rmdir()  # its maker died, or is still, between making folder and lock; only an empty one goes
        return
    lock = os.open(found / LOCK, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _clear(found, target)
    finally:
        os.close(lock)


def _create(target: Path) -> tuple[Path, int]:
    """Make and lock a private folder; start again if a sweep of another process came between the two."""
    for _ in range(ATTEMPTS):
        folder = target.parent / f"{_prefix(target)}{secrets.token_hex(4)}"
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            continue
        lock = _locked(folder)
        if lock is not None:
            return folder, lock
    raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def _locked(folder: Path) -> int | None:
    try:
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except FileNotFoundError:
        return None
    except BaseException:
        folder.rmdir()
        raise
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    except BaseException:
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)
        raise
    if not os.path.lexists(folder / LOCK):
        os.close(lock)
        return None
    return lock


def _clear(folder: Path, target: Path) -> None:
    """Put back a release that was set aside and has no successor; then remove the folder, its lock last."""
    with suppress(OSError):
        if os.path.lexists(folder / OLD) and not os.path.lexists(target):
            os.rename(folder / OLD, target)
        for name in (NEW, OLD, SCRATCH):
            shutil.rmtree(folder / name, ignore_errors=True)
        # As long as anything is left the lock stays, so that a later sweep knows the folder and tries again.
        if os.listdir(folder) == [LOCK]:
            os.unlink(folder / LOCK)
            os.rmdir(folder)


def _make_parents(parent: Path) -> list[Path]:
    """Make the missing ancestors, outermost first, and name those that were made."""
    missing = []
    while not os.path.lexists(parent):
        missing.append(parent)
        parent = parent.parent
    made: list[Path] = []
    try:
        for one in reversed(missing):
            one.mkdir(exist_ok=True)
            made.append(one)
    except BaseException:
        for one in reversed(made):
            one.rmdir()
        raise
    return made
