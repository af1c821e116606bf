# SPDX-License-Identifier: Apache-2.0
"""Tries the tests: plants one small fault at a time in a copy of the package and sees whether a test notices.

    make mutants                                        200 faults
    python -m tests.mutants --faults 20 --seed 7        other ones
    python -m tests.mutants --only judging/leaks        in one room
    python -m tests.mutants --learn                     after tests have changed
    python -m tests.mutants --workers 1                 one at a time

A fault turns one comparison, connective, sign, whole number or truth value around. The tests of its room are run once
to learn which of them execute which line (kept in ``.mutants/``); a fault is caught if one of those fails, or does not
end, which without the fault does. What survives is listed with its line. Faults that change nothing anybody could see,
such as a block size, stand in ``harmless.txt``, each with its reason.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.mutants.covering import KERNELS, Covered, learnt
from tests.mutants.forking import Run, load_libraries, stop
from tests.mutants.planting import PACKAGE, ROOT, Fault, faults, harmless, planted

LONGEST_WAIT = 900
"""Seconds until tests that wait for something are stopped; those that work have a limit of their own."""
LEFT_OUT = shutil.ignore_patterns(".venv*", ".git", "demo", "bench", ".mypy_cache", ".ruff_cache", ".hypothesis")
CAUGHT, SURVIVED, UNTESTED = "caught", "survived", "not executed"


class Trial:
    """Copies of the project in which faults are planted, one at a time in each."""

    def __init__(self, place: Path, covered: dict[bool, Covered], workers: int) -> None:
        self.free = [_copied(place / f"copy {number}") for number in range(workers)]
        self.clean = _copied(place / "clean")
        self.covered = covered
        self.running: dict[int, tuple[Fault, Run]] = {}
        self.sound: dict[str, bool] = {}
        """Test -> whether it passes without any fault."""

    def outcomes(self, chosen: list[Fault]) -> Iterator[tuple[Fault, str]]:
        """Every fault and what became of it, as they end."""
        waiting = chosen[::-1]
        while waiting or self.running:
            while waiting and self.free:
                fault = waiting.pop()
                if not self._plant(fault):
                    yield fault, UNTESTED
            if not self.running:
                continue
            fault, run, status = self._next()
            shutil.copy2(ROOT / "src" / "shoal" / fault.path, run.copy / "src" / "shoal" / fault.path)
            self.free.append(run.copy)
            ended = run.ended(status)
            if ended.failing and not self._passes(ended.failing, _compiled(fault)):
                waiting.append(fault)  # once more, without the test that fails anyway
            else:
                yield fault, SURVIVED if ended.passed else CAUGHT

    def _next(self) -> tuple[Fault, Run, int]:
        """The next run that ends, or has to be ended."""
        while True:
            for process, (fault, run) in self.running.items():
                if time.monotonic() - run.started > LONGEST_WAIT:
                    stop(process)
                ended, status = os.waitpid(process, os.WNOHANG)
                if ended:
                    stop(process)  # what it may have started
                    del self.running[process]
                    return fault, run, status
            time.sleep(0.1)

    def _plant(self, fault: Fault) -> bool:
        """Start the tests of a fault; false if there are none."""
        tests = [test for test in self.covered[_compiled(fault)].tests_of(fault) if self.sound.get(test, True)]
        if ">>>" in (PACKAGE / fault.path).read_text(encoding="utf-8"):
            tests.insert(0, f"src/shoal/{fault.path.as_posix()}")
        if not tests:
            return False
        copy = self.free.pop()
        (copy / "src" / "shoal" / fault.path).write_text(planted(fault), encoding="utf-8")
        run = Run(copy, tests, _compiled(fault))
        self.running[run.process] = (fault, run)
        return True

    def _passes(self, test: str, compiled: bool) -> bool:
        """Whether a test passes without a fault; each is asked once."""
        if test not in self.sound:
            run = Run(self.clean, [test], compiled)
            self.sound[test] = run.ended(os.waitpid(run.process, 0)[1]).passed
            if not self.sound[test]:
                print(f"     fails without any fault: {test}", flush=True)
        return self.sound[test]


def _copied(place: Path) -> Path:
    return shutil.copytree(ROOT, place, ignore=LEFT_OUT)


def _compiled(fault: Fault) -> bool:
    return not fault.path.as_posix().startswith(KERNELS)


def main() -> int:
    """Plant and try; 1 if more than a tenth survive."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--faults", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--only", default="", help="part of a path, e.g. judging/leaks")
    arguments.add_argument("--learn", action="store_true", help="run all tests again to see what they execute")
    arguments.add_argument("--workers", type=int, default=2)
    given = arguments.parse_args()
    possible = faults(given.only)
    chosen = random.Random(given.seed).sample(possible, min(given.faults, len(possible)))
    known = harmless()
    tried = [fault for fault in chosen if fault.key not in known]
    started, counts = time.perf_counter(), Counter(harmless=len(chosen) - len(tried))
    with tempfile.TemporaryDirectory() as place:
        copy, covered = _copied(Path(place) / "learning"), {}
        for compiled in (True, False):
            rooms = sorted({one.room for one in tried if _compiled(one) == compiled})
            covered[compiled] = learnt(copy, rooms, compiled, given.learn, given.workers)
        print(f"{time.perf_counter() - started:.0f} s to learn which tests execute what", flush=True)
        load_libraries()
        for number, (fault, outcome) in enumerate(Trial(Path(place), covered, given.workers).outcomes(tried), 1):
            counts[outcome] += 1
            print(f"{number:>4} {outcome:<12} {fault}", flush=True)
    told = ", ".join(f"{number} {outcome}" for outcome, number in counts.most_common())
    print(f"{len(chosen)} faults in {time.perf_counter() - started:.0f} s: {told}")
    return 1 if counts[SURVIVED] + counts[UNTESTED] > len(chosen) / 10 else 0


if __name__ == "__main__":
    sys.exit(main())
