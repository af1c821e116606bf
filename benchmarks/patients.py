# SPDX-License-Identifier: Apache-2.0
"""Invented patients from CSV to release folder by the command line: what making the classes takes, and all the rest.

    python -m benchmarks.patients
    python -m benchmarks.patients --rows 200000 --method shoal

Fourteen columns, five quasi-identifiers, k = 10. Of the method the manifest tells the seconds (it runs on one core),
of the whole run the operating system the processor seconds: the rest is the difference.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import shoal

ROLES = {
    "qi": "age,sex,postcode,marital_status,nationality",
    "sensitive": "diagnosis",
    "identifier": "name,email,phone",
    "drop": "birth_date,note",
    "insensitive": "admission_date,insurance,cost",
}
MAKING = ("cluster", "enforce", "refine")
"""Phases that make classes."""


def main() -> int:
    """Make the table, run the command as anybody would, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--method", default="k_members")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "patients.csv", Path(folder) / "released"
        shoal.synthetic_patients(asked.rows).write_csv(path)
        line = [sys.executable, "-m", "shoal", "anonymize", str(path), "-o", str(out), "-k", "10", "--quiet"]
        line += [word for role, names in ROLES.items() for word in (f"--{role}", names)]
        begun = time.perf_counter()
        subprocess.run([*line, "--method", asked.method], check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - begun
        phases = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["timings"]
        loss = json.loads((out / "report.json").read_text(encoding="utf-8"))["loss"]["per_cell"]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor, making = used.ru_utime + used.ru_stime, sum(phases.get(name, 0.0) for name in MAKING)
    print(
        f"{asked.rows:,} rows, {asked.method}: {seconds:.1f} s, {processor:.1f} CPU s, of which classes {making:.1f} s "
        f"(by the clock), peak {used.ru_maxrss / 2**20:.2f} GiB, loss {loss:.4f}"
    )
    print("  ".join(f"{name} {taken:.1f}" for name, taken in phases.items()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
