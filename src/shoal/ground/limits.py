# SPDX-License-Identifier: Apache-2.0
"""How large what a stranger may have sent is allowed to be.

A plan, a tree or a packed table may be made to use up memory or to wait for ever. Each limit is far above what honest
files need, is told where it is reached, and is raised by an environment variable of its name.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from shoal.ground.errors import LARGEST_INTEGER, InputError, PlanError

E = TypeVar("E", bound=InputError)


@dataclass(frozen=True)
class Limit:
    """One limit and the variable that raises it."""

    name: str
    usual: int
    unit: str

    @property
    def value(self) -> int:
        """The limit that counts."""
        given = os.environ.get(self.name, "")
        return int(given) if given.isascii() and given.isdigit() and len(given) < 19 else self.usual

    @property
    def words(self) -> str:
        """For a message: ``at most 1,000 keys``."""
        return f"at most {self.value:,} {self.unit}"

    @property
    def todo(self) -> str:
        """How to raise it."""
        return (
            f"look at the file before you trust it; if it is meant so, raise the limit: {self.name}={10 * self.value}"
        )

    def passed(self, kind: type[E], what: str, where: str, received: str) -> E:
        """The error where it is."""
        return kind(what, where, self.words, received, self.todo)


PLAN_BYTES = Limit("SHOAL_MOST_PLAN_BYTES", 2_000_000, "bytes")
PLAN_KEYS = Limit("SHOAL_MOST_PLAN_KEYS", 20_000, "keys")
PLAN_DEPTH = Limit("SHOAL_MOST_PLAN_DEPTH", 20, "tables and lists within each other")
TREE_BYTES = Limit("SHOAL_MOST_HIERARCHY_BYTES", 200_000_000, "bytes")
UNPACKING = Limit("SHOAL_MOST_UNPACKING", 1_000, "times as large as it is packed")
ALL_LIMITS = (PLAN_BYTES, PLAN_KEYS, PLAN_DEPTH, TREE_BYTES, UNPACKING)


def refuse_no_file(path: Path, where: str, kind: type[InputError]) -> None:
    """Refuse pipes, devices and sockets, which may never end; what is not there is for others to say."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise kind(
            "The path is no file, and reading it might never end.",
            where=where,
            allowed="a regular file",
            received="a pipe, a device or a socket",
            todo="write its content to a file first",
        )


def limited_bytes(path: Path, limit: Limit, where: str, kind: type[InputError]) -> bytes:
    """The content of a file that is not too large for what it is."""
    refuse_no_file(path, where, kind)
    with path.open("rb") as file:
        content = file.read(limit.value + 1)
    if len(content) > limit.value:
        received = f"{max(path.stat().st_size, len(content)):,} bytes"
        raise limit.passed(kind, "The file is too large for what it is.", where, received)
    return content


def limited_toml(text: str, where: str) -> dict[str, Any]:
    """TOML that is not made to exhaust its reader; raises ``TOMLDecodeError`` where it is none."""
    dots = max((line.partition("=")[0].count(".") for line in text.splitlines()), default=0)
    if dots > 10 * PLAN_DEPTH.value:  # reading takes the square of that; a few may stand within names
        raise _too_much(PLAN_DEPTH, "a key of far more parts", where)
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise _too_much(PLAN_DEPTH, "far more", where) from None
    except ValueError:  # Python refuses to read integers of thousands of digits
        raise _large_integer(where) from None
    _check_shape(given, where)
    return given


def _check_shape(given: Mapping[str, Any], where: str) -> None:
    keys, level, depth = 0, [given], 0
    while level:
        inner: list[Any] = []
        for holder in level:
            values = list(holder.values()) if isinstance(holder, Mapping) else holder
            keys += len(values)
            if any(isinstance(value, int) and abs(value) > LARGEST_INTEGER for value in values):
                raise _large_integer(where)
            inner += [value for value in values if isinstance(value, Mapping | list)]
        depth += bool(inner)
        if keys > PLAN_KEYS.value:
            raise _too_much(PLAN_KEYS, "more", where)
        if depth > PLAN_DEPTH.value:
            raise _too_much(PLAN_DEPTH, "more", where)
        level = inner


def _too_much(limit: Limit, received: str, where: str) -> PlanError:
    return limit.passed(PlanError, "The plan is larger than any plan needs to be.", where, received)


def _large_integer(where: str) -> PlanError:
    return PlanError(
        "The plan holds a number that is too large.",
        where=where,
        allowed=f"whole numbers up to {LARGEST_INTEGER:,} (64 bits), as TOML has it",
        received="a larger one",
        todo="mend the number",
    )


def free_memory() -> int | None:
    """Bytes that are free, as far as the system tells."""
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return 1024 * int(next(line for line in lines if line.startswith("MemAvailable")).split()[1])
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None
