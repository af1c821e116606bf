# SPDX-License-Identifier: Apache-2.0
"""Delimited text and JSON Lines: whatever anybody could tell apart in the bytes counts as different, or is refused."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path

import pytest

import shoal
from shoal.ground.errors import TableError
from shoal.judging.bytes.json_lines import _members
from shoal.tables.reading import Reading

TOLD_APART = {
    "a blank before": "a,b\nx,1\n x,2\n",
    "a blank behind": "a,b\nx ,1\nx,2\n",
    "a tab": "a,b\nx\t,1\nx,2\n",
    "several blanks": "b,a\n1,  x\n2, x\n",
    "quotes that need not be": 'a,b\n"x",1\nx,2\n',
    "a blank before quotes": 'a,b\n "x",1\n"x",2\n',
    "empty text beside nothing": 'a,b\n"",1\n,2\n',
    "a blank beside nothing": "a,b\n ,1\n,2\n",
    "a line end in a text": 'a,b\n"x\r\ny",1\n"x\ny",2\n',
    "another mark for missing": "a,b\n?,1\n,2\n",
    "a line end at the last field": "b,a\n1,x \n2,x\n",
}
REFUSED = {
    "line ends": "a,b\nx,1\r\nx,2\n",
    "line ends the other way": "a,b\r\nx,1\r\nx,2\nx,3\r\n",
}
ALIKE = {
    "plain": "a,b\nx,1\nx,2\n",
    "the same blank everywhere": "b, a\n1, x\n2, x\n",
    "Windows": "a,b\r\nx,1\r\nx,2\r\n",
    "no end of the last line": "a,b\nx,1\nx,2",
    "blank lines at the end": "a,b\nx,1\nx,2\n\n \n",
    "all in quotes": '"a","b"\n"x","1"\n"x","2"\n',
    "separators in quotes": 'a,b\n"x, ""y""\nz",1\n"x, ""y""\nz",2\n',
    "one column": "a\n\n\n",
    "letters of many bytes": "a,b\nжę日,1\nжę日,2\n",
}


def holds(path: Path, content: str | bytes, **reading: object) -> bool:
    """Whether two rows are look-alikes on the column a."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    plan = shoal.Plan.of(2, quasi_identifiers=["a"], reading=Reading(**reading))  # type: ignore[arg-type]
    return shoal.check(path, plan=plan).holds


@pytest.mark.parametrize("what", TOLD_APART)
def test_fields_that_are_written_differently_are_different(what: str, tmp_path: Path) -> None:
    """Blanks, quotes and marks for missing single out a row in a quasi-identifier."""
    assert not holds(tmp_path / "t.csv", TOLD_APART[what], na=("?",))


@pytest.mark.parametrize("what", REFUSED)
def test_lines_that_are_marked_are_refused(what: str, tmp_path: Path) -> None:
    """What marks a line but no cell of it leaves nothing to judge."""
    with pytest.raises(TableError, match="do not end alike") as caught:
        holds(tmp_path / "t.csv", REFUSED[what])
    assert len(caught.value.parts()) == 5


@pytest.mark.parametrize("what", ALIKE)
def test_uniform_files_are_judged_as_ever(what: str, tmp_path: Path) -> None:
    """A habit of the program that wrote a file marks no row."""
    assert holds(tmp_path / "t.csv", ALIKE[what])


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip), ("bz2", bz2), ("xz", lzma)])
def test_packed_files(ending: str, pack: object, tmp_path: Path) -> None:
    """What is packed is looked at as well."""
    for content, expected in ((TOLD_APART["a tab"], False), (ALIKE["plain"], True)):
        packed = pack.compress(content.encode())  # type: ignore[attr-defined]
        assert holds(tmp_path / f"t.csv.{ending}", packed) is expected


def test_other_encodings_separators_and_lines_above(tmp_path: Path) -> None:
    """The judge reads a file the way it was said to be read."""
    text = "a remark, with \"one quote\na;b\n'ü';1\n'ü';2\n"
    assert holds(tmp_path / "t.csv", text.encode("cp1252"), encoding="cp1252", skip_lines=1)
    assert holds(tmp_path / "u.csv", ALIKE["plain"].encode("utf-16"), encoding="utf-16")
    assert not holds(tmp_path / "v.csv", "x;1\nx ;2\n", header=False, columns=("a", "b"))


def test_a_mark_in_another_column_is_a_warning(tmp_path: Path) -> None:
    """One bit per cell of a column that nobody counts can still name every row."""
    path = tmp_path / "t.csv"
    path.write_text("a,b\nx,1\nx, 1\nx,1\n")
    verdict = shoal.check(path, quasi_identifiers=["a"], k=3)
    assert verdict.holds
    assert [leak.columns for leak in verdict.leaks if leak.kind == "byte_variants"] == [("b",)]


def test_several_files_are_looked_at_together(tmp_path: Path) -> None:
    """Two parts of one table that spell a cell differently do not make look-alikes."""
    for number, cell in enumerate(("x", " x")):
        (tmp_path / f"{number}.csv").write_text(f"a,b\n{cell},1\n")
    assert not shoal.check(tmp_path, quasi_identifiers=["a"], k=2).holds


# -- JSON Lines --------------------------------------------------------------------------------------------------------

JSON_APART = {
    "1.0": '{"a":1,"b":1}\n{"a":1.0,"b":2}\n',
    "1e0": '{"a":1.5,"b":1}\n{"a":15e-1,"b":2}\n',
    "text": '{"a":1,"b":1}\n{"a":"1","b":2}\n',
    "absent": '{"a":null,"b":1}\n{"b":2}\n{"a":"x","b":3}\n{"a":"x","b":4}\n',
    "escape": '{"a":"x","b":1}\n{"a":"\\u0078","b":2}\n',
    "escape of a slash": '{"a":"x/y","b":1}\n{"a":"x\\/y","b":2}\n',
    "minus zero": '{"a":0,"b":1}\n{"a":-0,"b":2}\n',
    "a blank after the colon": '{"a":1,"b":1}\n{"a": 1,"b":2}\n',
    "a key in escapes": '{"a":1,"b":1}\n{"\\u0061":1,"b":2}\n',
    "beyond 2^53": '{"a":9007199254740993,"b":1}\n{"a":9007199254740992,"b":2}\n',
    "dates": '{"a":"2020-01-01T00:00:00","b":1}\n{"a":"2020-01-01T00:00:00.000000","b":2}\n',
}
JSON_REFUSED = {
    "a key twice": '{"a":1,"a":2,"b":1}\n{"a":1,"a":3,"b":2}\n',
    "a key twice in one line": '{"a":1,"b":1}\n{"a":1,"a":2,"b":2}\n',
    "a key twice in escapes": '{"a":1,"b":1}\n{"a":1,"\\u0061":2,"b":2}\n',
    "keys change places": '{"a":1,"b":1}\n{"b":2,"a":1}\n',
    "blanks behind": '{"a":1,"b":1} \n{"a":1,"b":2}\n',
    "blanks before": '{"a":1,"b":1}\n {"a":1,"b":2}\n',
    "blanks between": '{"a":1, "b":1}\n{"a":1,"b":2}\n',
    "blanks and tabs": '{"a":1, "b":1}\n{"a":1,\t"b":2}\n',
    "blank lines": '{"a":1,"b":1}\n\n{"a":1,"b":2}\n',
    "line ends": '{"a":1,"b":1}\r\n{"a":1,"b":2}\n{"a":1,"b":3}\n',
    "objects": '{"a":1,"b":{"c":1}}\n{"a":1,"b":{"c":1}}\n',
    "lists": '{"a":1,"b":[1]}\n{"a":1,"b":[1]}\n',
    "an object in one line": '{"a":1,"b":null}\n{"a":1,"b":{"c":1}}\n',
}
JSON_ALIKE = {
    "plain": '{"a":1,"b":1}\n{"a":1,"b":2}\n',
    "spaced": '{"a": 1, "b": 1}\n{"a": 1, "b": 2}\n',
    "very spaced": '{ "a": 1 , "b": 1 }\n{ "a": 1 , "b": 2 }\n',
    "Windows": '{"a":1,"b":1}\r\n{"a":1,"b":2}\r\n',
    "keys that are absent": '{"c": 0, "a": 1, "b": 1}\n{"a": 1, "b": 1}\n{"c": 0, "a": 1}\n',
    "signs in texts": '{"a":"x\\", {y}, [z] \\\\","b":1}\n{"a":"x\\", {y}, [z] \\\\","b":2}\n',
}


@pytest.mark.parametrize("what", JSON_APART)
def test_json_cells_that_are_written_differently_are_different(what: str, tmp_path: Path) -> None:
    """Numbers, texts and missing cells in several spellings single out a row."""
    assert not holds(tmp_path / "t.jsonl", JSON_APART[what])


@pytest.mark.parametrize("what", JSON_REFUSED)
def test_json_that_readers_disagree_about_is_refused(what: str, tmp_path: Path) -> None:
    """Keys that repeat or wander, blanks that differ, and nested cells."""
    with pytest.raises(TableError) as caught:
        holds(tmp_path / "t.jsonl", JSON_REFUSED[what])
    assert len(caught.value.parts()) == 5


@pytest.mark.parametrize("what", JSON_ALIKE)
def test_uniform_json_is_judged_as_ever(what: str, tmp_path: Path) -> None:
    """Habits of a program mark no row."""
    assert holds(tmp_path / "t.jsonl", JSON_ALIKE[what])


@pytest.mark.parametrize("line", ['{"a": [1, 2]}', '{"a": {"b": 1}}', '{"a": [{"b": 1}]}', '{"a": []}'])
def test_the_judge_itself_refuses_cells_inside_cells(line: str) -> None:
    """Lists and objects, whatever readers of tables make of them."""
    with pytest.raises(TableError):
        _members(f"{line}\n{line}".encode(), "a file")


def test_the_judge_itself_cuts_objects_into_members() -> None:
    """Commas, braces and brackets inside texts are letters."""
    found = _members(b'{"a": "x, [y] {z}", "b": 1}\n{"a": "w", "b": 2}', "a file")
    assert [len(column) for column in found] == [2, 2]
    assert found[1].to_list() == [' "b": 1', ' "b": 2']
