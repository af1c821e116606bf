# SPDX-License-Identifier: Apache-2.0
"""Private folders: locked while their process lives, swept when it is dead."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from shoal.releases.private_folder import LOCK, NEW, OLD, private_folder, put_in_place, sweep

HOLD = """
import sys, time
from pathlib import Path
from shoal.releases.private_folder import private_folder
with private_folder(Path(sys.argv[1])) as folder:
    (folder / "new").mkdir()
    (folder / "new" / "table.csv").write_text("private")
    print(folder, flush=True)
    time.sleep(60)
"""


def hold(target: Path) -> tuple[subprocess.Popen[str], Path]:
    """Another process that keeps a private folder beside the target."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(target)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def dead(target: Path, tail: str = "0123abcd") -> Path:
    """What a killed run leaves: a folder with a lock nobody holds."""
    folder = target.parent / f".{target.name}.shoal-{tail}"
    folder.mkdir(mode=0o700)
    (folder / LOCK).touch()
    return folder


def test_only_the_owner_may_look_in(out: Path) -> None:
    """Half-made releases hold personal data, so the folder has mode 0700 and stands beside the target."""
    with private_folder(out) as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert folder.parent == out.parent
        assert folder.name.startswith(".released.shoal-")
    assert list(out.parent.iterdir()) == []


@pytest.mark.parametrize("problem", [KeyboardInterrupt, ValueError, SystemExit])
def test_it_is_gone_whatever_happened(out: Path, problem: type[BaseException]) -> None:
    """Interrupts and bugs leave nothing behind, made parents included."""

    def work() -> None:
        with private_folder(out / "deep" / "er") as folder:
            (folder / NEW).mkdir()
            raise problem

    with pytest.raises(problem):
        work()
    assert list(out.parent.iterdir()) == []


def test_a_live_folder_is_left_alone_and_a_killed_one_swept(out: Path) -> None:
    """The lock tells a running process from a killed one."""
    process, folder = hold(out)
    try:
        sweep(out)
        assert (folder / NEW / "table.csv").exists()
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()  # type: ignore[union-attr]
    assert folder.exists()
    sweep(out)
    assert list(out.parent.iterdir()) == []


def test_a_folder_whose_maker_died_before_locking_is_swept(out: Path) -> None:
    """Between mkdir and lock there is a moment too."""
    (out.parent / ".released.shoal-0123abcd").mkdir()
    sweep(out)
    assert list(out.parent.iterdir()) == []


def test_a_set_aside_release_comes_back_if_nothing_stands_in_its_place(out: Path) -> None:
    """A run killed between the two renames of an overwrite loses nothing."""
    folder = dead(out)
    (folder / OLD).mkdir()
    (folder / OLD / "table.csv").write_text("old")
    sweep(out)
    assert [path.name for path in out.parent.iterdir()] == ["released"]
    assert (out / "table.csv").read_text() == "old"


def test_a_set_aside_release_goes_if_its_successor_is_there(out: Path) -> None:
    """A run killed just after the second rename has done its work."""
    folder = dead(out)
    (folder / OLD).mkdir()
    out.mkdir()
    (out / "table.csv").write_text("new")
    sweep(out)
    assert [path.name for path in out.parent.iterdir()] == ["released"]
    assert (out / "table.csv").read_text() == "new"


@pytest.mark.parametrize(
    "name",
    [".other.shoal-0123abcd", ".released.shoal-mine", ".released.shoal-0123abcd.shoal-0123abcd", "released.shoal"],
)
def test_folders_of_others_are_not_touched(out: Path, name: str) -> None:
    """Only the names that we give, and only of this target, are swept."""
    (out.parent / name).mkdir()
    (out.parent / name / LOCK).touch()
    sweep(out)
    assert (out.parent / name / LOCK).exists()


def test_a_symbolic_link_is_not_followed(out: Path, tmp_path: Path) -> None:
    """A link that looks like a private folder cannot make us delete what it points to."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / LOCK).touch()
    (tmp_path / ".released.shoal-0123abcd").symlink_to(elsewhere)
    sweep(out)
    assert (elsewhere / LOCK).exists()


def test_a_failed_rename_puts_the_old_release_back(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the new release cannot be moved in, the old one stands again."""
    out.mkdir()
    (out / "table.csv").write_text("old")
    real = os.rename

    def rename(source: Path, target: Path) -> None:
        if Path(source).name == NEW:
            raise OSError("no")
        real(source, target)

    def work() -> None:
        with private_folder(out) as folder:
            (folder / NEW).mkdir()
            put_in_place(folder, out)

    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(OSError, match="no"):
        work()
    assert (out / "table.csv").read_text() == "old"
    assert [path.name for path in out.parent.iterdir()] == ["released"]
