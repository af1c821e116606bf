# SPDX-License-Identifier: Apache-2.0
"""A method under examination: what it declares, and what it makes of a table."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from shoal import pipeline
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.methods import Capabilities
from shoal.ground.arrays import Ints
from shoal.ground.parameters import build
from shoal.ground.progress import Progress, ProgressCallback
from shoal.ground.requirements import Requirement, Rule
from shoal.releases.kinds import kind_named
from shoal.releases.release import Release
from shoal.tables.table import Table
from shoal.testing import _people as people
from shoal.testing import _weaker as weaker


@dataclass(frozen=True)
class Candidate:
    """A method under examination."""

    name: str
    method: ModuleType

    @property
    def able(self) -> Capabilities:
        """What the method declares."""
        able: Capabilities = self.method.CAPABILITIES
        return able

    @property
    def columns(self) -> list[str]:
        """Names of the columns it can take."""
        return people.columns_of(self.able.kinds)

    @property
    def is_weaker(self) -> bool:
        """Whether it publishes something else than classes."""
        return kind_named(self.able.releases).weaker

    def encoded(self, table: Table, k: int, **others: Any) -> Encoded:
        """The table as the method will see it."""
        return encode(table, complete(people.plan_for(table, self.name, k, **others), table)).unitless

    def made(self, encoded: Encoded, k: int, seed: int = 0, asked: tuple[Rule, ...] = (), **given: Any) -> Any:
        """What the method returns, not checked; ``given`` are its parameters."""
        parameters = build(self.method.Parameters, given, where=f"method {self.name!r}")
        return self.method.cluster(encoded, Requirement(k, asked), parameters, np.random.default_rng(seed), Progress())

    def labels(self, encoded: Encoded, k: int, seed: int = 0, asked: tuple[Rule, ...] = ()) -> Ints:
        """The method's classes, checked to be a partition; of sub-tables and boxes all numbers, end to end."""
        made = self.made(encoded, k, seed, asked)
        return weaker.flat(self.name, self.able, made, encoded, k, bounded=not asked)

    def release(self, table: Table, k: int, progress: ProgressCallback | None = None, **others: Any) -> Release:
        """The table through the whole flow."""
        weak = {"accept_weaker": True, "seed": 0} if self.is_weaker else {"keep_order": True}
        return pipeline.run(table, people.plan_for(table, self.name, k, **{**weak, **others}), Progress(progress))
