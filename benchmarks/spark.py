# SPDX-License-Identifier: Apache-2.0
"""A table through Spark: time by phase, processor time, and the memory of the driver, which must not grow with rows.

    python -m benchmarks.spark --rows 500000 5000000
    python -m benchmarks.spark --rows 1000000 --master 'local[2]'

Invented patients, written as Parquet in parts; five quasi-identifiers, k = 10. ``local-cluster`` starts executors as
processes of their own, so that what the driver holds can be told from what they hold.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PART = 250_000
QUASI_IDENTIFIERS = ["age", "sex", "postcode", "marital_status", "nationality"]
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.log.level": "ERROR",
    "spark.sql.shuffle.partitions": "16",
    "spark.sql.session.timeZone": "UTC",
}


def main() -> None:
    """One process per size, so that no run inherits the memory of another."""
    asked = _arguments()
    if len(asked.rows) > 1:
        for rows in asked.rows:
            line = [sys.executable, "-m", "benchmarks.spark", "--rows", str(rows), "--master", asked.master]
            subprocess.run([*line, "--method", asked.method], check=True)
        return
    with tempfile.TemporaryDirectory() as folder:
        write_people(Path(folder), asked.rows[0])
        run(folder, asked)


def write_people(folder: Path, rows: int) -> None:
    """Patients in parts, each with a seed of its own."""
    import shoal

    (folder / "people").mkdir()
    for number, start in enumerate(range(0, rows, PART)):
        part = shoal.synthetic_patients(min(PART, rows - start), seed=number)
        part.select(*QUASI_IDENTIFIERS, "diagnosis", "cost").write_parquet(folder / "people" / f"{number}.parquet")


def run(folder: str, asked: argparse.Namespace) -> None:
    """Anonymise, measure, tell."""
    import shoal

    spark = _session(asked.master)
    people = spark.read.parquet(f"{folder}/people")
    roles: dict[str, Any] = {
        "quasi_identifiers": QUASI_IDENTIFIERS,
        "sensitive": ["diagnosis"],
        "insensitive": ["cost"],
    }
    plan = shoal.Plan.of(10, method=asked.method, **roles)
    began, phases = time.perf_counter(), []
    made = shoal.spark.release(
        people, plan, keep=folder, progress=lambda step: phases.append((step.phase, time.perf_counter()))
    )
    seconds = time.perf_counter() - began
    ncp = next(one for one in shoal.spark.measure(people, made.table, made.plan) if one.metric == "ncp")
    python, machine = _peak(os.getpid()), _peak(spark.sparkContext._gateway.proc.pid)
    held = _heap_in_use(spark)
    print(
        f"{asked.rows[0]:,} rows, {asked.master}, {asked.method}: {seconds:.0f} s, {_processor_seconds():.0f} CPU s, "
        f"{made.cells} cells, holds: {made.verdict.holds}, loss {ncp.figures['per_cell']:.4f}; driver: Python "
        f"{python:.2f} GiB at most, its Java {machine:.2f} GiB at most, heap in use at the end {held:.3f} GiB",
        flush=True,
    )
    first = {phase: at - began for phase, at in reversed(phases)}
    print("  started after: " + ", ".join(f"{phase} {at:.0f} s" for phase, at in reversed(first.items())), flush=True)
    spark.stop()


def _session(master: str) -> Any:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master)
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def _heap_in_use(spark: Any) -> float:
    """What the virtual machine of the driver holds once its garbage is gone, in GiB; the rest is its own growth."""
    memory = spark._jvm.java.lang.management.ManagementFactory.getMemoryMXBean()
    memory.gc()
    return float(memory.getHeapMemoryUsage().getUsed()) / 2**30


def _peak(process: int) -> float:
    """Largest resident size, in GiB."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 2**20


def _processor_seconds() -> float:
    """Of this process and all that it started, those that have ended included."""
    found: dict[int, tuple[int, float]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            found[int(entry.name)] = int(fields[1]), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    ours, grown = {os.getpid()}, True
    while grown:
        more = {process for process, (parent, _) in found.items() if parent in ours} - ours
        grown = bool(more)
        ours |= more
    return sum(found[process][1] for process in ours if process in found)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[500_000])
    parser.add_argument("--master", default="local-cluster[2,1,2048]")
    parser.add_argument("--method", default="k_members")
    return parser.parse_args()


if __name__ == "__main__":
    main()
