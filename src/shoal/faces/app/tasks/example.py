# SPDX-License-Identifier: Apache-2.0
"""Writes the built-in table of invented patients, to try the app with."""

from __future__ import annotations

from pathlib import Path

from shoal.faces.app.bench import Bench
from shoal.ground.progress import ProgressCallback
from shoal.studies.samples.patients import patients_table
from shoal.tables.sources import write_table

PATIENTS = 2_000


def run(_bench: Bench, _progress: ProgressCallback, *, path: Path) -> None:
    """Invent and write."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_table(patients_table(PATIENTS, 0), path, "delimited")
