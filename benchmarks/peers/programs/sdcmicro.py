# SPDX-License-Identifier: Apache-2.0
"""sdcMicro, from an R that the user gives: single cells are suppressed, and count as any value from then on."""

from __future__ import annotations

import os
from pathlib import Path

from _job import Job, run_elsewhere

NEEDS = "RSCRIPT"
REQUIRES = ("pandas",)


def command(job: Job, folder: Path) -> list[str]:
    """Every quasi-identifier is a key, ages by their single years."""
    driver = Path(__file__).with_name("sdcmicro.R")
    files = (folder / name for name in ("first.csv", "table.csv", "released.csv"))
    return [os.environ[NEEDS], str(driver), str(job.k), *map(str, files)]


if __name__ == "__main__":
    run_elsewhere(command)
