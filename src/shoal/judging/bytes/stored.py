# SPDX-License-Identifier: Apache-2.0
"""The text of a file as UTF-8, unpacked, without loss; and that all its lines end alike."""

from __future__ import annotations

import bz2
import codecs
import gzip
import importlib
import lzma
import sys
from pathlib import Path
from typing import Any

from shoal.ground.errors import TableError
from shoal.judging.bytes.spellings import refused

UNSTEADY = ("utf_7", "iso2022", "hz", "idna", "punycode", "unicode_escape", "raw_unicode_escape")
"""Encodings that write one text in several ways."""


def text_of(path: Path, encoding: str | None) -> bytes:
    """The text of a file in UTF-8, without byte order mark."""
    content = _unpacked(path)
    if encoding is None or codecs.lookup(encoding).name in ("utf-8", "utf-8-sig"):
        return content.removeprefix(codecs.BOM_UTF8)
    name = codecs.lookup(encoding).name.replace("-", "_")
    if name.startswith(UNSTEADY):
        raise refused(
            "The encoding writes one text in several ways.", f"file {str(path)!r}", "UTF-8", f"text in {encoding}"
        )
    return content.decode(encoding).removeprefix("\ufeff").encode()


def _unpacked(path: Path) -> bytes:
    content = path.read_bytes()
    packers: dict[str, Any] = {".gz": gzip, ".bz2": bz2, ".xz": lzma}
    ending = path.suffix.lower()
    if ending == ".zst":
        own = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
        return bytes(importlib.import_module(own).decompress(content))
    return bytes(packers[ending].decompress(content)) if ending in packers else content


def mixed_line_ends(where: str, returns: int, ends: int) -> TableError:
    """The refusal of a file that marks some of its lines by their ends."""
    allowed = "line feeds, or carriage returns and line feeds, after every line"
    received = f"both: {returns} of {ends} lines end with a carriage return"
    return refused("The lines of the file do not end alike.", where, allowed, received)
