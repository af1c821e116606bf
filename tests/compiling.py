# SPDX-License-Identifier: Apache-2.0
"""One process compiles kernels for all workers of a run.

A kernel is put together from parts, which stay in the memory of whoever compiled them. Workers that compiled for
themselves would translate most parts once each; here they ask one process, which has them all, and load what it left in
the cache. A kernel that it cannot compile, or keeps elsewhere, is compiled by the worker.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Client, Listener
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OURS = "shoal.engine.kernels."


class CompilingProcess:
    """Waits for wishes until it is ended, or whoever started it is no more."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="shoal-compiling-")
        self.address = str(Path(self._folder.name) / "wishes")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.compiling", self.address], stdin=subprocess.PIPE, cwd=ROOT
        )

    def end(self) -> None:
        """No more wishes."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()


def ask_at(address: str) -> None:
    """From now on kernels that are not in the cache are asked for before they are compiled here."""
    from numba.core.caching import FunctionCache

    load = FunctionCache.load_overload

    def load_or_ask(cache: Any, signature: Any, context: Any) -> Any:
        found, function = load(cache, signature, context), cache._py_func
        if found is not None or not function.__module__.startswith(OURS):
            return found
        _ask(address, (function.__module__, function.__name__, signature))
        return load(cache, signature, context)

    FunctionCache.load_overload = load_or_ask


def _ask(address: str, wish: tuple[str, str, Any]) -> None:
    with suppress(OSError, EOFError), Client(address) as asked:
        asked.send(wish)
        asked.recv()


def _fulfil(wish: tuple[str, str, Any]) -> None:
    module, name, signature = wish
    with suppress(Exception):  # the worker will meet it, too, and tell
        getattr(import_module(module), name).compile(signature)


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(0)


def main(address: str) -> None:
    """Compile what is wished for, one kernel after another."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this one is interrupted, too, and will end it
    gc.disable()  # nearly all that compiling makes is kept
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with Listener(address) as listener:
        while True:
            with suppress(OSError, EOFError), listener.accept() as asking:
                _fulfil(asking.recv())
                asking.send(None)


if __name__ == "__main__":
    main(sys.argv[1])
