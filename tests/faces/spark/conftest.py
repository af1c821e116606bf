# SPDX-License-Identifier: Apache-2.0
"""Spark sessions: one for all tests of a process that are content with two threads."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.counts import FULL

LEAN = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""A virtual machine that starts fast and is content with one thread: half the processor time of a short test."""
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "1g",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "3",
    "spark.sql.session.timeZone": "UTC",
    "spark.log.level": "ERROR",
    "spark.driver.extraJavaOptions": LEAN,
    "spark.executor.extraJavaOptions": LEAN,
}
if not FULL:  # to translate a query takes longer than to go through a few hundred rows untranslated
    SETTINGS |= {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}


def session(master: str, **more: str) -> Any:
    """A session of its own kind; workers are those of this installation."""
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        pytest.skip("no Java: install it with make java")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    pytest.importorskip("pyspark", reason="pip install 'shoal[spark]'")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master)
    for name, value in (SETTINGS | more).items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Two threads of this machine."""
    opened = session("local[2]")
    yield opened
    opened.stop()


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
