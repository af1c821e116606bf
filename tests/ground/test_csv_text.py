# SPDX-License-Identifier: Apache-2.0
"""Small tables as delimited text are read by others as they were written."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from shoal.ground.csv_text import csv_text

CELL = st.lists(st.sampled_from([*',;"\r\n ax', "\r\n", '""']), max_size=4).map("".join)


@given(rows=st.lists(st.lists(CELL, min_size=2, max_size=2), max_size=4), separator=st.sampled_from(",;"))
def test_every_row_comes_back(rows: list[list[str]], separator: str) -> None:
    """Separators, quotes and any sign of a line end: a return alone, too."""
    text = csv_text(rows, separator)
    assert list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)) == rows


def test_lines_end_in_a_line_feed() -> None:
    """As in every file of a release, and with no more quotes than needed."""
    assert csv_text([["a b", 1], ["", None]]) == "a b,1\n,\n"
