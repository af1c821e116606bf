# SPDX-License-Identifier: Apache-2.0
"""Delimited text that is easily proved to be sound, as most is: one pass over its bytes, and a parser is trusted.

What :mod:`shoal.tables.formats._records` looks for in every field is looked for in all bytes at once: blanks that touch
a separator or a line end, quotes that are not around a whole cell, returns that end no line. Of all other text is known
how many bytes belong to no cell, so a parser that loses or invents a field is found out by the bytes of its cells. The
work goes in slices so short that they stay near at hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shoal.ground.arrays import Flags, Ints
from shoal.tables.formats._plain_text import UTF_8_BOM
from shoal.tables.formats._records import (
    BLANK,
    CARRIAGE_RETURN,
    LINE_END,
    QUOTE,
    TAB,
    Bytes,
    end_of_content,
    leading_record,
)

SLICE = 1 << 18


@dataclass(frozen=True)
class Plainly:
    """A text that any parser takes apart as ``split_records`` would, if it finds as many bytes in its cells."""

    first: bytes
    """The first record."""
    width: int
    """Fields per record."""
    body: int
    """Bytes of all records below the header, without quotes and returns: each cell has its own and the sign behind."""


def plainly(text: bytes, separator: str, *, header: bool, start: int = 0) -> Plainly | None:
    """What has to come out of a parser that cuts this text from a place on; None where a look at every field must tell.

    Left to that look are quotes and returns where they should not be, and what it would leave out: blanks around cells,
    blank lines at the end. A header in several lines is, too, for its end would have to be found first; and bytes that
    the parser leaves out, for short rows could make up for them: a byte order mark, a separator that nothing follows.
    """
    first, width = leading_record(text, separator, start)
    if width < 2 or text[end_of_content(text, separator) :] not in (b"", b"\n", b"\r\n"):
        return None
    if header and LINE_END in first:
        return None
    begin = text.find(b"\n", start) + 1 if header else start
    if text.startswith(UTF_8_BOM, begin) or text.endswith(separator.encode()):
        return None
    above, all_around = _around_cells(text[start:begin], separator), _around_cells(text, separator, start)
    if above is None or all_around is None:
        return None
    return Plainly(first, width, len(text) - begin + (not text.endswith(b"\n")) - (all_around - above))


def _around_cells(text: bytes, separator: str, start: int = 0) -> int | None:
    """How many quotes and returns belong to no cell; None if some stand where they should not, or a blank does."""
    mark = ord(separator)
    blanks = [blank for blank in (BLANK, TAB) if blank != mark and blank in text]
    returns = CARRIAGE_RETURN in text
    beside_quotes = np.isin(np.arange(256), [mark, LINE_END, CARRIAGE_RETURN, QUOTE])
    found, begun = 0, 0
    for part in _slices(np.frombuffer(text, dtype=np.uint8)[start:]):
        quotes = np.flatnonzero(part[1:-1] == QUOTE)  # every other one begins a quoted piece, the others end one
        before, behind = part[quotes[begun::2]], part[quotes[1 - begun :: 2] + 2]
        if not (beside_quotes[before].all() and beside_quotes[behind].all()):
            return None
        found += len(quotes) - int(np.count_nonzero(behind == QUOTE))
        edges = part == LINE_END
        if returns:
            ends = part == CARRIAGE_RETURN
            edges |= ends
            places = np.flatnonzero(ends[1:-1])
            if _inside(places, quotes, begun) or (part[places + 2] != LINE_END).any():
                return None
            found += len(places)
        if blanks:
            edges |= part == mark
            places = _touching(part, blanks, edges)
            if _inside(places, quotes, begun) < len(places):
                return None
        begun = (begun + len(quotes)) % 2
    return None if begun else found


def _inside(places: Ints, quotes: Ints, begun: int) -> int:
    """How many places stand inside quotes, where the slice begins inside some or does not."""
    return int(np.count_nonzero((np.searchsorted(quotes, places) + begun) % 2))


def _touching(part: Bytes, blanks: list[int], edges: Flags) -> Ints:
    """Where blanks stand beside the end of a cell; counted without the first byte."""
    asked = part[1:-1] == blanks[0]
    for blank in blanks[1:]:
        asked |= part[1:-1] == blank
    asked &= edges[:-2] | edges[2:]
    return np.flatnonzero(asked)


def _slices(signs: Bytes) -> Iterator[Bytes]:
    """Some bytes at a time, with the one before and the one behind them: line ends where the text begins and ends."""
    for start in range(0, len(signs), SLICE):
        stop = min(start + SLICE, len(signs))
        part = np.empty(stop - start + 2, dtype=np.uint8)
        part[0] = part[-1] = LINE_END
        inner = signs[max(start - 1, 0) : stop + 1]
        place = int(start == 0)
        part[place : place + len(inner)] = inner
        yield part
