# SPDX-License-Identifier: Apache-2.0
"""The work bench of the worker process: the table that was read last, and what was found out about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoal.faces.app.facts import Places
from shoal.ground.progress import ProgressCallback, Step
from shoal.tables.reading import Reading
from shoal.tables.sources import Source, read_table


class Bench:
    """Keeps one table."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Give the memory back."""
        self._keys: tuple[Any, ...] = ()
        self._source: Source | None = None
        self.suggestion: Any = None

    def source(self, places: Places, reading: Reading, progress: ProgressCallback) -> Source:
        """The table of a place, read now unless it lies here and has not changed since."""
        stamp = _stamp(places)
        if self._source is None or (places, reading, stamp) not in self._keys:
            self.forget()
            progress(Step("read"))
            found = read_table(list(places) if isinstance(places, tuple) else places, reading)
            self._source = found
            self._keys = ((places, reading, stamp), (places, found.reading, stamp))
        return self._source


def _stamp(places: Places) -> tuple[tuple[int, int], ...]:
    """What changes with a file."""
    each = places if isinstance(places, tuple) else (places,)
    files = [Path(one) for one in each if "://" not in str(one)]
    stats = [one.stat() for one in files if one.exists()]
    return tuple((one.st_mtime_ns, one.st_size) for one in stats)
