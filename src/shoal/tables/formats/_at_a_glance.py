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

from shoal.ground.arrays import Ints
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


def plainly(text: bytes, separator: str, *, header: bool) -> Plainly | None:
    """What has to come out of a parser that cuts this text; None where only a look at every field can tell.

    Left to that look are quotes and returns where they should not be, and what it would leave out: blanks around cells,
    blank lines at the end. A header in several lines is, too, for its end would have to be found first; and bytes that
    the parser leaves out, for short rows could make up for them: a byte order mark, a separator that nothing follows.
    """
    first, width = leading_record(text, separator)
    if width < 2 or text[end_of_content(text, separator) :] not in (b"", b"\n", b"\r\n"):
        return None
    if header and LINE_END in first:
        return None
    begin = text.find(b"\n") + 1 if header else 0
    if text.startswith(UTF_8_BOM, begin) or text.endswith(separator.encode()):
        return None
    above, all_around = _around_cells(text[:begin], separator), _around_cells(text, separator)
    if above is None or all_around is None:
        return None
    return Plainly(first, width, len(text) - begin + (not text.endswith(b"\n")) - (all_around - above))


def _around_cells(text: bytes, separator: str) -> int | None:
    """How many quotes and returns belong to no cell; None if some stand where they should not, or a blank does."""
    mark = ord(separator)
    blanks = [blank for blank in (BLANK, TAB) if blank != mark and blank in text]
    returns = CARRIAGE_RETURN in text
    beside_quotes = np.isin(np.arange(256), [mark, LINE_END, CARRIAGE_RETURN, QUOTE])
    found, begun = 0, 0
    for part in _slices(np.frombuffer(text, dtype=np.uint8)):
        places = _in_question(part, mark, blanks, returns)
        sign = part[places + 1]
        quote = sign == QUOTE
        inside = ((np.cumsum(quote, dtype=np.uint8) - quote + np.uint8(begun)) & 1).view(np.bool_)
        beside = part[places + 2 * inside]  # what a quote begins behind, or ends before
        well = np.where(quote, beside_quotes[beside], inside)
        if returns:
            ends = np.flatnonzero(sign == CARRIAGE_RETURN)
            well[ends] = ~inside[ends] & (part[places[ends] + 2] == LINE_END)
            found += len(ends)
        if not well.all():
            return None
        found += int(np.count_nonzero(quote)) - int(np.count_nonzero(quote & inside & (beside == QUOTE)))
        begun ^= int(np.count_nonzero(quote)) % 2
    return None if begun else found


def _slices(signs: Bytes) -> Iterator[Bytes]:
    """Some bytes at a time, with the one before and the one behind them: line ends where the text begins and ends."""
    for start in range(0, len(signs), SLICE):
        stop = min(start + SLICE, len(signs))
        part = np.full(stop - start + 2, LINE_END, dtype=np.uint8)
        inner = signs[max(start - 1, 0) : stop + 1]
        place = int(start == 0)
        part[place : place + len(inner)] = inner
        yield part


def _in_question(part: Bytes, mark: int, blanks: list[int], returns: bool) -> Ints:
    """Where quotes and returns stand, and blanks beside an edge; counted without the first byte."""
    asked = part == QUOTE
    edges = (part == mark) | (part == LINE_END)
    if returns:
        ends = part == CARRIAGE_RETURN
        asked |= ends
        edges |= ends
    for blank in blanks:
        asked[1:-1] |= (part[1:-1] == blank) & (edges[:-2] | edges[2:])
    return np.flatnonzero(asked[1:-1])
