# SPDX-License-Identifier: Apache-2.0
"""``make java``: nothing where there is a Java, apt where that may be done, else a word what to do."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "install_java.sh"


def told(folder: Path, programs: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """The script on a machine that has only these programs."""
    for name, lines in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{lines}\n")
        (folder / name).chmod(0o755)
    there = {"PATH": str(folder), "JAVA_HOME": ""}
    return subprocess.run(["/bin/sh", str(SCRIPT)], env=there, capture_output=True, text=True, check=False)


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_java_is_installed_where_it_is_missing(tmp_path: Path) -> None:
    """By apt, for root alone; a failure is no failure of the tests, which name what they could not run."""
    apt = f'echo "$@" >> {tmp_path}/asked'
    assert told(tmp_path, {"apt-get": apt, "id": "echo 0"}).returncode == 0
    asked = (tmp_path / "asked").read_text().splitlines()
    assert asked[0].startswith("update")
    assert asked[1].startswith("install -y")
    assert "openjdk-17-jre-headless" in asked[1]
    assert len(asked) == 2
    without_17 = f'{apt}; case "$*" in *openjdk-17*) exit 100;; esac'
    (tmp_path / "asked").unlink()
    assert told(tmp_path, {"apt-get": without_17, "id": "echo 0"}).stderr == ""
    assert "default-jre-headless" in (tmp_path / "asked").read_text().splitlines()[2]
    assert "no Java" in told(tmp_path, {"apt-get": "exit 100", "id": "echo 0"}).stderr
    other = told(tmp_path, {"apt-get": "echo called", "id": "echo 1000"})
    assert "no Java" in other.stderr
    assert "called" not in other.stdout
    there = told(tmp_path, {"apt-get": "echo called", "id": "echo 0", "java": "true"})
    assert (there.returncode, there.stdout, there.stderr) == (0, "", "")
