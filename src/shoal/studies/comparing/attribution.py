# SPDX-License-Identifier: Apache-2.0
"""What each quasi-identifier costs, and what dropping, binning or down-weighting it would give back.

A column costs twice: its own cells are blurred, and because of it the records of a class differ more in everything
else. The first is the column's own loss. The second shows only in another run: without the column, with the column in
bins, with half its weight; always by the same method at the same k, and always counted with the weights of the plan.
A dropped column has lost all it said and counts 1, so that the total shows whether the others gain more than that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from shoal.ground.errors import CannotHoldError, refuse_unknown
from shoal.ground.progress import ProgressCallback
from shoal.ground.svg import Picture
from shoal.ground.wording import percent
from shoal.plan.keywords import PlanKeywords, shows_keywords
from shoal.plan.plan import Plan
from shoal.studies.comparing.grid import BIN, CHANGES, DROP, HALVE, Cell, whole_numbers
from shoal.studies.comparing.outcome import Outcome
from shoal.studies.comparing.running import Runner
from shoal.studies.comparing.starting import asked_k, begin, frame_of

VERBS = {DROP: "dropping", BIN: "binning", HALVE: "halving the weight of"}


@dataclass(frozen=True)
class Effect:
    """One change to one quasi-identifier, and what it does to the losses."""

    column: str
    change: str
    """``drop``, ``bin`` or ``halve``."""
    note: str
    """How it was binned; or why there are no figures."""
    own: float | None
    """Loss of the column itself, after."""
    others_before: float | None
    others: float | None
    """Loss per cell of the other columns, after."""
    total: float | None
    """Loss per cell of all columns, after; a dropped column counts 1."""

    @property
    def gives_back(self) -> float | None:
        """By how much the loss of the others falls."""
        if self.others is None or self.others_before is None:
            return None
        return self.others_before - self.others

    def to_dict(self) -> dict[str, Any]:
        """For JSON and tables."""
        names = ("column", "change", "note", "own", "others_before", "others", "gives_back", "total")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class Attribution:
    """What each quasi-identifier costs under one method at one k."""

    method: str
    k: int
    seed: int
    metric: str
    total: float | None
    """Loss per cell of the table."""
    per_column: Mapping[str, float | None]
    weights: Mapping[str, float]
    effects: tuple[Effect, ...]
    like: Any = field(default=None, repr=False, compare=False)

    @property
    def shares(self) -> dict[str, float]:
        """Which part of the loss is in each column's own cells."""
        parts = {name: self.weights[name] * (loss or 0.0) for name, loss in self.per_column.items()}
        whole = sum(parts.values())
        return {name: part / whole if whole else 0.0 for name, part in parts.items()}

    def effect(self, column: str, change: str) -> Effect | None:
        """One change of one column, where it was tried."""
        return next((one for one in self.effects if (one.column, one.change) == (column, change)), None)

    @property
    def costliest(self) -> str | None:
        """The column whose absence would give the others most."""
        known = [(one.gives_back, one.column) for one in self.effects if one.change == DROP and one.gives_back]
        return max(known)[1] if known and max(known)[0] > 0 else None

    @property
    def findings(self) -> list[str]:
        """What was found, in sentences, the most helpful change first."""
        useful = [one for one in self.effects if one.gives_back is not None and one.gives_back > 0]
        useful.sort(key=lambda one: -(one.gives_back or 0.0))
        lines = [self._sentence(one) for one in useful]
        return lines or ["No change of a single column would lower the loss of the others."]

    def _sentence(self, one: Effect) -> str:
        how = f" ({one.note})" if one.note else ""
        told = f"{VERBS[one.change]} {one.column}{how} would lower the loss of the others"
        told += f" from {percent(one.others_before or 0.0)} to {percent(one.others or 0.0)}"
        if one.total is not None and self.total is not None:
            word = "falls" if one.total < self.total else "rises"
            lost = ", all of that column counted as lost," if one.change == DROP else ""
            told += f"; the total{lost} {word} from {percent(self.total)} to {percent(one.total)}"
        return told[0].upper() + told[1:] + "."

    @property
    def records(self) -> list[dict[str, Any]]:
        """One flat record per change."""
        fixed = {"method": self.method, "k": self.k, "seed": self.seed, "metric": self.metric}
        return [
            fixed
            | {"own_before": self.per_column.get(one.column), "share": self.shares[one.column]}
            | one.to_dict()
            | {"total_before": self.total}
            for one in self.effects
        ]

    @cached_property
    def table(self) -> Any:
        """The same as a frame of the kind that was examined."""
        return frame_of(self.like, self.records)

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "method": self.method,
            "k": self.k,
            "seed": self.seed,
            "metric": self.metric,
            "total": self.total,
            "columns": [
                {"column": name, "loss": loss, "share": self.shares[name]} for name, loss in self.per_column.items()
            ],
            "effects": [one.to_dict() for one in self.effects],
            "findings": self.findings,
        }

    def plot(self) -> Picture:
        """What each change of each column does to the loss of the others."""
        from shoal.studies.comparing import plots

        return plots.attribution(self)

    def _repr_html_(self) -> str:
        from shoal.studies.comparing.page import attribution_card

        return attribution_card(self)


@shows_keywords
def attribute(
    data: Any,
    plan: Plan | None = None,
    *,
    k: int | None = None,
    columns: Iterable[str] = (),
    output: str | Path | None = None,
    progress: ProgressCallback | None = None,
    **keywords: Unpack[PlanKeywords],
) -> Attribution:
    """What each quasi-identifier costs under the plan's method, and what dropping, binning or halving it gives back.

    Takes what :func:`shoal.anonymize` takes. Three runs per quasi-identifier, each in a process of its own, or only
    for those that ``columns`` names; with ``output``, a folder, they are kept there and a second call goes on where the
    first stopped.
    """
    (size,) = whole_numbers(asked_k(k, plan), "k", 1)
    table, plan, like = begin(data, plan, size, keywords)
    runner = Runner.on(table, plan, output, progress=progress)
    found = attribution_of(runner, Cell(plan.method, plan.k, plan.seed or 0), tuple(columns))
    if runner.interrupted:
        raise KeyboardInterrupt
    return replace(found, like=like)


def attribution_of(runner: Runner, cell: Cell, columns: Sequence[str] = ()) -> Attribution:
    """Run the cell as it is and with every change of every quasi-identifier, or of some of them."""
    plan = runner.plan
    names = plan.quasi_identifiers
    refuse_unknown(columns, names, "quasi-identifier", "columns")
    changes = [Cell(cell.method, cell.k, cell.seed, change, name) for name in columns or names for change in CHANGES]
    whole, *outcomes = runner.run([cell, *changes])
    if runner.interrupted and not whole.done:
        raise KeyboardInterrupt
    if not whole.done:
        raise CannotHoldError(
            "There is no release whose loss could be attributed.",
            where=f"method {cell.method!r}, k = {cell.k}",
            allowed="a method that gives a table at this k",
            received=whole.reason,
            todo="choose another method or k",
        )
    weights = {name: float(plan.columns[name].weight) for name in names}
    return Attribution(
        cell.method,
        cell.k,
        cell.seed,
        whole.metric,
        whole.loss,
        dict(whole.per_column),
        weights,
        tuple(_effect(one, whole, weights) for one in outcomes),
    )


def _effect(one: Outcome, whole: Outcome, weights: Mapping[str, float]) -> Effect:
    others = {name: weight for name, weight in weights.items() if name != one.column}
    return Effect(
        one.column,
        one.change,
        one.note if one.done else one.reason,
        one.per_column.get(one.column),
        mean_loss(whole.per_column, others),
        mean_loss(one.per_column, others) if one.done else None,
        mean_loss(one.per_column, weights) if one.done else None,
    )


def mean_loss(losses: Mapping[str, float | None], weights: Mapping[str, float]) -> float | None:
    """Weighted mean loss of some columns; None where one of them is unknown or nothing has weight."""
    known = [(losses.get(name), weight) for name, weight in weights.items() if weight]
    if not known or any(loss is None for loss, _ in known):
        return None
    return sum(weight * (loss or 0.0) for loss, weight in known) / sum(weight for _, weight in known)
