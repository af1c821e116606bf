# SPDX-License-Identifier: Apache-2.0
"""Archives to take away: made in memory-sized blocks on the disk, with names of ours."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from starlette.responses import Response, StreamingResponse

BLOCK = 1 << 20
IN_MEMORY = 8 << 20
WHEN = (1980, 1, 1, 0, 0, 0)
"""The same files give the same archive."""


def packed(files: Mapping[str, Path], name: str, texts: Mapping[str, str] | None = None) -> Response:
    """An archive of files, by their names in it, and of texts."""
    made = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  (closed when it was sent)
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for inside, path in files.items():
            with archive.open(_entry(inside), "w", force_zip64=True) as target, path.open("rb") as source:
                for block in iter(lambda source=source: source.read(BLOCK), b""):  # type: ignore[misc]
                    target.write(block)
        for inside, text in (texts or {}).items():
            archive.writestr(_entry(inside), text)
    size = made.tell()
    made.seek(0)
    headers = {"content-disposition": f'attachment; filename="{name}"', "content-length": str(size)}
    return StreamingResponse(_blocks(made), media_type="application/zip", headers=headers)


def attached(text: str, name: str) -> Response:
    """A text as a file to take away."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, WHEN)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def _blocks(made: IO[bytes]) -> Iterator[bytes]:
    with made:
        yield from iter(lambda: made.read(BLOCK), b"")
