# SPDX-License-Identifier: Apache-2.0
"""The one door through which functions reach the compiler.

No explicit signatures (importing compiles nothing), no ``fastmath`` (it makes ``isnan`` lie), no ``parallel``
(float sums would depend on the number of threads; its thread layers do not survive forks). Compiled code
releases the interpreter lock and is cached beside the source, or nowhere if no place can be written.

The compiler refreshes its cache of a kernel when that kernel's own file changes, but not when a kernel it calls
changes, and then mixes old and new code. So the cache carries a fingerprint of each kernel file and of those it
imports, and what was made from other sources is removed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import ParamSpec, TypeVar, cast

import numba

IMPORT = re.compile(r"from shoal\.kernels\.(\w+) import")

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


def threads() -> int:
    """On how many threads kernels may run at the same time (``NUMBA_NUM_THREADS``, else the cores of this process)."""
    return int(getattr(numba.config, "NUMBA_NUM_THREADS", 1))


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


def fingerprints(sources: Mapping[str, str]) -> dict[str, str]:
    """A fingerprint of each kernel file together with all kernel files it imports, directly or not.

    >>> before = fingerprints({"a": "1", "b": "from shoal.kernels.a import x", "c": "2"})
    >>> after = fingerprints({"a": "3", "b": "from shoal.kernels.a import x", "c": "2"})
    >>> [name for name in before if before[name] != after[name]]
    ['a', 'b']
    """
    imports = {name: set(IMPORT.findall(text)) & set(sources) for name, text in sources.items()}
    found = {}
    for name in sources:
        needed, todo = {name}, [name]
        while todo:
            new = imports[todo.pop()] - needed
            needed |= new
            todo += new
        whole = "".join(sources[one] for one in sorted(needed))
        found[name] = hashlib.sha256(whole.encode()).hexdigest()
    return found


def forget_old_kernels(folder: Path | None = None) -> None:
    """Remove cached kernels that were made from other sources than today's."""
    folder = folder or cache_folder()
    sources = {path.stem: path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.py")}
    today = fingerprints(dict(sorted(sources.items())))
    stamp = folder / "kernels.json"
    try:
        known = json.loads(stamp.read_text()) if stamp.exists() else {}
        if known == today:
            return
        for path in folder.glob("*.nb[ic]"):
            name = path.name.partition(".")[0]
            if known.get(name) != today.get(name):
                path.unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        stamp.write_text(json.dumps(today))
    except (OSError, ValueError):  # a read-only cache: whoever installed it keeps it in step
        return


forget_old_kernels()
