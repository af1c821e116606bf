# SPDX-License-Identifier: Apache-2.0
"""Delimited text that is proved to be sound at a glance is read, and refused, as a look at every field does it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from shoal.ground.errors import TableError
from shoal.tables.formats import delimited
from shoal.tables.reading import Reading
from tests.counts import repeats

SOUND = [
    "a,b\n1,2\n",
    "a,b\n1,2",
    'a,b\n"x, y",\n"",é\n',
    'a,"b"\n"two\nlines","say ""so"""\n',
]
DOUBTFUL = [
    "a,b\n1\n",
    "a,b\n1,2,3\n",
    "a,b\n1, 2\n",
    "a,b\n1\t,2\n",
    "a,b\n1,2\r\n",
    "a,b\n1,2\n\n",
    "a,b\n\n1,2\n",
    'a,b\n1,x"y\n',
    'a,b\n1,"x"y\n',
    'a,b\n1, "x"\n',
    'a,b\n1,"x\n',
    'a,"b\nc"\n1,2\n',
    "a \n1\n",
    "a,b\n",
]


def outcome(path: Path, monkeypatch: pytest.MonkeyPatch, *, every_field: bool) -> tuple[object, bool]:
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
            table, reading = delimited.read(path, Reading(separator=","))
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
    """On random text, some of it broken: the same cells, or the same refusal."""
    draw = random.Random(seed)
    cells = ["", "x", "é1", '""', '"x,y"', '"x\ny"', '"x""y"', '"""x"', "x ", ' "x"', 'x"y', '"x"y', '"', "\r"]
    lines = [
        ",".join(draw.choice(cells[: draw.choice((8, 8, 14))]) for _ in range(draw.choice((2, 2, 2, 3)))) for _ in "abc"
    ]
    (tmp_path / "x.csv").write_bytes(("a,b\n" + "\n".join(lines) + draw.choice(("", "\n", "\n\n"))).encode())
    first, second = (outcome(tmp_path / "x.csv", monkeypatch, every_field=every)[0] for every in (False, True))
    assert first == second
