# SPDX-License-Identifier: Apache-2.0
"""Packed files: what stands in headers, between and behind the packed parts, where unpacking drops it."""

from __future__ import annotations

import bz2
import lzma
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from shoal.ground.wording import counted
from shoal.judging.containers.extras import CONTENT, NOTE, Extra, OpenedFile

TEXT, CRC, FIELD, NAME, COMMENT = 1, 2, 4, 8, 16
"""Flags of a gzip header."""
ZSTD, SKIPPABLE, LOWEST_SKIPPABLE = 0xFD2FB528, 0xFFFFFFF0, 0x184D2A50


def look(opened: OpenedFile) -> Iterator[Extra]:
    """Extras of the packing that the name of the file tells."""
    scanners = {"gz": _gzip, "bz2": _bz2, "xz": _xz, "zst": _zstd}
    yield from scanners[opened.path.suffix.lower().removeprefix(".")](opened)


def _gzip(opened: OpenedFile) -> Iterator[Extra]:
    stored, members = opened.stored, 0
    while stored[:2] == b"\x1f\x8b":
        flags, at = stored[3], 10
        if flags & FIELD:
            at += 2 + struct.unpack_from("<H", stored, at)[0]
            yield Extra(NOTE, "carries a field of its own in the header of its packing")
        if flags & NAME:
            end = stored.index(b"\0", at)
            if stored[at:end].decode("latin-1") not in (opened.path.stem, opened.path.name):
                yield Extra(NOTE, "carries the name of another file in the header of its packing")
            at = end + 1
        if flags & COMMENT:
            at = stored.index(b"\0", at) + 1
            yield Extra(NOTE, "carries a comment in the header of its packing")
        at += 2 if flags & CRC else 0
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        content = unpacker.decompress(stored[at:])
        stored, members = unpacker.unused_data[8:], members + 1
        if not content and members > 1:
            yield Extra(CONTENT, "holds a packed part without content")
    yield from _parts(members, bool(stored))


def _parts(many: int, further: bool) -> Iterator[Extra]:
    """What is said of a table in several packed parts, and of bytes behind them."""
    if many > 1:
        yield Extra(CONTENT, f"is packed in {counted(many, 'part')}, and readers differ on which of them they read")
    if further:
        yield Extra(CONTENT, "holds further bytes behind the packed table")


def _bz2(opened: OpenedFile) -> Iterator[Extra]:
    members, rest = _unpacked(opened.stored, b"BZh", bz2.BZ2Decompressor)
    yield from _parts(members, bool(rest))


def _xz(opened: OpenedFile) -> Iterator[Extra]:
    members, rest = _unpacked(opened.stored, b"\xfd7zXZ\0", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ))
    yield from _parts(members, bool(rest.strip(b"\0")))


def _unpacked(stored: bytes, begin: bytes, unpacking: Callable[[], Any]) -> tuple[int, bytes]:
    """How many packed parts a file begins with, each with the same bytes, and what stands behind them."""
    members = 0
    while stored.startswith(begin):
        unpacker = unpacking()
        unpacker.decompress(stored)
        stored, members = unpacker.unused_data, members + 1
    return members, stored


def _zstd(opened: OpenedFile) -> Iterator[Extra]:
    stored, at, frames, skipped = opened.stored, 0, 0, 0
    while at + 8 <= len(stored):
        magic, size = struct.unpack_from("<II", stored, at)
        if magic & SKIPPABLE == LOWEST_SKIPPABLE:
            at, skipped = at + 8 + size, skipped + 1
        elif magic == ZSTD:
            at, frames = _end_of_frame(stored, at), frames + 1
        else:
            break
    if skipped:
        yield Extra(CONTENT, f"holds {counted(skipped, 'frame')} that every reader skips")
    yield from _parts(frames, at != len(stored))


def _end_of_frame(stored: bytes, at: int) -> int:
    """Where a frame of zstd ends (RFC 8878): a header, blocks up to the last one, perhaps a checksum."""
    descriptor = stored[at + 4]
    single, checksum = bool(descriptor & 0x20), bool(descriptor & 0x04)
    sizes = (1 if single else 0, 2, 4, 8)
    at += 5 + (not single) + (0, 1, 2, 4)[descriptor & 3] + sizes[descriptor >> 6]
    last = False
    while not last and at < len(stored):  # a frame that was cut has no last block
        block = int.from_bytes(stored[at : at + 3], "little")
        last, kind = bool(block & 1), (block >> 1) & 3
        at += 3 + (1 if kind == 1 else block >> 3)
    return at + 4 * checksum
