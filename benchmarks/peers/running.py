# SPDX-License-Identifier: Apache-2.0
"""Runs one peer on one table in an environment of its own, and judges what it released by one yardstick.

A peer may take ten minutes of CPU and 8 GiB. What it released is read by our judge as anybody's table would be: k that
is really reached, with missing values as values; the normalised certainty penalty per cell, a row that is left out
costing 1 in every cell.
"""

from __future__ import annotations

import ast
import json
import os
import resource
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import shoal
from benchmarks.tables import ADULT_COLUMNS, ROOT, Bench
from shoal.ground.errors import ShoalError
from shoal.tables.sources import read_table, write_table

PROGRAMS = Path(__file__).parent / "programs"
ENVIRONMENTS = ROOT / "bench" / "peers"
CPU_SECONDS, GIB = 600, 8
OURS = "shoal"
SENSITIVE, SUPPRESSION = "occupation", 0.05
assert SENSITIVE in ADULT_COLUMNS


@dataclass(frozen=True)
class Peer:
    """A program of ``programs/``, with one of its options."""

    program: str
    option: str

    @property
    def title(self) -> str:
        """As it stands in tables."""
        return ": ".join(filter(None, [self.program.replace("_", "-"), self.option]))

    @property
    def path(self) -> Path:
        """The program."""
        return PROGRAMS / f"{self.program}.py"

    def python(self) -> Path:
        """The interpreter of its environment, made on first use; our own is the one that runs this."""
        if self.program == OURS:
            return Path(sys.executable)
        place = ENVIRONMENTS / self.program
        python = place / "bin" / "python"
        wanted = "\n".join(declared(self.path, "REQUIRES"))
        note = place / "installed.txt"
        if not note.is_file() or note.read_text(encoding="utf-8") != wanted:
            subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
            subprocess.run([python, "-m", "pip", "install", "-q", *wanted.split("\n")], check=True)
            note.write_text(wanted, encoding="utf-8")
        return python


def declared(program: Path, name: str) -> tuple[str, ...]:
    """A constant of a program, which cannot be imported here."""
    for line in ast.parse(program.read_text(encoding="utf-8")).body:
        if isinstance(line, ast.Assign) and getattr(line.targets[0], "id", "") == name:
            found: tuple[str, ...] = ast.literal_eval(line.value)
            return found
    return ("",)


def peers() -> Iterator[Peer]:
    """Ours first, then all others that can be run here, with each of their options."""
    for program in sorted(PROGRAMS.glob("[!_]*.py"), key=lambda path: (path.stem != OURS, path.stem)):
        if needs(program) in ("", *os.environ):
            for option in declared(program, "OPTIONS"):
                yield Peer(program.stem, option)


def needs(program: Path) -> str:
    """The environment variable by which the user gives what no registry has: a jar, an interpreter."""
    return "".join(declared(program, "NEEDS"))


def absent() -> Iterator[str]:
    """Programs that nobody has given, and how to give them."""
    for program in sorted(PROGRAMS.glob("[!_]*.py")):
        if needs(program) not in ("", *os.environ):
            yield f"{program.stem} is left out: give it by {needs(program)}=PATH"


@dataclass(frozen=True)
class Outcome:
    """What came of one run; without a loss, ``trouble`` says why."""

    rows: int
    seconds: float = np.nan
    cpu_seconds: float = np.nan
    peak_mib: float = np.nan
    loss: float = np.nan
    k: int = 0
    rows_lost: int = 0
    trouble: str = ""


def measured(peer: Peer, bench: Bench, k: int, rows: int = 0) -> Outcome:
    """Run a peer on a table, or on some rows of it, and judge."""
    original = read_table(bench.path).table
    if rows:
        original = original.take(np.random.default_rng(0).permutation(len(original))[:rows])
    with tempfile.TemporaryDirectory() as folder:
        table, released, job = (Path(folder) / name for name in ("table.csv", "released.csv", "job.json"))
        write_table(original, table, "delimited")
        job.write_text(json.dumps(asked(peer, bench, k, table, released)), encoding="utf-8")
        command = [str(peer.python()), str(peer.path), str(job)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)
        if done.returncode:
            return Outcome(len(original), trouble=trouble(done.returncode, done.stderr))
        return judged(original, released, bench.plan(k), json.loads(done.stdout.splitlines()[-1]))


def asked(peer: Peer, bench: Bench, k: int, table: Path, released: Path) -> dict[str, Any]:
    """The job as its program reads it."""
    categorical = [name for name in bench.quasi_identifiers if name not in bench.numeric]
    return {
        "table": str(table),
        "released": str(released),
        "k": k,
        "numeric": list(bench.numeric),
        "categorical": categorical,
        "sensitive": SENSITIVE,
        "trees": {name: str(path) for name, path in bench.hierarchies().items()},
        "suppression": SUPPRESSION,
        "option": peer.option,
    }


def limit() -> None:
    """Ten minutes of CPU and 8 GiB, on as many threads as ours has."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (GIB * 2**30, GIB * 2**30))
    os.environ["OMP_NUM_THREADS"] = "2"


def trouble(code: int, said: str) -> str:
    """Why a peer did not finish, in a few words."""
    if code < 0:
        return f"over {CPU_SECONDS // 60} minutes of CPU"
    if "MemoryError" in said or "Unable to allocate" in said:
        return f"over {GIB} GiB"
    return textwrap.shorten((said.strip().splitlines() or ["no word"])[-1], 80, placeholder=" ...")


def judged(original: Any, released: Path, plan: shoal.Plan, spent: dict[str, float]) -> Outcome:
    """The released table by our judge."""
    table = read_table(released).table
    try:
        verdict = shoal.check(table, quasi_identifiers=plan.quasi_identifiers)
        (loss,) = shoal.measure(original, table, plan, metrics=["ncp"])
    except ShoalError as error:
        return Outcome(len(original), **spent, trouble=str(error).splitlines()[0])
    return Outcome(
        len(original),
        **spent,
        loss=loss.figures["per_cell"],
        k=verdict.findings[0].figures["k_found"],
        rows_lost=len(original) - len(table),
    )
