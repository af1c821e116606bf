# SPDX-License-Identifier: Apache-2.0
"""The same rows from separate worker processes, one of which is killed, and over Spark Connect."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faces.spark.conftest import SETTINGS
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


@pytest.fixture
def server() -> Iterator[str]:
    """A Spark Connect server, as PySpark brings it."""
    import pyspark

    home = Path(pyspark.__file__).parent
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    line = [str(home / "bin" / "spark-submit"), "--master", "local[2]"]
    line += [part for name, value in SETTINGS.items() for part in ("--conf", f"{name}={value}")]
    line += [
        "--conf",
        f"spark.connect.grpc.binding.port={port}",
        "--conf",
        "spark.connect.grpc.binding.address=127.0.0.1",
    ]
    line += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"]
    environment = os.environ | {
        "SPARK_HOME": str(home),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    running = subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 300
        while time.monotonic() < until and running.poll() is None:
            with socket.socket() as asked:
                if asked.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.5)
        yield f"sc://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait(60)


def test_spark_connect(spark: Any, server: str, tmp_path: Path) -> None:
    """A client that has no Java of its own gets the same rows from a server."""
    assert told(server, str(tmp_path / "there")) == released(spark, str(tmp_path / "here"))
