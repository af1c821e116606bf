# SPDX-License-Identifier: Apache-2.0
"""Where compiled kernels are kept: beside the source, in the user's cache, or until the machine is started again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from shoal.engine.kernels.compiler import keeping
from shoal.engine.kernels.compiler.keeping import ROOM, fingerprints, forget_old_kernels, rooms

ASK = """
import numpy as np
from shoal.engine.kernels.compiler.keeping import ROOM, cache_folder, is_kept
from shoal.engine.kernels.methods import hilbert
before, folder = is_kept(hilbert.hilbert_keys), cache_folder(ROOM / "methods")
hilbert.hilbert_order(np.zeros((2, 2)))
print(before, folder, sorted(path.name for path in folder.glob("*.nbi")))
"""


@pytest.mark.compiled
def test_a_cache_folder_for_all_of_a_user_is_used(tmp_path: Path) -> None:
    """With ``NUMBA_CACHE_DIR`` each folder of kernels has one of its own there, and what is compiled is found in it."""
    answer = subprocess.run(
        [sys.executable, "-c", ASK], env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}, capture_output=True,
        text=True, check=True,
    ).stdout  # fmt: skip
    assert answer.startswith(f"False {tmp_path}")
    assert "hilbert.hilbert_keys-" in answer
    assert len(list(tmp_path.rglob("kernels.json"))) == len(rooms())


NOWHERE = """
import os
from numba.core import caching
caching.CacheImpl._locator_classes = caching.CacheImpl._locator_classes[:1]  # only the folder that was asked for
from shoal.engine.kernels.compiler.keeping import cache_folder
from shoal.engine.kernels.hull import ticks
ticks(1.0)
print(cache_folder(), sum(ticks.stats.cache_hits.values()), sum(ticks.stats.cache_misses.values()), os.listdir())
"""


def asked_without_a_place(folder: Path, **more: str) -> str:
    """What a read-only installation says, for a user without a home."""
    env = {name: value for name, value in os.environ.items() if name not in ("NUMBA_CACHE_DIR", "XDG_RUNTIME_DIR")}
    (folder / "here").mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, "-c", NOWHERE], env={**env, "TMPDIR": str(folder), **more}, cwd=folder / "here",
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


@pytest.mark.compiled
def test_without_a_place_code_is_kept_until_the_next_start(tmp_path: Path) -> None:
    """A read-only installation compiles once per boot, in a folder that nobody else can look into or write to."""
    ours = tmp_path / f"shoal-kernels-{os.getuid()}"
    assert asked_without_a_place(tmp_path).startswith(f"{ours}{os.sep}")
    assert asked_without_a_place(tmp_path).endswith(" 1 0 []\n"), "found, and no folder of the name ~ made here"
    assert ours.stat().st_mode & 0o777 == 0o700


@pytest.mark.compiled
def test_a_folder_that_others_can_write_to_is_not_trusted(tmp_path: Path) -> None:
    """Compiled code is executed: what somebody else may have put there is neither read nor written; it still runs."""
    ours = tmp_path / f"shoal-kernels-{os.getuid()}"
    ours.mkdir()
    ours.chmod(0o777)
    assert asked_without_a_place(tmp_path) == "None 0 1 []\n"
    assert not list(ours.iterdir())


@pytest.mark.parametrize("made", ["fine", "loose", "file", "link"])
def test_only_a_closed_folder_of_ones_own_will_do(tmp_path: Path, made: str) -> None:
    """Open to others, a file, or a link to a folder elsewhere: not ours."""
    folder, other = tmp_path / "kernels", tmp_path / "other"
    other.mkdir(mode=0o700)
    if made == "loose":
        folder.mkdir()
        folder.chmod(0o750)
    elif made == "file":
        folder.write_text("")
    elif made == "link":
        folder.symlink_to(other)
    assert keeping._is_ours(folder) == (made == "fine")


def test_a_folder_of_somebody_else_will_not_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever was there first under our name is not us."""
    (tmp_path / "kernels").mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: -2)
    assert not keeping._is_ours(tmp_path / "kernels")


@pytest.mark.parametrize(("home", "cache", "homeless"), [("/here", "", False), ("", "/there", False), ("", "", True)])
def test_who_has_a_home(monkeypatch: pytest.MonkeyPatch, home: str, cache: str, homeless: bool) -> None:
    """Without a home the compiler would make a folder called ~ wherever it stands."""
    monkeypatch.setattr(keeping.numba.config, "CACHE_DIR", "")
    monkeypatch.setattr(os.path, "expanduser", lambda path: home or path)
    monkeypatch.setenv("XDG_CACHE_HOME", cache)
    assert keeping._homeless() == homeless


def test_old_kernels_are_forgotten(tmp_path: Path) -> None:
    """After an edit, what was compiled from that file, or from one that imports it, is gone; the rest stays."""
    room, cache = tmp_path / "room", tmp_path / "cache"
    for folder in (room / "trees", cache / "room", cache / "trees"):
        folder.mkdir(parents=True)
    (room / "hull.py").write_text("a = 1")
    (room / "trees" / "walks.py").write_text("from shoal.engine.kernels.hull import a")
    (room / "trees" / "alone.py").write_text("b = 1")

    def folder_of(path: Path) -> Path:
        return cache / path.name

    forget_old_kernels(room, folder_of)
    kept = [cache / "room" / "hull.f-1.nbi", cache / "trees" / "walks.f-1.nbi", cache / "trees" / "alone.f-1.nbi"]
    for path in kept:
        path.touch()
    forget_old_kernels(room, folder_of)
    assert all(path.exists() for path in kept)
    (room / "hull.py").write_text("a = 2")
    forget_old_kernels(room, folder_of)
    assert [path.exists() for path in kept] == [False, False, True]


def test_every_import_of_a_kernel_counts() -> None:
    """An edit of the hull changes the fingerprint of every file that uses it, through whatever folders."""
    sources = {
        ".".join(path.relative_to(ROOM).with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in sorted(ROOM.rglob("*.py"))
    }
    before, after = fingerprints(sources), fingerprints({**sources, "hull": ""})
    changed = {name for name in before if before[name] != after[name]}
    assert {"trees.walks", "methods.growing", "search.trimming"} <= changed
    assert before["methods.hilbert"] != fingerprints({**sources, "compile": ""})["methods.hilbert"]
