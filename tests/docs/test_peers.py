# SPDX-License-Identifier: Apache-2.0
"""Peers that the user gives, a jar or an R: left out with a word, or run and judged as all others are."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.peers.running import PROGRAMS, absent, peers

FAKE = """#!/bin/sh
# Gives back the table that it finds beside the file it should write, and gives up the last row.
for asked in "$@"; do case "$asked" in */released.csv) folder=$(dirname "$asked");; esac; done
sed '$s/.*/*,*/' "$folder/table.csv" > "$folder/released.csv"
echo "$@" > "$ASKED"
echo 'words'
echo '{"seconds": 1.5, "cpu_seconds": 1.25, "peak_mib": 10.0}'
"""


@pytest.mark.parametrize(("program", "variable"), [("arx", "ARX_JAR"), ("sdcmicro", "RSCRIPT")])
def test_what_is_not_given_is_left_out_with_a_word(
    program: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And stands among the peers as soon as it is given."""
    monkeypatch.delenv(variable, raising=False)
    assert program not in {one.program for one in peers()}
    assert [said for said in absent() if said.startswith(program) and f"{variable}=PATH" in said]
    monkeypatch.setenv(variable, "somewhere")
    assert program in {one.program for one in peers()}
    assert not [said for said in absent() if said.startswith(program)]


@pytest.mark.parametrize(("program", "rows"), [("arx", 5), ("sdcmicro", 6)])
def test_a_peer_in_another_language(program: str, rows: int, tmp_path: Path) -> None:
    """Its files are read, its spending is told; rows that ARX publishes as stars alone are lost."""
    pytest.importorskip("pandas")
    fake = tmp_path / "java"
    fake.write_text(FAKE, encoding="utf-8")
    fake.chmod(0o755)
    (tmp_path / "table.csv").write_text("age,sex\n31,f\n32,m\n33,f\n34,m\n35,f\n36,m\n", encoding="utf-8")
    (tmp_path / "sex.csv").write_text("f;*\nm;*\n", encoding="utf-8")
    job = {
        "table": str(tmp_path / "table.csv"),
        "released": str(tmp_path / "out.csv"),
        "k": 2,
        "numeric": ["age"],
        "categorical": ["sex"],
        "sensitive": "sex",
        "trees": {"sex": str(tmp_path / "sex.csv")},
        "suppression": 0.05,
        "option": "one coding",
    }
    (tmp_path / "job.json").write_text(json.dumps(job), encoding="utf-8")
    given = {"ARX_JAR": "arx.jar", "RSCRIPT": str(fake), "ASKED": str(tmp_path / "asked")}
    done = subprocess.run(
        [sys.executable, PROGRAMS / f"{program}.py", tmp_path / "job.json"],
        env=given | {"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == {"seconds": 1.5, "cpu_seconds": 1.25, "peak_mib": 10.0}
    assert len((tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()) == 1 + rows
    asked = (tmp_path / "asked").read_text(encoding="utf-8")
    assert ("arx.jar" in asked and "age=" in asked) if program == "arx" else " 2 " in asked
