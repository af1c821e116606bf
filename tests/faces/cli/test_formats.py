# SPDX-License-Identifier: Apache-2.0
"""A release from a table of each format is of that format, and holds after it is read back by the checker."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result

from shoal.faces.cli import shoal
from shoal.ground import catalog
from shoal.tables.sources import extension, released_format, write_table
from shoal.tables.table import Table

ROOM = "formats"
FILES = [name for name in catalog.names(ROOM) if catalog.load(ROOM, name).EXTENSIONS]
SAS_SAMPLE = Path(__file__).parents[2] / "tables" / "people.sas7bdat.gz"
ROLES = ("-k", "5", "--qi", "age,sex", "--insensitive", "weight", "--rest", "drop", "--method", "mondrian", "--quiet")


@pytest.fixture
def run() -> Callable[..., Result]:
    """Runs a command in this process."""
    return lambda *arguments: CliRunner().invoke(shoal, [str(one) for one in arguments])


def people(folder: Path, format: str) -> Path:
    """A file of sixty people in a format."""
    module = catalog.load(ROOM, format)
    path = folder / f"people{module.EXTENSIONS[0]}"
    if not hasattr(module, "write"):
        path.write_bytes(gzip.decompress(SAS_SAMPLE.read_bytes()))
        return path
    ages = [20 + 7 * row % 50 if row != 3 else None for row in range(60)]
    frame = pl.DataFrame({"age": ages, "sex": ["m", "f"] * 30, "weight": [50.5 + row for row in range(60)]})
    write_table(Table(frame), path, format)
    return path


@pytest.mark.thin(3)
@pytest.mark.parametrize("format", FILES)
def test_a_release_of_each_format_holds(tmp_path: Path, run: Callable[..., Result], format: str) -> None:
    """Folder and bare table pass the check; an intruder's row in the same format does not."""
    done = run("anonymize", people(tmp_path, format), "-o", tmp_path / "out", *ROLES)
    assert done.exit_code == 0, done.output
    written = tmp_path / "out" / f"table{extension(released_format(format))}"
    assert run("check", tmp_path / "out").exit_code == 0
    assert run("check", written, "--qi", "age,sex", "-k", "5").exit_code == 0
    assert run("check", written, "--qi", "age,sex,weight", "-k", "5").exit_code == 1


@pytest.mark.thin(2)
@pytest.mark.parametrize("format", FILES)
def test_a_plan_replays_in_each_format(tmp_path: Path, run: Callable[..., Result], format: str) -> None:
    """The plan of a release gives the same table again, byte for byte where the format repeats its bytes."""
    path = people(tmp_path, format)
    assert run("anonymize", path, "-o", tmp_path / "one", *ROLES).exit_code == 0
    again = run("anonymize", path, "-o", tmp_path / "two", "--plan", tmp_path / "one" / "plan.toml", "--quiet")
    assert again.exit_code == 0, again.output
    released = released_format(format)
    if "bytes" not in catalog.load(ROOM, released).LOSES:
        one, two = ((tmp_path / name / f"table{extension(released)}").read_bytes() for name in ("one", "two"))
        assert one == two


def test_formats_tell_what_they_lose(run: Callable[..., Result]) -> None:
    """Every loss that a format declares is printed, and programs get the same."""
    told = run("formats", "--loses").output
    listed = run("formats", "--loses", "--json").output
    for name in catalog.names(ROOM):
        module = catalog.load(ROOM, name)
        assert module.KEEPS in told
        for what, how in module.LOSES.items():
            assert f"loses {what}:" in told
            assert how in told
            assert what in listed


def test_a_format_that_cannot_be_written_is_refused_at_once(tmp_path: Path, run: Callable[..., Result]) -> None:
    """The run does not begin if its result could not be written."""
    done = run("anonymize", people(tmp_path, "delimited"), "-o", tmp_path / "out", *ROLES, "--format", "sas")
    assert done.exit_code == 2
    assert "cannot be written as a file" in done.output
    assert not (tmp_path / "out").exists()


def test_a_sheet_on_the_command_line(tmp_path: Path, run: Callable[..., Result]) -> None:
    """--sheet chooses, and the plan of the release remembers it."""
    path = people(tmp_path, "excel")
    done = run("anonymize", path, "--sheet", "table", "-o", tmp_path / "out", *ROLES)
    assert done.exit_code == 0, done.output
    assert 'sheet = "table"' in (tmp_path / "out" / "plan.toml").read_text()
    assert run("anonymize", path, "--sheet", "other", "-o", tmp_path / "no", *ROLES).exit_code == 2


@pytest.mark.parametrize("name", ["people.csv.gz", "people.tsv.xz", "people.jsonl.zst"])
def test_a_packed_table_is_released_packed(tmp_path: Path, run: Callable[..., Result], name: str) -> None:
    """The release of a packed file is packed the same way."""
    format = "json_lines" if "json" in name else "delimited"
    plain = people(tmp_path, format)
    from shoal.tables.sources import read_table

    write_table(read_table(plain).table, tmp_path / name, format)
    assert run("anonymize", tmp_path / name, "-o", tmp_path / "out", *ROLES).exit_code == 0
    packed = next((tmp_path / "out").glob("table.*"))
    assert packed.suffix == Path(name).suffix
    assert run("check", tmp_path / "out").exit_code == 0
