# SPDX-License-Identifier: Apache-2.0
"""``shoal compare``: the table, the files, going on after Ctrl-C, refusals in words."""

from __future__ import annotations

import csv
import json
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from shoal.faces.cli._comparison import _say

METHODS = ("--methods", "hilbert,mondrian")


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty people with a private fact that no output may show."""
    path = tmp_path_factory.mktemp("people") / "people.csv"
    rows = [f"{20 + 7 * i % 50},{'mf'[i % 2]},SECRET-{i}" for i in range(60)]
    path.write_text("\n".join(["age,sex,fact", *rows]) + "\n")
    return path


ROLES = ("--qi", "age,sex", "--sensitive", "fact")


def test_table_files_and_json(people: Path, tmp_path: Path, run: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    """One table per k, a recommendation, all files; then JSON from the same cells; then a narrow terminal."""
    out = tmp_path / "out"
    line = ("compare", people, "--k", "3,10", *METHODS, *ROLES, "-o", out)
    monkeypatch.setenv("COLUMNS", "110")
    done = run(*line)
    assert done.exit_code == 0, done.output
    assert "k = 3: loss per cell (ncp), lower bound" in done.stdout
    assert "loses least" in done.stdout
    assert f"Report        {out / 'report.html'}" in done.stdout
    assert "SECRET" not in done.output
    assert "SECRET" not in "".join(path.read_text() for path in out.rglob("*") if path.is_file())

    as_json = json.loads(run(*line, "--json").stdout)
    with (out / "comparison.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [str(one["loss"]) for one in as_json["cells"]] == [row["loss"] for row in rows]
    assert [str(one["seconds"]) for one in as_json["cells"]] == [row["seconds"] for row in rows]  # nothing ran again
    assert as_json["complete"] is True

    monkeypatch.setenv("COLUMNS", "40")
    narrow = run(*line)
    assert max(len(text) for text in narrow.stdout.partition("Report")[0].splitlines()) <= 40
    assert "Memory" in done.stdout
    assert "Memory" not in narrow.stdout
    assert "…" not in narrow.stdout  # no name is cut


def test_refusals_are_told_and_do_not_lose_the_rest(people: Path, run: Callable) -> None:
    """A weaker method and a k beyond the table say why; the rest is compared; with nothing left it is a no."""
    some = run("compare", people, "-k", "3,99", "--methods", "hilbert,equal_combination", *ROLES)
    assert some.exit_code == 0, some.output
    flat = " ".join(some.stdout.split())
    assert "equal_combination, k = 3, 99, refused: It publishes sub-tables instead of one k-anonymous table" in flat
    assert "hilbert, k = 99, refused: The table has fewer rows than a class needs." in flat
    assert "k = 3: hilbert loses least" in flat
    none = run("compare", people, "-k", "99", "--methods", "hilbert", *ROLES)
    assert none.exit_code == 1
    assert "no method gave a k-anonymous table" in none.stdout


@pytest.mark.parametrize(
    ("wrong", "received"),
    [
        (["--k", "5,ten"], "'5,ten'"),
        (["--k", "0"], "0"),
        (["--k", "5", "--methods", "hilbrt"], "'hilbrt'"),
        (["--k", "5", "--seeds", "-1"], "-1"),
        (["--k", "5", "--limit", "0"], "0.0"),
        (["--k", "5", "--loss", "npc"], "'npc'"),
        ([], "nothing"),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, list) else "",
)
def test_wrong_usage_has_five_parts(people: Path, run: Callable, wrong: list[str], received: str) -> None:
    """Every mistake is told before anything runs, with what was received and what to do."""
    done = run("compare", people, *ROLES, *wrong)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert all(f"\n  {part} " in done.stderr for part in ("where", "allowed", "received", "next")), done.stderr
    assert received in done.stderr


def test_a_foreign_folder_is_left_alone(people: Path, run: Callable, tmp_path: Path) -> None:
    """DIR must be new, empty, or an earlier comparison."""
    (tmp_path / "mine.txt").write_text("mine")
    done = run("compare", people, "-k", "3", *METHODS, *ROLES, "-o", tmp_path)
    assert done.exit_code == 2
    assert "a folder with other things in it" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_interrupted_then_gone_on(people: Path, start: Callable, run: Callable, tmp_path: Path) -> None:
    """Ctrl-C after the first cell: exit 130, the cell is kept, no process is left, and the same command goes on."""
    out = tmp_path / "out"
    line = ("compare", people, "-k", "3,4", "--methods", "hilbert,mondrian", *ROLES, "-o", out)
    process = start(*line)
    deadline = time.monotonic() + 120
    while not list(out.glob("cells/*.json")) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    printed, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "what was finished is kept" in said
    assert "give the same command again to go on" in said
    assert "Traceback" not in said
    assert printed == ""
    kept = {path.name: path.read_bytes() for path in out.glob("cells/*.json")}
    assert 1 <= len(kept) < 6
    assert json.loads((out / "comparison.json").read_text())["complete"] is False
    assert _workers_of(process.pid) == []
    done = run(*line)
    assert done.exit_code == 0, done.output
    assert json.loads((out / "comparison.json").read_text())["complete"] is True
    assert all((out / "cells" / name).read_bytes() == text for name, text in kept.items())


def test_killed_leaves_no_process_behind(people: Path, start: Callable, tmp_path: Path) -> None:
    """Kill -9 of the command ends the process of the cell too."""
    process = start("compare", people, "-k", "3,4,5", "--methods", "hilbert,mondrian", *ROLES, "-o", tmp_path / "out")
    deadline = time.monotonic() + 120
    while not (workers := _workers_of(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert workers
    process.kill()
    process.wait()
    while any(Path(f"/proc/{one}").exists() for one in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(Path(f"/proc/{one}").exists() for one in workers)


def _workers_of(process: int) -> list[int]:
    """Children of a process."""
    try:
        tasks = Path(f"/proc/{process}/task").glob("*/children")
        return [int(one) for task in tasks for one in task.read_text().split()]
    except OSError:
        return []


def test_attribution_on_the_terminal(people: Path, run: Callable, tmp_path: Path) -> None:
    """What each column costs, in a table and in words, and as files."""
    out = tmp_path / "out"
    done = run("compare", people, "-k", "3", "--methods", "hilbert", *ROLES, "-o", out, "--attribution", "--quiet")
    assert done.exit_code == 0, done.output
    assert "What each column costs: hilbert, k = 3" in done.stdout
    assert "would lower the loss of the others" in " ".join(done.stdout.split())
    with (out / "attribution.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["column"], row["change"]) for row in rows] == [
        (name, change) for name in ("age", "sex") for change in ("drop", "bin", "halve")
    ]
    assert rows[4]["note"].startswith("nothing lies between its values and the whole")


def test_no_figure_is_parted_from_its_sign(capsys: pytest.CaptureFixture[str]) -> None:
    """Sentences are broken between words, never between a number and its percent sign."""
    for width in range(20, 60):
        _say(Console(width=width), "hilbert loses least, 30.62 % per cell; it took 0.29 s and 315 MB")
    lines = capsys.readouterr().out.splitlines()
    assert not [line for line in lines if line.startswith(("%", "s ", "MB"))]
    assert max(map(len, lines)) < 60
