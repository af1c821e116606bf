# SPDX-License-Identifier: Apache-2.0
"""Every exception of shoal, each with the exit code the command line ends with.

    ShoalError
    ├── InputError                 exit 2: wrong input or usage
    │   ├── TableError                 a table that cannot be read or does not fit the plan
    │   ├── HierarchyError             a hierarchy that is inconsistent or does not cover its column
    │   ├── PlanError                  a plan, flag or keyword that cannot be meant
    │   ├── UnknownNameError           a method, model, metric or format nobody knows
    │   ├── OutputError                a place that cannot be written
    │   └── MissingExtraError          an optional dependency is not installed
    ├── CannotHoldError            exit 1: a well-formed request that no release can meet
    ├── RefusedReleaseError        exit 1: our own result failed the independent check (a bug: nothing is released)
    └── Interrupted                exit 130: the user stopped the run

An error says five things: *what* is wrong, *where*, what is *allowed*, what was *received*, what to do *next*.
It never carries a cell of the table: the tables are about people. Column names, counts, line numbers and
the user's own flags are fine.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class ShoalError(Exception):
    """Base of all errors; renders its five parts one per line."""

    exit_code = 2

    def __init__(self, what: str, *, where: str = "", allowed: str = "", received: str = "", todo: str = "") -> None:
        self.what = what
        self.where = where
        self.allowed = allowed
        self.received = received
        self.todo = todo
        super().__init__(what)

    def parts(self) -> dict[str, str]:
        """The parts that were given, in reading order."""
        named = {
            "what": self.what,
            "where": self.where,
            "allowed": self.allowed,
            "received": self.received,
            "next": self.todo,
        }
        return {name: text for name, text in named.items() if text}

    def __str__(self) -> str:
        lines = [self.what]
        lines += [f"  {name:<9} {text}" for name, text in self.parts().items() if name != "what"]
        return "\n".join(lines)


class InputError(ShoalError):
    """Wrong input or usage."""


class TableError(InputError):
    """A table that cannot be read or does not fit the plan."""


class HierarchyError(InputError):
    """A hierarchy that is inconsistent or does not cover its column."""


class PlanError(InputError):
    """A plan, flag or keyword that cannot be meant."""


class UnknownNameError(InputError):
    """A method, model, metric or format nobody knows."""


class OutputError(InputError):
    """A place that cannot be written."""


class MissingExtraError(InputError):
    """An optional dependency is not installed."""


class CannotHoldError(ShoalError):
    """A well-formed request that no release can meet."""

    exit_code = 1


class RefusedReleaseError(ShoalError):
    """Our own result failed the independent check, so nothing is released."""

    exit_code = 1


class Interrupted(ShoalError):
    """The user stopped the run."""

    exit_code = 130


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint for a misspelt name: ``did you mean 'sex'?``, or an empty string."""
    matches = get_close_matches(str(name), [str(one) for one in known], n=1, cutoff=0.5)
    return f"did you mean {matches[0]!r}?" if matches else ""


def listed(names: Iterable[object], limit: int = 12) -> str:
    """Names for a message: ``a, b, c, ... (40 in all)``."""
    every = [str(name) for name in names]
    if not every:
        return "(none)"
    shown = ", ".join(every[:limit])
    return shown if len(every) <= limit else f"{shown}, ... ({len(every)} in all)"
