# SPDX-License-Identifier: Apache-2.0
"""How much memory a run takes: a CSV file of 20 columns, anonymised on 8 quasi-identifiers, in a process of its own.

    python -m benchmarks.memory --rows 500000
    python -m benchmarks.memory --rows 5000000 --limit 8

The file is written in blocks and the run measured by what the operating system counted as its largest resident size.
Exits 1 if that is above the limit.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import numpy as np

GIB = 2**30
BLOCK = 100_000
QUASI_IDENTIFIERS = ("age", "sex", "zip", "education", "income", "children", "born", "country")
OTHERS = 12


def main() -> int:
    """Make the file, run, tell."""
    asked = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "people.csv"
        write_people(table, asked.rows)
        line = [sys.executable, "-c", "from shoal.faces.cli import main; main()", "anonymize", str(table)]
        line += ["-o", f"{folder}/released", "-k", "10", "--qi", ",".join(QUASI_IDENTIFIERS)]
        line += ["--rest", "insensitive", "--method", asked.method]
        started = time.perf_counter()
        done = subprocess.run([*line, "--quiet"], check=False, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - started
        size = table.stat().st_size
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    print(
        f"{asked.rows:,} rows, {len(QUASI_IDENTIFIERS) + OTHERS} columns, {size / GIB:.2f} GiB as CSV, {asked.method}: "
        f"exit {done.returncode}, peak {peak / GIB:.2f} GiB ({peak / asked.rows:,.0f} bytes per row), {seconds:.0f} s"
    )
    return int(done.returncode != 0 or peak > asked.limit * GIB)


def peak_of_all(process: subprocess.Popen[bytes], pause: float = 0.1) -> tuple[int, float]:
    """Wait for a process: the largest resident size of it and its children together, and their processor seconds."""
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(map(_resident, [process.pid, *_children(process.pid)])))
        time.sleep(pause)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return peak, used.ru_utime + used.ru_stime


def _children(process: int) -> list[int]:
    found: list[int] = []
    for listed in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            found += [int(child) for child in listed.read_text().split()]
    return found + [below for child in found for below in _children(child)]


def _resident(process: int) -> int:
    with suppress(OSError, StopIteration, ValueError):
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
        return 1024 * int(next(line for line in lines if line.startswith("VmRSS")).split()[1])
    return 0


def write_people(path: Path, rows: int) -> None:
    """Invented people, written block by block, so that making them takes no memory to speak of."""
    draw = np.random.default_rng(0)
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join([*QUASI_IDENTIFIERS, *(f"value{number}" for number in range(OTHERS))]) + "\n")
        for start in range(0, rows, BLOCK):
            size = min(BLOCK, rows - start)
            file.writelines(",".join(cells) + "\n" for cells in zip(*_columns(draw, size), strict=True))


def _columns(draw: np.random.Generator, size: int) -> list[list[str]]:
    days = np.datetime64("1930-01-01") + draw.integers(0, 30_000, size)
    quasi = [
        draw.integers(18, 90, size),
        np.array(["f", "m"])[draw.integers(0, 2, size)],
        draw.integers(10_000, 10_900, size),
        np.array([f"level {number}" for number in range(16)])[draw.integers(0, 16, size)],
        draw.integers(0, 2_000, size) * 50,
        draw.integers(0, 6, size),
        days,
        np.array([f"country {number}" for number in range(40)])[draw.zipf(1.7, size) % 40],
    ]
    others = [draw.integers(0, 100_000, size) for _ in range(OTHERS // 2)]
    others += [np.round(draw.normal(50, 20, size), 3) for _ in range(OTHERS - OTHERS // 2)]
    return [column.astype(str).tolist() for column in (*quasi, *others)]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--method", default="mondrian")
    parser.add_argument("--limit", type=float, default=8.0, help="GiB")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
