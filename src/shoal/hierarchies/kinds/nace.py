# SPDX-License-Identifier: Apache-2.0
"""Industries by the codes of NACE (revision 2) or ISIC (revision 4): classes, groups, divisions and sections.

``10.11``, ``1011`` and ``C10.11`` become ``10.1``, ``10 Food products``, ``C Manufacturing``; shorter codes start
further up. Both classifications have the same divisions and sections. Other values hang under the root.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds._classified import Groups, Parameters, build_classified, lines, padded
from shoal.hierarchies.values import Values

__all__ = ["Parameters", "build", "groups_of"]

CODE = re.compile(r"([A-U])?\s*(?:(\d\d)(?:\.?(\d)(\d)?)?)?", re.IGNORECASE)


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """The groups of every code.

    >>> build(Values.of(["10.11", "C10.12", "47"]), Parameters()).rows()[0]
    ['10.11', '10.1', '10 Food products', 'C Manufacturing', '*']
    """
    return build_classified(values, parameters, groups_of, "codes of NACE or ISIC, from sections to classes")


def groups_of(said: Sequence[str]) -> list[Groups | None]:
    """Group, division and section of each code, as far as they lie above it; None where a text is no code."""
    return [_groups(code) for code in padded(said, (2, 3, 4))]


def _groups(code: str) -> Groups | None:
    found = CODE.fullmatch(code.strip())
    if not code or found is None:
        return None
    letter, division, group, of_class = found.groups()
    names, sections = _names(), _sections()
    section = sections.get(division or "", (letter or "").upper())
    if section not in names or (letter and letter.upper() != section) or (division and division not in sections):
        return None
    label = f"{section} {names[section]}"
    if division is None:
        return (label,)
    above = (f"{division} {names[division]}", label)
    return (f"{division}.{group}", *above) if of_class else above


@cache
def _names() -> dict[str, str]:
    return dict(lines("nace"))


@cache
def _sections() -> dict[str, str]:
    """The section of each division: the letter that stands above it in the list."""
    section, found = "", {}
    for code in _names():
        if code.isalpha():
            section = code
        else:
            found[code] = section
    return found
