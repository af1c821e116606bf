# SPDX-License-Identifier: Apache-2.0
"""Puts a release folder where the app was told to put them."""

from __future__ import annotations

import shutil
from pathlib import Path

from shoal.faces.app.bench import Bench
from shoal.ground.progress import ProgressCallback


def run(_bench: Bench, _progress: ProgressCallback, *, folder: Path, out: Path, number: int) -> Path:
    """Into a new folder: release-1, release-2, ..."""
    out.mkdir(parents=True, exist_ok=True)
    while (out / f"release-{number}").exists():
        number += 1
    return Path(shutil.copytree(folder, out / f"release-{number}"))
