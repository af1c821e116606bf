# SPDX-License-Identifier: Apache-2.0
"""Files of Arrow, read by the thread that asks for them.

Threads of PyArrow may still have to give back bytes of Python when the interpreter is already gone; then the process
is aborted, with everything done (one run of twenty on a busy machine).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

ALONE = {"use_threads": False}
"""For whatever reads cells."""
MAGIC = b"ARROW1"
"""With it a file begins; else it is a stream."""


def parquet_file(stored: bytes, **asked: Any) -> Any:
    """A Parquet file; nothing of it is read ahead."""
    return import_module("pyarrow.parquet").ParquetFile(_lying(stored), pre_buffer=False, **asked)


def arrow_file(stored: bytes) -> Any:
    """An Arrow file or stream."""
    ipc = import_module("pyarrow.ipc")
    opened = ipc.open_file if stored.startswith(MAGIC) else ipc.open_stream
    return opened(_lying(stored), options=ipc.IpcReadOptions(**ALONE))


def _lying(stored: bytes) -> Any:
    """Bytes as they lie in memory: a file of Python would be read by threads."""
    return import_module("pyarrow").BufferReader(stored)
