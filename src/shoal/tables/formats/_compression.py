# SPDX-License-Identifier: Apache-2.0
"""Packed files: which packing the name of a file tells, unpacking, and packing that repeats byte for byte."""

from __future__ import annotations

import bz2
import gzip
import importlib
import lzma
import sys
import zlib
from pathlib import Path
from typing import Any

from shoal.errors import TableError
from shoal.tables.extras import library
from shoal.tables.reading import PACKINGS


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
    packer: Any = {"gz": gzip, "bz2": bz2, "xz": lzma}.get(packing) or _zstd()
    faults = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, getattr(packer, "ZstdError", OSError))
    try:
        return bytes(packer.decompress(stored))
    except faults:
        raise TableError(
            "The compressed file is damaged.",
            where=f"file {str(path)!r}",
            allowed=f"a complete .{packing} file",
            received="bytes that do not unpack",
            todo="copy or download the file again, or unpack it first",
        ) from None


def write_packed(path: Path, content: bytes) -> None:
    """Write a file, packed as its name says, without a time stamp."""
    packing = packing_of(path)
    if packing == "gz":
        content = gzip.compress(content, mtime=0)
    elif packing == "bz2":
        content = bz2.compress(content)
    elif packing == "xz":
        content = lzma.compress(content)
    elif packing == "zst":
        content = _zstd().compress(content)
    path.write_bytes(content)


def _zstd() -> Any:
    if sys.version_info >= (3, 14):  # from there on Python brings it
        return importlib.import_module("compression.zstd")
    return library("backports.zstd", extra="zstd", what="A file packed with zstd")
