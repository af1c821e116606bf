# SPDX-License-Identifier: Apache-2.0
"""Packed files: which packing the name of a file tells, unpacking, and packing that repeats byte for byte."""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from shoal.ground.catalog import library
from shoal.ground.errors import TableError
from shoal.ground.limits import UNPACKING
from shoal.tables.reading import PACKINGS

BYTES_AT_ONCE = 1 << 22
SMALL = 1_000_000
"""Bytes that no machine minds."""


def with_packings(endings: tuple[str, ...]) -> tuple[str, ...]:
    """The endings of plain files, followed by those of packed ones.

    >>> with_packings((".csv",))
    ('.csv', '.csv.gz', '.csv.bz2', '.csv.xz', '.csv.zst')
    """
    return endings + tuple(f"{ending}.{packing}" for packing in PACKINGS for ending in endings)


def packing_of(path: Path) -> str | None:
    """How a file is packed, by its name."""
    ending = path.suffix.lower().removeprefix(".")
    return ending if ending in PACKINGS else None


def unpacked(path: Path) -> bytes:
    """The content of a file, unpacked as its name says."""
    stored = path.read_bytes()
    packing = packing_of(path)
    if packing is None:
        return stored
    packer = _packer(packing)
    try:
        with packer.open(io.BytesIO(stored)) as stream:
            content = _read_up_to(stream, _allowed(len(stored)))
    except _faults(packing):
        raise _damaged(path) from None
    refuse_growth(len(stored), len(content), f"file {str(path)!r}")
    return content


@contextmanager
def unpacking(path: Path) -> Iterator[Unpacking]:
    """The content of a file that is read some bytes at a time."""
    packing = packing_of(path)
    with path.open("rb") if packing is None else _packer(packing).open(path) as stream:
        yield Unpacking(path, stream)


class Unpacking:
    """A file that is open."""

    def __init__(self, path: Path, stream: IO[bytes]) -> None:
        self._path, self._stream, self._read = path, stream, 0

    def tell(self) -> int:
        """Bytes that were read."""
        return self._read

    def read(self, size: int) -> bytes:
        """The next bytes, unpacked as the name of the file says; none at its end."""
        packing = packing_of(self._path)
        try:
            found = self._stream.read(size)
        except _faults(packing):
            raise _damaged(self._path) from None
        self._read += len(found)
        if packing:
            refuse_growth(self._path.stat().st_size, self._read, f"file {str(self._path)!r}")
        return found


def _faults(packing: str | None) -> tuple[type[Exception], ...]:
    """What unpacking says of bytes that it cannot unpack."""
    if packing is None:
        return ()
    packer = _packer(packing)
    return OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, getattr(packer, "ZstdError", OSError)


def _damaged(path: Path) -> TableError:
    return TableError(
        "The compressed file is damaged.",
        where=f"file {str(path)!r}",
        allowed=f"a complete .{packing_of(path)} file",
        received="bytes that do not unpack",
        todo="copy or download the file again, or unpack it first",
    )


def _read_up_to(stream: IO[bytes], most: int) -> bytes:
    """All of a stream, or a little more than is allowed."""
    content = bytearray()
    while len(content) <= most and (piece := stream.read(BYTES_AT_ONCE)):
        content += piece
    return bytes(content)


def refuse_growth(packed: int, unpacked: int, where: str) -> None:
    """Refuse a file that was made to fill the memory of whoever unpacks it."""
    if unpacked > _allowed(packed):
        received = f"{packed:,} bytes that become {unpacked:,} or more"
        raise UNPACKING.passed(TableError, "The packed file unpacks to far more than a table does.", where, received)


def _allowed(packed: int) -> int:
    """Bytes that a file may become; small ones may be as repetitive as they like."""
    return max(UNPACKING.value * packed, SMALL)


def write_packed(path: Path, content: bytes) -> None:
    """Write a file, packed as its name says, without a time stamp."""
    packing = packing_of(path)
    if packing is not None:
        stamp = {"mtime": 0} if packing == "gz" else {}
        content = _packer(packing).compress(content, **stamp)
    path.write_bytes(content)


@contextmanager
def packing(path: Path) -> Iterator[Any]:
    """A new file that is written some bytes at a time, packed as its name says, without a time stamp."""
    kind = packing_of(path)
    with path.open("wb") as file:
        if kind is None:
            yield file
        elif kind == "gz":
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                yield packed
        else:
            with _packer(kind).open(file, "wb") as packed:
                yield packed


def _packer(packing: str) -> Any:
    own = {"gz": gzip, "bz2": bz2, "xz": lzma}
    if packing in own:
        return own[packing]
    if sys.version_info >= (3, 14):  # from there on Python brings it
        return importlib.import_module("compression.zstd")
    return library("backports.zstd", extra="zstd", what="A file packed with zstd")
