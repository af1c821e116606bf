# SPDX-License-Identifier: Apache-2.0
"""Names of columns are shown where the cells below tell that they are names, and never a first record."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import shoal
from shoal.tables.headers import has_header
from shoal.tables.sources import read_table

REGIONS, JOBS = ["North", "South", "East", "West"], ["baker", "clerk", "smith"]


def written(folder: Path, *, header: bool, rows: int = 60, seed: int = 0) -> Path:
    """People with an income, in a file."""
    draw = random.Random(seed)
    lines = [
        f"{draw.choice(REGIONS)},{draw.choice(JOBS)},{draw.randrange(20, 90)},Ann {draw.random()}" for _ in range(rows)
    ]
    path = folder / "people.csv"
    path.write_text("\n".join([*(["region,job,income,full name"] if header else []), *lines]) + "\n")
    return path


@pytest.mark.parametrize("seed", range(20))
def test_a_record_is_no_header(seed: int, tmp_path: Path) -> None:
    """Most columns tell a header; none tells a record, whichever it is."""
    assert has_header(read_table([written(tmp_path, header=True, seed=seed)]).table)
    assert not has_header(read_table([written(tmp_path, header=False, seed=seed)]).table)


def test_few_rows_tell_nothing(tmp_path: Path) -> None:
    """In ten rows a rare cell may well be alone."""
    assert not has_header(read_table([written(tmp_path, header=True, rows=10)]).table)


def test_words_alone_tell_nothing(tmp_path: Path) -> None:
    """A first record of rare words above few words that repeat is no header, and no message shows it."""
    path = tmp_path / "people.csv"
    rows = [
        f"{('Meyer', 'Schmidt')[row % 2]},{('Bonn', 'Ulm')[row % 3 % 2]},{('flu', 'cold')[row % 2]}"
        for row in range(60)
    ]
    path.write_text("\n".join(["Zuckermann,Secretville,HIVpos", *rows]) + "\n")
    assert not has_header(read_table([path]).table)
    with pytest.raises(shoal.ShoalError) as refused:
        shoal.check(path, quasi_identifiers=["agee", "foo"], k=5)
    assert not any(cell in str(refused.value) for cell in ("Zuckermann", "Secretville", "HIVpos"))


def test_a_name_above_dates_is_one(tmp_path: Path) -> None:
    """No day is a word."""
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["born,town", *[f"19{row + 20}-02-03,Ulm" for row in range(60)]]) + "\n")
    assert has_header(read_table([path]).table)


ASKED = {
    "anonymize": ["anonymize", "people.csv", "-o", "out", "-k", "2", "--qi", "regio"],
    "check": ["check", "people.csv", "--qi", "regio"],
    "measure": ["measure", "people.csv", "people.csv", "--qi", "regio"],
    "attack": ["attack", "people.csv", "--qi", "region", "--known", "people.csv", "--on", "regio"],
    "attack on": ["attack", "people.csv", "--on", "regio"],
    "truth": ["attack", "people.csv", "--known", "people.csv", "--on", "region", "--truth", "ful name"],
    "risk": ["risk", "people.csv", "--qi", "regio"],
    "compare": ["compare", "people.csv", "-k", "2", "--qi", "regio", "-o", "out"],
    "original": ["check", "wrong.csv", "--qi", "regio", "--original", "people.csv"],
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("header", [True, False])
def test_every_command_helps_with_a_misspelt_column(
    asked: str, header: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The nearest name is told where names are names; of a file without a header not a cell is."""
    from click.testing import CliRunner

    from shoal.faces.cli import shoal as command

    path = written(tmp_path, header=header)
    first = path.read_text().splitlines()[0].split(",")
    (tmp_path / "wrong.csv").write_text("regio\n" + "*\n" * 60)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(command, ASKED[asked])
    assert done.exit_code == 2
    if header:
        assert f"did you mean {'full name' if asked == 'truth' else 'region'!r}?" in done.stderr
    else:
        assert [cell for cell in first if cell in done.stderr.replace("people.csv", "")] == []


@pytest.mark.parametrize("header", [True, False])
def test_counted_tables_help_too(header: bool, tmp_path: Path) -> None:
    """Where rows are only counted the cells are not looked at: a name that none of the user's is near stays unsaid."""
    from click.testing import CliRunner

    from shoal.faces.cli import shoal as command

    path = written(tmp_path, header=header)
    for names in ("job,regio", "regio"):
        done = CliRunner().invoke(command, ["check", str(path), "--qi", names, "--memory", "1GiB"])
        assert done.exit_code == 2
        assert ("did you mean 'region'?" in done.stderr) is (header and "," in names)
        assert header or not any(cell in done.stderr for cell in [*REGIONS, *JOBS, "Ann"])


def test_python_helps_with_a_misspelt_column(tmp_path: Path) -> None:
    """Frames have no header that could be a record."""
    frame = read_table([written(tmp_path, header=True)]).table.frame
    for call in (
        lambda: shoal.check(frame, quasi_identifiers=["regio"]),
        lambda: shoal.attack(frame, known=frame, on=["regio"], quasi_identifiers=["region"]),
        lambda: shoal.attack(frame, on=["regio"]),
        lambda: shoal.anonymize(frame, k=2, quasi_identifiers=["regio"], rest="drop"),
    ):
        with pytest.raises(shoal.ShoalError, match="did you mean 'region'"):
            call()
