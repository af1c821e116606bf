# SPDX-License-Identifier: Apache-2.0
"""Delimited text that is read in parts: what a reader of the whole file finds, whatever the cut."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.ground.errors import TableError
from shoal.tables.formats import delimited
from shoal.tables.reading import Reading
from tests.counts import repeats

ODD = ["", '""', "a", '"two\nlines"', '"a ""b"""', " blank ", "ü", '","', '"\n\n"', "\t1"]


def in_parts(path: Path, reading: Reading) -> tuple[pl.DataFrame, list[Reading]]:
    """All parts together, and how each was read."""
    found = list(delimited.read_parts(path, reading))
    return pl.concat([table.frame for table, _ in found]), [one for _, one in found]


@pytest.mark.parametrize("seed", repeats(12, 100))
def test_parts_make_the_whole(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Quotes, blanks, line ends in cells, titles, encodings, packings, no header, lines of Windows."""
    draw = np.random.default_rng(seed)
    rows = [",".join(draw.choice(ODD, 3)) for _ in range(60)] + ["x,y,z"]
    title = ['A 3" title'] * int(draw.integers(2))
    encoding = str(draw.choice(["utf-8", "utf-8-sig", "latin-1", "utf-16"]))
    end = str(draw.choice(["\n", "\r\n"]))
    content = (end.join([*title, "one,two,three", *rows]) + end * int(draw.integers(3))).encode(encoding)
    packed = bool(draw.integers(2))
    path = tmp_path / ("people.csv.gz" if packed else "people.csv")
    path.write_bytes(gzip.compress(content) if packed else content)
    header = bool(draw.integers(2))
    reading = Reading(encoding=None if encoding == "utf-8" else encoding, header=header, skip_lines=len(title))
    whole, how = delimited.read(path, reading)
    monkeypatch.setattr(delimited, "BYTES_PER_PART", int(draw.integers(30, 200)))
    table, hows = in_parts(path, reading)
    assert table.equals(whole.frame)
    assert len(hows) > 3
    assert hows == [how] * len(hows)


@pytest.mark.parametrize("line", ["1,2,3", '1,5"', "", "1,\rx", '1,"open', "1,\0"])
def test_faults_are_refused_as_in_the_whole(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the line of the file, not of the part."""
    path = tmp_path / "people.csv"
    path.write_bytes("\n".join(["a,b", *["1,2"] * 40, line, *["1,2"] * 40]).encode())
    with pytest.raises(TableError) as whole:
        delimited.read(path, Reading())
    monkeypatch.setattr(delimited, "BYTES_PER_PART", 50)
    with pytest.raises(TableError) as refused:
        in_parts(path, Reading())
    assert whole.value.parts()["where"] == refused.value.parts()["where"]
    assert "line 42" in refused.value.parts()["where"].replace("lines", "line")


def test_broken_encodings_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In any part: bytes that are not UTF-8, and those that mean nothing in the encoding that was named."""
    path = tmp_path / "people.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 40 + b"1,\xff\x81\n")
    monkeypatch.setattr(delimited, "BYTES_PER_PART", 50)
    for encoding in (None, "ascii", "no-such"):
        with pytest.raises(TableError, match=r"UTF-8|encoding"):
            in_parts(path, Reading(encoding=encoding))
    path.write_bytes(b"")
    with pytest.raises(TableError, match="empty"):
        in_parts(path, Reading())


def test_a_damaged_packing_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the damage is met, though parts before it were fine."""
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 10_000)[:-12])
    monkeypatch.setattr(delimited, "BYTES_PER_PART", 5000)
    with pytest.raises(TableError, match="damaged"):
        in_parts(path, Reading())
