# SPDX-License-Identifier: Apache-2.0
"""What every kind of release answers: how it is made, judged, measured and told.

The rest of the code asks the kind and never compares names. A kind that keeps less than one k-anonymous table is
``weaker``: it runs only if the plan accepts it, and nothing about it is ever called plain "k".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal.ground.arrays import Ints
from shoal.ground.errors import CannotHoldError, PlanError, listed
from shoal.ground.progress import Progress
from shoal.judging.checking import measure
from shoal.judging.evidence import Measurement
from shoal.judging.verdicts import Verdict
from shoal.plan.plan import OWN_K, Plan
from shoal.plan.roles import DROP, IDENTIFIER
from shoal.releases.private import Private
from shoal.releases.reports.findings import Reported
from shoal.tables.bareness import bare_table
from shoal.tables.row_order import sorted_rows
from shoal.tables.stowaways import prefix_formulas
from shoal.tables.table import Table

if TYPE_CHECKING:  # whoever only judges a release loads nothing of the engine
    from shoal.engine.encoding.encoded import Encoded


@dataclass(frozen=True)
class Made:
    """The tables to publish, rows in publishing order, and what their maker knows about them."""

    tables: tuple[Table, ...]
    private: Private
    formulas: Mapping[str, int]
    """Cells per column that a spreadsheet would run, before any of them was prefixed."""
    measured: Table
    """One table for the metrics, which look at one column at a time."""
    look_alikes: Ints | None = None
    """Among how many records each record hides; None: as the classes of the table tell."""


@dataclass(frozen=True, kw_only=True)
class Kind(ABC):
    """One kind of release. In what it tells, k, the rows released and the facts are filled in."""

    name: str
    """As methods declare it (``releases``), and as manifests and facts tell it."""
    words: str
    """The same for people."""
    promise: str
    """What the judge must have found before anything is released."""
    findings: Mapping[str, str]
    """What the verdict on it speaks of besides the models, and what that asks."""
    figures: Mapping[str, str]
    """The numbers of the promise for programs, and where they stand."""
    unpromised: tuple[str, ...] = ()
    """Those of the figures that nothing is promised about."""
    letters: str
    """The promise in a few letters; k alone only where it is one table of classes."""
    headline: str
    """The promise in a line."""
    rows: Mapping[str, str]
    """The numbers of the promise for people."""
    lines: Mapping[str, str]
    """Rows and groups for a terminal."""
    weakness: str = ""
    """What it does not promise, said before it runs and in its report; empty for k-anonymity."""
    attacker: str = "about a person"
    """Whose best guess the risk is, in a few words."""
    attackers: str = ""
    """The same in sentences; empty where the usual ones say it."""
    groups: Callable[[Reported], str] | None = None
    """Section of the HTML report in place of the groups of look-alikes, where there are none."""
    secret: bool = False
    """Whether its promise rests on a draw that nobody knows, so that no seed is settled for it."""
    several: bool = False
    """Whether it is several tables."""
    keeps_models: bool = True
    """Whether its tables have classes, so that models can be asked for."""
    lends: bool = False
    """Whether a row shows the private columns of another record than its labels are about."""

    @property
    def weaker(self) -> bool:
        """Whether it keeps less than one k-anonymous table."""
        return bool(self.weakness)

    def enforced(self, table: Table, encoded: Encoded, found: Any, plan: Plan, progress: Progress) -> Any:
        """What a method of a weaker kind returned, made to keep the models that were asked for."""
        return found

    @abstractmethod
    def render(self, table: Table, encoded: Encoded, found: Any, plan: Plan) -> Made:
        """The tables to publish, of what a method of this kind returned."""

    @abstractmethod
    def judge(self, tables: Sequence[Table], plan: Plan, private: Private | None, **beside: Any) -> Verdict:
        """The verdict with all that the maker knows; without it, on what an outsider can judge.

        ``beside`` is what an outsider may have besides the tables: ``original``, ``allow``, ``files`` (see ``check``).
        """

    def needs_maker(self, plan: Plan) -> bool:
        """Whether the promise cannot be judged by the tables alone."""
        return self.weaker or plan.person is not None or OWN_K in plan.models

    def measure(
        self, table: Table, made: Made, plan: Plan, learnt: Mapping[str, float], progress: Progress
    ) -> tuple[Measurement, ...]:
        """What was lost and what risk remains."""
        classes = None if self.weaker else made.private.classes
        return measure(
            table,
            made.measured,
            plan,
            classes=classes,
            releases=self.name,
            look_alikes=made.look_alikes,
            rows=None if self.weaker else made.private.rows[0],
            learnt=learnt,
            progress=progress,
        )

    def side_by_side(self, tables: Sequence[Table], plan: Plan) -> Table:
        """One table for metrics that look at one column at a time."""
        return tables[0]

    def facts(self, table: Table, made: Made, plan: Plan, verdict: Verdict) -> dict[str, Any]:
        """The counts that reports show; never a cell."""
        return {
            "rows": len(table),
            "released_rows": len(table),
            "suppressed": 0,
            "identifiers_removed": plan.having(IDENTIFIER),
            "columns_dropped": plan.having(DROP),
            "order": "shuffled",
            "formula_cells": made.formulas,
            "releases": self.name,
        }

    def statement(self, plan: Plan) -> str:
        """The promise in plain sentences, and for a weaker one what it does not promise."""
        return self.weakness.format(method=plan.method)

    def numbers(self, release: Reported) -> dict[str, Any]:
        """What is filled in."""
        return {**release.facts, "k": release.plan.k, "released": release.released_rows}

    def promised(self, release: Reported) -> dict[str, int]:
        """The numbers of the promise, for programs."""
        numbers = self.numbers(release)
        return {name: numbers[place] for name, place in self.figures.items()}

    def told(self, words: Mapping[str, str], release: Reported) -> list[tuple[str, str]]:
        """Names and what is said under them, filled in; what comes out empty is left out."""
        filled = {name: said.format(**self.numbers(release)) for name, said in words.items()}
        return [(name, said) for name, said in filled.items() if said]

    def file_names(self, tables: int, ending: str) -> list[str]:
        """Names of the files with the tables of a release."""
        return [f"table-{number}{ending}" for number in range(1, tables + 1)] if self.several else [f"table{ending}"]

    def announcement(self, plan: Plan) -> str:
        """What must be said before the run, mostly nothing; raises unless the plan accepts it."""
        if self.weaker and not plan.accept_weaker:
            raise CannotHoldError(
                "The method does not publish a k-anonymous table.",
                where=f"method {plan.method!r}",
                allowed="a method that publishes classes, or accept_weaker",
                received=self.statement(plan),
                todo="choose another method, or accept less: --accept-weaker, accept_weaker = true in [privacy], "
                "accept_weaker=True",
            )
        if self.weaker:
            self._refuse_what_needs_classes(plan)
        return self.statement(plan) if self.weaker else ""

    def _refuse_what_needs_classes(self, plan: Plan) -> None:
        if plan.models and not self.keeps_models:
            raise CannotHoldError(
                "Models of classes mean nothing where there are none.",
                where=f"method {plan.method!r}, model {listed(plan.models)}",
                allowed="k alone with this method",
                received=listed(plan.models),
                todo="leave out the models, or choose a method that publishes classes",
            )
        if plan.in_common_levels:
            raise PlanError(
                "Levels that all classes share need classes, which this method does not make.",
                where=f"method {plan.method!r}, --levels / levels of {listed(plan.in_common_levels)}",
                allowed="a method that releases one table of classes",
                received=f"a method that releases {self.name}",
                todo="use another method, or leave out the levels",
            )
        if plan.keep_order:
            raise PlanError(
                "The order of the input cannot be kept: it would undo what this method hides.",
                where=f"--keep-order / keep_order, method {plan.method!r}",
                allowed="shuffled rows",
                received="keep_order = true",
                todo="leave it out, or choose a method that publishes classes",
            )
        if plan.person is not None:
            raise PlanError(
                "Persons are counted per class, which this method does not make.",
                where=f"method {plan.method!r}, --person / [privacy] person",
                allowed="a method that releases one table of classes",
                received=f"a method that releases {self.name}",
                todo="use --method k_member, or leave out the person column",
            )


def shuffled(table: Table, stream: list[int] | None) -> Ints:
    """Rows sorted by content and then shuffled; without a stream by the system's draw.

    A shuffle of the input order with a known seed could be undone; a shuffle of sorted rows depends on nothing but
    what is published anyway.
    """
    return sorted_rows(table)[np.random.default_rng(stream).permutation(len(table))]


def guarded(table: Table, plan: Plan) -> Table:
    """The table with nothing in it but its cells, and with its formulas prefixed if the plan says so."""
    return bare_table(prefix_formulas(table) if plan.formulas == "prefix" else table)
