# SPDX-License-Identifier: Apache-2.0
"""One clear message where memory is short, even if a library ends the whole process.

Polars and the compiler abort when they get no memory, which no handler can catch. So where memory is limited
(``ulimit -v``), the run is a child, and its parent says what the child could not.
"""

from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from shoal.ground.interrupts import STOPS

SHORT = re.compile(
    r"memory|allocate|allocation|map segment|mmap|start new thread|ThreadPool|Resource temporarily", re.IGNORECASE
)
NEARLY_ALL = 0.85
"""Share of the address space from which on a strange error is one about memory."""
LEAST = 5 << 29
"""Bytes of address space (2.5 GiB) below which the libraries may not load; some then wait or spin for ever."""
LARGE = ("numpy", "polars", "numba")
PATIENCE = 10.0
"""Seconds that a run which has used up its memory may do nothing, before it is taken to wait for a thread that died."""
MALLOC = {-3: 32 << 20, -1: 512 << 20, -2: 64 << 20}
"""Settings of glibc: blocks up to 32 MiB come from what is kept, of which up to 512 MiB; it grows by 64 MiB."""
ABORTED = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGTRAP, signal.SIGKILL)


def is_short(problem: BaseException) -> bool:
    """Whether a foreign error is one about memory: by its kind, by its words, or because all memory is in use."""
    seen: BaseException | None = problem
    while seen is not None:
        if isinstance(seen, MemoryError) or SHORT.search(str(seen)):
            return True
        seen = seen.__cause__ or seen.__context__
    return limit() is not None and _peak() >= NEARLY_ALL * (limit() or 0)


def limit() -> int | None:
    """Bytes of address space that this process may have; None if there is no limit, or none that can be asked for."""
    try:
        import resource
    except ImportError:
        return None
    given = [resource.getrlimit(which)[0] for which in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    limits = [one for one in given if one != resource.RLIM_INFINITY]
    return min(limits) if limits else None


def _peak(process: int | str = "self") -> int:
    with suppress(OSError, StopIteration, ValueError):
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
        return 1024 * int(next(line for line in lines if line.startswith("VmPeak")).split()[1])
    return 0


def keep_freed() -> None:
    """Have freed memory used again instead of handed back: the system clears every page that it gives anew.

    Columns of a large table come and go by the thousand, and clearing pages took a sixth of a run. Where the C library
    is another one, nothing is done.
    """
    with suppress(OSError, AttributeError):
        for setting, value in MALLOC.items():
            ctypes.CDLL(None).mallopt(setting, value)


def watched(run: Callable[[], None], told: Callable[[BaseException], int]) -> None:
    """Run; where memory is limited, in a child whose death is told in our words. Ends the process in that case."""
    allowed = limit()
    if allowed is None or not hasattr(os, "fork"):
        run()
        return
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)  # so that Ctrl-C arrives once, by the parent
        _silence_libraries()
        if allowed < LEAST:
            sys.meta_path.insert(0, _TooLarge())
        run()
        os._exit(0)
    threading.Thread(target=_end_if_stuck, args=(child, allowed), daemon=True).start()
    for number in STOPS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda got, _frame: _forward(child, got))
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    sys.exit(told(MemoryError()) if -code in ABORTED else code)


class _TooLarge:
    """Stands before the libraries that would not have enough room; help and listings need none of them."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        """Refuse them, and leave all else to others."""
        if name in LARGE:
            raise MemoryError


def _end_if_stuck(child: int, allowed: int) -> None:
    """End a child that is out of memory and rests: a library waits for one of its threads, which got none and died."""
    spent, since = -1, time.monotonic()
    while (now := _spent(child)) >= 0:
        if now != spent or _peak(child) < NEARLY_ALL * allowed:
            spent, since = now, time.monotonic()
        elif time.monotonic() - since > PATIENCE:
            os.kill(child, signal.SIGKILL)
            return
        time.sleep(1)


def _spent(process: int) -> int:
    """Processor time of a process, in ticks of the system; -1 once it is gone."""
    with suppress(OSError, ValueError, IndexError):
        told = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return int(told[11]) + int(told[12])
    return -1


def _forward(child: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(child, number)


def _silence_libraries() -> None:
    """Messages of libraries that abort go nowhere; Python's own go where they always did."""
    sys.stderr.flush()
    ours = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.stderr = os.fdopen(ours, "w", encoding="utf-8", errors="backslashreplace", buffering=1)
