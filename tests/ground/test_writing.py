# SPDX-License-Identifier: Apache-2.0
"""Files written whole or not at all; private folders: locked while their process lives, swept when it is dead."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from shoal.ground import writing
from shoal.ground.writing import LOCK, NEW, OLD, private_folder, put_in_place, sweep, write_files

HOLD = """
import sys, time
from pathlib import Path
from shoal.ground.writing import private_folder
with private_folder(Path(sys.argv[1])) as folder:
    (folder / "new").mkdir()
    (folder / "new" / "table.csv").write_text("private")
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """An output folder that does not exist yet."""
    return tmp_path / "released"


def test_files_take_the_place_of_old_ones(tmp_path: Path) -> None:
    """Every file has its new content, to the byte, and nothing else is left behind."""
    first, second = tmp_path / "first.csv", tmp_path / "second.json"
    first.write_text("old")
    write_files({first: "a;b\r\né\n", second: "{}"})
    assert first.read_bytes() == "a;b\r\né\n".encode()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["first.csv", "second.json"]


def test_a_file_that_cannot_be_written_leaves_all_as_they_were(tmp_path: Path) -> None:
    """Should the last of several fail, the first is still the old one and no draft remains."""
    first, second = tmp_path / "first.csv", tmp_path / "nowhere" / "second.json"
    first.write_text("old")
    with pytest.raises(OSError, match="nowhere"):
        write_files({first: "new", second: "{}"})
    assert first.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["first.csv"]


def test_ctrl_c_never_comes_between_two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the first has its name, all get theirs."""
    replace = os.replace

    def interrupted(draft: Path, path: Path) -> None:
        replace(draft, path)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_files({tmp_path / "first.csv": "1", tmp_path / "second.csv": "2"})
    assert sorted(one.name for one in tmp_path.iterdir()) == ["first.csv", "second.csv"]


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

    monkeypatch.setattr(writing, "exchange_names", lambda one, other: False)
    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(OSError, match="no"):
        work()
    assert (out / "table.csv").read_text() == "old"
    assert [path.name for path in out.parent.iterdir()] == ["released"]


WATCH = """
import os, sys
seen = 0
print("ready", flush=True)
while not os.path.exists(sys.argv[2]):
    try:
        with open(os.path.join(sys.argv[1], "table.csv")) as table:
            assert table.read() in ("old", "new")
        seen += 1
    except FileNotFoundError:
        print("nothing there", flush=True)
        sys.exit(1)
print(seen, flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="exchanging names is an act of Linux")
def test_no_moment_is_without_a_release(out: Path, tmp_path: Path) -> None:
    """Whoever opens the table while it is replaced two hundred times finds the old one or the new one, always."""
    out.mkdir()
    (out / "table.csv").write_text("old")
    stop = tmp_path / "stop"
    watcher = subprocess.Popen([sys.executable, "-c", WATCH, str(out), str(stop)], stdout=subprocess.PIPE, text=True)
    assert watcher.stdout is not None
    assert watcher.stdout.readline() == "ready\n"
    for number in range(200):
        with private_folder(out) as folder:
            (folder / NEW).mkdir()
            (folder / NEW / "table.csv").write_text("new" if number % 2 else "old")
            put_in_place(folder, out)
    stop.touch()
    told, _ = watcher.communicate(timeout=60)
    assert int(told) > 0
    stop.unlink()
    assert [path.name for path in tmp_path.iterdir()] == ["released"]


@pytest.mark.parametrize("able", [True, False], ids=["by exchange", "one after the other"])
def test_an_old_release_is_replaced_and_gone(out: Path, monkeypatch: pytest.MonkeyPatch, able: bool) -> None:
    """With and without the act of Linux, the new release stands there whole and nothing is left of the old one."""
    if not able:
        monkeypatch.setattr(writing, "exchange_names", lambda one, other: False)
    out.mkdir()
    (out / "old.csv").write_text("old")
    with private_folder(out) as folder:
        (folder / NEW).mkdir()
        (folder / NEW / "new.csv").write_text("new")
        put_in_place(folder, out)
    assert [path.name for path in out.iterdir()] == ["new.csv"]
    assert [path.name for path in out.parent.iterdir()] == ["released"]


def test_names_that_cannot_be_exchanged_are_left_alone(tmp_path: Path) -> None:
    """Where there is nothing to exchange with, nothing is done, and the answer says so."""
    (tmp_path / "one").mkdir()
    assert not writing.exchange_names(tmp_path / "one", tmp_path / "nowhere")
    assert [path.name for path in tmp_path.iterdir()] == ["one"]
