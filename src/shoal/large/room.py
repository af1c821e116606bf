# SPDX-License-Identifier: Apache-2.0
"""Room on the disk for what lies on the way: how much is needed, told before the work or when the disk is full."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from shoal.ground.errors import OutputError
from shoal.ground.sizes import in_words
from shoal.tables.reading import PACKINGS

PACKED = 6
"""Times the size of a packed file that its text has, about."""


@dataclass(frozen=True)
class DiskRoom:
    """A folder in which work is done."""

    folder: Path
    where: str = "output folder (-o), beside which the work is done"
    todo: str = "choose a folder on another disk with -o, or make room"

    def require(self, needed: int) -> None:
        """Refuse to begin where there is too little of it."""
        if self._free < needed:
            raise self._lacking("There is not enough room on the disk for a table of this size.", needed)

    @contextmanager
    def told(self, needed: int) -> Iterator[None]:
        """Say how much is needed if the disk fills up meanwhile."""
        try:
            yield
        except OSError as problem:
            if problem.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise self._lacking(
                "The disk was full before the work was done; nothing was left behind.", needed
            ) from None

    @property
    def _free(self) -> int:
        return shutil.disk_usage(self.folder).free

    def _lacking(self, what: str, needed: int) -> OutputError:
        allowed, received = f"about {in_words(needed)} that nobody else fills", f"{in_words(self._free)} that are free"
        return OutputError(what, self.where, allowed, received, self.todo)


def temporary(folder: Path) -> DiskRoom:
    """A folder among the temporary files of the system."""
    where, todo = "folder of temporary files (TMPDIR)", "set TMPDIR to a folder on a disk with more room, or make room"
    return DiskRoom(folder, where, todo)


def text_bytes(files: Sequence[Path]) -> int:
    """About the bytes of the text of files, unpacked."""
    return sum(file.stat().st_size * (PACKED if file.suffix[1:].lower() in PACKINGS else 1) for file in files)
