# SPDX-License-Identifier: Apache-2.0
"""Occupations by the codes of ISCO-08: unit, minor, sub-major and major groups.

``2211`` becomes ``221*``, ``22 Health professionals``, ``2 Professionals``; shorter codes start further up. Zeros in
front that a program has dropped (``110`` for ``0110``) are put back by the longest code. Other values hang under the
root.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds._classified import Groups, Parameters, build_classified, lines, padded
from shoal.hierarchies.values import Values

__all__ = ["Parameters", "build", "groups_of"]


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """The groups of every code.

    >>> build(Values.of(["2211", "2212", "5120"]), Parameters()).rows()[0]
    ['2211', '221*', '22 Health professionals', '2 Professionals', '*']
    """
    return build_classified(values, parameters, groups_of, "codes of ISCO-08 of one to four digits")


def groups_of(said: Sequence[str]) -> list[Groups | None]:
    """Minor, sub-major and major group of each code, as far as they lie above it; None where a text is no code."""
    return [_groups(code) for code in padded(said, (1, 2, 3, 4))]


def _groups(code: str) -> Groups | None:
    names = _names()
    if not code.isdigit() or not code.isascii() or len(code) > 4 or code[0] not in names:
        return None
    major, minor = f"{code[0]} {names[code[0]]}", code[:3].ljust(len(code), "*")
    if len(code) == 1 or set(code[1:]) == {"0"}:
        return (major,)  # 2000 stands for all of 2
    if code[:2] not in names:
        return None
    sub_major = f"{code[:2]} {names[code[:2]]}"
    return (minor, sub_major, major) if len(code) == 4 and code[2] != "0" else (sub_major, major)


@cache
def _names() -> dict[str, str]:
    return dict(lines("isco08"))
