# SPDX-License-Identifier: Apache-2.0
"""However a run is stopped, the output folder is absent or complete, and nothing is left for good."""

from __future__ import annotations

import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.counts import count

READY = "import shoal.pipeline, shoal.releases.folder, shoal.tables.sources; print('ready', flush=True)"
NOT_NOHUP = "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL)"
SCRIPT = f"{NOT_NOHUP}; from shoal.faces.cli import main; {READY}; main()"


@pytest.fixture(scope="module")
def patients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table that takes a moment."""
    from shoal.studies.samples.patients import patients_table
    from shoal.tables.reading import Reading
    from shoal.tables.sources import write_table

    path = tmp_path_factory.mktemp("patients") / "patients.csv"
    write_table(patients_table(count(600, 4_000), seed=1), path, "delimited", Reading())
    return path


class Run:
    """One run in a process of its own, into a folder of its own."""

    def __init__(self, patients: Path, folder: Path) -> None:
        self.out = folder / "out"
        flags = ["--qi", "age,sex,postcode,nationality,insurance", "--rest", "drop", "-k", "5"]
        flags += ["--steps", str(count(2_500, 100_000))]
        self.line = [sys.executable, "-c", SCRIPT, "anonymize", str(patients), "-o", str(self.out), *flags]

    def start(self, *more: str) -> None:
        """Start, and wait until everything is imported."""
        self.process = subprocess.Popen([*self.line, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"
        self.started = time.perf_counter()

    def private(self) -> list[Path]:
        """The private folders beside the output."""
        return [path for path in self.out.parent.glob(".out.shoal-*") if path.is_dir()]

    def wait_until_it_writes(self) -> None:
        """Until the private folder appears (or the run ends)."""
        while not self.private() and self.process.poll() is None:
            time.sleep(0.001)

    def stop(self, number: int) -> tuple[int, str]:
        """Send a signal and wait for the end."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors


@pytest.fixture
def one(patients: Path, tmp_path: Path) -> Run:
    """A run, not yet started."""
    return Run(patients, tmp_path)


def whole_or_absent(out: Path, run: Callable) -> None:
    """The output folder is not there, or is a release that checks."""
    if out.exists():
        done = run("check", out)
        assert done.exit_code == 0, done.output


def killed_then_swept(one: Run, run: Callable, moments: list[float], *, while_writing: list[bool]) -> None:
    """Kill a run at each moment; then let one live."""
    for delay, writing in zip(moments, while_writing, strict=True):
        one.start("--overwrite")
        if writing:
            one.wait_until_it_writes()
        time.sleep(delay)
        one.stop(signal.SIGKILL)
        assert all(stat.S_IMODE(folder.stat().st_mode) == 0o700 for folder in one.private())
        assert len(one.private()) <= 1, "each run sweeps what the one before left"
        whole_or_absent(one.out, run)
    one.start("--overwrite")
    _, errors = one.process.communicate(timeout=60)
    assert one.process.returncode == 0, errors
    assert one.private() == []
    whole_or_absent(one.out, run)


@pytest.mark.long
def test_kill_at_random_moments(one: Run, run) -> None:
    """Kill -9 at a few moments, most of them while the release is being written."""
    dice = random.Random(7)
    moments = [dice.uniform(0, 0.5) for _ in range(2)] + [0.0, 0.002, 0.01, dice.uniform(0, 0.2)]
    killed_then_swept(one, run, moments, while_writing=[False] * 2 + [True] * 4)


@pytest.mark.long
def test_kill_at_fifty_random_moments(one: Run, run) -> None:
    """Kill -9 at fifty moments, half of them while the release is being written."""
    dice = random.Random(50)
    moments = [dice.uniform(0, 1.5) if number % 2 else dice.uniform(0, 0.2) for number in range(50)]
    killed_then_swept(one, run, moments, while_writing=[number % 2 == 0 for number in range(50)])


@pytest.mark.thin(2)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda one: one.name)
@pytest.mark.parametrize("writing", [False, True], ids=["while working", "while writing"])
def test_interrupted(one: Run, number: int, writing: bool) -> None:
    """Ctrl-C and a polite kill: exit 130, a short message, nothing written, nothing left."""
    one.start()
    if writing:
        one.wait_until_it_writes()
    else:
        time.sleep(0.05)
    code, errors = one.stop(number)
    assert code == 130, errors
    assert "interrupted, nothing written" in errors
    assert "Traceback" not in errors
    assert not one.out.exists()
    assert one.private() == []


def test_interrupted_while_replacing_keeps_the_old_release(one: Run, run) -> None:
    """An interrupted --overwrite leaves the earlier release as it was."""
    one.start()
    one.process.communicate(timeout=60)
    before = (one.out / "manifest.json").read_bytes()
    one.start("--overwrite", "-k", "9")
    one.wait_until_it_writes()
    assert one.stop(signal.SIGINT)[0] == 130
    assert (one.out / "manifest.json").read_bytes() == before
    assert run("check", one.out).exit_code == 0


SWALLOWED = """
import signal, time
from shoal.faces import cli

class Destroyed:
    def __del__(self):
        signal.raise_signal(signal.SIGTERM)

def work(**_):
    Destroyed()
    time.sleep(60)

cli.shoal.main = work
try:
    cli.main()
except KeyboardInterrupt:
    print("stopped")
"""


def test_an_interrupt_within_a_destructor_is_not_lost() -> None:
    """The interpreter swallows what a destructor raises; the run is stopped nevertheless."""
    done = subprocess.run([sys.executable, "-c", SWALLOWED], check=True, capture_output=True, text=True, timeout=50)
    assert done.stdout == "stopped\n"
    assert done.stderr == ""


TWICE = """
import signal, sys
from shoal.faces import cli
from shoal.faces.cli import _group

class Unfinished:
    def __del__(self):
        self.never_made

def press(*_, **__):
    exec("signal.raise_signal(signal.SIGINT)")
    Unfinished()

told = _group.exit_code_of
_group.exit_code_of = lambda problem, **given: press() or told(problem, **given)
_group.close_output = press
if "stopped" in sys.argv:
    cli.shoal.invoke = press
sys.argv = ["shoal", "methods"]
cli.main()
"""


INTERRUPTED = "Error: interrupted, nothing written\n  next      give the same command again\n"


@pytest.mark.parametrize(("how", "code", "errors"), [("stopped", 130, INTERRUPTED), ("done", 0, "")])
def test_ctrl_c_while_a_command_ends_changes_nothing(how: str, code: int, errors: str, tmp_path: Path) -> None:
    """Whoever presses it twice gets the same message and the same exit code, and no traceback."""
    (tmp_path / "twice.py").write_text(TWICE)
    line = [sys.executable, "-m", "twice", how]
    done = subprocess.run(line, check=False, capture_output=True, text=True, timeout=50, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (code, errors)


SLOW_BOUND = """
import shoal.engine.bounds.bound as bounds, sys, time
def slow(encoded, size, progress, **others):
    print("bounding", flush=True)
    while True:
        progress(0, 1)
        time.sleep(0.01)
bounds.lower_bound = slow
"""


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 0), (signal.SIGTERM, 130), (signal.SIGHUP, 130), (signal.SIGKILL, -9)],
    ids=str,
)
def test_interrupted_while_bounding(one: Run, run, number: int, code: int) -> None:
    """Ctrl-C leaves out the bound, not the release that is ready; a kill means the run."""
    one.line[2] = f"{SLOW_BOUND}\n{SCRIPT}"
    one.start("--method", "mondrian")
    assert one.process.stdout is not None
    assert one.process.stdout.readline() == "bounding\n"
    ended, errors = one.stop(number)
    assert ended == code, errors
    assert one.out.exists() == (code == 0)
    if code == 0:
        assert "Leaving out the certificate" in errors
        assert run("check", one.out).exit_code == 0
        assert '"certificate": null' in (one.out / "report.json").read_text()
