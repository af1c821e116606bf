# SPDX-License-Identifier: Apache-2.0
"""The bytes of a text file as UTF-8, or a refusal that says what the file seems to be.

Nothing is ever decoded with loss: a byte that does not fit the encoding stops the reading, with its line number.
"""

from __future__ import annotations

import codecs
from pathlib import Path

from shoal.ground.errors import Refusal, TableError
from shoal.tables.formats._compression import unpacked
from shoal.tables.reading import UTF_8, is_utf8

UTF_8_BOM = codecs.BOM_UTF8
CHECKED_AT_ONCE = 1 << 22
SNIFFED = 1 << 16

#: First bytes of files that people rename to .csv by mistake.
SIGNATURES = {
    b"PAR1": "a Parquet file",
    b"ARROW1": "an Arrow file",
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\x1f\x8b": "a gzip file (its name must end in .gz)",
    b"\x28\xb5\x2f\xfd": "a zstd file (its name must end in .zst)",
    b"BZh": "a bzip2 file (its name must end in .bz2)",
    b"\xfd7zXZ": "an xz file (its name must end in .xz)",
    b"%PDF": "a PDF document",
    b"SQLite format 3": "an SQLite database",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"$FL2": "an SPSS file",
}
OTHER_ENCODING = "The file is not in the encoding that was named."
NO_TEXT = Refusal(
    TableError,
    "The file is not text.",
    allowed="a delimited text file without NUL bytes",
    todo="give the file its right extension, or export the table as CSV again",
)


def utf8_text(path: Path, encoding: str | None) -> bytes:
    """The text of a file as UTF-8 without byte order mark.

    That all of it is UTF-8 is left to :func:`refuse_broken_utf8`, or to a parser that stops where it is not.
    """
    stored = unpacked(path)
    where = f"file {str(path)!r}"
    if not stored:
        raise no_records("The file is empty.", where, "0 bytes")
    if encoding is None or is_utf8(encoding):
        refuse_binary(stored, where)
        return stored.removeprefix(UTF_8_BOM)
    text = decoded(stored, encoding, where)
    refuse_nul(text, where)
    seen = SeenAsUtf8()
    seen.look(stored)
    seen.refuse(encoding, where)
    return text


def no_records(what: str, where: str, received: str) -> TableError:
    """The refusal of a file that holds no table at all."""
    return TableError(
        what,
        where=where,
        allowed="a header line and one line per record",
        received=received,
        todo="check that the right file was given and that its export finished",
    )


def decoded(stored: bytes, encoding: str, where: str) -> bytes:
    """The bytes in the encoding the user named, as UTF-8."""
    try:
        text = stored.decode(encoding)
        return text.removeprefix("\ufeff").encode(UTF_8)
    except UnicodeDecodeError as problem:
        line = f"; line {_line(stored, problem.start)} does not fit" if encoding.lower()[:4] == "utf-" else ""
        seems, todo = _encoding_advice(stored)
        received = f"bytes that mean nothing in {encoding}{line}"
        said = TableError(OTHER_ENCODING, where, f"text in {encoding}", received, todo)
        said.encoding = seems
        raise said from None
    except (LookupError, UnicodeError, ValueError):
        what, where = "There is no such text encoding.", "--encoding / [input] encoding"
        allowed = "utf-8, cp1252, latin-1, utf-16, or another name that Python knows"
        todo = "check the spelling, or leave the encoding out"
        raise TableError(what, where, allowed, repr(encoding), todo) from None


class SeenAsUtf8:
    """Whether bytes that are read in another encoding are UTF-8 all the same: then every name and cell is garbled.

    In hardly any other encoding does text of more than a few signs beyond ASCII happen to be UTF-8, so it is refused.
    """

    def __init__(self) -> None:
        self.decoder = codecs.getincrementaldecoder(UTF_8)()
        self.beyond_ascii = self.broken = False

    def look(self, stored: bytes) -> None:
        """Look at the next bytes of the text; of text in another encoding little is looked at."""
        if self.broken or (stored.isascii() and not (self.decoder.getstate()[0] or b"\0" in stored)):
            return
        self.beyond_ascii = self.beyond_ascii or not stored.isascii()
        try:
            self.broken = "\0" in self.decoder.decode(stored)  # as UTF-16 has it, and no text in UTF-8
        except UnicodeDecodeError:
            self.broken = True

    def refuse(self, encoding: str, where: str) -> None:
        """Stop, at the end of the text, if all of it was UTF-8."""
        if self.broken or not self.beyond_ascii or self.decoder.getstate()[0]:
            return
        said = TableError(
            OTHER_ENCODING,
            where=where,
            allowed=f"text in {encoding}, as --encoding or [input] encoding says",
            received="text in UTF-8 with signs beyond ASCII",
            todo="leave the encoding out or say --encoding utf-8 (of a release, name its folder); "
            "if the text is meant to look like that, convert the file to UTF-8 first",
        )
        said.encoding = UTF_8
        raise said


def refuse_binary(stored: bytes, where: str) -> None:
    """Stop at files that are no text at all, and at UTF-16 and UTF-32, which are full of NUL bytes."""
    for signature, description in SIGNATURES.items():
        if stored.startswith(signature):
            raise NO_TEXT(where, description)
    wide = _seems_wide(stored)
    if wide:
        raise _wrong_encoding(f"text in {wide[:6].upper()}", where, (wide, f"name the encoding: --encoding {wide}"))
    refuse_nul(stored, where)


def refuse_nul(text: bytes, where: str, first_line: int = 1) -> None:
    """Stop at a sign that no text has."""
    nul = text.find(b"\0")
    if nul >= 0:
        count = text.count(b"\0")
        line = first_line - 1 + _line(text, nul)
        raise NO_TEXT(f"{where}, line {line}", f"{count} NUL {'byte' if count == 1 else 'bytes'}")


def refuse_broken_utf8(stored: bytes, where: str, first_line: int = 1) -> None:
    """Check in slices, so that a long file is not held a second time as Python text."""
    if stored.isascii():
        return
    decoder = codecs.getincrementaldecoder(UTF_8)()
    for start in range(0, len(stored), CHECKED_AT_ONCE):
        try:
            decoder.decode(stored[start : start + CHECKED_AT_ONCE], final=start + CHECKED_AT_ONCE >= len(stored))
        except UnicodeDecodeError as problem:
            line = first_line - 1 + _line(stored, start) + bytes(problem.object).count(b"\n", 0, problem.start)
            received = f"a byte on line {line} that UTF-8 does not allow"
            raise _wrong_encoding(received, where, _encoding_advice(stored)) from None


def _wrong_encoding(received: str, where: str, advice: tuple[str, str]) -> TableError:
    seems, todo = advice
    said = TableError("The file is not in UTF-8.", where=where, allowed="text in UTF-8", received=received, todo=todo)
    said.encoding = seems
    return said


def _encoding_advice(stored: bytes) -> tuple[str, str]:
    """Which encoding to try, and what to say: 0x80 to 0x9F are printable in cp1252, control characters in latin-1."""
    wide = _seems_wide(stored)
    if wide:
        return wide, f"it seems to be --encoding {wide}"
    try:
        stored.decode(UTF_8)
        return UTF_8, "it is valid UTF-8: name that encoding or none"
    except UnicodeDecodeError:
        pass
    try:
        stored.decode("cp1252")
    except UnicodeDecodeError:
        return "", "export the table as UTF-8, or name its encoding with --encoding"
    controls = bytes(range(0x80, 0xA0))
    guess = "cp1252" if len(stored.translate(None, controls)) < len(stored) else "latin-1"
    return guess, f"it seems to be --encoding {guess}; check a word with an accent afterwards"


def _seems_wide(stored: bytes) -> str:
    """The flavour of UTF-16 or UTF-32 of these bytes, by a mark or by NULs at every other place; else nothing."""
    if stored.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):  # first: one begins like the mark of UTF-16
        return "utf-32"
    if stored.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    sample = stored[:SNIFFED]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    pairs = len(sample) // 2
    if pairs and odd > 0.7 * pairs and even < 0.1 * pairs:
        return "utf-16-le"
    if pairs and even > 0.7 * pairs and odd < 0.1 * pairs:
        return "utf-16-be"
    return ""


def _line(stored: bytes, position: int) -> int:
    return 1 + stored.count(b"\n", 0, position)
