# SPDX-License-Identifier: Apache-2.0
"""What is compiled on the way, for those who wait: which kernel, and how much is done out of how much.

What a piece of Python calls can be read off it before it runs: its functions name others, and in the end kernels, which
name their parts. Each part that is new counts one, and putting a kernel together counts one for each of its parts; that
is about how long it takes. A kernel that is called in some cases only is counted, too, so there may be less to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any, cast

from numba.core import event

from shoal.engine.kernels.compiler.choosing import Kernel, Part
from shoal.engine.kernels.compiler.keeping import is_kept

ENGINE = "shoal.engine."
"""Functions of these modules are looked into."""

Report = Callable[[str, int, int], object]
"""Told the name of a kernel, the work done so far, and all of it as far as is known."""


def entries_of(users: Iterable[Any]) -> list[Any]:
    """The kernels that functions and classes of the engine call, directly or not."""
    met, todo = {}, list(users)
    while todo:
        one = todo.pop()
        if id(one) in met:
            continue
        met[id(one)] = one
        if isinstance(one, FunctionType):
            todo += [value for value in _named(one) if isinstance(value, Kernel) or _is_ours(value)]
        elif isinstance(one, type):
            todo += [value for value in map(_bare, vars(one).values()) if isinstance(value, FunctionType)]
    return [one for one in met.values() if isinstance(one, Kernel)]


def parts_of(entry: Any) -> dict[int, Any]:
    """The parts of a kernel, by their identity, itself among them."""
    met, todo = {}, [entry.body]
    while todo:
        one = todo.pop()
        if id(one) not in met:
            met[id(one)] = one
            todo += [_part(value) for value in _named(one.py_func) if isinstance(value, Kernel | Part)]
    return met


def _part(value: Any) -> Any:
    return value.body if isinstance(value, Kernel) else value


def _named(function: Any) -> list[Any]:
    """What the names in a function stand for."""
    codes: list[CodeType] = [function.__code__]
    for code in codes:
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    names = {name for code in codes for name in code.co_names}
    return [function.__globals__[name] for name in sorted(names) if name in function.__globals__]


def _is_ours(value: Any) -> bool:
    return isinstance(value, FunctionType | type) and value.__module__.startswith(ENGINE)


def _bare(value: Any) -> Any:
    """The function behind a method or a property."""
    return next((found for name in ("__func__", "func", "fget") if (found := getattr(value, name, None))), value)


class _Listener(event.Listener):  # type: ignore[misc, unused-ignore]
    def __init__(self, pending: list[Any], report: Report) -> None:
        new: dict[int, Any] = {}
        for entry in pending:
            new |= parts_of(entry)
        self._total = len(new) + sum(len(parts_of(entry)) for entry in pending)
        self._done, self._report, self._name = 0, report, ""

    def on_start(self, event: Any) -> None:
        """A kernel or a part is next."""
        made = event.data["dispatcher"]
        if isinstance(made, Kernel):
            self._name = made.py_func.__name__.strip("_").replace("_", " ")
            self._tell(0)

    def on_end(self, event: Any) -> None:
        """It is done."""
        made = event.data["dispatcher"]
        if isinstance(made, Kernel | Part):
            self._tell(len(parts_of(made)) if isinstance(made, Kernel) else 1)

    def _tell(self, more: int) -> None:
        self._done += more
        self._total = max(self._total, self._done)
        self._report(self._name, self._done, self._total)


@contextmanager
def watched(users: Iterable[Any], report: Report) -> Iterator[None]:
    """Report what is compiled meanwhile; ``users`` are the functions that will run."""
    pending = [entry for entry in entries_of(users) if not is_kept(entry)]
    with cast(Any, event).install_listener("numba:compile", _Listener(pending, report)):
        yield
