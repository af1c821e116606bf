# SPDX-License-Identifier: Apache-2.0
"""A version of the compiler that nobody has tried gives the same classes, by its own way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from shoal.engine.kernels.compiler.choosing import NEWEST_TRIED, version

pytestmark = pytest.mark.compiled


def test_the_version_at_hand_was_tried() -> None:
    """What the tests run with is what the way of our own was made for."""
    assert version <= NEWEST_TRIED


@pytest.mark.long
def test_newer_versions_go_their_own_way(tmp_path: Path) -> None:
    """With a version above those tried, a whole method runs, and gives the classes that it gives here."""
    here, there = (_classes(tmp_path, newer) for newer in (False, True))
    assert here == there


def _classes(folder: Path, newer: bool) -> str:
    patch = "numba.version_info = numba.version_info._replace(major=99)\n" if newer else ""
    script = (
        f"import numba\n{patch}import numpy as np, polars as pl, shoal, shoal.engine.kernels.compiler.choosing as way\n"
        f"assert way.Kernel.__module__.endswith({'plain' if newer else 'assembling'!r})\n"
        "people = pl.DataFrame({'age': np.arange(40) * 7 % 31, 'pay': np.arange(40) * 13 % 17})\n"
        "made = shoal.anonymize(people, k=3, quasi_identifiers=['age', 'pay'], method='mondrian')\n"
        "print(made.classes.tolist())"
    )
    place = {"NUMBA_CACHE_DIR": str(folder / "kernels")} if newer else {}
    done = subprocess.run(
        [sys.executable, "-c", script], env=os.environ | place, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
