# SPDX-License-Identifier: Apache-2.0
"""States of the USA by division and region, from their letters, names or FIPS numbers.

``CA``, ``California`` and ``06`` become ``Pacific``, ``West``, as the Census Bureau divides the country; territories
are a group of their own. Values that are no state hang under the root.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds._classified import Groups, Parameters, build_classified, lines, padded, plain
from shoal.hierarchies.values import Values

__all__ = ["Parameters", "build", "groups_of"]


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """Division and region of every state.

    >>> build(Values.of(["CA", "Texas"]), Parameters()).rows()
    [['Texas', 'West South Central', 'South', '*'], ['CA', 'Pacific', 'West', '*']]
    """
    return build_classified(values, parameters, groups_of, "letters, names or FIPS numbers of US states")


def groups_of(said: Sequence[str]) -> list[Groups | None]:
    """Division and region of each state; None where a text is none."""
    known = _known()
    return [known.get(plain(text)) for text in padded(said, (2,))]


@cache
def _known() -> dict[str, Groups]:
    known: dict[str, Groups] = {}
    for division, region, letters, number, names in lines("us_states"):
        groups = (division,) if division == region else (division, region)
        known |= {plain(name): groups for name in (letters, number, *names.split("|"))}
    return known
