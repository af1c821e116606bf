# SPDX-License-Identifier: Apache-2.0
"""Random tables with numbers as they occur in life, written twice: for the papers' own text and for the engine."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import polars as pl

from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded
from shoal.ground import catalog
from shoal.ground.parameters import build
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.reference.papers.records import Column, Names, Numbers, Tree

WORK = [
    ["self-employed", "own", "any"],
    ["family business", "own", "any"],
    ["city", "local", "public", "any"],
    ["county", "local", "public", "any"],
    ["state", "public", "any"],
    ["federal", "public", "any"],
    ["private", "any"],
]
SEX = [["female", "person"], ["male", "person"], ["other", "person"]]
FIRST_DAY = datetime.date(1970, 1, 1)


@dataclass(frozen=True)
class Case:
    """One table: as the papers see it, as a frame, and what is asked for."""

    records: Sequence[Column]
    frame: pl.DataFrame
    trees: dict[str, list[list[str]]]
    k: int

    def encoded(self, loss: str = "ncp") -> Encoded:
        """The engine's view, from the raw cells."""
        table = Table.of(self.frame)
        weights = {name: float(column.weight) for name, column in zip(self.frame.columns, self.records, strict=True)}
        plan = Plan.of(self.k, quasi_identifiers=self.frame.columns, hierarchies=self.trees, weights=weights, loss=loss)
        return encode(table, complete(plan, table)).unitless

    def found(self, method: str, seed: int = 0, **parameters: Any) -> Any:
        """What the engine's method makes of it, with the loss that it declares to be its paper's."""
        code = catalog.load("algorithms", method)
        loss = code.CAPABILITIES.paper_loss or Plan.loss
        asked = build(code.Parameters, parameters, where="the test")
        random = np.random.default_rng(seed)
        return code.cluster(self.encoded(loss), Requirement(self.k, ()), asked, random, Progress())

    def labels(self, method: str, **parameters: Any) -> list[int]:
        """The classes of the engine's method."""
        found: list[int] = self.found(method, **parameters).labels.tolist()
        return found


def income(random: Random) -> int:
    """Most earn thirty or forty thousand, some a hundred times as much."""
    return 100 * round(random.lognormvariate(6, 0.9)) if random.random() < 0.9 else random.randint(0, 9_999_999)


KINDS: dict[str, Any] = {
    "age": lambda random: random.randint(16, 90),
    "income": income,
    "born": lambda random: random.randint(-12_000, 19_000),
    "rent": lambda random: Fraction(random.randint(20_000, 250_000), 100),
    "children": lambda random: min(random.randint(0, 6), random.randint(0, 6)),
    "work": lambda random: random.choice(WORK)[0],
    "sex": lambda random: random.choice(SEX)[0],
}
TREES = {"work": WORK, "sex": SEX}
WEIGHTS = [1, 1, 1, 1, 2, Fraction(1, 2), 1000]


def as_cells(name: str, values: list[Any]) -> list[Any]:
    """The cells of a frame: dates are dates, money has a point."""
    if name == "born":
        return [FIRST_DAY + datetime.timedelta(days=value) for value in values]
    return [float(value) for value in values] if name == "rent" else values


def case(seed: int, kinds: Sequence[str] = tuple(KINDS), largest: int = 26) -> Case:
    """A small table of at least 2k records, a third of them duplicates of others."""
    random = Random(seed)
    k = random.randint(2, 4)
    n = random.randint(2 * k, largest)
    names = random.sample(list(kinds), random.randint(1, min(3, len(kinds))))
    own = {name: [KINDS[name](random) for _ in range(n)] for name in names}
    repeated = [random.randrange(n) if random.random() < 0.33 else row for row in range(n)]
    cells = {name: [values[row] for row in repeated] for name, values in own.items()}
    records: list[Column] = []
    for name in names:
        weight = Fraction(random.choice(WEIGHTS))
        if name in TREES:
            records.append(Names(cells[name], Tree.of(TREES[name]), weight))
        else:
            records.append(Numbers([Fraction(value) for value in cells[name]], weight))
    frame = pl.DataFrame({name: as_cells(name, values) for name, values in cells.items()})
    return Case(records, frame, {name: tree for name, tree in TREES.items() if name in names}, k)
