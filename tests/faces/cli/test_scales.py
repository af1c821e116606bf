# SPDX-License-Identifier: Apache-2.0
"""``--scale`` on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result


def incomes(folder: Path) -> Path:
    """Sixty people, one of them very rich, some with nothing and one in debt."""
    path = folder / "incomes.csv"
    rows = [f"{(i * i * i) % 997 if i % 7 else 0},{20 + i % 30}" for i in range(58)]
    path.write_text("\n".join(["income,age", *rows, "5000000,40", "-300,41"]) + "\n")
    return path


def test_the_flag_reaches_plan_report_and_measure(tmp_path: Path, run: Callable[..., Result]) -> None:
    """The plan of the release says it, the report tells it, and measuring the folder counts on it again."""
    table, out = incomes(tmp_path), tmp_path / "out"
    done = run("anonymize", table, "-o", out, "-k", 4, "--qi", "income,age", "--scale", "income=rank", "--steps", 2500)
    assert done.exit_code == 0, done.output
    assert "typically" in done.output
    assert 'scale = "rank"' in (out / "plan.toml").read_text()
    report = json.loads((out / "report.json").read_text())
    assert {one["name"]: one["scale"] for one in report["columns"]} == {"income": "rank", "age": "range"}
    widths = {one["column"]: one for one in report["typical_width"]}
    assert widths["income"]["width"] < 500
    assert 0 < widths["income"]["of_iqr"] < 1
    again = json.loads(run("measure", table, out, "--metric", "ncp", "--json").output)[0]
    assert again["per_column"] == report["loss"]["per_column"]
    plain = json.loads(run("measure", table, out, "--metric", "ncp", "--scale", "income=range", "--json").output)[0]
    assert plain["per_column"]["income"] != again["per_column"]["income"]
    assert run("check", out).exit_code == 0


def test_a_scale_that_is_none_is_refused(tmp_path: Path, run: Callable[..., Result]) -> None:
    """With what is allowed, and without a folder."""
    told = run(
        "anonymize", incomes(tmp_path), "-o", tmp_path / "out", "-k", 4, "--qi", "income,age", "--scale", "age=ln"
    )
    assert told.exit_code == 2
    assert "range, rank, log" in told.output
    assert not (tmp_path / "out").exists()
