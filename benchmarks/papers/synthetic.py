# SPDX-License-Identifier: Apache-2.0
"""Invented people with the columns and domain sizes of SAL and INCOME, which cannot be passed on.

All columns are codes, as in the paper. They hang together through one draw from a normal distribution per record: each
code is the quantile of its own coordinate. How common the values of a domain are falls like 1 / rank, spread over the
codes in a fixed shuffled order, as in a code book; ages are those of a population.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.tables.table import Table

SAL = {"age": 78, "gender": 2, "education": 17, "marital": 6, "race": 9, "work_class": 10, "country": 83}
INC = {
    "age": 78, "occupation": 711, "birthplace": 983, "gender": 2, "education": 17, "race": 9, "work_class": 9,
    "marital": 6,
}  # fmt: skip
"""Columns in the order of the paper's Table 3, with the number of values of each."""
ALIKE = 0.3
"""Correlation of any two coordinates."""


def people(domains: dict[str, int], rows: int) -> Table:
    """A table of so many invented people; the first of a larger table are those of a smaller one."""
    draw = np.random.default_rng(2012)
    shares = {name: _shares(name, size, draw) for name, size in domains.items()}
    common = draw.standard_normal(rows)
    columns = {}
    for place, (name, share) in enumerate(shares.items()):
        own = np.random.default_rng([2012, place]).standard_normal(rows)
        columns[name] = _codes(np.sqrt(ALIKE) * common + np.sqrt(1 - ALIKE) * own, share)
    return Table.from_columns(columns)


def _shares(name: str, size: int, draw: np.random.Generator) -> Floats:
    """How common each code is."""
    if name == "age":
        return np.linspace(1.5, 0.5, size) / size
    falling = 1 / np.arange(1, size + 1)
    middle = np.concatenate([falling[1::2][::-1], falling[::2]])  # of an order of the people, where most of them are
    shares: Floats = (middle if name == "education" else draw.permutation(falling)) / falling.sum()
    return shares


def _codes(coordinates: Floats, shares: Floats) -> Ints:
    """Codes with these shares, rising with the coordinate."""
    edges = [NormalDist().inv_cdf(min(share, 1 - 1e-12)) for share in np.cumsum(shares)[:-1]]
    return np.searchsorted(edges, coordinates).astype(np.int64)
