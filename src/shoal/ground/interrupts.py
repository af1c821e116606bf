# SPDX-License-Identifier: Apache-2.0
"""An interrupt waits while the result of compiled code is handed to Python.

A handler runs at the first instruction of Python after a signal. Long kernels being where a run spends its time, that
is mostly the code of Numba and of named tuples that wraps a kernel's arrays; an exception there is not looked for, and
ends the process (a segmentation fault) or arrives as a ``SystemError``.
"""

from __future__ import annotations

import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import CodeType, FrameType
from typing import Any

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, a polite kill, a terminal that closes."""
LATER = 0.01
"""Seconds after which an interrupt is sent again."""

Handler = Callable[[int, FrameType | None], Any]


def again(number: int) -> None:
    """Send a signal once more, a moment later, to the thread that hears of signals."""
    threading.Timer(LATER, signal.pthread_kill, [threading.main_thread().ident, number]).start()


def patient(handler: Handler) -> Handler:
    """The same handler, which waits while a result is handed over."""

    def handle(number: int, frame: FrameType | None) -> None:
        caller = _caller(frame)
        if caller is None:
            handler(number, frame)
        elif sys.gettrace() is None:
            _at_next_line(caller, lambda: handler(number, caller))
        else:  # a debugger is at work
            again(number)

    return handle


@contextmanager
def patient_interrupts() -> Iterator[None]:
    """Meanwhile Ctrl-C waits so; where somebody else handles it, or in a thread that never hears of it, all stays."""
    usual = signal.default_int_handler
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is not usual:
        yield
        return
    signal.signal(signal.SIGINT, patient(usual))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


@contextmanager
def interruptible() -> Iterator[None]:
    """Around queries to DuckDB, which swallows Ctrl-C and raises an error that says so: it is itself again."""
    try:
        yield
    except RuntimeError as problem:
        if str(problem) == "Query interrupted":
            raise KeyboardInterrupt from None
        raise


@contextmanager
def stopping_at_once(stop: Callable[[], object]) -> Iterator[None]:
    """Meanwhile ``stop`` is called as soon as Ctrl-C arrives, by a thread of its own; what fails then is the interrupt.

    A handler of Python waits until code of another language comes back, which a query may not do for minutes. In a
    thread that never hears of signals, and where an event loop listens for them, all stays.
    """
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        if threading.current_thread() is not threading.main_thread() or not _listens(ours):
            yield
            return
        heard: list[int] = []
        listening = threading.Thread(target=_stop_when_heard, args=(theirs, stop, heard), daemon=True)
        listening.start()
        try:
            yield
        except Exception:
            if heard:
                raise KeyboardInterrupt from None
            raise
        finally:
            signal.set_wakeup_fd(-1)
            ours.close()
            listening.join()


def _listens(ours: socket.socket) -> bool:
    """Have the numbers of signals written there, unless they are written elsewhere already."""
    before = signal.set_wakeup_fd(ours.fileno(), warn_on_full_buffer=False)
    if before != -1:
        signal.set_wakeup_fd(before)
    return before == -1


def _stop_when_heard(theirs: socket.socket, stop: Callable[[], object], heard: list[int]) -> None:
    while number := theirs.recv(1):
        if number[0] in STOPS:
            heard.append(number[0])
            with suppress(Exception):  # what is over already cannot be stopped
                stop()


def _caller(frame: FrameType | None) -> FrameType | None:
    """Who called the kernel, if this is, or was called by, code that wraps its arrays; else None."""
    while frame is not None and not _wraps(frame.f_code):
        frame = frame.f_back
    return frame and frame.f_back


def _wraps(code: CodeType) -> bool:
    """Numba's reader of constants, or the constructor that ``collections.namedtuple`` writes."""
    return code.co_name == "_numba_unpickle" or (code.co_name == "<lambda>" and code.co_varnames[:1] == ("_cls",))


def _at_next_line(frame: FrameType, do: Callable[[], object]) -> None:
    """Do it once the frame goes on.

    To send the signal again would not do: it would come in the midst of the next kernel, whose result is then handed
    over in its turn.
    """

    def go_on(_frame: FrameType, _event: str, _given: Any) -> None:
        sys.settrace(None)
        frame.f_trace = None
        do()

    frame.f_trace = go_on
    sys.settrace(lambda *_: None)
