# SPDX-License-Identifier: Apache-2.0
"""A newcomer's method in a package of its own is listed, examined and usable; nothing of shoal is edited.

The same inside the package, one file dropped into ``algorithms/``, is the walk-through of CONTRIBUTING and its test.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

METHOD = '''
"""Cuts the records, as they come, into blocks of k.

Paper: none. Cost: n. When not to use it: whenever loss matters.
"""

from dataclasses import dataclass

import numpy as np

from shoal.engine.methods import Capabilities, Partition

CAPABILITIES = Capabilities(losses=())


@dataclass(frozen=True)
class Parameters:
    """Nothing can be set."""


def cluster(encoded, requirement, parameters, random, progress):
    """Blocks of rows; what is left over joins the last block."""
    n, k = len(encoded), requirement.size
    return Partition.of(np.minimum(np.arange(n) // k, n // k - 1))
'''

USE = """
import polars as pl, shoal
ages = pl.DataFrame({"age": [30, 41, 52, 63, 74]})
release = shoal.anonymize(ages, k=2, quasi_identifiers=["age"], method="blocks_of_rows", keep_order=True)
print(release.classes.tolist(), release.table["age"].to_list(), release.verdict.holds)
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which a distribution with one method is installed."""
    (tmp_path / "their_methods.py").write_text(METHOD, encoding="utf-8")
    about = tmp_path / "their_methods-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: their-methods\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[shoal.algorithms]\nblocks_of_rows = their_methods\n", encoding="utf-8")
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"}


def run(code: str, environment: dict[str, str]) -> str:
    """What a fresh process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_listed(environment: dict[str, str]) -> None:
    """The command that lists the methods shows it with its summary."""
    printed = run("import sys; sys.argv = ['shoal', 'methods']; from shoal.faces.cli import main; main()", environment)
    assert "Cuts the records, as they come, into blocks of k." in printed
    assert "blocks_of_rows" in printed


def test_it_is_examined(environment: dict[str, str]) -> None:
    """The public exam takes it by its name."""
    run("from shoal.testing import check_algorithm; check_algorithm('blocks_of_rows')", environment)


def test_it_can_be_used(environment: dict[str, str]) -> None:
    """A release made with it holds."""
    printed = run(USE, environment)
    assert printed.split("\n")[0] == "[0, 0, 1, 1, 1] ['[30, 41]', '[30, 41]', '[52, 74]', '[52, 74]', '[52, 74]'] True"
