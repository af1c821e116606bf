# SPDX-License-Identifier: Apache-2.0
"""``shoal hierarchy``: build, show, check and edit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from shoal.ground import catalog
from shoal.hierarchies.level_files import read_levels

Run = Callable[..., Result]
LINES = "A;vowel;*\nB;other;*\nC;other;*\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The tree of the column ``work``."""
    path = tmp_path / "work.csv"
    path.write_text(LINES)
    return path


def test_alone_it_helps(run: Run) -> None:
    """``shoal hierarchy`` shows what it can do."""
    done = run("hierarchy")
    assert done.exit_code == 0
    assert all(word in done.stdout for word in ("build", "show", "check", "edit", "kinds"))


def test_kinds_are_listed(run: Run) -> None:
    """Every builder's file is listed, and told whole when named."""
    done = run("hierarchy", "kinds")
    assert [line.split()[0] for line in done.stdout.splitlines()] == catalog.names("hierarchy_kinds")
    assert "about how many groups" in run("hierarchy", "kinds", "similarity").stdout


def test_build_prints_or_writes(table: Path, run: Run) -> None:
    """Level rows on stdout, or a file that is not replaced unasked."""
    printed = run("hierarchy", "build", table, "age", "--kind", "nice_numbers", "--set", "width=10")
    assert printed.stdout.splitlines()[0] == "20;[20, 29];[0, 49];*"
    out = table.parent / "age.csv"
    again = ("hierarchy", "build", table, "age", "--kind", "nice_numbers", "--set", "width=10", "-o", out)
    assert run(*again).exit_code == 0
    assert out.read_text() == printed.stdout
    assert run(*again).exit_code == 2
    assert run(*again, "--overwrite").exit_code == 0


def test_a_built_tree_is_used(table: Path, run: Run) -> None:
    """A column of numbers with a tree is published by its labels."""
    out = table.parent / "age.csv"
    run("hierarchy", "build", table, "age", "--kind", "nice_numbers", "-o", out)
    roles = ("--qi", "age,sex", "--insensitive", "name", "--accept", "name", "--rest", "drop")
    done = run("anonymize", table, "-o", table.parent / "r", "-k", 5, *roles, "--hierarchy", f"age={out}")
    assert done.exit_code == 0, done.output
    labels = set(read_levels(out).labels)
    cells = [line.split('"')[1] if '"' in line else line.split(",")[1] for line in released(table.parent / "r")]
    assert set(cells) <= labels


def released(folder: Path) -> list[str]:
    """Lines of the released table, without the header."""
    return (folder / "table.csv").read_text().splitlines()[1:]


@pytest.mark.parametrize("kind", ["mapping", "arx"])
def test_from_a_file(kind: str, table: Path, run: Run) -> None:
    """Groups from a mapping, or from a level file with gaps."""
    (table.parent / "given").write_text("A;vowel\nB;other\n" if kind == "mapping" else "A;vowel;*\nB;other;*\n")
    done = run("hierarchy", "build", table, "work", "--kind", kind, "--from", table.parent / "given")
    assert sorted(done.stdout.splitlines()) == ["A;vowel;*", "B;other;*", "C;C;*"]


def test_show(file: Path, table: Path, run: Run) -> None:
    """The tree with rows, as JSON, and as a picture."""
    done = run("hierarchy", "show", file, "--of", table, "--picture", file.with_suffix(".svg"))
    assert done.stdout.splitlines() == [
        "*  3 values, 60 rows",
        "├── vowel  1 value, 20 rows",
        "│   └── A  20 rows",
        "└── other  2 values, 40 rows",
        "    ├── B  20 rows",
        "    └── C  20 rows",
    ]
    assert file.with_suffix(".svg").read_text().startswith("<svg")
    nested = json.loads(run("hierarchy", "show", file, "--json").stdout)
    assert [child["label"] for child in nested["children"]] == ["vowel", "other"]


def test_check_tells_gaps(file: Path, table: Path, run: Run) -> None:
    """Exit 0 if every value has a line, 1 if not; values are listed only when asked."""
    assert run("hierarchy", "check", file, "--of", table).exit_code == 0
    file.write_text("A;vowel;*\nB;other;*\nX;other;*\n")
    done = run("hierarchy", "check", file, "--of", table)
    assert done.exit_code == 1
    assert "lacks 1 of 3 values of the column (20 rows)" in done.stdout
    assert "1 value does not occur in the column" in done.stdout
    assert "\n  C" not in done.stdout
    assert "\n  C" in run("hierarchy", "check", file, "--of", table, "--values").stdout
    assert json.loads(run("hierarchy", "check", file, "--of", table, "--json").stdout)["lacking"] == 1


def test_edit_by_flags(file: Path, run: Run) -> None:
    """Several changes at once, in place or elsewhere."""
    out = file.with_name("new.csv")
    done = run(
        "hierarchy", "edit", file, "--rename", "other=consonant", "--add", "D=consonant", "--remove", "vowel", "-o", out
    )
    assert done.exit_code == 0, done.output
    assert file.read_text() == LINES
    assert out.read_text() == "A;*\nB;consonant;*\nC;consonant;*\nD;consonant;*\n"
    assert run("hierarchy", "edit", out, "--arx").exit_code == 0
    assert out.read_text().startswith("A;A;*\n")
    assert run("hierarchy", "edit", file, "--merge", "all=vowel,other").exit_code == 0
    assert file.read_text() == "A;all;*\nB;all;*\nC;all;*\n"


def test_a_bad_edit_changes_nothing(file: Path, run: Run) -> None:
    """The file stays as it was, and the message has its parts."""
    done = run("hierarchy", "edit", file, "--rename", "othr=x")
    assert done.exit_code == 2
    assert "did you mean 'other'?" in done.stderr
    assert file.read_text() == LINES


def test_edit_in_an_editor(file: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the editor leaves is checked; a draft that is no tree is kept beside the file, which stays."""
    monkeypatch.setenv("EDITOR", "sed -i s/vowel/front/")
    assert run("hierarchy", "edit", file).exit_code == 0
    assert file.read_text() == LINES.replace("vowel", "front")
    monkeypatch.setenv("EDITOR", "sed -i s/front;/front;;/")
    done = run("hierarchy", "edit", file)
    assert done.exit_code == 2
    assert "work.csv.draft" in done.stderr
    assert file.read_text() == LINES.replace("vowel", "front")
    monkeypatch.setenv("EDITOR", "true")
    assert "Nothing changed" in run("hierarchy", "edit", file).stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["build", "{table}", "age", "--kind", "nice_number"], "did you mean 'nice_numbers'?"),
        (["build", "{table}", "aeg"], "no such column"),
        (["build", "{table}", "work", "--kind", "mapping"], "--from"),
        (["show", "nosuch.csv"], "cannot be read"),
        (["check", "{file}", "--column", "work"], "--of"),
        (["edit", "{file}", "--rename", "other"], "cannot be read"),
        (["build", "{table}", "age", "--kind", "dates"], "no dates"),
    ],
)
def test_wrong_input(arguments: list[str], words: str, table: Path, file: Path, run: Run) -> None:
    """Exit code 2, five parts, no cell."""
    done = run("hierarchy", *(one.format(table=table, file=file) for one in arguments))
    assert done.exit_code == 2
    assert words in done.stderr
    assert all(f"\n  {part} " in done.stderr for part in ("where", "allowed", "received", "next"))
