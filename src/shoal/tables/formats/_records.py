# SPDX-License-Identifier: Apache-2.0
"""The records of a delimited text: where each ends, how many fields it has, and what is wrong with it.

Polars turns a row that is too short into missing cells without a word and keeps blanks around fields, so the
text is looked through first. A field is quoted if it begins with a quote; quotes inside are doubled (RFC 4180). Whether
a byte stands inside quotes is the parity of the quotes before it, which numpy counts for millions of bytes at
once; the work goes in slices that end where a record ends, so memory does not grow with the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from shoal.ground.arrays import Flags, Ints
from shoal.ground.errors import TableError, listed
from shoal.ground.wording import counted

SLICE = 1 << 22
SAMPLE = 1 << 16
LINES_NAMED = 5
TAB, LINE_END, CARRIAGE_RETURN, BLANK, QUOTE = b'\t\n\r "'

Bytes = NDArray[np.uint8]
Mask = Flags


@dataclass(frozen=True)
class Records:
    """A text cleaned for the parser: no blanks around fields, one line end, every record equally long."""

    first: bytes
    """The first record, which may be a header."""
    rest: bytes
    """All other records, each with its line end."""
    width: int
    """Fields per record."""
    count: int
    """Number of records after the first."""


@dataclass(frozen=True)
class _Piece:
    """Some whole records with blanks around fields removed."""

    text: Bytes
    ends: Ints
    """Where each record's line end stands."""
    fields: Ints
    """How many fields each record has."""
    outside: Mask | None
    """Which bytes stand outside quotes; None: all of them."""
    edges: Mask
    """Separators and line ends."""

    @property
    def closed(self) -> bool:
        return self.outside is None or bool(self.outside[-1])

    @property
    def lines(self) -> int:
        return int(np.count_nonzero(self.text == LINE_END))

    def line(self, position: int) -> int:
        """How many lines end before a position."""
        return int(np.count_nonzero(self.text[:position] == LINE_END))

    def starts(self) -> Ints:
        return np.concatenate([np.zeros(1, dtype=np.int64), self.ends[:-1] + 1])


@dataclass
class _Ragged:
    """Rows of the wrong length, counted over the whole file so that one run tells all."""

    width: int
    short: int = 0
    long: int = 0
    lines: list[int] = field(default_factory=list)

    def look(self, piece: _Piece, first_line: int) -> None:
        wrong = np.flatnonzero(piece.fields != self.width)
        if wrong.size:
            too_long = int(np.count_nonzero(piece.fields[wrong] > self.width))
            self.long += too_long
            self.short += int(wrong.size) - too_long
            starts = piece.starts()[wrong[: LINES_NAMED - len(self.lines)]]
            self.lines += [first_line + piece.line(int(start)) for start in starts]

    def refuse(self, rows: int, separator: str, where: str) -> None:
        if not self.lines:
            return
        todo = "mend these lines (a field that holds the separator needs quotes), or name the --separator"
        if 2 * (self.short + self.long) > rows:
            todo = "if the first lines are remarks, --skip-lines N leaves them out; else name the --separator"
        more = ", ..." if self.short + self.long > len(self.lines) else ""
        raise TableError(
            "Some rows do not have as many fields as the first line.",
            where=f"{where}, lines {listed(self.lines)}{more}",
            allowed=f"{self.width} fields per row, separated by {separator!r}",
            received=f"{counted(self.short, 'row')} too short, {counted(self.long, 'row')} too long",
            todo=todo,
        )


def split_records(text: bytes, separator: str, where: str, first_line: int = 1) -> Records:
    """Look through a whole text; refuses ragged rows, broken quotes and lone carriage returns.

    ``first_line`` is the line of the file at which the text begins.
    """
    view = np.frombuffer(text, dtype=np.uint8)
    width = int(_sample_widths(view, separator)[0])
    if width > 1:
        # With a single column an empty line is a missing cell, so there every line counts.
        view = view[: end_of_content(text, separator)]
    ragged = _Ragged(width)
    first: bytes | None = None
    rest: list[Bytes] = []
    line, count = first_line, -1
    for piece in _pieces(view, separator, SLICE):
        _refuse_lone_carriage_returns(piece, line, where)
        _refuse_broken_quotes(piece, line, where)
        ragged.look(piece, line)
        cut = 0
        if first is None:
            first = piece.text[: piece.ends[0]].tobytes()
            cut = int(piece.ends[0]) + 1
        rest.append(piece.text[cut:])
        line += piece.lines
        count += len(piece.ends)
    ragged.refuse(count, separator, where)
    return Records(first or b"", b"".join(part.data for part in rest), width, count)


def guess_separator(text: bytes, candidates: Sequence[str], start: int = 0) -> str:
    """The candidate on which most of the first lines agree, from a place on; in doubt the first one.

    A candidate counts only if the first line holds it and the most frequent number of fields is above one.
    """
    best, agreement = candidates[0], 0
    view = np.frombuffer(text, dtype=np.uint8)[start:]
    for candidate in candidates:
        widths = _sample_widths(view, candidate)
        counts = np.bincount(widths[widths > 0])
        usual = int(counts.argmax())
        if usual > 1 and widths[0] > 1 and counts[usual] > agreement:
            best, agreement = candidate, int(counts[usual])
    return best


def has_content(text: bytes, start: int = 0) -> bool:
    """Whether a text holds anything but white space, from a place on."""
    return bool(text[start : start + SAMPLE].strip() or text[start:].strip())


def leading_record(text: bytes, separator: str, start: int = 0) -> tuple[bytes, int]:
    """The first record from a place on, without blanks around its fields, and their number."""
    sample = next(_pieces(np.frombuffer(text, dtype=np.uint8)[start:], separator, SAMPLE))
    return sample.text[: sample.ends[0]].tobytes(), int(sample.fields[0])


def _sample_widths(view: Bytes, separator: str) -> Ints:
    """Numbers of fields of the first records; blank lines at the end do not count."""
    widths = next(_pieces(view, separator, SAMPLE)).fields
    filled = np.flatnonzero(widths > 1)
    return widths[: max(1, int(filled[-1]) + 1)] if filled.size else widths


def end_of_content(text: bytes, separator: str) -> int:
    """Where the last line that is not blank ends."""
    blanks = set(b" \t\r\n") - set(separator.encode())
    end = len(text)
    while end and text[end - 1] in blanks:
        end -= 1
    return end


def _pieces(view: Bytes, separator: str, size: int) -> Iterator[_Piece]:
    """Cut a text into pieces of whole records, each about ``size`` bytes or one record if that is longer."""
    position = 0
    while position < len(view):
        reach = size
        while True:
            part = view[position : position + reach]
            last = position + reach >= len(view)
            if last and part[-1] != LINE_END:
                part = np.append(part, np.uint8(LINE_END))
            outside = _outside_quotes(part)
            ends = _line_ends(part, outside)
            if ends.size or last:
                break
            reach *= 2
        length = len(part) if last else int(ends[-1]) + 1
        yield _piece(part[:length], None if outside is None else outside[:length], ends, separator)
        position += length


def _piece(part: Bytes, outside: Mask | None, ends: Ints, separator: str) -> _Piece:
    mark = ord(separator)
    edges = (part == mark) | (part == LINE_END)
    text = _without_blanks(part, outside, edges, mark)
    if len(text) < len(part):
        outside = _outside_quotes(text)
        edges = (text == mark) | (text == LINE_END)
        ends = _line_ends(text, outside)
    if not ends.size:  # an open quote up to the end of the text
        ends = np.array([len(text) - 1])
    separators = text == mark
    if outside is not None:
        separators &= outside
    up_to = np.searchsorted(np.flatnonzero(separators), ends)
    return _Piece(text, ends, np.diff(up_to, prepend=0) + 1, outside, edges)


def _outside_quotes(part: Bytes) -> Mask | None:
    quotes = np.flatnonzero(part == QUOTE)
    if not quotes.size:
        return None
    even: Mask = np.arange(len(quotes) + 1) % 2 == 0
    return np.repeat(even, np.diff(quotes, prepend=0, append=len(part)))


def _line_ends(part: Bytes, outside: Mask | None) -> Ints:
    ends = part == LINE_END
    return np.flatnonzero(ends if outside is None else ends & outside)


def _without_blanks(part: Bytes, outside: Mask | None, edges: Mask, mark: int) -> Bytes:
    """Remove runs of blanks that touch a separator or a line end, and the return of a CR LF."""
    blank, text = part == BLANK, part.tobytes()
    if TAB in text:
        blank |= part == TAB
    if CARRIAGE_RETURN in text:
        blank[:-1] |= (part[:-1] == CARRIAGE_RETURN) & (part[1:] == LINE_END)
    if mark in (BLANK, TAB):
        blank &= part != mark
    if outside is not None:
        blank &= outside
    if not (blank[0] or (blank[1:] & edges[:-1]).any() or (blank[:-1] & edges[1:]).any()):
        return part
    change = np.diff(blank.view(np.int8), prepend=0, append=0)
    starts, stops = np.flatnonzero(change == 1), np.flatnonzero(change == -1)
    touching = (starts == 0) | edges[starts - 1] | (stops == len(part)) | edges[np.minimum(stops, len(part) - 1)]
    steps = np.zeros(len(part) + 1, dtype=np.int8)
    steps[starts[touching]] = 1
    steps[stops[touching]] = -1
    kept: Bytes = part[np.cumsum(steps[:-1], dtype=np.int8) == 0]
    return kept


def _refuse_lone_carriage_returns(piece: _Piece, first_line: int, where: str) -> None:
    if CARRIAGE_RETURN not in piece.text.tobytes():
        return
    returns = piece.text == CARRIAGE_RETURN
    if piece.outside is not None:
        returns &= piece.outside
    if returns.any():
        line = first_line + piece.line(int(returns.argmax()))
        raise TableError(
            "The file has line ends made of a carriage return alone.",
            where=f"{where}, line {line}",
            allowed="line feed, or carriage return and line feed; others only inside quotes",
            received=f"carriage returns without a line feed ({int(returns.sum())} up to the line that was reached)",
            todo="save the file with Unix or Windows line ends",
        )


def _refuse_broken_quotes(piece: _Piece, first_line: int, where: str) -> None:
    """Quotes must open at the beginning of a field and close at its end; inside they are doubled."""
    if piece.outside is None:
        return
    quotes = np.flatnonzero(piece.text == QUOTE)
    opening, closing = quotes[0::2], quotes[1::2]
    good = (opening == 0) | piece.edges[opening - 1] | (piece.text[opening - 1] == QUOTE)
    closes_well = piece.edges[closing + 1] | (piece.text[closing + 1] == QUOTE)
    inner = np.flatnonzero(~good)
    unclosed = np.flatnonzero(~closes_well)
    if not piece.closed:
        unclosed = np.append(unclosed, len(opening) - 1)
    if not inner.size and not unclosed.size:
        return
    if unclosed.size and (not inner.size or unclosed[0] < inner[0]):
        position, what = opening[unclosed[0]], "A quoted field is not closed properly."
        received = "a quote that opens there and does not close at the end of its field"
    else:
        position, what = opening[inner[0]], "A quote stands inside a field that is not quoted."
        received = "a quote that is neither at the beginning nor at the end of its field"
    raise TableError(
        what,
        where=f"{where}, line {first_line + piece.line(int(position))}",
        allowed='quotes around a whole field, and quotes inside it doubled: "a ""b"" c"',
        received=received,
        todo="mend that line, export the table again with quoting switched on, or name the right --separator",
    )
