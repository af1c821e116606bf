# SPDX-License-Identifier: Apache-2.0
"""``shoal check`` on leaks: beside the original, explained, allowed, and as annotations of a pipeline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

QI = ("--qi", "age,sex", "-k", 3)


@pytest.fixture
def numbered(tmp_path: Path) -> Path:
    """A 3-anonymous table with a row number."""
    path = tmp_path / "numbered.csv"
    rows = ["[20; 29],m,flu"] * 3 + ["*,f,cold"] * 4
    path.write_text("age,sex,disease,n\n" + "".join(f"{row},{5 * place % 7}\n" for place, row in enumerate(rows)))
    return path


def test_json_tells_leaks_with_what_to_do(numbered: Path, run) -> None:
    """Programs get kind, severity, statement, advice and columns."""
    told = json.loads(run("check", numbered, *QI, "--json").stdout)
    (leak,) = [one for one in told["leaks"] if one["severity"] == "warning"]
    assert (leak["kind"], leak["columns"]) == ("row_numbers", ["n"])
    assert leak["todo"]
    assert told["warnings"] == [leak["statement"]]


def test_a_leak_can_be_allowed(numbered: Path, run) -> None:
    """What was weighed and accepted no longer fails a strict check; a misspelt name is refused."""
    assert run("check", numbered, *QI, "--strict").exit_code == 1
    allowed = run("check", numbered, *QI, "--strict", "--allow", "row_numbers")
    assert allowed.exit_code == 0
    assert "WARNING" not in allowed.stdout
    wrong = run("check", numbered, *QI, "--allow", "row_number")
    assert wrong.exit_code == 2
    assert "row_numbers" in wrong.stderr


def test_explanations(numbered: Path, run) -> None:
    """--explain adds advice and notes, and changes no verdict."""
    plain, explained = run("check", numbered, *QI), run("check", numbered, *QI, "--explain")
    assert explained.stdout.startswith(plain.stdout.rstrip("\n"))
    assert "row_numbers: column 'n' numbers the rows" in explained.stdout
    assert "-> leave the column out" in explained.stdout
    assert explained.exit_code == plain.exit_code == 0


def test_annotations_of_a_warning(numbered: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A leak is a warning beside the file; when strict, an error."""
    monkeypatch.chdir(numbered.parent)
    line = "file=numbered.csv,title=shoal row_numbers::column 'n' numbers the rows"
    assert f"::warning {line}" in run("check", "numbered.csv", *QI, "--annotate", "github").stdout
    assert f"::error {line}" in run("check", "numbered.csv", *QI, "--annotate", "github", "--strict").stdout


def test_annotations_of_a_broken_promise(numbered: Path, run) -> None:
    """What does not hold is an error; beside JSON annotations go to standard error, so that both can be read."""
    done = run("check", numbered, "--qi", "age,sex", "-k", 4, "--annotate", "github", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["holds"] is False
    lines = done.stderr.splitlines()
    assert lines[0].startswith("::error file=")
    assert lines[0].endswith("title=shoal k_anonymity::k = 3, but 4 was claimed: 3 of 7 rows have fewer look-alikes")


def test_annotations_are_escaped(tmp_path: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Signs that end an annotation or its fields are written as the format asks."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "50%, new.csv").write_text("age,Unnamed: 0\n" + "".join(f"x,{n}\n" for n in range(9)))
    said = run("check", "50%, new.csv", "--qi", "age", "--annotate", "github").stdout
    assert "::warning file=50%25%2C new.csv,title=shoal row_numbers::column 'Unnamed: 0' numbers" in said


def test_problems_of_a_folder_are_annotated(released: Path, run) -> None:
    """A changed file of a release folder is an error of its table."""
    (released / "report.json").unlink()
    said = run("check", released, "--annotate", "github").stdout
    assert "title=shoal release folder::report.json is missing." in said


def test_the_original_beside_a_release_folder(table: Path, released: Path, roles, run) -> None:
    """Our own release is calm beside its original; kept in order, it is not."""
    assert "source_order" not in run("check", released, "--original", table, "--explain").stdout
    kept = released.parent / "kept"
    assert run("anonymize", table, "-o", kept, "-k", 5, "--keep-order", *roles).exit_code == 0
    told = run("check", kept, "--original", table)
    assert "in the order of the original" in told.stdout
    assert told.exit_code == 0
    assert run("check", kept, "--original", table, "--strict").exit_code == 1


def test_the_original_beside_a_foreign_table(tmp_path: Path, run) -> None:
    """A column of raw values beside the labels breaks the release, which only the original can show."""
    ages = [20 + 3 * number % 20 for number in range(20)]
    original, released = tmp_path / "original.csv", tmp_path / "released.csv"
    original.write_text("age\n" + "".join(f"{age}\n" for age in ages))
    released.write_text("age,score\n" + "".join(f"[20; 39],{age}\n" for age in ages[::-1]))
    alone = run("check", released, "--qi", "age", "-k", 3)
    assert alone.exit_code == 0
    beside = run("check", released, "--qi", "age", "-k", 3, "--original", original)
    assert beside.exit_code == 1
    assert "original_values: column 'score' shows the original values of the quasi-identifier 'age'" in beside.stdout


def test_an_original_that_cannot_be_read_is_wrong_input(numbered: Path, run) -> None:
    """Exit 2, and no verdict."""
    done = run("check", numbered, *QI, "--original", "nosuch.csv")
    assert done.exit_code == 2
    assert done.stdout == ""


ORIGINAL = {"age": [21, 22, 29, 40, 50, 60], "disease": ["flu"] * 3 + ["cold"] * 3, "name": list("abcdef")}


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (["age", "disease", "name"], []),
        (["age", "disease"], ["'name'"]),
        (["age", "name"], ["'disease'"]),
        (["age"], ["'disease', 'name'"]),
        (["disease", "name"], None),
        ([], None),
    ],
)
def test_an_original_that_lacks_columns(columns: list[str], said: list[str] | None, tmp_path: Path, run) -> None:
    """Without the quasi-identifiers it is another table; of others that are missing it is told that nobody looked."""
    released, original = tmp_path / "released.csv", tmp_path / "original.csv"
    released.write_text("age,disease\n" + "[20; 29],flu\n" * 3 + "*,cold\n" * 3)
    names = columns or ["other"]
    rows = [",".join(str(ORIGINAL.get(name, [1] * 6)[row]) for name in names) for row in range(6)]
    original.write_text("\n".join([",".join(names), *rows]) + "\n")
    roles = ("--qi", "age", "--sensitive", "disease", "--identifier", "name", "-k", 3)
    done = run("check", released, *roles, "--original", original)
    if said is None:
        assert done.exit_code == 2
        assert "'age'" in done.stderr
        assert "--original / original" in done.stderr
        assert "HOLDS" not in done.stdout
        return
    assert done.exit_code == 0
    told = [line for line in done.stdout.splitlines() if "the original does not have" in line]
    assert [line.partition(" does not have ")[2].partition(":")[0] for line in told] == said


@pytest.mark.parametrize("flags", [["--in-database"], ["--memory", "1GiB"], ["--as-sql"]])
def test_an_original_that_nobody_would_read_is_refused(flags: list[str], numbered: Path, run) -> None:
    """Where rows are only counted nothing is looked for beside it; silence would pass for a good sign."""
    done = run("check", numbered, *QI, "--original", "nosuch.csv", *flags)
    assert done.exit_code == 2
    assert f"flags --original and {flags[0]}" in done.stderr


def test_an_original_beside_a_weaker_release(tmp_path: Path, table: Path, roles, run) -> None:
    """Sub-tables are judged by themselves, and that is said."""
    out = tmp_path / "weaker"
    made = run(
        "anonymize", table, "-o", out, "-k", 3, *roles, "--method", "equal_combination", "--accept-weaker", "--quiet"
    )
    assert made.exit_code == 0, made.stderr
    assert "nothing was looked for beside the original" in run("check", out, "--original", table).stdout
    assert "beside the original" not in run("check", out).stdout


def test_a_question_is_told_everywhere_and_fails_nothing(tmp_path: Path, run) -> None:
    """Printed, explained, in JSON and as a notice of a pipeline; strict checking passes, and --sensitive answers it."""
    path = tmp_path / "paid.csv"
    path.write_text("age,sex,salary\n" + "".join(f"[20; 29],m,{1000 + (row * 77 % 211) ** 2}\n" for row in range(200)))
    strict = run("check", path, *QI, "--strict", "--explain", "--annotate", "github")
    assert strict.exit_code == 0, strict.stdout
    assert strict.stdout.count("QUESTION") == 2
    assert "-> make it a quasi-identifier too" in strict.stdout
    assert "::notice file=" in strict.stdout
    told = json.loads(run("check", path, *QI, "--json").stdout)
    assert told["warnings"] == []
    assert [leak["severity"] for leak in told["leaks"]].count("question") == 1
    assert "QUESTION" not in run("check", path, *QI, "--sensitive", "salary").stdout
    assert "QUESTION" not in run("check", path, *QI, "--allow", "insensitive_columns").stdout
