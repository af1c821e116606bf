# SPDX-License-Identifier: Apache-2.0
"""Delimited text by its bytes: blanks and tabs around fields, quotes that need not be there, line ends.

A field is written as the bytes between two separators. What stands inside quotes is hidden first (separators and line
ends are put in other signs), so that a parser that knows no quotes can cut the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.judging.bytes.spellings import refused
from shoal.judging.bytes.stored import mixed_line_ends, text_of
from shoal.tables.reading import Reading

STAND_INS = bytes([*range(1, 9), *range(14, 32), 127])
"""Signs that take the place of others, as far as the text has none of them."""
SLICE = 1 << 20
"""Bytes that are looked at together: so few that they stay near at hand."""
FEED, RETURN, QUOTE = b'\n\r"'


def written_cells(path: Path, names: Sequence[str], reading: Reading) -> Mapping[str, pl.Series]:
    """Every column as the bytes of its fields."""
    where = f"file {str(path)!r}"
    separator = reading.separator or ","
    text = _below(text_of(path, reading.encoding), reading.skip_lines)
    if len(names) > 1:  # with one column an empty line is a cell
        blanks = b" \t\r\n".replace(separator.encode(), b"")
        text = text.rstrip(blanks)
    plain = _flat(text, separator, where)
    schema = {str(place): pl.String for place in range(len(names))}
    try:
        body = pl.read_csv(plain, has_header=False, quote_char=None, separator=separator, schema=schema)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        allowed = f"{len(names)} fields per line, separated by {separator!r}"
        raise refused("The file cannot be cut into fields.", where, allowed, "lines that are something else") from None
    cells = body.slice(int(reading.header))
    return dict(zip(names, cells.get_columns(), strict=True))


def _below(text: bytes, skipped: int | None) -> bytes:
    start = 0
    for _ in range(skipped or 0):
        start = text.find(b"\n", start) + 1
    return text[start:]


def _flat(text: bytes, separator: str, where: str) -> bytes:
    """The text with one record per line, whatever stands inside quotes."""
    if b'"' not in text and b"\r" not in text:
        return text
    if b"\r" not in text:
        return _hidden(text, separator, where).tobytes()
    signs = np.frombuffer(text, dtype=np.uint8)
    inside = _inside_quotes(signs)
    ends = (signs == FEED) & ~inside
    returns = np.flatnonzero(signs == RETURN)
    closing = returns[(returns + 1 < len(signs)) & ~inside[returns]]
    closing = closing[ends[np.minimum(closing + 1, len(signs) - 1)]]
    if len(closing) not in (0, int(ends.sum())):
        raise mixed_line_ends(where, len(closing), int(ends.sum()))
    changed = _hidden(text, separator, where)
    kept = np.ones(len(changed), dtype=bool)
    kept[closing] = False
    return changed[kept].tobytes()


def _inside_quotes(signs: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which bytes stand between quotes: those with an odd number of quotes before them."""
    quotes = np.flatnonzero(signs == QUOTE)
    odd: NDArray[np.bool_] = np.arange(len(quotes) + 1) % 2 == 1
    return np.repeat(odd, np.diff(quotes, prepend=0, append=len(signs)))


def _hidden(text: bytes, separator: str, where: str) -> NDArray[np.uint8]:
    """Separators and line ends inside quotes, and carriage returns, as other signs."""
    free = list(islice((sign for sign in STAND_INS if sign not in text and sign != ord(separator)), 3))
    if len(free) < 3:
        allowed = "text with few of the control characters"
        raise refused("The file is full of control characters.", where, allowed, "nearly all of them")
    changed, begun = np.frombuffer(text, dtype=np.uint8).copy(), False
    for start in range(0, len(changed), SLICE):
        part = changed[start : start + SLICE]
        quotes = int(np.count_nonzero(part == QUOTE))
        if quotes or begun:
            inside = _inside_quotes(part) != begun
            for sign, stand_in in zip((ord(separator), FEED), free, strict=False):
                part[np.flatnonzero(inside & (part == sign))] = stand_in
        part[np.flatnonzero(part == RETURN)] = free[2]
        begun ^= quotes % 2 == 1
    return changed
