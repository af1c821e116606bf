# SPDX-License-Identifier: Apache-2.0
"""The same rows from separate worker processes, one of which is killed, and over Spark Connect."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.faces.spark.elsewhere import released

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]
ROOT = Path(__file__).resolve().parents[3]
HERE = os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}


def told(*line: str) -> dict[str, Any]:
    """What another process says."""
    command = [sys.executable, "-m", "tests.faces.spark.elsewhere", *line]
    done = subprocess.run(command, cwd=ROOT, env=HERE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_separate_workers_one_of_which_dies(spark: Any, tmp_path: Path) -> None:
    """An executor is killed in the middle of a cell; its tasks are repeated, and the same rows come out."""
    expected = released(spark, str(tmp_path / "here"))
    mark = tmp_path / "killed"
    assert told("local-cluster[2,1,2048]", str(tmp_path / "there"), str(mark)) == expected
    assert mark.exists()
    assert expected["holds"]
    assert expected["cells"] > 1


def test_spark_connect(spark: Any, server: str, tmp_path: Path) -> None:
    """A client that has no Java of its own gets the same rows from a server."""
    assert told(server, str(tmp_path / "there")) == released(spark, str(tmp_path / "here"))
