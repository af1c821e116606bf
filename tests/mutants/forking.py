# SPDX-License-Identifier: Apache-2.0
"""Tests in a process of their own that finds the large libraries loaded: most of a short run would go into that."""

from __future__ import annotations

import importlib
import os
import resource
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from tests.mutants.covering import UNWANTED, settings

LIBRARIES = (
    "numpy numba polars pandas pyarrow.parquet hypothesis click rich.console jinja2 duckdb pytest xdist scipy.stats"
)
PATIENCE = 60
"""Seconds of work until a test that does not end is stopped."""
ENOUGH = 20
"""Seconds of work from which on no further test of a fault is begun."""


class Ended(NamedTuple):
    """How tests ended."""

    passed: bool
    failing: str
    """The test that failed; empty if none did, or if they were stopped."""


class Run:
    """Tests that run in a copy of the project."""

    def __init__(self, copy: Path, tests: list[str], compiled: bool) -> None:
        """Start them; the child must not return, so it ends here."""
        self.copy = copy
        self.started = time.monotonic()
        self.told = Path(tempfile.mkstemp(dir=copy.parent)[1])
        self.process = os.fork()
        if self.process == 0:
            code = 3
            with suppress(BaseException):
                code = _pytest(copy, tests, compiled, self.told)
            os._exit(code)

    def ended(self, status: int) -> Ended:
        """What came of it."""
        failing = self.told.read_text(encoding="utf-8").partition("\n")[0]
        self.told.unlink()
        return Ended(os.waitstatus_to_exitcode(status) == 0, failing)


def load_libraries() -> None:
    """Import what every run needs and no fault touches; nothing is computed, so no thread is started."""
    for name in LIBRARIES.split():
        with suppress(ImportError):
            importlib.import_module(name)


def _pytest(copy: Path, tests: list[str], compiled: bool, told: Path) -> int:
    """The child: a session of tests that writes down which of them fails."""
    import pytest

    os.setsid()
    os.chdir(copy)
    os.environ.update(settings(copy, compiled))
    if not compiled:
        import numba

        numba.config.reload_config()  # type: ignore[attr-defined]
    for name in [name for name in sys.modules if name.partition(".")[0] in ("shoal", "tests")]:
        del sys.modules[name]
    sys.path[:0] = [str(copy / "src"), str(copy)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)

    class Failures:
        """Keeps the names of tests that fail; gives each of them time, and all together."""

        begun = time.process_time()

        def pytest_runtest_logstart(self) -> None:
            worked = time.process_time()
            if worked - self.begun > ENOUGH:
                pytest.exit("nobody noticed", returncode=0)
            resource.setrlimit(resource.RLIMIT_CPU, (int(worked) + PATIENCE, resource.RLIM_INFINITY))

        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.failed:
                with told.open("a", encoding="utf-8") as file:
                    file.write(f"{report.nodeid}\n")

    arguments = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov", "-m", UNWANTED, *tests]
    return int(pytest.main(arguments, plugins=[Failures()]))


def stop(process: int) -> None:
    """End a run with everything that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
