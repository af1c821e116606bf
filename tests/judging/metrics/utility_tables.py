# SPDX-License-Identifier: Apache-2.0
"""Random tables and releases of them, for the tests of utility."""

from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.ground import catalog
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.evidence import Evidence, Measurement
from shoal.plan.plan import Plan
from shoal.tables.table import Table

TREE = {"ab": ["a", "b"], "cde": ["c", "d", "e"], "*": ["a", "b", "c", "d", "e"]}
ROWS = [["a", "ab", "*"], ["b", "ab", "*"], ["c", "cde", "*"], ["d", "cde", "*"], ["e", "cde", "*"]]
PLAN = Plan.of(
    2,
    quasi_identifiers=["age", "height", "place"],
    sensitive=["ill"],
    kinds={"age": "numeric", "height": "numeric"},
    hierarchies={"place": Hierarchy.from_rows(ROWS)},
)


class Tables(NamedTuple):
    """A random table and a release of it, as cells."""

    before: dict[str, list[str | None]]
    after: dict[str, list[str | None]]

    @property
    def evidence(self) -> Evidence:
        return Evidence(*(Table.of(pl.DataFrame(one, strict=False)) for one in self), PLAN)

    def measured(self, name: str) -> Measurement:
        return catalog.load("metrics", name).measure(self.evidence)


def random_tables(seed: int, rows: int = 0) -> Tables:
    """Rows in groups of two or three, each shown by ranges and by nodes that hold the whole group."""
    random = np.random.default_rng(seed)
    rows = rows or int(random.integers(12, 30))
    age = np.sort(random.integers(20, 40, rows))
    height = age + random.integers(100, 120, rows)
    place = [str(one) for one in random.choice(list("abcde"), rows, p=[0.4, 0.2, 0.2, 0.1, 0.1])]
    ill = ["yes" if one > 30 + random.integers(-4, 5) else "no" for one in age.tolist()]
    after: dict[str, list[str | None]] = {"age": [], "height": [], "place": [], "ill": list(ill)}
    for group in np.array_split(np.arange(rows), rows // 2 if rows > 3 else 1):
        for name, numbers in (("age", age), ("height", height)):
            low, high = int(numbers[group].min()), int(numbers[group].max())
            after[name] += ["*" if random.random() < 0.05 else f"[{low}, {high}]"] * len(group)
        names = {place[row] for row in group.tolist()}
        node = next((one for one in [*"abcde", *TREE] if names <= set(TREE.get(one, [one]))), "*")
        after["place"] += [node] * len(group)
    before = {"age": list(map(str, age)), "height": list(map(str, height)), "place": list(place), "ill": list(ill)}
    return Tables(before, after)
