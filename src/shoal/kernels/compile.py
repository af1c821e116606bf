# SPDX-License-Identifier: Apache-2.0
"""The one door through which functions reach the compiler.

No explicit signatures (importing compiles nothing), no ``fastmath`` (it makes ``isnan`` lie), no ``parallel``
(float sums would depend on the number of threads; its thread layers do not survive forks). Compiled code
releases the interpreter lock and is cached beside the source, or nowhere if no place can be written.

The compiler refreshes its cache of a kernel when that kernel's own file changes, but not when a kernel it calls
changes, and then mixes old and new code. So the cache carries a fingerprint of the whole room and is emptied
when that differs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function on first use, cached on disk where possible."""
    try:
        made = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # neither the package folder nor the user's cache folder can be written
        made = numba.njit(nogil=True, error_model="numpy")(function)
    return cast(Callable[P, R], made)


@kernel
def _probe() -> int:
    return 0


def cache_folder() -> Path:
    """Where compiled kernels are kept."""
    stats = getattr(_probe, "stats", None)
    path = getattr(stats, "cache_path", None)
    return Path(path) if path else Path(__file__).parent / "__pycache__"


def compiled(user: ModuleType | None = None) -> bool:
    """Whether the kernels that a module calls (any kernel, if none is given) are cached, so that it starts at once."""
    folder = cache_folder()
    if user is None:
        return any(folder.glob("*.nbi"))
    kernels = [one for one in vars(user).values() if hasattr(one, "py_func")]
    stems = [f"{one.py_func.__module__.rpartition('.')[2]}.{one.py_func.__qualname__}-" for one in kernels]
    return all(any(folder.glob(f"{stem}*.nbi")) for stem in stems)


def forget_old_kernels(folder: Path | None = None) -> None:
    """Empty the cache if it was made from other sources than today's."""
    folder = folder or cache_folder()
    sources = sorted(Path(__file__).parent.glob("*.py"))
    today = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    stamp = folder / "kernels.sha256"
    try:
        if stamp.exists() and stamp.read_text() == today:
            return
        for path in folder.glob("*.nb[ic]"):
            path.unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        stamp.write_text(today)
    except OSError:  # a read-only cache: whoever installed it keeps it in step
        return


forget_old_kernels()
