# SPDX-License-Identifier: Apache-2.0
"""The programs on the page about Spark run: in a local session, as on a cluster, and over Spark Connect.

Those about Delta and Iceberg do not: both need jars, and the page says so.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import shoal

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]
PAGE = (Path(__file__).resolve().parents[3] / "docs" / "spark.md").read_text(encoding="utf-8")
LOCAL, CLUSTER, CONNECT, CATALOG = re.findall(r"^```py\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_a_local_session(spark: Any) -> None:
    """Word for word."""
    names: dict[str, Any] = {}
    exec(LOCAL, names)
    assert names["released"].count() == 2000
    assert {one.metric for one in names["losses"]} >= {"ncp"}


def test_a_program_for_a_cluster(spark: Any, tmp_path: Path) -> None:
    """With folders in place of those of a cluster."""
    people = shoal.synthetic_patients(500).select("age", "sex", "postcode", "diagnosis")
    people.write_parquet(tmp_path / "people.parquet")
    roles: dict[str, Any] = {"quasi_identifiers": ["age", "sex", "postcode"], "sensitive": ["diagnosis"]}
    plan = shoal.Plan.of(5, **roles, method="k_members")
    (tmp_path / "plan.toml").write_text(plan.to_toml())
    program = CLUSTER.replace("hdfs:///private/people", str(tmp_path / "people.parquet"))
    program = program.replace("hdfs:///", f"{tmp_path}/").replace('"plan.toml"', repr(str(tmp_path / "plan.toml")))
    assert "hdfs" not in program
    exec(program, {})
    assert shoal.spark.check(spark.read.parquet(str(tmp_path / "open" / "people")), plan).holds


def test_a_connect_server(server: str) -> None:
    """The first program with the line that the page gives for Connect."""
    session = CONNECT.replace("sc://head:15002", server)
    program = re.sub(r"^spark = .*\n", lambda _: session, LOCAL, flags=re.MULTILINE)
    assert server in program
    home = os.environ | {"PYSPARK_PYTHON": sys.executable}
    done = subprocess.run([sys.executable, "-c", program], env=home, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


def test_what_was_not_run_is_said() -> None:
    """A page that shows lines nobody has run tells so beside them."""
    assert "Delta" in CATALOG
    assert "were not run" in PAGE.split(CATALOG)[1]
