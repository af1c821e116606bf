# SPDX-License-Identifier: Apache-2.0
"""What a newcomer does first: clone, ``make demo``."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.long
def test_make_demo_in_a_fresh_clone(tmp_path: Path) -> None:
    """With nothing but Python and make, the demonstration sets itself up, runs, checks, and can be repeated."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    hidden = {"VIRTUAL_ENV", "PYTHONPATH", "MAKEFLAGS", "MAKELEVEL"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    for _ in range(2):
        done = subprocess.run(
            ["make", "demo"], cwd=clone, env=environment, capture_output=True, text=True, timeout=900, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "demo/release/report.html" in done.stdout
        assert (clone / "demo" / "release" / "table.csv").is_file()
    checked = subprocess.run([clone / ".venv" / "bin" / "shoal", "check", "demo/release"], cwd=clone, check=False)
    assert checked.returncode == 0
