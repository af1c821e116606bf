# SPDX-License-Identifier: Apache-2.0
"""``--levels`` on the command line."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result


def test_the_flag_reaches_plan_terminal_and_check(table: Path, run: Callable[..., Result], tmp_path: Path) -> None:
    """Levels that do not overlap, what they cost in the terminal, and a check that reads them again."""
    out = tmp_path / "out"
    roles = "--qi", "age,sex", "--sensitive", "disease", "--identifier", "name", "--rest", "drop"
    asked = "-k", 5, *roles, "--levels", "age=common", "--steps", 500
    done = run("anonymize", table, "-o", out, *asked)
    assert done.exit_code == 0, done.output
    assert "HOLDS         common_levels: column 'age': " in done.output
    assert "Levels        age in " in done.output
    assert 'levels = "common"' in (out / "plan.toml").read_text()
    with (out / "table.csv").open() as file:
        labels = {row["age"] for row in csv.DictReader(file)}
    ends = sorted(tuple(map(int, label.strip("[]").split(", "))) for label in labels)
    assert len(ends) > 1
    assert all(one[-1] < other[0] for one, other in itertools.pairwise(ends))
    told = json.loads((out / "report.json").read_text())
    assert told["facts"]["levels"]["columns"] == {"age": len(ends)}
    checked = run("check", out)
    assert checked.exit_code == 0, checked.output
    assert "none of which overlap" in checked.output


def test_a_table_by_others_is_held_to_it(tmp_path: Path, run: Callable[..., Result]) -> None:
    """``shoal check --levels`` refuses labels that overlap."""
    path = tmp_path / "released.csv"
    path.write_text('age,sex\n"[1, 5]",m\n"[1, 5]",m\n"[4, 9]",m\n"[4, 9]",m\n')
    told = run("check", path, "--qi", "age,sex", "--kind", "age=numeric", "-k", 2, "--levels", "age=common")
    assert told.exit_code == 1
    assert "DOES NOT HOLD common_levels: column 'age': 2 of 2 overlap" in told.output
