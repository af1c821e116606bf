# SPDX-License-Identifier: Apache-2.0
"""The grid of a comparison: which method, at which k, with which seed; and the plan of each cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from shoal.ground import catalog
from shoal.ground.errors import PlanError
from shoal.ground.parameters import as_python
from shoal.judging.gates import require_figure
from shoal.plan import roles
from shoal.plan.columns import ColumnPlan
from shoal.plan.gates import LOSS, figure_of
from shoal.plan.plan import Plan

ALL = "all"
BOUND = "lower_bound"
"""Stands where a method's name would for the cell that computes the lower bound of a k."""
DROP, BIN, HALVE = "drop", "bin", "halve"
CHANGES = (DROP, BIN, HALVE)
"""What may be done to one quasi-identifier to see what it costs."""
RANK = "--rank / rank"


@dataclass(frozen=True)
class Cell:
    """One run of the grid; ``change`` and ``column`` only where the cost of a quasi-identifier is asked for."""

    method: str
    k: int
    seed: int = 0
    change: str = ""
    column: str = ""
    rank: str = ""
    """What methods are ranked by, as a gate names it; empty: the loss."""

    @property
    def title(self) -> str:
        """The cell in words."""
        changed = f", {self.change} {self.column}" if self.change else ""
        return f"{self.method} k={self.k}{changed}"

    def plan(self, base: Plan) -> Plan:
        """The plan of this cell; parameters belong to the method that the plan names."""
        parameters = base.parameters if self.method == base.method else {}
        method = base.method if self.method == BOUND else self.method
        plan = replace(base, k=self.k, method=method, parameters=parameters, seed=self.seed)
        return _changed(plan, self.change, self.column) if self.change in (DROP, HALVE) else plan

    def to_dict(self) -> dict[str, Any]:
        """What tells cells apart."""
        return {"method": self.method, "k": self.k, "seed": self.seed, "change": self.change, "column": self.column} | (
            {"rank": self.rank} if self.rank else {}
        )


def _changed(plan: Plan, change: str, name: str) -> Plan:
    column: ColumnPlan = plan.columns[name]
    plan = replace(plan, matters=(), group_by=(), pairs=())  # they may name the column
    changed = replace(column, role=roles.DROP) if change == DROP else replace(column, weight=column.weight / 2)
    return plan.with_columns({name: changed})


def methods_of(asked: str | Iterable[str] | None) -> tuple[str, ...]:
    """The methods to compare: those named, or every one there is; each once, and known."""
    named = [asked] if isinstance(asked, str) else list(asked or [ALL])
    if ALL in named:
        named = catalog.names("algorithms")
    for name in named:
        catalog.find("algorithms", name)
    return tuple(dict.fromkeys(named))


def rank_of(asked: str | None, plan: Plan) -> str:
    """What methods are ranked by: a metric or one of its figures, as gates name them; empty for the loss."""
    if asked is None or asked == LOSS:
        return ""
    named = figure_of(asked, RANK)
    require_figure(named, plan, list(plan.columns), RANK)
    return "" if named.metric == LOSS else str(named)


def whole_numbers(asked: int | Iterable[int], what: str, least: int) -> tuple[int, ...]:
    """Values of k or seeds: whole numbers, each once, in the order given."""
    single = as_python(asked)
    numbers = [single] if isinstance(single, int) else [as_python(one) for one in single]
    wrong = [one for one in numbers if isinstance(one, bool) or not isinstance(one, int) or one < least]
    if wrong or not numbers:
        raise PlanError(
            f"The list of {what} cannot be used.",
            where=what,
            allowed=f"one or more whole numbers of at least {least}, e.g. 5, 10, 50",
            received=repr(wrong[0]) if wrong else "an empty list",
            todo="mend the list",
        )
    return tuple(dict.fromkeys(numbers))


def cells_of(methods: Sequence[str], ks: Sequence[int], seeds: Sequence[int], rank: str = "") -> tuple[Cell, ...]:
    """Every cell, k by k; methods that draw nothing run once, with the first seed."""
    return tuple(
        Cell(method, k, seed, rank=rank)
        for k in ks
        for method in methods
        for seed in (seeds if catalog.load("algorithms", method).CAPABILITIES.random else seeds[:1])
    )
