# SPDX-License-Identifier: Apache-2.0
"""Whatever a file holds, the command line makes a release that checks, or says in five parts why not."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from pathlib import Path

from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.faces.cli import shoal
from tests.counts import count

CELLS = st.one_of(
    st.integers(-5, 60).map(str),
    st.sampled_from(
        ["", "m", "f", "*", "[1, 2]", "nan", "inf", "1e5", "007", "2020-02-29", "=1+1", "-", " x ", "é", '"']
    ),
    st.text(max_size=6),
)
MARKS = st.sampled_from([*"ab,;\t\n\r\"' 01.-é", "\x00", "\ufeff", "\u2028"])


def outcome(content: bytes, *flags: str, name: str = "table.csv") -> tuple[Result, Result | None, int]:
    """Run on a file with this content; the run, the check of its release, and how many rows were released."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / name).write_bytes(content)
        done = CliRunner().invoke(shoal, ["anonymize", str(folder / name), "-o", str(folder / "out"), *flags])
        if done.exit_code != 0:
            assert [path.name for path in folder.iterdir()] == [name]
            return done, None, 0
        rows = json.loads((folder / "out/report.json").read_text())["facts"]["released_rows"]
        return done, CliRunner().invoke(shoal, ["check", str(folder / "out")]), rows


def acceptable(done: Result, checked: Result | None) -> None:
    """A release that checks, or wrong input told in five parts; never a fault of ours."""
    if done.exit_code == 0:
        assert checked is not None
        assert checked.exit_code == 0, checked.output
        return
    assert done.exit_code == 2, done.output
    assert "internal error" not in done.output, done.output
    assert all(f"\n  {part} " in done.stderr for part in ("where", "allowed", "received", "next")), done.stderr


@settings(max_examples=count(20, 120))
@given(rows=st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=25), k=st.integers(1, 4))
def test_any_cells(rows: list[tuple[str, str, str]], k: int) -> None:
    """Odd cells of every kind, written by Python's own CSV writer: no crash, no lost row, and the release holds."""
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows([("a", "b", "c"), *rows])
    content = text.getvalue().encode("utf-8", "replace")
    done, checked, released = outcome(content, "-k", str(k), "--qi", "a,b", "--separator", ",", "--rest", "drop")
    acceptable(done, checked)
    if done.exit_code == 0:
        assert released == len(rows)


@settings(max_examples=count(20, 120))
@given(content=st.one_of(st.binary(max_size=120), st.lists(MARKS, max_size=60).map(lambda c: "".join(c).encode())))
def test_any_bytes(content: bytes) -> None:
    """Any bytes after a good header: no crash."""
    done, checked, _ = outcome(b"a,b\n" + content, "-k", "2", "--qi", "a", "--rest", "insensitive")
    acceptable(done, checked)


@settings(max_examples=count(15, 80))
@given(content=st.one_of(st.binary(max_size=120), st.lists(MARKS, max_size=60).map(lambda c: "".join(c).encode())))
def test_any_hierarchy(content: bytes) -> None:
    """Any bytes as a hierarchy: no crash."""
    with tempfile.NamedTemporaryFile(suffix=".csv") as tree:
        tree.write(content)
        tree.flush()
        done, checked, _ = outcome(
            b"a,b\n" + b"a,0\nb,1\n" * 3,
            "-k",
            "2",
            "--qi",
            "a",
            "--rest",
            "insensitive",
            "--hierarchy",
            f"a={tree.name}",
        )
    acceptable(done, checked)


@settings(max_examples=count(15, 80))
@given(content=st.binary(max_size=200), name=st.sampled_from(["table.parquet", "table.arrow", "table.csv.gz"]))
def test_any_bytes_of_other_formats(content: bytes, name: str) -> None:
    """Any bytes under the name of another format: told, not crashed."""
    done, checked, _ = outcome(content, "-k", "2", "--qi", "a", "--rest", "insensitive", name=name)
    acceptable(done, checked)
