# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C in the midst of compiled code is a KeyboardInterrupt, whatever the code returns."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from shoal.ground.interrupts import interruptible, patient, patient_interrupts, stopping_at_once
from shoal.tables.formats import duckdb as duckdb_format

SCRIPT = """
import signal, sys
from typing import NamedTuple
import numpy as np
from numba import njit
from shoal.ground.interrupts import patient_interrupts
class Inner(NamedTuple):
    some: np.ndarray
class Outer(NamedTuple):
    inner: Inner
    more: np.ndarray
@njit
def array(rounds):
    total = 0.0
    for at in range(rounds):
        total += np.sin(at)
    return np.full(3, total)
@njit
def several(rounds):
    return array(rounds), 1
@njit
def named(rounds):
    return Inner(array(rounds))
@njit
def nested(rounds):
    return Outer(Inner(array(rounds)), np.ones(2))
@njit
def among_others(rounds):
    return Inner(array(rounds)), 1
signal.signal(signal.SIGALRM, lambda number, frame: signal.getsignal(signal.SIGINT)(number, frame))
for function in (array, several, named, nested, among_others):
    function(1)
    for seconds in (0.02, 0.05):
        if "debugged" in sys.argv:
            sys.settrace(lambda *_: None)
        try:
            with patient_interrupts():
                signal.setitimer(signal.ITIMER_REAL, seconds)
                made = function(30_000_000)
                for _ in range(3_000_000):
                    pass
                print("lost", function.__name__)
        except KeyboardInterrupt:
            print("interrupted")
"""


@pytest.fixture(autouse=True)
def usual_handler() -> Iterator[None]:
    """Whatever libraries of other tests do with Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("more", [[], ["debugged"]])
def test_whatever_a_kernel_returns(more: list[str]) -> None:
    """Where Numba wraps arrays, an exception of a handler would end the process."""
    done = subprocess.run([sys.executable, "-c", SCRIPT, *more], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("interrupted\n" * 10, 0), done.stderr


def test_elsewhere_at_once() -> None:
    """Outside of kernels nothing waits, and afterwards all is as before."""
    with pytest.raises(KeyboardInterrupt), patient_interrupts():
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_others_keep_their_handlers() -> None:
    """Whoever handles Ctrl-C in another way goes on doing so; a thread never hears of it."""
    heard: list[int] = []
    own = patient(lambda number, _: heard.append(number))
    before = signal.signal(signal.SIGINT, own)
    try:
        with patient_interrupts():
            assert signal.getsignal(signal.SIGINT) is own
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]
    apart = threading.Thread(target=patient_interrupts().__enter__)
    apart.start()
    apart.join()
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_within_a_query_of_duckdb() -> None:
    """It arrives as itself, and not as an error of the library; other errors stay what they are."""
    with pytest.raises(KeyboardInterrupt), interruptible():
        raise RuntimeError("Query interrupted")  # what DuckDB says of it, where it hears of it
    with pytest.raises(RuntimeError, match="another"), interruptible():
        raise RuntimeError("another")


LONG = """
select x, count(*) as n from (select (a.range * b.range) % 1000003 as x from range(60000) a, range(40000) b) group by 1
"""


def test_a_long_query_of_duckdb_ends_at_once(tmp_path: Path) -> None:
    """Ctrl-C ends a query that would run for long; the result is handed over by code that hears of no signal."""
    duckdb = pytest.importorskip("duckdb")
    place = str(tmp_path / "a.duckdb")
    duckdb.connect(place).close()
    before = signal.signal(signal.SIGINT, patient(signal.default_int_handler))
    sent: list[float] = []

    def send() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.3, send).start()
    try:
        with pytest.raises(KeyboardInterrupt), duckdb_format.connect(place, where="a test") as database:
            database.select(LONG)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - sent[0] < 5
    with duckdb_format.connect(place, where="a test") as database:
        assert database.select("select 1 as one").height == 1


def test_what_is_stopped_is_an_interrupt_and_what_fails_is_not() -> None:
    """An error of a stopped query is a KeyboardInterrupt, even if no handler raises one; other errors stay."""
    stopped = threading.Event()

    def fail() -> None:
        signal.raise_signal(signal.SIGINT)
        assert stopped.wait(5)
        raise ValueError("interrupted")

    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        with pytest.raises(KeyboardInterrupt), stopping_at_once(stopped.set):
            fail()
        with pytest.raises(ValueError, match="another"), stopping_at_once(stopped.clear):
            raise ValueError("another")
    finally:
        signal.signal(signal.SIGINT, before)
    assert stopped.is_set()


def test_an_event_loop_and_other_threads_keep_their_signals() -> None:
    """Whoever listens for signals already goes on doing so, and a thread never hears of them."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        signal.set_wakeup_fd(ours.fileno())
        try:
            with stopping_at_once(lambda: pytest.fail("stopped")):
                assert signal.set_wakeup_fd(ours.fileno()) == ours.fileno()
        finally:
            signal.set_wakeup_fd(-1)
    failed: list[BaseException] = []

    def apart() -> None:
        try:
            with stopping_at_once(lambda: None):
                pass
        except BaseException as problem:
            failed.append(problem)

    thread = threading.Thread(target=apart)
    thread.start()
    thread.join()
    assert failed == []
    assert signal.set_wakeup_fd(-1) == -1
