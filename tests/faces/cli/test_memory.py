# SPDX-License-Identifier: Apache-2.0
"""Where memory is limited there is one clear message, whoever ran out of it, and nothing is written."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from shoal.faces.cli._failures import explained
from shoal.faces.cli._memory import is_short
from shoal.studies.samples.patients import patients_table
from shoal.tables.reading import Reading
from shoal.tables.sources import write_table

MAIN = """
import resource
resource.setrlimit(resource.RLIMIT_AS, ({bytes}, resource.RLIM_INFINITY))
from shoal.faces.cli import main
print("ready", flush=True)
main()
"""
MEGABYTE = 1 << 20
FEW = "age,sex,nationality"
MANY = f"{FEW},postcode,admission_date,insurance"
"""With these, classes take many seconds: who interrupts a moment after the start meets a run that makes them."""


@pytest.fixture(scope="module")
def patients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table that needs some memory."""
    path = tmp_path_factory.mktemp("patients") / "patients.csv"
    write_table(patients_table(20_000, seed=1), path, "delimited", Reading())
    return path


def started(patients: Path, out: Path, megabytes: int, method: str, qi: str = FEW) -> subprocess.Popen[str]:
    """A run that gets so much address space."""
    script = MAIN.format(bytes=megabytes * MEGABYTE)
    line = [sys.executable, "-c", script, "anonymize", str(patients), "-o", str(out), "-k", "5", "--rest", "drop"]
    line += ["--qi", qi, "--quiet", "--method", method]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.thin(3)
@pytest.mark.parametrize("megabytes", [150, 900, 1500, 2400, 2600, 3000])
def test_one_message(patients: Path, tmp_path: Path, megabytes: int) -> None:
    """In Python, NumPy, Polars or the compiler: exit 2 and one error, no abort, no traceback, no file."""
    out = tmp_path / "out"
    child = started(patients, out, megabytes, "mondrian")
    _, errors = child.communicate(timeout=120)
    if child.returncode == 0:  # what is enough differs between machines
        assert (out / "manifest.json").exists()
        return
    assert child.returncode == 2, errors
    assert errors.count("Error:") == 1
    assert "There is not enough memory" in errors
    assert not any(word in errors for word in ("Traceback", "panicked", "LLVM", "allocation of", "internal error"))
    assert list(tmp_path.iterdir()) == []


def test_help_needs_little() -> None:
    """What loads no library runs in little memory."""
    line = [sys.executable, "-c", MAIN.format(bytes=300 * MEGABYTE), "methods"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "mondrian" in done.stdout


def test_a_limit_that_suffices(patients: Path, tmp_path: Path) -> None:
    """With room enough the limit is not felt."""
    child = started(patients, tmp_path / "out", 16_000, "mondrian")
    out, errors = child.communicate(timeout=120)
    assert child.returncode == 0, errors
    assert "HOLDS" in out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupts_reach_a_limited_run(patients: Path, tmp_path: Path, number: signal.Signals) -> None:
    """The parent hands interrupts on, and ends as the run does."""
    child = started(patients, tmp_path / "out", 16_000, "sequential", MANY)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(1.0)
    child.send_signal(number)
    _, errors = child.communicate(timeout=60)
    assert child.returncode == 130, errors
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "problem",
    [
        MemoryError(),
        OSError(12, "Cannot allocate memory"),
        ImportError("libllvmlite.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
        RuntimeError("ThreadPoolBuildError: Resource temporarily unavailable"),
        SystemError("mmap failed"),
    ],
    ids=lambda one: type(one).__name__ + str(one)[:12],
)
def test_errors_about_memory(problem: Exception) -> None:
    """Libraries have many words for it; we have one."""
    assert is_short(problem)
    assert explained(problem).what == "There is not enough memory for this table."


@pytest.mark.parametrize("make", [ValueError, KeyError, ZeroDivisionError])
def test_other_errors(make: Callable[[str], Exception]) -> None:
    """What has nothing to do with memory stays what it is."""
    assert not is_short(make("x"))


STUCK = """
import resource, time
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, resource.RLIM_INFINITY))
from shoal.faces.cli import _memory
_memory.PATIENCE = 1.0
def rest():
    import mmap
    kept = mmap.mmap(-1, {bytes})
    time.sleep(15)
_memory.watched(rest, lambda problem: print(type(problem).__name__) or 2)
"""


@pytest.mark.parametrize(("megabytes", "said", "code"), [(2900, "MemoryError\n", 2), (100, "", 0)])
def test_who_waits_for_memory_in_vain_is_told(megabytes: int, said: str, code: int) -> None:
    """A run that has used up its memory and only rests is ended with the same message; one that merely rests is not."""
    script = STUCK.format(bytes=megabytes * MEGABYTE).replace("sleep(15)", f"sleep({15 if code else 3})")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.returncode) == (said, code), done.stderr
