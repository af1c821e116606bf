# SPDX-License-Identifier: Apache-2.0
"""Countries by region and continent, from their codes or names.

Knows the two and three letters of ISO 3166, English names, and usual names (and some nationalities) in German, French,
Spanish, Italian, Portuguese, Dutch and Polish. Regions and continents are those of the United Nations (M49):
``Spain`` becomes ``Southern Europe``, ``Europe``. Values that are no country hang under the root.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds._classified import Groups, Parameters, build_classified, lines, plain
from shoal.hierarchies.values import Values

__all__ = ["Parameters", "build", "groups_of"]


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """Region and continent of every country.

    >>> build(Values.of(["Spain", "Brazil", "Italien"]), Parameters()).rows()[1]
    ['Italien', 'Southern Europe', 'Europe', '*']
    """
    return build_classified(values, parameters, groups_of, "names or ISO codes of countries")


def groups_of(said: Sequence[str]) -> list[Groups | None]:
    """Region and continent of each country; None where a text is none."""
    known = _known()
    return [known.get(plain(text)) for text in said]


@cache
def _known() -> dict[str, Groups]:
    known: dict[str, Groups] = {}
    for region, continent, two, three, names in lines("countries"):
        groups = (region,) if region == continent else (region, continent)
        for name in (two, three, *names.split("|")):
            known.setdefault(plain(name), groups)
    return known
