# SPDX-License-Identifier: Apache-2.0
"""Kernels put together from parts: each part once, only whole kernels as machine code, and nobody's arrays lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from shoal.engine.kernels.compile import SETTINGS, inlined, lent
from shoal.engine.kernels.compiler.assembling import Kernel, Waiting
from shoal.engine.kernels.trees.box_tree import distinct

pytestmark = pytest.mark.compiled


def kernel(function: Any) -> Any:
    """Compiled here and now: nothing is kept from run to run."""
    return Kernel(function, targetoptions=SETTINGS)


class Pair(NamedTuple):
    """Two arrays."""

    low: np.ndarray
    high: np.ndarray


class Mixed(NamedTuple):
    """Two arrays of different kinds."""

    values: np.ndarray
    codes: np.ndarray


class Nested(NamedTuple):
    """A bundle within a bundle."""

    pair: Pair
    scale: float


@kernel
def _step(pair: Pair, place: int, by: float) -> None:
    pair.low[place] -= by
    pair.high[place] += by


@kernel
def _span(values: np.ndarray) -> float:
    return values[-1] - values[0]


@kernel
def _all_steps(pair: Pair) -> float:
    _step(pair, 0, 1.0)
    _step(pair, 1, 2.0)
    for place in range(len(pair.low)):
        _step(pair, place, 3.0)
    return _span(pair.low[1:]) + _span(lent(pair).high)


@kernel
def _fresh(pair: Pair, more: int) -> np.ndarray:
    made = np.zeros(len(pair.low) + more)
    for place in range(len(pair.low)):
        made[place] = pair.high[place]
    return made


@kernel
def _made_and_used(pair: Pair) -> float:
    """Calls one that makes arrays, and keeps none."""
    total = 0.0
    for more in range(3):
        made = _fresh(pair, more)
        _step(Pair(made, pair.high), 0, 0.5)
        total += _span(made)
    return total


@inlined
def _twice(question: tuple[Nested, np.ndarray]) -> float:
    return 2.0 * question[0].pair.low[0] * question[0].scale + question[1][0]


@kernel
def _from_within(nested: Nested, others: np.ndarray) -> float:
    return _twice((nested, others))


def pair() -> Pair:
    """Two arrays of three."""
    return Pair(np.zeros(3), np.zeros(3))


def test_a_constant_makes_no_part_of_its_own() -> None:
    """A part that is called with 0, with 1 and with a variable is translated once."""
    both = pair()
    assert _all_steps(both) == (-3.0 + 5.0) + (3.0 - 4.0)
    assert both.low.tolist() == [-4.0, -5.0, -3.0]
    assert both.high.tolist() == [4.0, 5.0, 3.0]
    assert len(_step.body.overloads) == 1


def test_parts_are_no_machine_code() -> None:
    """What only kernels call waits to be linked into them; Python never asked for it."""
    _all_steps(pair())
    assert not _step.overloads
    for made in _step.body.overloads.values():
        assert isinstance(made.library, Waiting)
    (whole,) = _all_steps.overloads.values()
    assert not isinstance(whole.library, Waiting)


def test_what_kernels_call_python_can_call_too() -> None:
    """The same function is a part to kernels and a kernel to Python."""
    both = pair()
    _step(both, 2, 1.5)
    assert both.high.tolist() == [0.0, 0.0, 1.5]


def test_python_cannot_call_what_is_only_a_part() -> None:
    """It is refused in words, not by a crash."""
    with pytest.raises(TypeError, match="_twice is a part of kernels"):
        _twice((Nested(pair(), 1.0), np.zeros(1)))


def test_owners_are_as_before() -> None:
    """Parts that borrow neither drop nor keep an array, and what others make is let go."""
    both = pair()
    made = [sys.getrefcount(each) for each in both]
    _made_and_used(both)
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    for _ in range(200):
        _all_steps(both)
        _made_and_used(both)
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    assert [sys.getrefcount(each) for each in both] == made
    assert after.alloc - before.alloc >= 600
    assert after.alloc - before.alloc == after.free - before.free


def test_what_is_handed_back_has_an_owner() -> None:
    """Arrays that a kernel made live on when it is gone."""
    kept = [_fresh(pair(), more) for more in range(50)]
    point_of, representative, _ = distinct(np.arange(6.0).reshape(3, 2))
    assert [len(one) for one in kept] == list(range(3, 53))
    assert (point_of.tolist(), representative.tolist()) == ([0, 1, 2], [0, 1, 2])


def test_bundles_arrive_whole() -> None:
    """A bundle within a bundle, in a plain tuple, by address."""
    assert _from_within(Nested(Pair(np.full(1, 3.0), np.zeros(1)), 5.0), np.full(1, 7.0)) == 37.0


def test_strangers_get_no_bundle() -> None:
    """A function of the compiler's own would take an address for a bundle; that is refused, not compiled."""

    @kernel
    def _counted(mixed: Mixed) -> int:
        return len(np.concatenate(mixed))

    with pytest.raises(TypeError, match="takes no bundle of arrays"):
        _counted(Mixed(np.zeros(2), np.zeros(2, dtype=np.int64)))


MODULE = """
import numpy as np
from shoal.engine.kernels.compile import kernel

@kernel
def made(many):
    return np.zeros(many)

@kernel
def used(many):
    return len(made(many))
"""


def test_a_kept_kernel_does_not_stand_in_for_its_parts(tmp_path: Path) -> None:
    """A kernel that is kept, and read before one of its parts, leaves that part what Python needs to take its array."""
    (tmp_path / "parted.py").write_text(MODULE)
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kept"), "PYTHONPATH": str(tmp_path)}
    script = [sys.executable, "-c", "from parted import made, used; print(used(3), made(2))"]
    for _ in range(2):  # compiled, then read
        done = subprocess.run(script, env=env, capture_output=True, text=True, check=False)
        assert done.stdout == "3 [0. 0.]\n", done.stderr
