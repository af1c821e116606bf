# SPDX-License-Identifier: Apache-2.0
"""Delimited text that is proved to be sound at a glance is read, and refused, as a look at every field does it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from shoal.ground.errors import TableError
from shoal.tables.formats import _at_a_glance, delimited
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from tests.counts import repeats

SOUND = [
    "a,b\n1,2\n",
    "a,b\n1,2",
    'a,b\n"x, y",\n"",é\n',
    'a,"b"\n"two\nlines","say ""so"""\n',
    "a,b\r\n1,\r\n,2\r\n",
    'a,b\n1,"x"\r\n"say ""so""",\n',
    'a,b\r\n" 1","2, 3 ,"\r\n',
]
DOUBTFUL = [
    "a,b\n1\n",
    "a,b\n1,2,3\n",
    "a,b\n1, 2\n",
    "a,b\n1\t,2\n",
    "a,b\n1,2 \r\n",
    "a,b\n1\r,2\n",
    'a,b\n1,"x\r\n"\n',
    "a,b\r\n1,2\r\n\r\n",
    "a,b\r\n\r\n1,2\r\n",
    "a,b\n1,2\r",
    'a"b"c,d\n1,2\n',
    "a,b\n1,2\n\n",
    "a,b\n\n1,2\n",
    'a,b\n1,x"y\n',
    'a,b\n1,"x"y\n',
    'a,b\n1, "x"\n',
    'a,b\n1,"x\n',
    'a,"b\nc"\n1,2\n',
    "a \n1\n",
    "a,b\n",
    "a,b\n1,",
    "a,b\n1,2\n3\n4,5,",
    "a,b\n\ufeff1,2\n3\n4\n5\n6,7\n",
]


def outcome(
    path: Path, monkeypatch: pytest.MonkeyPatch, *, every_field: bool, header: bool = True
) -> tuple[object, bool]:
    """What reading comes to, in cells or in words, and whether one glance was enough."""
    enough: list[bool] = []
    glance = delimited._parsed_plainly

    def looked(*given: object) -> object:
        found = None if every_field else glance(*given)  # type: ignore[arg-type]
        enough.append(found is not None)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(delimited, "_parsed_plainly", looked)
        try:
            table, reading = delimited.read(path, Reading(separator=",", header=header))
        except TableError as problem:
            return str(problem), any(enough)
    return (table.frame.to_dicts(), table.names, reading), any(enough)


@pytest.mark.parametrize(("text", "sound"), [*((text, True) for text in SOUND), *((text, False) for text in DOUBTFUL)])
def test_only_sound_text_is_taken_at_a_glance(
    text: str, sound: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever could be read in another way, or has to be refused, is looked at field by field."""
    (tmp_path / "x.csv").write_bytes(text.encode())
    read, enough = outcome(tmp_path / "x.csv", monkeypatch, every_field=False)
    assert enough == sound
    assert read == outcome(tmp_path / "x.csv", monkeypatch, every_field=True)[0]


@pytest.mark.parametrize("seed", repeats(150, 5000))
def test_a_glance_says_what_a_look_at_every_field_says(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On random text, some of it broken, with a header and without, in any slices: the same cells or words."""
    draw = random.Random(seed)
    cells = ["", "\ufeffé", '""', '"x,y"', '"x\ny"', '"x""y"', '"""x"', '" x"', "x ", ' "x"', 'x"y', '"x"y', '"', "\r"]
    end, header = draw.choice(("\n", "\r\n")), draw.random() < 0.7
    lines = [
        ",".join(draw.choice(cells[: draw.choice((8, 8, 14))]) for _ in range(draw.choice((2, 2, 2, 3)))) for _ in "abc"
    ]
    text = f"a,b{end}" * header + end.join(lines) + draw.choice(("", ",", end, "\n", end + end))
    (tmp_path / "x.csv").write_bytes(text.encode())
    monkeypatch.setattr(_at_a_glance, "SLICE", draw.choice((1, 2, 7, 1 << 18)))
    first, second = (
        outcome(tmp_path / "x.csv", monkeypatch, every_field=every, header=header)[0] for every in (False, True)
    )
    assert first == second


@pytest.mark.parametrize(
    ("reading", "text"),
    [
        (Reading(), "a,b\n1,2\n3,4\n"),
        (Reading(), "a;b\r\n1;2\r\n3;4\r\n"),
        (Reading(header=False), "1,2\n3,4\n"),
        (Reading(), '"a","b"\n"1","2"\n"say ""so""","4, 5"\n'),
        (Reading(na=("NA",)), "a\tb\n1\tNA\n"),
        (Reading(encoding="latin-1"), "a,b\n1,é\n"),
        (Reading(encoding="utf-16"), "a,b\n1,é\n"),
        (Reading(), "A title\n\na,b,c\n1,2,3\n4,5,6\n7,8,9\n"),
    ],
)
def test_what_people_write_is_read_in_one_pass(
    reading: Reading, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No separator, line end, quote, mark for missing, encoding or title makes text be taken apart field by field."""
    (tmp_path / "x.csv").write_bytes(text.encode(reading.encoding or "utf-8"))
    monkeypatch.setattr(delimited, "split_records", None)
    read_table(tmp_path / "x.csv", reading)


@pytest.mark.parametrize("header", [True, False])
def test_a_byte_order_mark_in_the_first_cell_is_read_as_others_read_it(header: bool, tmp_path: Path) -> None:
    """Only the mark at the beginning of a file is none of its text: equal for us must be equal for everybody."""
    (tmp_path / "x.csv").write_bytes("\ufeff".encode() + b"a,b\n" * header + "\ufeffx,1\nx,1\n".encode())
    table, _ = delimited.read(tmp_path / "x.csv", Reading(header=header))
    assert table.frame.rows() == [("\ufeffx", "1"), ("x", "1")]
