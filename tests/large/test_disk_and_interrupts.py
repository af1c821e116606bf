# SPDX-License-Identifier: Apache-2.0
"""Cut tables where a disk is full, memory is short, or somebody ends the run: nothing is left, all is told."""

import errno
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from shoal.faces.cli import shoal as cli
from shoal.ground.errors import OutputError
from shoal.ground.sizes import in_words
from shoal.large import release as releasing
from shoal.large.checking import check_files, measure_files
from shoal.tables import streaming
from tests.large.asking import ASKED, QI, released


def test_a_full_disk_leaves_nothing(parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a folder nor what lay on the way."""

    def full(*given: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(releasing, "write_beside", full)
    with pytest.raises(OutputError, match="nothing was left behind"):
        released(parts, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["people"]


def test_a_disk_that_fills_up_is_told_with_what_is_needed(
    parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When others wrote to it meanwhile, or the guess was too low."""
    written, calls = os.pwrite, iter(range(6))

    def filling(*given: object) -> int:
        if next(calls, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return written(*given)

    monkeypatch.setattr(os, "pwrite", filling)
    with pytest.raises(OutputError, match="disk was full") as refused:
        released(parts, tmp_path / "out")
    assert re.match(r"about \d+\.\d MiB", refused.value.parts()["allowed"])
    assert [path.name for path in tmp_path.iterdir()] == ["people"]


SLOW = """
import sys, time
from pathlib import Path
from shoal.ground.progress import Progress
from shoal.large import classes
from shoal.large.release import release_long
from shoal.plan.plan import Plan
def slow(*given):
    print("clustering", flush=True)
    time.sleep(60)
classes.cluster_cell = slow
release_long(Path(sys.argv[1]), Plan.read(sys.argv[2]), Path(sys.argv[3]), Progress())
"""


INTERRUPTED = """
import time
from shoal.faces.cli import main
from shoal.large import classes
def slow(*given):
    print("clustering", flush=True)
    time.sleep(60)
classes.cluster_cell = slow
main()
"""

KILLED = """
import os, signal
from shoal.faces.cli import main
from shoal.large import checking
checking.judged = lambda *given: os.kill(os.getpid(), signal.SIGKILL)
main()
"""


def test_a_killed_run_is_swept_by_the_next(parts: Path, tmp_path: Path) -> None:
    """It leaves no release, and what it had written is private until it is gone."""
    (tmp_path / "plan.toml").write_text(ASKED.to_toml())
    line = [sys.executable, "-c", SLOW, parts, tmp_path / "plan.toml", tmp_path / "out"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "clustering\n"
        running.kill()
    (left,) = tmp_path.glob(".out.shoal-*/")
    assert stat.S_IMODE(left.stat().st_mode) == 0o700
    assert any(left.rglob("records"))
    assert not (tmp_path / "out").exists()
    assert released(parts, tmp_path / "out").verdict.holds
    assert {path.name for path in tmp_path.iterdir()} == {"people", "plan.toml", "out"}


def test_too_little_memory_is_refused_at_once(parts: Path, tmp_path: Path) -> None:
    """Before anything is read, by whatever command."""
    roles = ["--qi", "age", "--rest", "drop", "-k", "3"]
    for line in (
        ["anonymize", parts, "-o", tmp_path / "out", *roles, "--cell-rows", "200"],
        ["anonymize", parts, "-o", tmp_path / "out", *roles],
        ["check", parts, *roles[:2]],
        ["measure", parts, parts, *roles[:2]],
    ):
        said = CliRunner().invoke(cli, [*map(str, line), "--memory", "1KB"])
        assert said.exit_code == 2
        assert "512.0 MiB or more" in said.output


def test_too_little_room_is_told_before_the_work(parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what is needed."""
    monkeypatch.setattr(shutil, "disk_usage", lambda place: shutil._ntuple_diskusage(10, 9, 1))
    with pytest.raises(OutputError, match="not enough room"):
        released(parts, tmp_path / "out")


def test_text_on_its_way_that_fills_the_disk_is_told(
    people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what is needed and the place that can be changed, whatever is being done; nothing stays there."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    people.write_csv(tmp_path / "people.csv")

    def full(*given: object) -> None:
        raise OutputError("The table cannot be written.", "file", "room", "none", "make room")

    monkeypatch.setattr(streaming, "write_table", full)
    told = f"about {in_words((tmp_path / 'people.csv').stat().st_size)}"
    with pytest.raises(OutputError, match="disk was full") as refused:
        released(tmp_path / "people.csv", tmp_path / "out")
    assert refused.value.parts()["allowed"].startswith(told)
    assert "-o" in refused.value.parts()["where"]
    for work in (
        lambda: check_files(tmp_path / "people.csv", ASKED, 3, "1GiB"),
        lambda: measure_files(tmp_path / "people.csv", tmp_path / "people.csv", ASKED, "1GiB"),
    ):
        with pytest.raises(OutputError, match="disk was full") as refused:
            work()
        assert refused.value.parts()["allowed"].startswith(told)
        assert "TMPDIR" in refused.value.parts()["where"]
    assert {path.name for path in tmp_path.rglob("*")} == {"people.csv", "temporary"}


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_disk_that_is_really_small(people: pl.DataFrame, tmp_path: Path) -> None:
    """Told with what is needed, by the command line, and left as empty as it was."""
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(small)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk may be mounted here")
    try:
        people.write_csv(tmp_path / "people.csv")
        roles = ["--qi", ",".join(QI), "--rest", "drop", "-k", "3"]
        for line in (
            ["anonymize", tmp_path / "people.csv", "-o", small / "out", *roles, "--cell-rows", "200"],
            ["measure", tmp_path / "people.csv", tmp_path / "people.csv", "--qi", "age", "--memory", "1GiB"],
        ):
            command = [sys.executable, "-m", "shoal", *map(str, line)]
            there = os.environ | {"TMPDIR": str(small)}
            said = subprocess.run(command, env=there, capture_output=True, text=True, check=False)
            assert said.returncode == 2, said.stderr
            assert "about " in said.stderr
            assert "that are free" in said.stderr
            assert list(small.iterdir()) == []
    finally:
        subprocess.run(["umount", str(small)], check=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_nothing(number: signal.Signals, parts: Path, tmp_path: Path) -> None:
    """Neither a folder nor what lay on the way; the file of a plan and the table are as they were."""
    (tmp_path / "plan.toml").write_text(ASKED.to_toml())
    line = ["anonymize", parts, "-o", tmp_path / "new" / "out", "--plan", tmp_path / "plan.toml", "--quiet"]
    command = [sys.executable, "-c", INTERRUPTED, *map(str, line)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "clustering\n"
        running.send_signal(number)
        assert running.wait(60) == 130
    assert {path.name for path in tmp_path.iterdir()} == {"people", "plan.toml"}


def test_what_a_killed_check_leaves_is_private_and_swept(
    people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text is set down among the temporary files of the system to be counted: nobody else reads it, and it goes."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    people.write_csv(tmp_path / "people.csv")
    line = ["check", tmp_path / "people.csv", "--qi", ",".join(QI), "-k", "1", "--memory", "1GiB"]
    command = [sys.executable, "-c", KILLED, *map(str, line)]
    done = subprocess.run(command, env=os.environ | {"TMPDIR": str(temporary)}, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL
    (left,) = temporary.iterdir()
    assert stat.S_IMODE(left.stat().st_mode) == 0o700
    assert any(left.rglob("input-*.parquet"))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    assert check_files(tmp_path / "people.csv", ASKED, 1, "1GiB").findings
    assert list(temporary.iterdir()) == []
