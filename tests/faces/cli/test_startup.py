# SPDX-License-Identifier: Apache-2.0
"""Help and listings answer at once, because nothing heavy is imported for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("numpy", "polars", "numba", "rich", "pandas", "pyarrow", "narwhals", "jinja2")
LIGHT = (
    ["--help"],
    ["--version"],
    ["methods"],
    ["models"],
    ["metrics"],
    ["formats"],
    ["methods", "--json"],
    ["nosuch"],
)

PROBE = """
import sys
from shoal.faces.cli import main
sys.argv = ["shoal", *sys.argv[1:]]
try:
    main()
except SystemExit:
    pass
loaded = [name for name in {heavy!r} if name in sys.modules]
print("\\nLOADED:" + ",".join(loaded) + ";" + str(len(sys.modules)), file=sys.stderr)
"""


MOST_MODULES = 240
"""Modules that a light command loads, Python's own included: some 190, which take a tenth of a second to load."""


def run_noting(heavy: tuple[str, ...], *arguments: object) -> tuple[subprocess.CompletedProcess[str], str, int]:
    """A command that was run, what of the heavy it has loaded, and how many modules in all."""
    script = [sys.executable, "-c", PROBE.format(heavy=heavy), *map(str, arguments)]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    loaded, _, modules = done.stderr.rpartition("LOADED:")[2].partition(";")
    return done, loaded, int(modules)


def light(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A command that was run, having loaded nothing heavy and little of the rest."""
    done, loaded, modules = run_noting(HEAVY, *arguments)
    assert loaded == "", done.stderr
    assert modules <= MOST_MODULES, done.stderr
    return done


@pytest.mark.parametrize("arguments", LIGHT, ids=" ".join)
def test_light_commands_import_nothing_heavy(arguments: list[str]) -> None:
    """Help and listings need neither numpy, Polars, numba nor rich, and few modules of our own."""
    light(*arguments)


@pytest.mark.parametrize("command", ["anonymize", "check", "compare", "measure", "demo", "doctor", "methods"])
def test_help_of_a_command_imports_nothing_heavy(command: str) -> None:
    """Even the help of the heavy commands is light."""
    assert light(command, "--help").stdout.startswith(f"Usage: shoal {command}")


def test_judging_a_release_needs_no_compiler(released: Path) -> None:
    """Whoever only checks what others made does not wait for what makes classes."""
    done, loaded, _ = run_noting(("numba", "polars"), "check", released)
    assert "HOLDS" in done.stdout
    assert loaded == "polars"
