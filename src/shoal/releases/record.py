# SPDX-License-Identifier: Apache-2.0
"""Record: one run that is over; what was asked, untouched, beside what was done."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from shoal.plan.plan import Plan
from shoal.releases.reports.words import NOT_FOR_PUBLICATION
from shoal.tables.table import Table

if TYPE_CHECKING:
    from shoal.engine.refining.search import Refined


@dataclass(frozen=True)
class Record:
    """What was asked and what was done; made once, when a run ends."""

    plan: Plan
    """What was done, as a plan that does it again: kinds and renderings settled, hierarchies loaded, the seed, the
    steps of the search, the reading of the input. This is what ``plan.toml`` tells."""
    asked: Plan
    """The request, as it was given."""
    notes: tuple[str, ...] = ()
    """What was decided on the way and is worth a look, a sentence each; no cell is in them."""
    learnt: Mapping[str, float] = field(default_factory=dict)
    """What each quasi-identifier counts, where the method has learnt that (``wf_c_means``); else empty."""

    @classmethod
    def of(
        cls,
        asked: Plan,
        settled: Plan | None = None,
        searched: Refined | None = None,
        notes: tuple[str, ...] = (),
        learnt: Mapping[str, float] | None = None,
    ) -> Record:
        """The request, the plan that the run went by (the request itself, if it left nothing open), and its search."""
        plan = settled or asked
        if searched is not None:
            plan = replace(plan, steps=searched.steps, stop_after=searched.stop_after, time_budget=None)
        return cls(plan, asked, notes, learnt or {})

    def with_bound(self, stopped_after: int | None) -> Record:
        """The same with where the bound was stopped, if it was, in place of the seconds that it had."""
        return replace(self, plan=replace(self.plan, time_budget=None, stop_bound_after=stopped_after))

    def written_as(self, format: str) -> Record:
        """The record of a release whose table is written in a format."""
        return replace(self, plan=replace(self.plan, format=format))

    def to_toml(self, folder: Path, hierarchy_files: dict[str, str]) -> str:
        """The text of ``plan.toml``; the population stays where it is, so its path is told as seen from the folder."""
        plan = self.plan
        if isinstance(plan.population, Path):
            plan = replace(plan, population=Path(os.path.relpath(os.path.realpath(plan.population), folder)))
        return f"# {NOT_FOR_PUBLICATION}\n\n{plan.to_toml(hierarchy_files)}"

    def without_people(self) -> Record:
        """The same without a table of the population, which no file of a release tells either."""
        if not isinstance(self.plan.population, Table):
            return self
        return replace(self, plan=replace(self.plan, population=None), asked=replace(self.asked, population=None))
