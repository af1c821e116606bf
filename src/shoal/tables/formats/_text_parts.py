# SPDX-License-Identifier: Apache-2.0
"""A text that is too long for memory, in parts of whole records: unpacked, decoded and cut while it is read.

Whether a line end stands inside quotes is the parity of the quotes before it. Quotes that stand where none may stand
lead the count astray; whoever reads a part refuses them.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from pathlib import Path

from shoal.tables.formats._compression import unpacking
from shoal.tables.formats._plain_text import UTF_8_BOM, SeenAsUtf8, decoded, no_records, refuse_binary, refuse_nul
from shoal.tables.reading import UTF_8, is_utf8

BLANKS = b" \t\r\n"
LONGEST = 16
"""Times the size of a part that a record may be long; a quote that is never closed would go on to the end."""


def text_blocks(path: Path, encoding: str, size: int) -> Iterator[bytes]:
    """The text of a file as UTF-8 without byte order mark, so many bytes of the file at a time."""
    where, line = f"file {str(path)!r}", 1
    with unpacking(path) as stream:
        stored = iter(lambda: stream.read(size), b"")
        for text in _as_it_is(stored, where) if is_utf8(encoding) else _decoded(stored, encoding, where):
            refuse_nul(text, where, line)
            line += text.count(b"\n")
            yield text
        if not stream.tell():
            raise no_records("The file is empty.", where, "0 bytes")


def _as_it_is(stored: Iterator[bytes], where: str) -> Iterator[bytes]:
    for first in stored:
        refuse_binary(first, where)
        yield first.removeprefix(UTF_8_BOM)
        yield from stored


def _decoded(stored: Iterator[bytes], encoding: str, where: str) -> Iterator[bytes]:
    mark, tail, seen = "\ufeff", b"", SeenAsUtf8()
    try:
        decoder = codecs.getincrementaldecoder(encoding)()
        for block in stored:
            tail = block
            seen.look(block)
            yield decoder.decode(block).removeprefix(mark).encode(UTF_8)
            mark = ""
    except (LookupError, UnicodeError, ValueError):
        decoded(tail or b"a", encoding, where)  # refuses, with a word what to try
        raise
    seen.refuse(encoding, where)


def whole_records(blocks: Iterable[bytes], size: int) -> Iterator[bytes]:
    r"""A text in parts of at least ``size`` bytes that end where a record ends, and none but the last in blank lines.

    >>> list(whole_records([b'a\n"b\n', b'c"\n\n', b"d\n"], 4))
    [b'a\n', b'"b\nc"\n', b'\nd\n']
    """
    rest = b""
    for block in blocks:
        rest += block
        if len(rest) < size:
            continue
        end = _end_of_content(rest, _last_end(rest)) if len(rest) < LONGEST * size else len(rest)
        if end:
            yield rest[:end]
            rest = rest[end:]
    if rest:
        yield rest


def first_record(text: bytes) -> bytes:
    """The first record of a text, with its line end."""
    end = 0
    while end := text.find(b"\n", end) + 1:
        if text.count(b'"', 0, end) % 2 == 0:
            return text[:end]
    return text + b"\n"


def _last_end(text: bytes) -> int:
    """Where the last record ends of which the text has the line end; 0 if none does."""
    inside, at = text.count(b'"') % 2, len(text)
    while (line := text.rfind(b"\n", 0, at)) >= 0:
        inside ^= text.count(b'"', line, at) % 2
        if not inside:
            return line + 1
        at = line
    return 0


def _end_of_content(text: bytes, end: int) -> int:
    """The same without blank lines: what they mean is known when it is known what follows them."""
    content = len(text[:end].rstrip(BLANKS))
    return text.find(b"\n", content) + 1 if content else 0
