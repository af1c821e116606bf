# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the table tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from shoal.ground.errors import TableError
from shoal.tables.reading import Reading
from shoal.tables.sources import Paths, read_table

SECRET = "SECRET"
"""Stands in cells of broken files; no message may show it."""

Write = Callable[..., Path]
Refused = Callable[..., TableError]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes text or bytes to a file and gives its path."""

    def _write(content: str | bytes, name: str = "table.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return _write


@pytest.fixture
def refused() -> Refused:
    """Reads what must be refused; checks the five parts, the words asked for, and that no cell is shown."""

    def _refused(paths: Paths, reading: Reading | None = None, *words: str) -> TableError:
        with pytest.raises(TableError) as caught:
            read_table(paths, reading)
        message = str(caught.value)
        assert list(caught.value.parts()) == ["what", "where", "allowed", "received", "next"]
        assert SECRET not in message
        for word in words:
            assert word in message, f"{word!r} is not in:\n{message}"
        return caught.value

    return _refused
