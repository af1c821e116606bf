# SPDX-License-Identifier: Apache-2.0
"""``shoal doctor``: what is there, what is missing."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

import pytest

from shoal.faces.cli import doctor


def test_doctor_names_versions_and_caches(run) -> None:
    """Versions, kernel cache, threads and memory are told; exit 0."""
    done = run("doctor")
    assert done.exit_code == 0
    for word in ("shoal", "python", "numba", metadata.version("numba"), "compiled", "kept in", "threads", "memory"):
        assert word in done.stdout


def test_json(run) -> None:
    """The same for programs."""
    facts = json.loads(run("doctor", "--json").stdout)
    assert facts["packages"]["polars"] == metadata.version("polars")


def test_missing_extra_tells_the_install_line(run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing comes with the line that installs it."""
    monkeypatch.setattr(doctor, "_version", lambda name: None if name == "pandas" else "1.0")
    assert "missing pandas: pip install 'shoal[frames]'" in run("doctor").stdout


def test_leftovers_are_named(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The private folder of a killed run is found."""
    (tmp_path / ".out.shoal-0123abcd").mkdir()
    (tmp_path / ".other").mkdir()
    monkeypatch.chdir(tmp_path)
    assert json.loads(run("doctor", "--json").stdout)["leftovers of killed runs here"] == [".out.shoal-0123abcd"]


@pytest.mark.parametrize(("version", "told"), [("17.0.15", "17.0.15"), ("1.8.0_402", "needs 17")])
def test_java_is_told(version: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark alone would only say that its gateway has exited."""
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    java.chmod(0o755)
    assert told in doctor._java()
    java.unlink()
    assert "unset or mend" in doctor._java()
