# SPDX-License-Identifier: Apache-2.0
"""Small tables as delimited text, such as a codebook; released tables are written by their formats."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from types import SimpleNamespace


def csv_text(rows: Iterable[Iterable[object]], separator: str = ",") -> str:
    r"""One line per row, with quotes only where needed.

    Python quotes those signs of a line end that it ends lines with, so it is asked for both: a return that stands in a
    cell without quotes ends the line for most readers.

    >>> csv_text([["a", "two\rlines"], [1, None]])
    'a,"two\rlines"\n1,\n'
    """
    made = io.StringIO(newline="")
    into = SimpleNamespace(write=lambda line: made.write(line.removesuffix("\r\n") + "\n"))
    csv.writer(into, delimiter=separator, lineterminator="\r\n").writerows(rows)
    return made.getvalue()
