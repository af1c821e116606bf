# SPDX-License-Identifier: Apache-2.0
"""Spark sessions: one for all tests of a process that are content with two threads."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

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
