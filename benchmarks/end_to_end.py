# SPDX-License-Identifier: Apache-2.0
"""The command line from file to release folder, reading and writing included: seconds and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.tables import Bench

METHOD = "k_member"
"""The method whose time the bars are about; our own spends as long as its budget allows."""


def anonymized(bench: Bench, k: int) -> tuple[float, float]:
    """Seconds and peak MiB of ``shoal anonymize`` on a prepared table."""
    shoal = str(Path(sys.executable).parent / "shoal")
    command = [shoal, "anonymize", str(bench.path), "-k", str(k), "--qi", ",".join(bench.quasi_identifiers)]
    command += ["--rest", "insensitive", "--method", METHOD, "--quiet"]
    for name in bench.identifiers:
        command += ["--identifier", name]
    for name, path in bench.hierarchies().items():
        command += ["--hierarchy", f"{name}={path}"]
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        process = subprocess.Popen([*command, "-o", f"{folder}/release"], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
    if status != 0:
        raise SystemExit(f"shoal anonymize failed on {bench.name}")
    return seconds, usage.ru_maxrss / 1024
