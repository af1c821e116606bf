# SPDX-License-Identifier: Apache-2.0
"""Tables beyond memory: a generator of very many invented patients, and what it costs to anonymise them.

``python -m benchmarks.long_tables make FOLDER MILLIONS`` writes Parquet parts of a million rows each, fast: who
somebody is and what they have comes from one of 200,000 synthetic patients, where they live and were born from
another, the day of admission from a third. ``python -m benchmarks.long_tables run FOLDER OUT [FLAG ...]`` anonymises
the folder by the command line and tells rows, minutes, processor seconds, peak memory of all processes, and loss.
``python -m benchmarks.long_tables cells FILE PLAN SIZE ...`` tells the loss for each size of cells, without writing; a
size of 0 stands for the ordinary run, in which nothing is cut.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

import shoal
from benchmarks.memory import peak_of_all
from shoal.ground.progress import Progress, Step
from shoal.large.classes import Cells, sorted_by_cell
from shoal.large.settling import columns_to_digest, settled
from shoal.pipeline import run as run_whole
from shoal.plan.plan import Plan
from shoal.tables.sources import read_table
from shoal.tables.streaming import long_table

TEMPLATE = 200_000
PER_PART = 1_000_000
WHO = ("age", "sex", "marital_status", "insurance", "diagnosis", "cost")
WHERE = ("postcode", "nationality")
QUASI_IDENTIFIERS = ("age", "sex", "postcode", "marital_status", "nationality", "admission_date")


def make(folder: Path, millions: int, seed: int = 0) -> None:
    """Write so many million rows, a million to a file."""
    folder.mkdir(parents=True, exist_ok=True)
    template = shoal.synthetic_patients(TEMPLATE)
    for number in range(millions):
        random = np.random.default_rng([seed, number])
        draws = (random.integers(TEMPLATE, size=PER_PART) for _ in range(3))
        groups = zip((WHO, WHERE, ("admission_date",)), draws, strict=True)
        parts = [template.select(names)[rows] for names, rows in groups]
        parts[0].hstack(parts[1]).hstack(parts[2]).write_parquet(folder / f"part-{number:04}.parquet")


def run(folder: Path, out: Path, *flags: str) -> dict[str, float]:
    """Anonymise a folder of parts by the command line; what it took."""
    command = [str(Path(sys.executable).with_name("shoal")), "anonymize", str(folder), "-o", str(out), "--quiet"]
    command += ["-k", "10", "--qi", ",".join(QUASI_IDENTIFIERS), "--sensitive", "diagnosis"]
    command += ["--insensitive", "insurance,cost", "--kind", "postcode=text-prefix", "--method", "k_members", *flags]
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peak, processor = peak_of_all(process)
    if process.returncode:
        raise SystemExit(process.returncode)
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    rows = report["facts"]["rows"]
    took = time.perf_counter() - begun
    return {"rows": rows, "minutes": took / 60, "cpu_seconds": processor, "peak_gib": peak / 2**30,
            "loss": report["loss"]["per_cell"]}  # fmt: skip


def cells(file: Path, plan: Plan, sizes: list[int]) -> Iterator[dict[str, float]]:
    """The loss of a table cut into cells of each size, and the processor seconds of making the classes."""
    for size in sizes:
        if size == 0:
            yield whole(file, plan)
            continue
        with tempfile.TemporaryDirectory() as folder:
            scratch = Path(folder)
            table = long_table(file, plan.reading, scratch)
            different = table.different_cells(columns_to_digest(plan, table.first.names), 1 << 24, Progress())
            work = settled(different, table.first, replace(plan, cell_rows=size)).work
            made = Cells(work, sorted_by_cell(work, table, different, scratch, Progress()), scratch)
            begun = time.process_time()
            classes = sum(len(shown) for _, shown in made.classes_made(Progress()))
            took = time.process_time() - begun
            yield {"cell_rows": size, "cells": len(made), "classes": classes, "cpu_seconds": took,
                   "loss": float(made.losses.mean() / len(table))}  # fmt: skip


def whole(file: Path, plan: Plan) -> dict[str, float]:
    """The same of the ordinary run; its processor seconds are those of making the classes, too."""
    table, seconds = read_table(file, plan.reading).table, {"": 0.0}

    def told(step: Step) -> None:
        seconds.setdefault(step.phase, time.process_time())

    release = run_whole(table, plan, Progress(told), certified=False)
    took = seconds["generalise"] - seconds["cluster"]
    ncp = next(one for one in release.measurements if one.metric == "ncp")
    return {"cell_rows": 0, "cells": 1, "classes": release.facts["classes"], "cpu_seconds": took,
            "loss": ncp.figures["per_cell"]}  # fmt: skip


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["make", folder, millions]:
            make(Path(folder), int(millions))
        case ["run", folder, out, *flags]:
            print(json.dumps(run(Path(folder), Path(out), *flags)))
        case ["cells", file, plan, *sizes]:
            for found in cells(Path(file), Plan.read(plan), [int(size) for size in sizes]):
                print(json.dumps(found), flush=True)
        case _:
            sys.exit(__doc__)
