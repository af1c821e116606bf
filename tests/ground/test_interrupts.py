# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C in the midst of compiled code is a KeyboardInterrupt, whatever the code returns."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from shoal.ground.interrupts import interruptible, patient, patient_interrupts

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
