# SPDX-License-Identifier: Apache-2.0
"""What every program of this folder does around its peer: read the job, time the peer, write what it released.

A program runs in the environment of its peer, where shoal is not installed, so nothing of shoal is imported here. Only
the anonymisation is timed, from the table in memory to the released table in memory, after one run on the first rows,
so that nobody pays for compiling or for first imports. Labels are spelt the way our judge reads them; what they say is
the peer's.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

WARM_UP_ROWS = 400
WIDTHS = (5, 10, 20)
"""Of the ranges of numbers, level by level, for peers that need trees; as in the tree of ages that ARX ships."""


@dataclass(frozen=True)
class Job:
    """What is asked of a peer."""

    table: str
    released: str
    k: int
    numeric: tuple[str, ...]
    categorical: tuple[str, ...]
    sensitive: str
    trees: dict[str, str]
    """Level files of columns, semicolons between the levels."""
    suppression: float
    """Share of the rows that may be left out, where a peer can do that."""
    option: str = ""
    """Which of a peer's methods."""

    @property
    def quasi_identifiers(self) -> list[str]:
        """The columns to be coarsened."""
        return [*self.numeric, *self.categorical]

    def levels(self, column: str) -> list[list[str]]:
        """The level file of a column: the leaves, then each level above them."""
        lines = Path(self.trees[column]).read_text(encoding="utf-8").splitlines()
        return [list(level) for level in zip(*(line.split(";") for line in lines))]


def read_job() -> tuple[Job, pd.DataFrame]:
    """The job named on the command line, and its table."""
    job = Job(**json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    return job, pd.read_csv(job.table, dtype=dict.fromkeys(job.categorical, object))


def run(anonymise: Callable[[pd.DataFrame, Job], pd.DataFrame]) -> None:
    """Do the job; prints what was spent as JSON."""
    job, table = read_job()
    try:
        anonymise(table.head(WARM_UP_ROWS).copy(), job)
    except Exception as error:  # the run that counts will tell
        print(f"warm-up: {error}", file=sys.stderr)
    started, spent = time.perf_counter(), cpu_seconds()
    released = anonymise(table.copy(), job)
    seconds, spent = time.perf_counter() - started, cpu_seconds() - spent
    write(released, job)
    print(json.dumps({"seconds": seconds, "cpu_seconds": spent, "peak_mib": peak_mib()}))


def run_elsewhere(
    command: Callable[[Job, Path], list[str]], respell: Callable[[pd.DataFrame], pd.DataFrame] = lambda rows: rows
) -> None:
    """The same for a peer in another language, which reads and writes files and tells itself what it has spent.

    In the folder that its command is given it finds ``first.csv``, some rows, and ``table.csv``, all of them, with
    quasi-identifiers alone; it leaves ``released.csv`` there.
    """
    job, table = read_job()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table[job.quasi_identifiers].head(WARM_UP_ROWS).to_csv(folder / "first.csv", index=False)
        table[job.quasi_identifiers].to_csv(folder / "table.csv", index=False)
        done = subprocess.run(command(job, folder), stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.returncode)
        released = pd.read_csv(folder / "released.csv", dtype=str, keep_default_na=False)
    write(respell(released[job.quasi_identifiers]), job)
    print(done.stdout.splitlines()[-1])


def write(released: pd.DataFrame, job: Job) -> None:
    """The released table, for the judge."""
    if released.empty:
        raise SystemExit("an empty table came back")
    released.to_csv(job.released, index=False)


def cpu_seconds() -> float:
    """Of this process and of those that it has started and ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def peak_mib() -> float:
    """Most memory that this process ever held."""
    return next(
        int(line.split()[1]) / 1024
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        if line.startswith("VmHWM:")
    )


def interval(low: Any, high: Any) -> str:
    """A range, or the one number."""
    return f"{low}" if low == high else f"[{low}, {high}]"


def names(values: Iterable[Any]) -> str:
    """A set of names, or the one name."""
    distinct = sorted({"" if pd.isna(value) else str(value) for value in values})
    return distinct[0] if len(distinct) == 1 else "{" + ", ".join(distinct) + "}"


def respelt(rows: pd.DataFrame, job: Job) -> pd.DataFrame:
    """Ranges that were written as 17-28 and sets that were written as a,b."""
    rows = rows[job.quasi_identifiers].copy()
    for name in job.numeric:
        rows[name] = rows[name].map(lambda shown: interval(shown.split("-")[0], shown.split("-")[-1]))
    for name in job.categorical:
        rows[name] = rows[name].map(lambda shown: names(shown.split(",")))
    return rows


def hulls(table: pd.DataFrame, job: Job, labels: Any) -> pd.DataFrame:
    """What classes publish: ranges of numbers, sets of names."""
    parts = []
    for _, members in table.groupby(labels, sort=False):
        shown = {name: interval(members[name].min(), members[name].max()) for name in job.numeric}
        shown |= {name: names(members[name].unique()) for name in job.categorical}
        parts.append(pd.DataFrame(shown, index=members.index))
    return pd.concat(parts)


def tree_of_numbers(column: pd.Series) -> dict[int, np.ndarray]:
    """Ranges of round widths, level by level; whoever looks a range up finds one of its numbers."""
    numbers = np.array(sorted(column.dropna().unique()))
    levels = [numbers]
    for width in WIDTHS:
        starts = numbers // width * width
        levels.append(np.array([interval(low, low + width - 1) for low in starts]))
    return dict(enumerate([*levels, np.full(len(numbers), "*")]))
