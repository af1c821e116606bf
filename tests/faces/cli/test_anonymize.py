# SPDX-License-Identifier: Apache-2.0
"""``shoal anonymize``: from files to a release folder."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from shoal.ground import catalog


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_release_is_complete_and_k_anonymous(released: Path) -> None:
    """Every promised file is there, identifiers are gone, and every combination occurs k times: counted here."""
    assert {path.name for path in released.iterdir()} >= {
        "table.csv",
        "report.html",
        "report.json",
        "plan.toml",
        "manifest.json",
    }
    rows = rows_of(released / "table.csv")
    assert len(rows) == 60
    assert list(rows[0]) == ["age", "sex", "zip", "work", "disease", "visits"]
    assert min(Counter((row["age"], row["sex"], row["zip"], row["work"]) for row in rows).values()) >= 5


def test_the_summary_tells_what_matters(table: Path, run, roles) -> None:
    """Verdict, groups, risk, loss per column and where the release is, on stdout; nothing on stderr."""
    done = run("anonymize", table, "-o", table.parent / "out", "-k", 5, *roles, "--quiet")
    assert done.exit_code == 0
    assert done.stderr == ""
    for word in ("HOLDS", "k_anonymity", "Groups", "Risk", "Loss", "age", "work", "report.html", "table.csv"):
        assert word in done.stdout


def test_json_gives_the_report(table: Path, run, roles) -> None:
    """--json prints the facts of the report and nothing else on stdout."""
    out = table.parent / "out"
    facts = json.loads(run("anonymize", table, "-o", out, "-k", 5, *roles, "--json").stdout)
    saved = json.loads((out / "report.json").read_text())
    assert facts.pop("release") == str(out)
    assert facts["verdict"]["holds"] is True
    assert facts["facts"] == saved["facts"]
    assert facts["measurements"] == saved["measurements"]


def test_replaying_the_plan_gives_the_same_bytes(released: Path, table: Path, run) -> None:
    """plan.toml of a release, run on the same table, makes the same files; only the manifest differs."""
    again = table.parent / "again"
    done = run("anonymize", table, "-o", again, "--plan", released / "plan.toml")
    assert done.exit_code == 0, done.output
    files = [path.relative_to(released) for path in sorted(released.rglob("*")) if path.is_file()]
    assert files == [path.relative_to(again) for path in sorted(again.rglob("*")) if path.is_file()]
    for name in files:
        if name.name != "manifest.json":
            assert (released / name).read_bytes() == (again / name).read_bytes(), name


@pytest.mark.thin(3)
@pytest.mark.parametrize("method", catalog.names("algorithms"))
def test_every_method_runs(method: str, table: Path, run, roles) -> None:
    """Each method that is listed can be asked for."""
    done = run("anonymize", table, "-o", table.parent / "out", "-k", 4, *roles, "--method", method, "--accept-weaker")
    assert done.exit_code == 0, done.output
    unjudged = method == "non_homogeneous"  # only their maker can judge boxes, and what cannot be judged is no yes
    assert run("check", table.parent / "out").exit_code == int(unjudged)


def test_hierarchies_are_relative_to_here(table: Path, run, roles, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hierarchy named by a flag is looked for in the working folder; the release carries it."""
    (table.parent / "trees").mkdir()
    (table.parent / "trees/work.csv").write_text("A;AB;*\nB;AB;*\nC;C;*\n")
    monkeypatch.chdir(table.parent)
    done = run("anonymize", "table.csv", "-o", "out", "-k", 5, *roles, "--hierarchy", "work=trees/work.csv")
    assert done.exit_code == 0, done.output
    assert {row["work"] for row in rows_of(Path("out/table.csv"))} <= {"A", "B", "C", "AB", "*"}
    assert any(Path("out/hierarchies").iterdir())


def test_hierarchies_of_a_plan_are_relative_to_the_plan(table: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan can be moved with its trees and run from anywhere."""
    folder = table.parent / "elsewhere"
    folder.mkdir()
    (folder / "work.csv").write_text("A;AB;*\nB;AB;*\nC;C;*\n")
    (folder / "plan.toml").write_text(
        '[privacy]\nk = 5\n[release]\nrest = "drop"\n'
        '[columns.work]\nrole = "quasi-identifier"\nhierarchy = "work.csv"\n'
    )
    monkeypatch.chdir(table.parent)
    done = run("anonymize", "table.csv", "-o", "out", "--plan", "elsewhere/plan.toml")
    assert done.exit_code == 0, done.output


def test_raw_files_without_header(table: Path, run) -> None:
    """Two raw files become one table: names from --columns, '?' is missing, both files' rows are there."""
    lines = table.read_text().splitlines()
    first, second = table.parent / "a.data", table.parent / "b.data"
    first.write_text("\n".join(lines[1:31]).replace(",A,", ",?,") + "\n")
    second.write_text("\n".join(lines[31:]) + "\n")
    first, second = first.rename(table.parent / "a.csv"), second.rename(table.parent / "b.csv")
    out = table.parent / "out"
    flags = ("--no-header", "--columns", lines[0], "--na", "?", "-k", 5)
    done = run("anonymize", first, second, "-o", out, *flags, "--qi", "age,sex,zip,work", "--rest", "drop")
    assert done.exit_code == 0, done.output
    assert json.loads((out / "report.json").read_text())["facts"]["rows"] == 60
    assert run("check", out).exit_code == 0
    assert "?" not in (out / "table.csv").read_text()


def test_semicolons_decimal_commas_and_another_encoding(table: Path, run) -> None:
    """A file as a German spreadsheet writes it is read; the release is UTF-8."""
    path = table.parent / "german.csv"
    rows = [f"{20 + i};{1000 + i},5;M\u00fcnchen" for i in range(12)]
    path.write_bytes("\n".join(["Alter;Gr\u00f6\u00dfe;Ort", *rows]).encode("cp1252"))
    out = table.parent / "out"
    flags = (
        "--separator",
        ";",
        "--decimal",
        ",",
        "--encoding",
        "cp1252",
        "-k",
        3,
        "--qi",
        "Alter,Größe",
        "--insensitive",
        "Ort",
    )
    done = run("anonymize", path, "-o", out, *flags)
    assert done.exit_code == 0, done.output
    assert "München" in (out / "table.csv").read_text(encoding="utf-8")
    assert run("check", out).exit_code == 0


WRITABLE = [name for name in catalog.names("formats") if hasattr(catalog.load("formats", name), "write")]


@pytest.mark.thin(3)
@pytest.mark.parametrize("format", WRITABLE)
def test_every_format_can_be_asked_for(format: str, table: Path, run, roles) -> None:
    """--format decides how the released table is written; the folder checks."""
    out = table.parent / "out"
    done = run("anonymize", table, "-o", out, "-k", 5, *roles, "--format", format)
    assert done.exit_code == 0, done.output
    assert run("check", out).exit_code == 0


def test_overwrite_replaces_a_release(released: Path, table: Path, run, roles) -> None:
    """An existing release is refused without --overwrite and replaced with it."""
    refused = run("anonymize", table, "-o", released, "-k", 6, *roles)
    assert refused.exit_code == 2
    assert json.loads((released / "manifest.json").read_text())["guarantee"]["k"] == 5
    assert run("anonymize", table, "-o", released, "-k", 6, *roles, "--overwrite").exit_code == 0
    assert json.loads((released / "manifest.json").read_text())["guarantee"]["k"] == 6


def test_keep_order_keeps_it(table: Path, run, roles) -> None:
    """With --keep-order untouched columns stand in the input's order; without it they do not."""
    for name, flag in (("kept", ["--keep-order"]), ("shuffled", [])):
        run("anonymize", table, "-o", table.parent / name, "-k", 5, *roles, *flag)
    original = [row["visits"] for row in rows_of(table)]
    assert [row["visits"] for row in rows_of(table.parent / "kept/table.csv")] == original
    assert [row["visits"] for row in rows_of(table.parent / "shuffled/table.csv")] != original


def test_progress_only_on_a_terminal(table: Path, start, roles) -> None:
    """On a terminal stderr shows phases; redirected, it stays silent."""
    silent = start("anonymize", table, "-o", table.parent / "a", "-k", 5, *roles)
    assert re.sub(r"Preparing kernels, .*\n", "", silent.communicate()[1]) == ""
    leader, follower = pty.openpty()
    shown = subprocess.Popen(
        [*silent.args[:3], "anonymize", str(table), "-o", str(table.parent / "b"), "-k", "5", *roles],
        stderr=follower,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(follower)
    seen = b""
    while True:
        try:
            seen += os.read(leader, 4096)
        except OSError:
            break
    os.close(leader)
    assert shown.wait() == 0
    assert b"read" in seen
    assert b"write" in seen


def test_a_reader_that_leaves_is_no_failure(table: Path, roles) -> None:
    """``shoal anonymize ... | true``: exit 0, a complete release, and silence on stderr."""
    line = " ".join(
        [sys.executable, "-c", "'from shoal.faces.cli import main; main()'", "anonymize", "table.csv", "-o", "out"]
    )
    script = f"{line} --quiet -k 5 {' '.join(roles)} | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], cwd=table.parent, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (table.parent / "out/manifest.json").is_file()
