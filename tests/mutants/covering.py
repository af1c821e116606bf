# SPDX-License-Identifier: Apache-2.0
"""Which tests execute which line: learnt from one run of them all, and kept for the next time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.mutants.planting import ROOMS, ROOT, Fault

KEPT = ROOT / ".mutants"
UNWANTED = "not long and not data and not compiled"
KERNELS = "engine/kernels"
"""Below here the compiler is off: it hides which lines run, and takes longer than the tests of a changed kernel."""
MOST_TESTS = 40

Lines = dict[str, dict[int, list[str]]]
"""File, from the package -> line -> tests."""


class Covered:
    """The lines that tests execute."""

    def __init__(self, lines: Lines) -> None:
        """Count the lines of each test: few mean that it is quick, and about what it executes."""
        self.lines = lines
        self.length = Counter(test for file in lines.values() for tests in file.values() for test in tests)

    def tests_of(self, fault: Fault) -> list[str]:
        """The tests that execute the line; by turns those that execute little else, and most of its file.

        Of the former those named after the file come first; of a test with many examples one comes before the second
        of any other. A line that is executed by importing alone belongs to all tests that execute anything of its file.
        """
        lines = self.lines.get(fault.path.as_posix(), {})
        inside = Counter(test for tests in lines.values() for test in tests)
        tests = sorted(set(lines.get(fault.line, ())) or set(inside))
        name = fault.path.stem.strip("_")
        orders = [
            sorted(tests, key=lambda test: (name not in test, self.length[test])),
            sorted(tests, key=lambda test: (-inside[test], self.length[test])),
            sorted(tests, key=lambda test: -inside[test] / self.length[test]),
        ]
        by_turns = dict.fromkeys(test for turn in zip(*map(_examples_by_turns, orders)) for test in turn)
        return list(by_turns)[:MOST_TESTS]


def _examples_by_turns(tests: list[str]) -> list[str]:
    """First one example of every test, then the second ones, and so on."""
    seen: Counter[str] = Counter()
    turns = []
    for test in tests:
        seen[test.partition("[")[0]] += 1
        turns.append(seen[test.partition("[")[0]])
    return [tests[place] for place in sorted(range(len(tests)), key=lambda place: turns[place])]


def learnt(copy: Path, rooms: Iterable[str], compiled: bool, anew: bool, workers: int) -> Covered:
    """What the tests of some rooms execute; from the last time, unless it shall be learnt anew."""
    lines: Lines = {}
    for room in rooms:
        kept = KEPT / f"{room.replace('/', '-')}.json"
        if anew or not kept.exists():
            KEPT.mkdir(exist_ok=True)
            kept.write_text(json.dumps(_run(copy, room, compiled, workers)), encoding="utf-8")
        stored = json.loads(kept.read_text(encoding="utf-8"))
        lines |= {file: {int(line): tests for line, tests in each.items()} for file, each in stored.items()}
    return Covered(lines)


def _run(copy: Path, room: str, compiled: bool, workers: int) -> Lines:
    """Run the tests of a room in a copy of the project."""
    from coverage import CoverageData

    watched = [f"--cov=src/shoal/{room}", "--cov-context=test", "--cov-report=", "-n", str(workers)]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", UNWANTED, *watched, *ROOMS[room]]
    subprocess.run(command, cwd=copy, env=os.environ | settings(copy, compiled), capture_output=True, check=False)
    data = CoverageData(str(copy / ".coverage"))
    data.read()
    return {
        Path(path).relative_to(copy / "src" / "shoal").as_posix(): {
            line: sorted({test.partition("|")[0] for test in tests if test})
            for line, tests in data.contexts_by_lineno(path).items()
        }
        for path in data.measured_files()
    }


def settings(copy: Path, compiled: bool) -> dict[str, str]:
    """The environment of tests in a copy of the project."""
    jit = {} if compiled else {"NUMBA_DISABLE_JIT": "1"}
    return {"PYTHONPATH": str(copy / "src"), "CI": "", "SHOAL_TESTS": "", **jit}
